"""Figures of balance, diff, lock, sweep and tune, on answers to tiny days that are made up here."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import msgspec
import numpy as np
import pytest

from analysis.errors import RequestError
from analysis.ragers.answers import report
from analysis.ragers.answers.answer import NOTHING, NUM_TYPES
from analysis.ragers.answers.asking import Answered
from analysis.ragers.naive import greedy_attack
from analysis.ragers.scenarios import scenarios
from analysis.ragers.workbench import (
    comparing,
    explaining,
    goals,
    hand_table,
    health,
    locking,
    sweeping,
    tuning,
    workers,
)
from analysis.ragers.workbench.searching import Place, Search, Spent
from analysis.ragers.workbench.sweeping import Point, PointReport
from engine.ragers.rules import PLAYERS, TYPES, VETERAN, load_rules
from tests.analysis.made_answers import Made, sampled

DECKS = [("BBSV", "BBSV"), ("BSPP", "BBSV"), ("BBSPXV", "BSPPT")]
CASES = [(*each, preparation) for each in DECKS for preparation in ("none", "redraw", "seen")]
UNEQUAL = [case for case in CASES if case[0] != case[1]]


def made(first: str, second: str, preparation: str, **numbers: Any) -> Made:
    """Return an answer with sampled days, in which the first player does better."""
    found = Made(first, second, preparation)
    later = [0.3, 0.2, 0.1] + [0.0] * (NUM_TYPES - 2)
    found.change(
        usage=[[*found.answer.usage[0], later], [*found.answer.usage[1], later[::-1]]],
        outcome=(0.5, 0.125, 0.25, 0.125),
        mean_gp=(5.0, 4.0),
        value_gp=1.0,
        profile=sampled(cheers=(0.3, 0.2, 0.1, 0.4)),
        **numbers,
    )
    return found


# ---- seats -------------------------------------------------------------------------------------------------


def lock_of(answered: Answered, player: int) -> locking.LockedScenario:
    answer = msgspec.structs.replace(answered.answer, nash_conv_gp=answered.answer.nash_conv_gp + 0.5)
    locked = Answered(answered.scenario, answer, answered.strategy, False, "locked")
    return locking.compare(answered, locked, player, shared=False)


def line_of(answered: Answered, player: int) -> list[health.HandLine]:
    return [*hand_table.extremes(answered, player), *hand_table.likeliest(answered, player, 20)]


def hand_of(answered: Answered, player: int) -> report.HandReport:
    assert answered.strategy is not None
    row = int(np.argmax(answered.strategy.deal_probability[player]))
    return report.hand_report(answered, tuple(answered.strategy.hands[row].tolist()), player)


def point_of(answered: Answered, player: int) -> PointReport:
    return sweeping.point_report([], Point((), answered.scenario), answered, player)


def without_names(value: Any) -> Any:
    """Return a report as plain values, without the seats' names and what depends on the rules' hash."""
    plain = msgspec.to_builtins(value)

    def cut(each: Any) -> Any:
        if isinstance(each, dict):
            names = {PLAYERS[0]: 0, PLAYERS[1]: 0}
            return {
                key: cut(one) for key, one in each.items() if key not in ("player", "rules_sha256", *names)
            }
        return [cut(one) for one in each] if isinstance(each, list) else each

    return cut(plain)


@pytest.mark.parametrize(("first", "second", "preparation"), UNEQUAL)
@pytest.mark.parametrize(
    "figure",
    [
        health.scenario_health,
        comparing.side,
        lock_of,
        line_of,
        hand_of,
        point_of,
        report.scenario_report,
        lambda answered, player: explaining._means([(answered.scenario, answered.answer)], player),
    ],
    ids=["health", "side", "lock", "hands", "hand", "point", "scenario", "means"],
)
def test_what_one_seat_is_told_is_what_the_other_is_with_seats_swapped(
    figure: Callable[[Answered, int], Any], first: str, second: str, preparation: str
) -> None:
    found = made(first, second, preparation)
    for player in (0, 1):
        mine = without_names(figure(found.answered(), player))
        theirs = without_names(figure(found.swapped(), 1 - player))
        assert repr(mine).replace("-0.0", "0.0") == repr(theirs).replace("-0.0", "0.0")


# ---- health ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("first", "second", "preparation"), CASES)
def test_health_is_what_plain_counting_gives(first: str, second: str, preparation: str) -> None:
    made_up = made(first, second, preparation)
    strategy, answer = made_up.strategy, made_up.answer
    variances = []
    for player in (0, 1):
        deal = strategy.deal_probability[player]
        worth = [made_up.dealt_worth(player, row) for row in range(len(deal))]
        mean = sum(p * w for p, w in zip(deal, worth, strict=True))
        variances.append(sum(p * (w - mean) ** 2 for p, w in zip(deal, worth, strict=True)))
        found = health.scenario_health(made_up.answered(), player)
        assert (found.hand_luck_gp is None) == (preparation == "seen")
        if found.hand_luck_gp is not None:
            assert found.hand_luck_gp == pytest.approx(math.sqrt(variances[-1]))
        for t, name in enumerate(TYPES):
            card = found.cards[name]
            holds = strategy.hands[:, t] > 0
            assert card.held == pytest.approx(strategy.reach[player][holds].sum())
            assert card.opening == answer.opening_mix[player][t]
            assert card.opened_when_held == (
                pytest.approx(card.opening / card.held) if card.held > 0 else None
            )
            assert card.placed == [step[t] for step in answer.usage[player]]
            assert answer.profile is not None
            assert card.gp == answer.profile.card_gp[player][t]
            assert (card.verdict == "forbidden") == (t == VETERAN)
            chance = deal[holds].sum()
            if preparation == "seen" or chance == 0:
                assert card.with_it_gp is None
                continue
            there = sum(deal[row] * worth[row] for row in np.flatnonzero(holds)) / chance
            assert card.with_it_gp == pytest.approx(there - mean)
        costs = (found.plan_opening_gp, found.uniform_opening_gp, found.greedy_opening_gp)
        if preparation == "seen":
            assert costs == (None, None, None)
            continue
        lost = [0.0, 0.0]
        for row, reach in enumerate(strategy.reach[player]):
            ev = {
                action: float(x)
                for action, x in enumerate(strategy.opening_ev[player, row])
                if not math.isnan(x)
            }
            hand = strategy.hands[row].tolist()
            greedy = greedy_attack(
                hand, [action for action in ev if action != NOTHING], made_up.scenario.rules
            )
            for number, chosen in enumerate(([*ev], greedy or (NOTHING,))):
                lost[number] += reach * (
                    max(ev.values()) - sum(ev[action] for action in chosen) / len(chosen)
                )
        assert costs == pytest.approx((0.0, *lost), abs=1e-9)
    sampled_health = health.scenario_health(made_up.answered(), 1).sampled
    assert sampled_health is not None
    gp = made_up.scenario.cheers.gp
    assert sampled_health.cheers_swing_gp == pytest.approx(0.5 * gp)
    assert sampled_health.loss_gp == dict.fromkeys(sampled_health.loss_gp, -0.75)
    assert sampled_health.loss_error_gp == dict.fromkeys(sampled_health.loss_gp, 0.2)
    if preparation != "seen":
        assert sampled_health.deal_share == pytest.approx(sum(variances) / 9.0)
    still = made(first, second, preparation)
    still.change(profile=sampled(deviation_gp=0.0))
    nothing = health.scenario_health(still.answered(), 0).sampled
    assert nothing is not None
    assert nothing.deal_share is None


def test_where_each_card_has_a_price_the_worth_of_one_more_is_that() -> None:
    """A hand is worth what its best card is; hands are priced here so that this is the sum of all prices."""
    made_up = Made("BBSSPPXX", "BBSV", "none")
    price = np.array([0.5, 1.0, 1.25, 0.0, 3.0, 0.0, 0.0, 0.0])
    ev = made_up.strategy.opening_ev
    for row, hand in enumerate(made_up.strategy.hands):
        ev[0, row][~np.isnan(ev[0, row])] = hand @ price
    made_up.settle()
    found = health.scenario_health(made_up.answered(), 0)
    average = (0.5 + 1.0 + 1.25 + 3.0) / 4
    for name, t in (("basher", 0), ("slasher", 1), ("prodder", 2), ("cheater", 4)):
        assert found.cards[name].worth_gp == pytest.approx(price[t] - average)
    assert found.cards["stopper"].worth_gp is None
    assert found.explained == pytest.approx(1.0)
    # Hands that are all worth the same explain nothing, and are no luck.
    ev[0][~np.isnan(ev[0])] = 2.0
    made_up.settle()
    same = health.scenario_health(made_up.answered(), 0)
    assert same.hand_luck_gp == pytest.approx(0.0, abs=1e-12)


def test_what_prices_do_not_explain() -> None:
    """BB, BS and SS come with 1/6, 4/6 and 1/6; what only BS is worth no price per card can tell."""
    made_up = Made("BBSS", "BBSV", "none")
    ev = made_up.strategy.opening_ev
    ev[0][~np.isnan(ev[0])] = 0.0
    row = made_up.row(0, 1)
    ev[0, row][~np.isnan(ev[0, row])] = 3.0
    made_up.settle()
    found = health.scenario_health(made_up.answered(), 0)
    assert found.hand_luck_gp == pytest.approx(math.sqrt(9 * 4 / 6 - 4))
    assert found.explained == pytest.approx(0.0)
    assert found.cards["basher"].worth_gp == pytest.approx(0.0)
    assert found.cards["basher"].with_it_gp == pytest.approx(3 * 4 / 5 - 2)
    # One kind of hand tells no cards apart.
    alone = health.scenario_health(Made("BS", "BBSV", "none").answered(), 0)
    assert alone.cards["basher"].worth_gp is None


@pytest.mark.parametrize(
    ("share", "bracket", "verdict"),
    [
        (0.61, (0.6, 0.9), ("must", False)),
        (0.61, (0.6001, 0.9), ("must", True)),
        (0.61, None, ("must", False)),
        (0.009, (0.0, 0.01), ("dead", False)),
        (0.009, (0.0, 0.0099), ("dead", True)),
        (0.3, (0.9, 1.0), ("", False)),
        (0.3, (0.0, 0.0), ("", False)),
    ],
)
def test_verdicts_are_certain_only_where_every_equilibrium_bears_them_out(
    share: float, bracket: tuple[float, float] | None, verdict: tuple[str, bool]
) -> None:
    assert health.judge(share, [0.0], bracket) == verdict


# ---- hands -------------------------------------------------------------------------------------------------


def test_the_best_hands_the_worst_and_the_likeliest() -> None:
    for first, count in (("BBSV", 2), ("BBSSPPCCXXV", 5)):
        found = Made(first, "BBSV", "redraw")
        deal = found.strategy.deal_probability[0]
        rows = [int(row) for row in np.flatnonzero(deal > 0)]
        letters = {row: hand_table.letters_of(found.strategy.hands[row].tolist()) for row in rows}
        worth = {row: found.dealt_worth(0, row) for row in rows}
        ranked = sorted(rows, key=lambda row: (-round(worth[row], 9), row))
        lines = hand_table.extremes(found.answered(), 0)
        assert len(lines) == 2 * count
        worths = [line.worth_gp for line in lines]
        assert worths == pytest.approx([worth[row] for row in (*ranked[:count], *ranked[-count:])])
        by_letters = {line.letters: line for line in hand_table.likeliest(found.answered(), 0, 99)}
        assert set(by_letters) == set(letters.values()), "none that cannot be dealt"
        for row in rows:
            line = by_letters[letters[row]]
            assert line.dealt == deal[row]
            assert line.worth_gp == pytest.approx(worth[row])
        top = hand_table.likeliest(found.answered(), 0, 3)
        assert [line.dealt for line in top] == sorted(deal, reverse=True)[:3]


def test_rare_actions_of_a_hand_are_left_out() -> None:
    found = Made("BBSSPP", "BBSV", "redraw")
    row = found.row(0, 1)
    found.strategy.opening[0, row] = [0.4, 0.599, 0.0006, 0.0004, *[0.0] * 5]
    exchange = found.strategy.preparation_mix
    assert exchange is not None
    exchange[0, row] = [0.0, 0.0006, 0.0004, *[0.0] * 5, 0.999]
    line = hand_table.hand_line(found.answered(), 0, None, row)
    assert (line.letters, line.names, line.worth_gp) == ("BS", "basher, slasher", None)
    assert [name for name, _ in line.opens] == ["slasher", "basher", "prodder"]
    assert line.exchanges == pytest.approx(0.001, rel=1e-3)
    assert line.puts_away == "slasher"
    exchange[0, row] = [0.0004, 0.0, 0.0003, *[0.0] * 5, 0.9993]
    assert hand_table.hand_line(found.answered(), 0, None, row).puts_away is None
    none = Made("BBSSPP", "BBSV", "none")
    line = hand_table.hand_line(none.answered(), 0, None, none.row(0, 1))
    assert (line.exchanges, line.puts_away) == (None, None)
    assert hand_table.extremes(Made("BBSV", "BBSV", "seen").answered(), 0) == []


# ---- a hand that is asked about ----------------------------------------------------------------------------


def test_what_a_hand_exchanges_and_opens_with_then() -> None:
    """Half of the time a Basher is put away; of the four cards left, two are Prodders."""
    found = Made("BBSSPP", "BBSV", "redraw")
    row = found.row(0, 1)
    exchange = found.strategy.preparation_mix
    assert exchange is not None
    exchange[0, row] = [0.5, 0.009, *[0.0] * 6, 0.491]
    found.strategy.opening[0, found.row(1, 2), :3] = 0.0, 1.0, 0.0
    told = report.hand_report(found.answered(), (1, 1, 0, 0, 0, 0, 0, 0), 0)
    assert told.cards == ["basher", "slasher"]
    assert told.discard == pytest.approx({"keep": 0.491, "basher": 0.5, "slasher": 0.009})
    assert told.dealt == pytest.approx(4 / 15)
    assert set(told.ev_gp) == set(told.mix) == {"basher", "slasher"}
    assert [(each.put_away, each.drawn, each.probability) for each in told.then] == [
        ("basher", "basher", 0.25),
        ("basher", "slasher", 0.25),
        ("basher", "prodder", 0.5),
        (None, None, 1.0),
    ]
    assert told.then[2].cards == ["slasher", "prodder"]
    assert told.then[2].mix == {"slasher": 1.0}
    for share, followed in ((0.0101, 7), (0.0099, 1)):
        exchange[0, row] = [share, share, *[0.0] * 6, 1 - 2 * share]
        told = report.hand_report(found.answered(), (1, 1, 0, 0, 0, 0, 0, 0), 0)
        # Two exchanges of three cards each, or none.
        assert len(told.then) == followed
    with pytest.raises(ValueError, match="does not know the hand"):
        report.hand_report(found.answered(), (3, 0, 0, 0, 0, 0, 0, 0), 0)
    # In a deck that is all in hand nothing can be drawn.
    whole = Made("BS", "BBSV", "redraw")
    alone = report.hand_report(whole.answered(), (1, 1, 0, 0, 0, 0, 0, 0), 0)
    assert [(each.put_away, each.drawn) for each in alone.then] == [(None, None)]
    # Worths are not known of a solve that was left early; what is played is told all the same.
    whole.strategy.opening_ev[:] = np.nan
    early = report.hand_report(whole.answered(), (1, 1, 0, 0, 0, 0, 0, 0), 0)
    assert early.ev_gp == {}
    assert len(early.mix) == 1


def test_placing_nothing_is_named_only_where_it_happens() -> None:
    found = Made("BV", "BBSV", "none")
    told = report.scenario_report(found.answered(), 0)
    assert told.opening_mix == dict.fromkeys(TYPES, 0.0) | {"basher": 1.0}
    passing = Made("VV", "BBSV", "none")
    assert report.scenario_report(passing.answered(), 0).opening_mix["nothing"] == 1.0
    assert report.action_name(NOTHING) == "nothing"


# ---- metrics and goals -------------------------------------------------------------------------------------


def test_metrics_of_an_answer() -> None:
    found = made("BSPP", "BBSV", "redraw")
    point = point_of(found.answered(), 0)
    expected = {
        "value": 1.0,
        "mean_gp": 5.0,
        "win": 50.0,
        "draw": 12.5,
        "decisive": 75.0,
        "two_losers": 12.5,
        "nash_conv": found.answer.nash_conv_gp,
        "opening.prodder": 100 * found.answer.opening_mix[0][2],
        "placed.prodder": found.answer.opening_mix[0][2] + 0.1,
    }
    for name, number in expected.items():
        assert sweeping.metric(name)(point.scenario) == pytest.approx(number), name
        least, most = sweeping.metric_range(name)
        assert least <= number <= most
        assert (least, most) == (
            (-math.inf, math.inf)
            if name == "value"
            else (0.0, 100.0 if number == expected[name] and name in SHARES else math.inf)
        )


SHARES = ("win", "draw", "decisive", "two_losers", "opening.prodder")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("draw=101:", "'draw=101:' cannot be met: draw is 0 to 100 (in %)"),
        ("draw=:-1", "'draw=:-1' cannot be met: draw is 0 to 100 (in %)"),
        ("mean_gp=:-0.5", "'mean_gp=:-0.5' cannot be met: mean_gp is never below 0"),
        ("opening.each=100.5:", "'opening.each=100.5:' cannot be met: opening.each is 0 to 100 (in %)"),
        ("draw=20:10", "'20:10' goes from high to low"),
        ("draw= : ", "'draw= : ' has no end; write opening.each=5:35, or draw=:10"),
        ("win=draw within -1", "'-1' is no distance"),
        ("win=inf:", "'inf' is no number"),
        ("win=draw.each", "'win=draw.each': name the types that are to be even"),
    ],
)
def test_goals_that_make_no_sense_are_said_to_make_none(text: str, words: str) -> None:
    with pytest.raises(ValueError) as refused:  # noqa: PT011 (the whole message is compared)
        goals.parse_goal(text)
    assert str(refused.value) == words


def test_goals_at_the_ends_of_what_can_be() -> None:
    for text in ("draw=100:", "draw=:0", "mean_gp=:0", "value=-900:", "opening.each=100:", "draw=5:5"):
        assert goals.parse_goal(text).text == text
    assert goals.parse_goal("win=draw=win within 0").names == ("win", "draw")
    assert goals.parse_goal("win=draw within 0").within == 0.0
    assert goals.parse_goal("win=draw").within == 5.0


def test_a_type_that_nobody_may_place_cannot_be_opened_with() -> None:
    """Solennos forbids Veterans, Arianna nothing."""
    both = scenarios(load_rules(), ["solennos", "arianna"], ["two-bashers"], "none")
    banned, free = (each.day for each in both)

    def allowed(text: str, over: str, *days: Any) -> bool:
        try:
            goals.check_allowed([goals.parse_goal("draw=1:"), goals.parse_goal(text)], days, over)
        except ValueError as error:
            return str(error) != f"{text!r} cannot be met: a patron here lets nobody place a veteran"
        return True

    for name in ("opening.veteran", "placed.veteran"):
        assert not allowed(f"{name}=1:", "each", banned, free)
        assert not allowed(f"{name}=1:", "mean", banned)
        assert allowed(f"{name}=1:", "mean", banned, free)
        assert allowed(f"{name}=1:", "each", free)
        assert allowed(f"{name}=:1", "each", banned)
        assert allowed(f"{name}=0:1", "each", banned)
        assert allowed(f"{name}=draw within 1", "each", banned)
    assert allowed("opening.basher=1:", "each", banned)
    assert goals.allowed_types(Made("BSV", "BBP", "none").day, 0) == ["basher", "slasher"]
    assert goals.allowed_types(Made("BSV", "BBP", "none").day, 1) == ["basher", "prodder"]


def test_what_scenarios_miss_each_and_on_average() -> None:
    """Draws are 12.5 % and 32.5 %, so a tenth is missed by 2.5 and 22.5, and on average by 12.5."""
    one, other = (made("BSPP", "BBSV", "seen") for _ in range(2))
    other.change(outcome=(0.3, 0.325, 0.25, 0.125), value_gp=3.0, nash_conv_gp=0.25, certified=False)
    one.change(nash_conv_gp=0.75)
    points = [point_of(each.answered(), 0) for each in (one, other)]
    types = [["basher"], ["basher"]]

    def missed(text: str, over: str, allowed: list[list[str]] = types) -> goals.Missed:
        return goals.missed(goals.parse_goal(text), points, allowed, over)

    for over in ("each", "mean"):
        found = missed("draw=:10", over)
        assert found.amount == pytest.approx(12.5)
        assert found.span is None
        assert missed("nash_conv=:0.25", over) == goals.Missed(0.25, (0.25, 0.25))
        assert missed("opening.slasher=20:", over) == goals.Missed(0.0, (0.0, 0.0)), "no such card counts"
        assert missed("value=:0", over).span is None, "one of them is not certified"
    assert missed("draw=:20", "each").amount == pytest.approx(12.5 / 2)
    assert missed("draw=:20", "mean").amount == pytest.approx(2.5)
    assert missed("draw=20:", "each").amount == pytest.approx(7.5 / 2)
    assert missed("draw=20:", "mean").amount == 0.0
    # Who has no such card counts nowhere, not as one who meets the goal.
    shares = [100 * each.answer.opening_mix[0][0] for each in (one, other)]
    found = missed("opening.each=100:", "each", [["basher"], []])
    assert found.amount == pytest.approx(100 - shares[0])


def test_what_is_certain_of_openings_and_of_the_value() -> None:
    found = made("BSPP", "BBSV", "redraw")
    point = point_of(found.answered(), 0)
    assert point.opening_bracket is not None
    low, high = point.opening_bracket["basher"]
    goal = goals.parse_goal("opening.basher=200:".replace("200", "100"))
    part = goals.missed(goal, [point], [["basher"]], "each")
    assert part.span == pytest.approx((100 - 100 * high, 100 - 100 * low))
    least, most = point.value_bracket_gp
    value = goals.missed(goals.parse_goal("value=10:"), [point], [[]], "each")
    assert value.amount == 9.0
    assert value.span == pytest.approx((10 - most, 10 - least))
    placed = goals.missed(goals.parse_goal("placed.basher=10:"), [point], [["basher"]], "each")
    assert placed.span is None
    for over in ("each", "mean"):
        twice = goals.missed(goal, [point, point], [["basher"], ["basher"]], over)
        assert twice.span == pytest.approx(part.span)


# ---- values that are tuned ---------------------------------------------------------------------------------


AXES = [tuning.AxisReport("cards.basher.gp", (2, 4, 6), 3), tuning.AxisReport("match.hand_size", (3, 5), 5)]


def variant(
    gp: int, size: int, missed: float, span: tuple[float, float] | None = None
) -> tuning.VariantReport:
    return tuning.VariantReport(
        at={"cards.basher.gp": gp, "match.hand_size": size},
        distance=tuning.distance(AXES, (gp, size)),
        missed=missed,
        missed_bracket=span,
        met=False,
        certain=False,
        goals=[],
        opening={},
        nash_conv_gp=0.0,
        rules_sha256="",
    )


def test_places_and_how_far_they_are_from_the_present_rules() -> None:
    assert tuning.values_at(AXES, (2, 0)) == (6, 3)
    assert tuning.distance(AXES, (6, 3)) == 5
    assert tuning.distance(AXES, (2, 5)) == 1
    assert tuning.nearest(AXES) == (0, 1), "of equals the smaller value"
    assert tuning.as_toml(AXES, variant(3, 5, 0.0)) is None
    assert tuning.as_toml(AXES, variant(4, 5, 0.0)) == "cards.basher.gp = 4  # was 3\n"
    both = "cards.basher.gp = 4  # was 3\nmatch.hand_size = 3  # was 5\n"
    assert tuning.as_toml(AXES, variant(4, 3, 0.0)) == both


def test_present_values_by_their_keys() -> None:
    rules = load_rules(overrides=["cards.basher.copies.defenders=3"])
    assert tuning.present_value(rules, "match.hand_size") == 5
    assert tuning.present_value(rules, "cards.basher.copies.accusers") == 4
    assert tuning.present_value(rules, "cards.basher.copies.defenders") == 3
    assert tuning.present_value(load_rules(), "cards.basher.copies.defenders") == 4
    for key in ("match.deadeye_card", "cards.basher.beats", "cards.basher.accusers", "no.such"):
        with pytest.raises(ValueError, match="only whole numbers can be tuned"):
            tuning.present_value(rules, key)
    assert tuning.whole_values("a", ["3", "1", "3"]) == (1, 3)
    with pytest.raises(ValueError, match=r"a=1,1.5: only whole numbers"):
        tuning.whole_values("a", ["1", "1.5"])


def test_the_frontier_has_what_is_better_than_all_that_is_as_near() -> None:
    tried = [variant(6, 5, 0.5), variant(4, 5, 1.0), variant(2, 5, 0.9), variant(3, 5, 2.0)]
    assert [each.missed for each in tuning.frontier(tried)] == [2.0, 0.9, 0.5]
    for less, told in ((5e-7, 1), (2e-6, 2)):
        assert len(tuning.frontier([variant(3, 5, 2.0), variant(4, 5, 2.0 - less)])) == told
    assert tuning.frontier([]) == []


def test_an_effect_is_less_missed_in_whatever_equilibria() -> None:
    present = variant(3, 5, 2.0, (1.5, 2.5))
    for span, effect in (((0.0, 1.4), True), ((0.0, 1.5), False), ((2.6, 3.0), False), (None, False)):
        assert tuning.is_effect(present, variant(4, 5, 1.0, span)) == effect
    assert not tuning.is_effect(None, present)
    assert not tuning.is_effect(present, None)
    assert not tuning.is_effect(variant(3, 5, 2.0), present)


@pytest.mark.parametrize(("most", "met"), [(0.75 - 5e-7, True), (0.75 - 2e-6, False), (0.75, True)])
def test_what_is_missed_by_a_millionth_is_met(most: float, met: bool) -> None:
    one, other = (made("BSPP", "BBSV", "seen") for _ in range(2))
    one.change(nash_conv_gp=0.5)
    other.change(nash_conv_gp=0.75)
    points = [point_of(each.answered(), 0) for each in (one, other)]
    wanted = [goals.parse_goal(f"nash_conv=:{most!r}"), goals.parse_goal("draw=:100")]
    # What both miss is averaged.
    found = tuning.variant_report(AXES, (4, 5), wanted[:1], "each", points[1:], [[]])
    assert (found.met, found.certain) == (met, met)
    both = tuning.variant_report(AXES, (4, 5), wanted, "each", points, [[], []])
    assert both.missed == pytest.approx((0.75 - most) / 2, abs=1e-12)
    assert (both.met, both.certain, both.missed_bracket) == (met or most > 0.75 - 3e-6, False, None)
    assert (both.distance, both.nash_conv_gp) == (1, 0.75)
    assert both.at == {"cards.basher.gp": 4, "match.hand_size": 5}
    assert both.rules_sha256 == points[0].rules_sha256
    shares = [each.scenario.opening_mix["basher"] for each in points]
    assert both.opening["basher"] == pytest.approx(sum(shares) / 2)


# ---- the search --------------------------------------------------------------------------------------------


def search_of(amounts: dict[Place, float | None], budget: int, sizes: tuple[int, ...] = (3, 1, 3)) -> Search:
    def evaluate(places: Any) -> tuple[list[float | None], bool]:
        return [amounts.get(place, 5.0) for place in places], True

    return Search(sizes, (0, 0, 0), lambda place: float(sum(place)), evaluate, budget)


def test_neighbours_are_one_step_along_one_axis() -> None:
    search = search_of({}, 9)
    assert search.num_places == 9
    assert search.neighbours((1, 0, 2)) == [(0, 0, 2), (2, 0, 2), (1, 0, 1)]
    assert search.neighbours((0, 0, 0)) == [(1, 0, 0), (0, 0, 1)]


def test_no_more_is_tried_than_the_budget_allows() -> None:
    search = search_of({(1, 0, 0): None}, 3)
    assert search.ask([(0, 0, 0), (1, 0, 0), (0, 0, 0)]) == [5.0, 1e9, 5.0]
    with pytest.raises(Spent):
        search.ask([(0, 0, 0), (2, 0, 0), (0, 0, 1)])
    assert [*search.found] == [(0, 0, 0), (1, 0, 0), (2, 0, 0)]
    assert search.ask([(2, 0, 0)]) == [5.002], "what is known costs nothing"
    with pytest.raises(Spent):
        search.ask([(0, 0, 1)])
    assert len(search.found) == 3


def test_a_step_away_decides_among_equals_only() -> None:
    for amount, best in ((0.9985, (1, 0, 0)), (0.9995, (0, 0, 0))):
        search = search_of({(0, 0, 0): 1.0, (1, 0, 0): amount}, 9)
        assert search.run(0) == "all combinations"
        assert len(search.found) == 9
        assert search.best() == best
    nothing = search_of({(0, 0, 0): None}, 1, (1, 1, 1))
    nothing.run(0)
    assert nothing.best() is None


def test_places_are_tried_from_the_present_rules_outwards() -> None:
    search = search_of({}, 9)
    search.run(0)
    away = [sum(place) for place in search.found]
    assert away == sorted(away)


# ---- habits ------------------------------------------------------------------------------------------------


def habits_of(
    *texts: str, seats: tuple[int, ...] = (0,), steps: int = 4
) -> list[tuple[int, int, str, float]]:
    found = locking.parse_habits(texts, seats, steps)
    return [(each.player, each.step, TYPES[each.item], each.frequency) for each in found]


def test_habits_of_several_steps_and_at_the_ends() -> None:
    assert habits_of("basher=1") == [(0, 0, "basher", 1.0)]
    assert habits_of("basher=100%") == [(0, 0, "basher", 1.0)]
    assert habits_of("basher@3=0%") == [(0, 2, "basher", 0.0)]
    assert habits_of("basher@1-3=.5") == [(0, step, "basher", 0.5) for step in range(3)]
    assert habits_of("basher@2=0.6", "slasher@2=40%", seats=(1,)) == [
        (1, 1, "basher", 0.6),
        (1, 1, "slasher", 0.4),
    ]
    # Steps are summed up one by one, and the later of two words holds.
    assert len(habits_of("basher@1=0.6", "slasher@2=0.6", seats=(0, 1))) == 4
    assert habits_of("basher=0.9", "basher=0.2") == [(0, 0, "basher", 0.2)]
    for text in ("basher=100.1%", "basher=1.01", "basher@4=0", "basher@1-4=0", "basher@3-2=0", "basher=."):
        with pytest.raises(RequestError):
            habits_of(text)
    with pytest.raises(RequestError, match="more than one"):
        habits_of("basher@2=0.6", "slasher@1-2=0.41")
    with pytest.raises(RequestError, match="steps 1 to 3 can be locked here"):
        habits_of("basher@4=0")


def test_habits_that_a_deck_or_a_patron_rules_out() -> None:
    rules = load_rules(overrides=["cards.cheater.copies.defenders=0"])
    both = scenarios(rules, ["solennos", "arianna"], ["two-bashers"], "none")

    def refused(text: str, seat: int, todo: Any = both) -> str:
        try:
            locking._check_possible(locking.parse_habits([text], [seat], 4), todo)
        except RequestError as error:
            return str(error)
        return ""

    assert refused("cheater=0.5", 0) == ""
    assert "the defenders have no cheater in their deck" in refused("cheater=0", 1)
    assert "Solennos lets nobody place a veteran" in refused("veteran=0.5", 0)
    assert refused("veteran=0", 0) == "", "under Arianna that means something"
    assert "lets nobody place a veteran" in refused("veteran=0", 0, both[:1])
    assert refused("veteran=0.5", 0, both[1:]) == ""


def test_a_habit_costs_for_certain_only_where_both_are_certified() -> None:
    free, locked = made("BSPP", "BBSV", "none"), made("BSPP", "BBSV", "none")
    free.change(best_response_gp=(1.1, -1.0), nash_conv_gp=0.1)
    locked.change(best_response_gp=(0.8, -0.7), nash_conv_gp=0.1)
    found = locking.compare(free.answered(), locked.answered(), 0, shared=True)
    assert found.cost_gp == pytest.approx((0.2, 0.4))
    assert found.costs
    for one in (free, locked):
        one.change(certified=False)
        assert not locking.compare(free.answered(), locked.answered(), 0, shared=True).costs
        one.change(certified=True)
    locked.change(best_response_gp=(1.0, -0.9))
    touching = locking.compare(free.answered(), locked.answered(), 0, shared=True)
    assert touching.cost_gp[0] == pytest.approx(0.0, abs=1e-9)
    for player, cost in ((0, (0.2, 0.4)), (1, (-0.4, -0.2))):
        locked.change(best_response_gp=(0.8, -0.7))
        assert locking.compare(
            free.answered(), locked.answered(), player, shared=False
        ).cost_gp == pytest.approx(cost)


# ---- two variants ------------------------------------------------------------------------------------------


def test_effects_are_certified_and_apart() -> None:
    left, right = made("BSPP", "BBSV", "none"), made("BSPP", "BBSV", "none")
    left.change(best_response_gp=(1.1, -1.0), nash_conv_gp=0.1)
    for low, high, effect in (
        (1.2, 1.3, True),
        (0.8, 0.9, True),
        (1.1, 1.3, False),
        (0.5, 1.0, False),
        (1.0, 1.1, False),
    ):
        right.change(best_response_gp=(high, -low), nash_conv_gp=high - low)
        for player in (0, 1):
            found = comparing.compare(left.answered(), right.answered(), player)
            assert found.value_effect == effect
            change = (low - 1.1, high - 1.0)
            expected = change if player == 0 else (-change[1], -change[0])
            assert found.value_change_gp == pytest.approx(expected)
            assert found.same_game
            assert found.left_day is msgspec.UNSET
    right.change(best_response_gp=(1.3, -1.2), nash_conv_gp=0.1)
    for one in (left, right):
        one.change(certified=False)
        found = comparing.compare(left.answered(), right.answered(), 0)
        assert not found.value_effect
        assert found.opening_effects == []
        one.change(certified=True)
    assert comparing._apart((0.1, 0.2), (0.21, 0.3))
    assert comparing._apart((0.21, 0.3), (0.1, 0.2))
    assert not comparing._apart((0.1, 0.2), (0.2, 0.3))
    assert not comparing._apart((0.2, 0.3), (0.1, 0.2))


def test_sides_with_patrons_or_cheers_cards_of_their_own() -> None:
    rules = load_rules()

    def pairs(
        left: dict[str, str], right: dict[str, str], patrons: list[str], cheers: list[str]
    ) -> list[Any]:
        halves = [comparing.Half(rules, **each) for each in (left, right)]
        found = comparing.pairs_of(halves[0], halves[1], (patrons, cheers), "redraw")
        return [tuple((each.patron.id, each.cheers.id) for each in pair) for pair in found]

    both = ["two-bashers", "two-slashers"]
    plain = pairs({}, {}, ["arianna"], both)
    assert plain == [(("arianna", each),) * 2 for each in both]
    patrons = pairs({"patron": "arianna"}, {"patron": "solennos"}, [], both)
    assert patrons == [(("arianna", each), ("solennos", each)) for each in both]
    assert pairs({}, {"patron": "solennos"}, ["arianna"], both) == patrons
    crowds = pairs({"cheers": both[0]}, {"cheers": both[1]}, ["arianna", "solennos"], [])
    assert crowds == [((each, both[0]), (each, both[1])) for each in ("arianna", "solennos")]
    for side, left, right in (("--left", {}, {"cheers": both[0]}), ("--right", {"cheers": both[0]}, {})):
        with pytest.raises(RequestError, match=rf"name the other side's, too \({side} cheers=NAME\)"):
            pairs(left, right, ["arianna"], both)
    with pytest.raises(RequestError, match=r"\(--left patron=NAME\)"):
        pairs({}, {"patron": "solennos"}, [], both)


# ---- processes ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("tasks", "cores", "room", "jobs"),
    [(5, 4, 10, 4), (3, 4, 10, 3), (5, 4, 2.5, 2), (5, 4, 0.5, 1), (5, 1, 10, 1)],
)
def test_as_many_solves_at_once_as_cores_and_memory_allow(
    tasks: int, cores: int, room: float, jobs: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    from types import SimpleNamespace

    from analysis.ragers.answers import solving

    (day,) = scenarios(load_rules(), ["solennos"], ["two-bashers"], "none")
    effort = solving.Effort()
    all_tasks = [workers.Task(number, day, effort) for number in range(tasks)]
    memory = iter([1000 - number for number in range(tasks)])
    monkeypatch.setattr(solving, "estimate", lambda *_: SimpleNamespace(memory_bytes=next(memory)))
    monkeypatch.setattr(
        "solver.hidden_hands.memory_limit", lambda asked: int(room * 1000) if asked is None else asked
    )
    monkeypatch.setattr(workers, "processors", lambda: cores)
    assert workers.num_processes(all_tasks) == jobs
    shares = workers._shares(all_tasks, 2)
    assert [task.number for task in shares] == [*range(tasks)]
    assert {task.effort.threads for task in shares} == {max(1, cores // 2)}
    assert {task.effort.memory_bytes for task in shares} == {int(room * 1000) // 2}
    asked = workers.Task(0, day, solving.Effort(threads=3, memory_bytes=900))
    (share,) = workers._shares([asked], 3)
    assert (share.effort.threads, share.effort.memory_bytes) == (3, 300)
