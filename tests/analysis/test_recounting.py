"""What is counted again of a stored answer: what follows from itself passes, any change is found."""

from __future__ import annotations

import copy
from typing import Any

import msgspec
import numpy as np
import pytest

from analysis.ragers.answers import brackets, recounting, verification
from analysis.ragers.answers.answer import NOTHING, NUM_TYPES, Answer, HandStrategy
from analysis.ragers.answers.brackets import Openings
from engine.ragers.isomorphism import day_game
from engine.ragers.rules import VETERAN, load_rules
from tests.analysis.made_answers import Made, sampled, tiny
from tests.analysis.test_trust import answer as trusted

CASES = [
    ("BBSV", "BBSV", "none"),
    ("BBSV", "BBSV", "redraw"),
    ("BBSV", "BBSV", "seen"),
    ("BSPP", "BBSV", "none"),
    ("BSPP", "BBSV", "redraw"),
    ("BSPP", "BBSV", "seen"),
    ("BV", "VV", "redraw"),  # nothing is left to draw
]


@pytest.mark.parametrize(("first", "second", "preparation"), CASES)
def test_what_follows_from_itself_is_sound(first: str, second: str, preparation: str) -> None:
    made = Made(first, second, preparation)
    assert made.problems() == []
    assert verification.check_strategy(made.strategy, made.answer, made.day) == []
    if preparation == "redraw" and (first, second) == ("BSPP", "BBSV"):
        assert made.strategy.preparation_mix is not None
        assert (made.strategy.preparation_mix[..., :NOTHING] > 0).any(), "somebody exchanges"
    # Worths of hands that nobody holds need not be known.
    for player in (0, 1):
        made.strategy.opening_ev[player][made.strategy.reach[player] == 0] = np.nan
    assert made.problems() == []


def held(made: Made, player: int) -> int:
    """Return the hand of two different cards that a player holds most often at the first placement."""
    two = (made.strategy.hands[:, :VETERAN] > 0).sum(axis=1) == 2
    row = int(np.argmax(made.strategy.reach[player] * two))
    assert made.strategy.reach[player, row] > 0
    return row


def cards(made: Made, row: int) -> list[int]:
    """Return the types in a hand."""
    return [int(card) for card in np.flatnonzero(made.strategy.hands[row])]


def exchange_of(made: Made, player: int) -> Any:
    assert made.strategy.preparation_mix is not None
    return made.strategy.preparation_mix[player]


def test_an_exchange_belongs_to_a_day_that_has_one() -> None:
    words = "the exchange is missing, or should not be there"
    for preparation, other in (("none", "redraw"), ("redraw", "none"), ("seen", "none"), ("none", "seen")):
        made, source = Made("BBSV", "BBSV", preparation), Made("BBSV", "BBSV", other)
        arrays = vars(made.strategy) | {"preparation_mix": source.strategy.preparation_mix}
        made.strategy = HandStrategy(**arrays)
        assert made.problems() == [f"{words}, player 0", f"{words}, player 1"]


def test_who_has_nothing_left_to_draw_keeps_all_unless_the_discard_is_seen() -> None:
    for preparation, sound in (("redraw", False), ("seen", True)):
        made = Made("BV", "VV", preparation)
        mix = exchange_of(made, 0)
        row = made.row(0, VETERAN)
        mix[row] = 0.0
        mix[row, 0] = 1.0
        found = [each for each in made.problems() if "exchanges what it does not hold" in each]
        assert found == ([] if sound else ["a hand exchanges what it does not hold, player 0"])


def test_rounding_of_what_is_kept_is_no_contradiction() -> None:
    made = Made("BSPP", "BBSV", "redraw")
    for player in (0, 1):
        made.strategy.opening[player, held(made, player)] *= 1.0000005
    made.mix()
    usage = copy.deepcopy(made.answer.usage)
    usage[0][0][0] += 5e-6
    made.change(usage=usage)
    assert made.problems() == []
    usage[0][0][0] += 5e-5
    made.change(usage=usage)
    assert len(made.problems()) == 1
    # Where nothing is known of the later steps, nothing is said of the first.
    made.change(usage=[[], []])
    assert made.problems() == []


@pytest.mark.parametrize(
    ("largest", "off", "sound"), [(4.0, 8e-7, True), (4.0, 1.2e-6, False), (0.5, 3.5e-7, False)]
)
def test_best_responses_may_be_off_by_the_rounding_of_worths(largest: float, off: float, sound: bool) -> None:
    """Of the largest, or of one glory point where all are smaller."""
    made = Made("BSPP", "BBSV", "redraw")
    scale = np.float32(largest / np.nanmax(made.strategy.opening_ev))
    made.strategy.opening_ev[:] *= scale
    made.settle()
    assert made.problems() == []
    for player, sign in ((0, 1), (1, -1)):
        best = [*made.answer.best_response_gp]
        best[player] += sign * off
        changed = copy.copy(made)
        changed.change(best_response_gp=(best[0], best[1]), nash_conv_gp=sum(best))
        found = changed.problems()
        assert [text.split(" is worth ")[0] for text in found] == (
            [] if sound else [f"the best response of player {player}"]
        )


@pytest.mark.parametrize(("second", "least"), [("BBSV", 0.0), ("BSPP", -0.5)])
def test_own_openings_are_worth_what_the_other_side_leaves(second: str, least: float) -> None:
    """With equal decks that is nothing, else what the best response against them does not take."""
    certificate = "rounding (under 1e-3) counted"
    for own, sound in ((least - 9e-4, True), (least - 1.1e-3, False)):
        shifted = Made("BBSV", second, "none")
        shifted.change(certificate=certificate)
        # All hands open for the same, whatever they are; one that nobody opens is worth a point more.
        worths = shifted.strategy.opening_ev
        worths[~np.isnan(worths)] = own
        row = held(shifted, 0)
        other = next(t for t in cards(shifted, row) if shifted.strategy.opening[0, row, t] == 0)
        worths[0, row, other] = own + 10.0
        worths[1] = np.where(np.isnan(worths[1]), np.nan, 0.5)
        shifted.settle()
        found = shifted.problems()
        assert [text.split(" is worth ")[0] for text in found] == (
            [] if sound else ["what player 0 opens with"]
        ), found
        if found:
            assert f"is worth {own:.6f} GP, but must be {least:.6f} at least" in found[0]


# ---- seats and courses of a day ----------------------------------------------------------------------------


def row(**placed: float) -> list[float]:
    """Return what is placed in a step, by initials."""
    found = [0.0] * (NUM_TYPES + 1)
    for initial, share in placed.items():
        found["BSPCXDTV".index(initial)] = share
    return found


STEPS = [row(B=0.6, S=0.4), row(B=0.3, S=0.2, P=0.3)]


def course(first: str = "BBSP", second: str = "BBSP", **numbers: Any) -> list[str]:
    """Return what is wrong with an answer whose days last one or two steps."""
    day = tiny(first, second, "none").day
    base = msgspec.structs.replace(trusted(0.3), usage=[STEPS, STEPS])
    return recounting.check_seats(msgspec.structs.replace(base, **numbers), day)


def test_equal_decks_are_equal_seats() -> None:
    assert course() == []
    worth = "equal decks are worth nothing, but the value is not 0"
    often = "equal decks, but one side wins or scores more often"
    cards = "equal decks, but both sides place other cards"

    def other(more: float) -> list[list[list[float]]]:
        return [STEPS, [STEPS[0], row(B=0.3 + more, S=0.2 - more, P=0.3)]]

    for numbers, problem in (
        ({"value_gp": 1e-9}, worth),
        ({"outcome": (0.503, 0.0, 0.497, 0.0)}, often),
        ({"outcome": (0.402, 0.2, 0.398, 0.0)}, None),
        ({"mean_gp": (4.5, 4.506)}, often),
        ({"mean_gp": (4.504, 4.5)}, None),
        ({"usage": other(0.051)}, cards),
        ({"usage": other(-0.049)}, None),
    ):
        assert course(**numbers) == ([] if problem is None else [problem])
        assert course("BBSP", "BBSPP", **numbers) == [], "other decks may differ in this"


@pytest.mark.parametrize(
    ("steps", "problem"),
    [
        ([], None),
        ([row(B=1.0)] * 2, None),
        ([row(B=1.0), row(S=0.5), row(P=0.50002)], "the steps of player {} do not follow one another"),
        ([row(B=1.0), row(S=0.5), row(P=0.500005)], None),
        ([row(B=1.0), *[row(B=0.1)] * 4], None),
        ([row(B=1.0), *[row(B=0.1)] * 5], "the steps of player {} do not follow one another"),
        ([row(B=0.50002, S=0.5, P=-0.00002)], "player {} places less than nothing"),
        (
            [row(B=1.0), row(S=1.0), row(S=0.00002)],
            "player {} places more cards than it has, or forbidden ones",
        ),
        ([row(B=1.0), row(S=1.0), row(S=0.000005)], None),
        ([row(B=1.0), row(V=0.00002)], "player {} places more cards than it has, or forbidden ones"),
    ],
)
def test_what_no_course_of_a_day_can_bring(steps: list[list[float]], problem: str | None) -> None:
    """Solennos forbids Veterans, and nobody has a Chancer; rows have five slots."""
    for player in (0, 1):
        usage = [steps, STEPS] if player == 0 else [STEPS, steps]
        found = course("BBSPV", "BBSPVV", usage=usage)
        assert found == ([] if problem is None else [problem.format(player)])


def test_points_are_those_of_sampled_days() -> None:
    """Six standard errors of 0.3, and half a point more where a mean was estimated."""
    gp = day_game(load_rules(), "solennos", ["two-bashers"]).cheers[0].gp
    scored = 4.0 + 0.25 * gp
    for player in (0, 1):
        words = f"the mean glory points of player {player} are not those of sampled days"
        for certificate, most in (("all", 1.8), ("outcomes estimated", 2.3)):
            for off, sound in ((most - 0.001, True), (most + 0.001, False)):
                for sign in (-1, 1):
                    means = [scored, scored]
                    means[player] += sign * off
                    found = course(
                        "BBSP",
                        "BBSPP",
                        certificate=certificate,
                        mean_gp=(means[0], means[1]),
                        profile=sampled(),
                    )
                    assert found == ([] if sound else [words])


# ---- bounds ------------------------------------------------------------------------------------------------


def test_the_value_lies_between_what_both_best_responses_leave() -> None:
    made = Made("BBSV", "BSPP", "redraw")
    made.change(best_response_gp=(0.2, 0.1), nash_conv_gp=0.5)
    assert brackets.certificate_slack(made.answer) == pytest.approx(0.2)
    assert brackets.value_bracket(made.answer, made.day, 0) == pytest.approx((-0.3, 0.4))
    assert brackets.value_bracket(made.answer, made.day, 1) == pytest.approx((-0.4, 0.3))
    equal = Made("BBSV", "BBSV", "redraw")
    equal.change(best_response_gp=(0.2, 0.1), nash_conv_gp=0.29)
    assert brackets.certificate_slack(equal.answer) == 0.0
    assert brackets.value_bracket(equal.answer, equal.day, 0) == (0.0, 0.0)
    assert brackets.value_bracket(equal.answer, equal.day, 1, alike=False) == pytest.approx((-0.2, 0.1))


@pytest.mark.parametrize(("second", "slack"), [("BBSV", 0.0), ("BBSV", 0.1), ("BSPP", 0.0), ("BSPP", 0.1)])
def test_equilibria_open_with_what_is_worth_the_value(second: str, slack: float) -> None:
    """So with what is worth the least that the value may be, less what rounding may hide."""
    made = Made("BBSV", second, "redraw")
    made.change(nash_conv_gp=sum(made.answer.best_response_gp) + slack)
    for player in (0, 1):
        openings = Openings(made.strategy, made.day, "redraw", player)
        best = made.answer.best_response_gp
        least = 0.0 if second == "BBSV" else -best[1 - player] - slack
        found = brackets.opening_brackets(made.answer, made.strategy, made.day, player)
        assert found is not None
        assert np.array(found) == pytest.approx(openings.share_brackets(least - slack))
    for change in ({"certified": False}, {"preparation": "seen"}):
        other = msgspec.structs.replace(made.answer, **change)
        assert brackets.opening_brackets(other, made.strategy, made.day, 0) is None


def test_without_room_only_the_best_openings_are_left() -> None:
    for first, second, preparation in CASES:
        if preparation == "seen":
            continue
        made = Made(first, second, preparation)
        for player in (0, 1):
            openings = Openings(made.strategy, made.day, preparation, player)
            found = openings.share_brackets(openings.best_response_gp())
            mix = made.answer.opening_mix[player][:NOTHING]
            assert (found[:, 0] <= np.array(mix) + 1e-12).all()
            assert (found[:, 1] >= np.array(mix) - 1e-12).all()
            assert np.diff(found).max() < 1e-3
            assert (found[[3, 4, 5, 6, VETERAN]] == 0.0).all(), "what nobody can open with"


# ---- fresh certificates, and entries under other names -----------------------------------------------------


def certified(first: float, second: float, **more: Any) -> Answer:
    return msgspec.structs.replace(trusted(first + second), best_response_gp=(first, second), **more)


def test_two_answers_that_leave_no_value_contradict_each_other() -> None:
    for stored, again, words in (
        ((0.1, 0.1), (0.2, -0.1 - 2e-6), "at least 0.100002 by one solve and at most 0.100000"),
        ((0.2, -0.1 - 2e-6), (0.1, 0.1), "at least 0.100002 by one solve and at most 0.100000"),
        ((0.1, 0.1), (-0.1 - 2e-6, 0.2), "at least -0.100000 by one solve and at most -0.100002"),
        ((-0.2, 0.3), (0.3, 0.1), "at least -0.100000 by one solve and at most -0.200000"),
        ((0.1, 0.1), (0.2, -0.1 - 5e-7), None),
        ((0.1, 0.1), (0.2, 0.2), None),
    ):
        found = verification.contradiction(certified(*stored), certified(*again))
        assert found == (None if words is None else f"the value is {words} by the other")
