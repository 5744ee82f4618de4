"""Raverun: figures worked out by hand, time that is shared out, what things are called, who sits where."""

from __future__ import annotations

import time
from dataclasses import replace
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from analysis.errors import RequestError
from analysis.raverun import statistics
from analysis.raverun.budget import Budget, SeatByTurn
from analysis.raverun.bundles import Seats
from analysis.raverun.exact_answers import (
    CardReport,
    ExactActionReport,
    ExactAnswer,
    ExactOrderReport,
    HandMixReport,
)
from analysis.raverun.exact_game import ExactGame, all_deals, source
from analysis.raverun.game import Greedy, Guided, Random, Search, bounds, names, size
from analysis.raverun.hands import check_players, hand_of
from analysis.raverun.narration import Names, cost_lines, explained
from analysis.raverun.pages import exact
from analysis.raverun.played_game import Decision
from analysis.raverun.questions.solve import Solve, _check
from analysis.raverun.training import Course
from engine.raverun import layout
from engine.raverun.reference import CHANCE, State, decider, is_over, legal_moves, payoffs, start_dealt, step
from engine.raverun.rules import load_rules
from solver.sampling.branched_plays import BranchedPlays
from solver.sampling.recorded_plays import RecordedPlays

BOX = load_rules()
FLOW, DECK = layout.FLOW, layout.DECK

# -- figures --------------------------------------------------------------------------------------------


def words(hands: tuple[int, ...], phase: int, offered: int | None = None, going: int = 0) -> list[int]:
    """The words of a state that are kept: cards of three players, a bit each, the deck, and the flow."""
    card = layout.NO_CARD if offered is None else offered
    flow = phase << layout.PHASE.offset | card << layout.OFFERED.offset
    return [*hands, *[0] * (3 - len(hands)), going << layout.GOING.offset, flow]


def test_the_nth_card_of_a_hand_from_below() -> None:
    hands = np.array([0b1011010, 0b1011010, 0b1011010, 0b1, 0b1000])
    found = statistics.nth_cards(hands, np.array([0, 1, 3, 0, 0]))
    assert found.tolist() == [1, 3, 6, 0, 3]


def test_what_is_offered_and_held() -> None:
    rows = np.array(
        [
            words((0b11, 0b1100), layout.ROUND, 5),
            words((0b11, 0b1100), layout.LAST, 7),
            words((0b11, 0b1100), layout.PLAY, 7),
            words((0b11, 0b1100), layout.ROUND, 5, going=0b1),
        ]
    )
    assert statistics.offered_cards(rows).tolist() == [5, 7, -1, -1]
    assert statistics.held_cards(rows, np.array([0, 1, 1, 0])).tolist() == [0b11, 0b1100, 0b1100, 0b11]


def recorded() -> statistics.Decisions:
    """Two games of two: first cards, two rounds in the first one and one in the second."""
    decided = [
        # play, decider, moves, move, words
        (0, 0, 2, 1, words((0b0110, 0b1001), layout.BID)),
        (0, 1, 2, 0, words((0b0110, 0b1001), layout.BID)),
        (0, 1, 2, 0, words((0b0010, 0b1000), layout.ORDERING)),
        (0, 0, 1, 0, words((0b0010, 0b1000), layout.PLAY)),
        (0, 1, 2, 0, words((0b0010, 0b1000), layout.ROUND, 3)),
        (0, 0, 2, 1, words((0b0010, 0b1000), layout.ORDERING)),
        (0, 0, 2, 1, words((0b0110, 0b1000), layout.PLAY)),
        (0, 0, 3, 2, words((0b0010, 0b1000), layout.LAST, 2)),
        (1, 0, 2, 0, words((0b0011, 0b1100), layout.BID)),
        (1, 1, 2, 1, words((0b0011, 0b1100), layout.BID)),
        (1, 0, 2, 0, words((0b0010, 0b0100), layout.ORDERING)),
        (1, 1, 1, 0, words((0b0010, 0b0100), layout.PLAY)),
    ]
    play, seat, number, move, kept = (list(column) for column in zip(*decided, strict=True))
    plays = RecordedPlays(
        np.array([[1.0, -1.0], [0.0, 0.0]]),
        np.array(play),
        np.array(seat),
        np.array(number),
        np.array(move),
        np.ones(len(decided)),
        np.array(kept),
    )
    return statistics.read(plays, np.array([[0, 1], [1, 0]]))


def test_decisions_are_read_as_moves() -> None:
    own = recorded()
    assert own.card.tolist() == [2, 0, -1, 1, -1, -1, 2, -1, 0, 3, -1, 2]
    assert own.round.tolist() == [0, 0, 1, 1, 1, 2, 2, 2, 0, 0, 1, 1]
    assert own.offered.tolist() == [-1, -1, -1, -1, 3, -1, -1, 2, -1, -1, -1, -1]
    assert own.used.tolist() == [False] * 4 + [True] + [False] * 7
    assert own.first.tolist() == [-1, -1, 0, -1, -1, 1, -1, -1, -1, -1, 0, -1]
    assert own.payoff.tolist() == [1, -1, -1, 1, -1, 1, 1, 1, 0, 0, 0, 0]
    assert own.first_payoff[own.first >= 0].tolist() == [1, -1, 0]


def test_how_long_games_are_and_who_wins_them() -> None:
    own = recorded()
    length = statistics.lengths(own)
    assert (length.rounds.mean, length.most_rounds) == (1.5, 2)
    # Decisions with one move only are none: six in the first game, and three in the second.
    assert length.decisions.mean == pytest.approx((7 + 3) / 2)
    found = statistics.advantages(own)
    # In the first rounds player 1, then player 0 decided the order, and player 0 was first in both.
    assert found.highest_bid.mean == pytest.approx(-0.5)
    assert found.highest_bid_wins.mean == 0.0
    assert found.first_mover.mean == pytest.approx(0.5)
    assert found.first_mover_wins.mean == 0.5
    assert found.draws.mean == 0.5


def test_hands_in_five_parts_by_their_ranks() -> None:
    reports = statistics.strengths(recorded())
    # Ranks from 1: hands of 2+3, 1+4, 1+2 and 3+4.
    assert [(each.least, each.most) for each in reports] == [(3, 5), (7, 7)]
    assert [each.wins.mean for each in reports] == [pytest.approx(1 / 3), 0.0]
    assert [each.payoff.mean for each in reports] == [0.0, 0.0]
    assert sum(each.payoff.observations for each in reports) == 4
    twelve = replace(
        recorded(),
        phase=np.full(12, layout.BID),
        hand=1 << np.arange(12),
        payoff=np.array([-1.0, -1, -1, -1, 1, -1, 0, 1, -1, 1, 1, 1]),
        play=np.arange(12),
    )
    reports = statistics.strengths(twelve)
    assert [(each.least, each.most) for each in reports] == [(1, 3), (4, 5), (6, 8), (9, 10), (11, 12)]
    assert [each.wins.mean for each in reports] == [0.0, 0.5, pytest.approx(1 / 3), 0.5, 1.0]
    assert [each.payoff.mean for each in reports] == [-1.0, 0.0, 0.0, 0.0, 1.0]
    for one, other in pairwise(reports):
        assert one.most < other.least


def test_ten_hands_are_two_in_each_fifth() -> None:
    ten = replace(
        recorded(),
        phase=np.full(10, layout.BID),
        hand=1 << np.arange(10),
        payoff=np.zeros(10),
        play=np.arange(10),
    )
    assert [each.payoff.observations for each in statistics.strengths(ten)] == [2] * 5


def branched() -> BranchedPlays:
    """Three decisions of first cards, each of two cards."""
    return BranchedPlays(
        num_plays=2,
        play=np.array([0, 0, 1]),
        decider=np.array([0, 1, 0]),
        num_moves=np.array([2, 2, 2]),
        first=np.array([0, 2, 4]),
        before=np.array([0, 0, 1]),
        words=np.array([words((0b0110, 0b1001), layout.BID)] * 3),
        probability=np.array([0.5, 0.5, 1.0, 0.0, 0.25, 0.75]),
        payoffs=np.array([[1.0, -1], [-1, 1], [1, -1], [0, 0], [1, -1], [1, -1]]),
    )


def test_what_cards_bring_beside_the_rest_of_the_hand() -> None:
    trials = statistics.card_trials(branched(), 2)
    assert trials.card.tolist() == [1, 2, 0, 3, 1, 2]
    assert trials.worth.tolist() == [1, -1, -1, 0, 1, 1]
    assert trials.advantage.tolist() == [2, -2, -1, 1, 0, 0]
    # Hands are worth 0, -1 and 1, which is 0 on average.
    assert trials.holding.tolist() == [0, 0, -1, -1, 1, 1]
    assert trials.round.tolist() == [0] * 6
    assert (trials.bounds, trials.differences) == ((-1.0, 1.0), (-2.0, 2.0))
    by_round = statistics.card_trials(branched(), 2, branched().before)
    assert by_round.round.tolist() == [0, 0, 0, 0, 1, 1]
    assert by_round.holding.tolist() == [0.5, 0.5, -0.5, -0.5, 0, 0]
    two = load_rules(overrides=["match.characters=2", "match.letters=2", "match.hand_size=2"])
    first, second = statistics.characters(two, trials)
    assert (first.name, second.name) == ("1", "2")
    assert first.advantage.mean == pytest.approx((2 - 1 + 0) / 3)
    assert second.advantage.mean == pytest.approx((-2 + 1 + 0) / 3)
    assert [each.name for each in statistics.letters(two, trials)] == ["A", "B"]
    gained = statistics.gains(branched(), np.full(6, 0.5), np.ones(3, np.bool_), 2)
    # The choices bring 0, -1 and 1; by lot they would bring 0, -1/2 and 1.
    assert gained.mean == pytest.approx((0 - 0.5 + 0) / 3)


def test_cards_that_are_chosen_of_those_that_are_held() -> None:
    two = load_rules(overrides=["match.characters=2", "match.letters=2", "match.hand_size=2"])
    found = statistics.first_cards(two, recorded(), statistics.card_trials(branched(), 2))
    assert [each.card for each in found] == ["1A", "1B", "2A", "2B"]
    assert [each.chosen.mean for each in found] == [1.0, 0.0, 0.5, 0.5]
    assert [each.chosen.observations for each in found] == [2, 2, 2, 2]
    assert [each.worth.mean for each in found] == [-1.0, 1.0, 0.0, 0.0]
    rounds = statistics.rounds(two, recorded(), statistics.card_trials(branched(), 2, branched().before))
    assert [(each.round, each.reached.mean) for each in rounds] == [(1, 1.0), (2, 0.5)]
    assert [card.chosen.mean for card in rounds[1].cards] == [None, 0.0, 1.0, None]


def test_payoffs_and_their_differences() -> None:
    for module in (statistics.payoff_bounds, bounds):
        assert module(2) == (-1.0, 1.0)
        assert module(3) == (-0.5, 1.0)
    assert statistics.difference_bounds(3) == (-1.5, 1.5)
    assert size(Seats(players=3)) == 3


# -- time -----------------------------------------------------------------------------------------------


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """What the clock says, in seconds."""
    now = [100.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    return now


def test_time_is_spent_when_it_is_over(clock: list[float]) -> None:
    left, endless, enough = Budget(10.0), Budget(None), [False]
    clock[0] = 109.9
    assert not left.over()
    clock[0] = 110.0
    assert left.over()
    assert not endless.over()
    assert not endless.part(3).over()
    stopped = Budget(None, lambda: enough[0])
    assert not stopped.over()
    enough[0] = True
    assert stopped.over()
    assert stopped.part(2).over()


def test_each_part_has_its_share_of_what_is_left(clock: list[float]) -> None:
    whole = Budget(12.0)
    first = whole.part(3)
    clock[0] = 103.9
    assert not first.over()
    clock[0] = 104.0
    assert first.over()
    # Whoever takes longer leaves less to the others.
    clock[0] = 108.0
    second = whole.part(2)
    clock[0] = 109.9
    assert not second.over()
    clock[0] = 110.0
    assert second.over()
    clock[0] = 120.0
    assert whole.part(1).over()


def test_each_seat_has_its_turn_and_two_deals_at_least(clock: list[float]) -> None:
    seats = SeatByTurn(Budget(10.0), 2, lambda: False)
    assert not seats(1)
    clock[0] = 104.9
    assert not seats(2)
    clock[0] = 105.0
    assert seats(3)
    # The next seat's deals begin at one again, and have all the time that is left.
    assert not seats(1)
    clock[0] = 109.9
    assert not seats(2)
    clock[0] = 110.0
    assert seats(3)
    assert not seats(1)
    assert seats(2)
    stopped = SeatByTurn(Budget(None), 2, lambda: True)
    assert [stopped(done) for done in (1, 2, 3, 1, 2)] == [False, True, True, False, True]


def test_four_fifths_of_a_training_are_for_learning() -> None:
    assert Course(600.0, None, 0).training_s == pytest.approx(480.0)
    assert Course(None, 5, 0).training_s is None
    assert (Course(None, 5, 0).response_iterations, Course(None, 5, 0).response_deals) == ((100, 300), 100)


# -- words ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "cards"),
    [
        ("4", "4A, 4B, 4C: deploy. You may move"),
        ("4b", "4B: deploy. You may move a card from any battlefield onto the top of any stack."),
        ("Deploy", "4A, 4B, 4C: deploy."),
        ("8C", "8C: "),
        ("9", None),
        ("0", None),
        ("12", None),
        ("nobody", None),
        ("4D", None),
    ],
)
def test_cards_characters_and_actions_are_explained(name: str, cards: str | None) -> None:
    text = explained(BOX, name)
    if cards is None:
        assert text is None
        return
    assert text is not None
    assert text.startswith(cards)
    assert text.endswith("the lowest card first, and only where there is something to do it to.")


def test_an_action_that_no_card_has_is_not_explained() -> None:
    assert explained(load_rules(overrides=["match.characters=2", "match.hand_size=3"]), "deploy") is None


def test_where_actions_take_place() -> None:
    nowhere = load_rules(overrides=["colours.green.acts_on=nowhere"])
    assert "It acts on top of your stack, after the clash of a round" in (explained(BOX, "4A") or "")
    assert "It acts on your battlefield, in the last phase" in (explained(BOX, "8A") or "")
    assert "It acts nowhere under these rules" in (explained(nowhere, "4A") or "")


def judged(*costs: float, sure: bool = False) -> list[Decision]:
    """Decisions on a first card that cost so much; the second card is better."""
    state = start_dealt(BOX, (tuple(range(7)), tuple(range(7, 14))))
    return [Decision(state, 0, 1, cost, "by guess", sure) for cost in costs]


def test_what_decisions_cost_the_dearest_first() -> None:
    one = Names(2, 0)
    assert cost_lines([], one) == []
    assert cost_lines(judged(0.25, 0.5, 0.0049, 0.005), one) == [
        "What your decisions cost, in payoff:",
        "  0.50  choose 1A; better: choose 1B (by guess)",
        "  0.25  choose 1A; better: choose 1B (by guess)",
        "  0.01  choose 1A; better: choose 1B (by guess)",
        "  4 of 4 are judged by guess: estimates, no proofs.",
    ]
    assert cost_lines(judged(0.25, 0.5), one, 1)[1:2] == ["  0.50  choose 1A; better: choose 1B (by guess)"]
    assert len(cost_lines(judged(0.25, 0.5), one, 1)) == 3
    assert cost_lines(judged(0.0, sure=True), one) == [
        "Of your 1 decision that could be judged none cost 0.005 or more."
    ]
    assert cost_lines(judged(0.0, 0.004), one)[0] == (
        "Of your 2 decisions that could be judged none cost 0.005 or more, by what judges."
    )
    some = [*judged(0.5, sure=True), *judged(0.1)]
    assert cost_lines(some, one)[-1] == "  1 of 2 are judged by guess: estimates, no proofs."


def test_hands_by_the_names_of_their_cards() -> None:
    assert hand_of(BOX, 2, ["1b", "1A", "2A", "3A", "4A", "5A", "8C"]) == (0, 1, 3, 6, 9, 12, 23)
    for number, hand in ((2, ["1A"]), (3, ["1B", "1A", "2A", "3A", "4A", "5A", "8C"] * 2)):
        with pytest.raises(
            RequestError, match=f"a hand has {BOX.hand_size(number)} different cards with {number}"
        ):
            hand_of(BOX, number, hand)
    check_players(BOX, 3)
    with pytest.raises(RequestError):
        check_players(load_rules(overrides=["match.characters=2", "match.hand_size=2", "match.letters=2"]), 3)
    assert [each.name for each in names(BOX)["cards"]][:4] == ["1A", "1B", "1C", "2A"]
    assert {each.most for each in names(BOX)["cards"]} == {1}


@pytest.mark.parametrize(
    ("given", "option"),
    [
        ({"exact": True, "games": 5}, "--games"),
        ({"exact": True, "deals": 5}, "--deals"),
        ({"exact": True, "threads": 1}, "--threads"),
        ({"exact": True, "time_limit": 5.0}, "--time-limit"),
        ({"exact": True, "values": Path("v")}, "--values"),
        ({"exact": True, "seats": Seats(players=3)}, "--players"),
        ({"target": 0.5}, "--target"),
        ({"efg": Path("x.efg")}, "--efg"),
        ({"iterations": 0}, "--iterations"),
        ({"values": Path("v"), "iterations": 3}, None),
        ({"exact": True, "profile": Path("p.csv")}, "--profile"),
    ],
)
def test_what_would_not_be_heeded_is_refused(given: dict[str, Any], option: str | None) -> None:
    with pytest.raises(RequestError) as caught:
        _check(Solve(**given))
    assert caught.value.option == option


def test_what_is_heeded_is_allowed() -> None:
    for given in ({}, {"exact": True}, {"exact": True, "iterations": 0, "target": 0.1}, {"iterations": 1}):
        _check(Solve(**given))


# -- exact answers --------------------------------------------------------------------------------------


def solution(value: float, hands: int, nash_conv: float = 0.0) -> ExactAnswer:
    """An answer with so many hands."""
    cards = [
        CardReport("1A", 0.5, 0.25, -0.5),
        CardReport("1B", 0.5, 0.75, 0.5),
        CardReport("2A", 0.5, 0.0, None),
    ]
    return ExactAnswer(
        num_nodes=5,
        num_infosets=2,
        value=value,
        nash_conv=nash_conv,
        cfr=None,
        cards=cards,
        hands=[HandMixReport(f"hand {number}", 0.5, 0.25, cards) for number in range(hands)],
        order=ExactOrderReport(0.0, None, None),
        actions=[ExactActionReport("1", "swap", 0.0, None, None)],
    )


def test_who_is_better_off() -> None:
    for value, nash_conv, said in (
        (0.25, 0.0, "The first player gains 0.25 a game, if both sides play well."),
        (-0.25, 0.0, "The second player gains 0.25 a game, if both sides play well."),
        (1e-9, 0.0, "Neither seat is better, if both sides play well."),
        (0.01, 0.01, "Neither seat is better, if both sides play well."),
        (0.0100001, 0.01, "The first player gains 0.01 a game, if both sides play well."),
    ):
        assert exact._headline(solution(value, 2, nash_conv)) == said


@pytest.mark.parametrize(
    ("hands", "title"), [(1, "This hand, hand 0: worth +0.250"), (2, "First cards by hand")]
)
def test_one_hand_is_shown_card_by_card_and_few_in_a_row_each(hands: int, title: str) -> None:
    found = solution(0.0, hands)
    table = exact._hand(found.hands[0]) if hands == 1 else exact._mixes(found.hands)
    assert table.title == title
    if hands == 1:
        assert table.rows == [["1B", 0.75, 0.5, 0.0], ["2A", 0.0, None, 0.5], ["1A", 0.25, -0.5, 1.0]]
    else:
        assert table.rows[0] == ["hand 0", 0.25, "1A 25, 1B 75"]


def test_all_ways_to_deal() -> None:
    deals = list(all_deals(range(4), 2))
    assert len(set(deals)) == len(deals) == 6
    assert deals[0] == ((0, 1), (2, 3))
    assert len(list(all_deals(range(5), 2))) == 10 * 3


# -- games ----------------------------------------------------------------------------------------------

SMALL = load_rules(
    overrides=[
        *("match.characters=3", "match.letters=2", "match.hand_size=3"),
        *("characters.1.action=swap", "characters.2.action=capture", "characters.3.action=bury"),
        *("characters.1.colour=green", "characters.2.colour=red", "characters.3.colour=red"),
    ]
)


@pytest.mark.kernels
def test_trees_are_of_two_and_of_no_more_deals_than_are_allowed() -> None:
    with pytest.raises(RequestError, match="a tree is of two players"):
        source(SMALL, Seats(players=3))
    assert len(source(SMALL, Seats()).deals) == 20
    assert len(ExactGame(SMALL, max_deals=20).deals) == 20
    with pytest.raises(MemoryError, match="20 deals, and at most 19 are allowed"):
        ExactGame(SMALL, max_deals=19)


@cache
def worth(state: State) -> float:
    """What a state without chance brings player 0."""
    if is_over(state):
        return float(payoffs(state)[0])
    best = max if decider(state) == 0 else min
    return float(best(worth(step(state, move)) for move in legal_moves(state)))


@pytest.mark.kernels
@pytest.mark.parametrize("seat", [0, 1])
def test_where_nothing_is_hidden_advice_is_exact(seat: int) -> None:
    from analysis.raverun.played_game import PlayedGame
    from analysis.raverun.transcript import Header

    checked = 0
    for seed in range(12):
        game = PlayedGame(Header(SMALL, 2, seat, "random"), (Random(),), None, seed)
        game.chance()
        while not game.over:
            assert decider(game.state) != CHANCE
            solved = game._solved()
            if solved is not None and len(game.moves()) > 1:
                sign = 1.0 if decider(game.state) == 0 else -1.0
                assert solved == pytest.approx(
                    [sign * worth(step(game.state, move)) for move in game.moves()]
                )
                advice = game.advice()
                assert advice is not None
                assert (advice.exact, advice.judges) == (True, True)
                checked += 1
            if decider(game.state) == game.seat:
                game.make(len(game.moves()) - 1)
            else:
                game._step(game.moves()[game.others_choice()])
            game.chance()
        for decision in game.decisions:
            assert decision.cost >= 0.0
            assert decision.worth == pytest.approx(
                (1.0 if seat == 0 else -1.0)
                * worth(step(decision.state, list(legal_moves(decision.state))[decision.best]))
            )
    assert checked > 5


@pytest.mark.kernels
def test_a_move_is_named_by_words_that_no_other_has() -> None:
    from analysis.raverun.game import Advice
    from analysis.raverun.session import begin

    session = begin(SMALL, Seats(), 0, (Random(),), 3, Advice())
    session.advance()
    options = session.options()
    assert options is not None
    assert [session.named(text) for text in options] == [0, 1, 2]
    assert [session.named(text.split()[1].lower()) for text in options] == [0, 1, 2]
    assert session.named("choose") is None
    assert session.named("1") is None
    assert session.named("nonsense") is None
    for seat, number in ((2, 2), (3, 3)):
        with pytest.raises(RequestError, match=f"with {number} players the seats are 1 to {number}"):
            begin(BOX, Seats(players=number), seat, (Random(),), 3, Advice())
    with pytest.raises(RequestError, match="2 others play, not 3"):
        begin(BOX, Seats(players=3), 0, (Random(),) * 3, 3, Advice())
    begin(BOX, Seats(players=3), 2, (Random(), Greedy()), 3, Advice())


@pytest.mark.kernels
def test_in_each_rotation_players_sit_one_seat_further() -> None:
    from analysis.raverun.contest import Matches, _Several

    match = Matches(BOX, Seats(players=3), (Greedy(), Random(), Search(iterations=1)))
    assert match.deals_at_once == 1
    for rotation in range(3):
        others = match._against(rotation)
        assert isinstance(others, _Several)
        assert others.name == "random and search"
        for seat, each in others._seated.items():
            assert each.name == ("greedy", "random", "search")[(seat + rotation) % 3]
        assert set(others._seated) == {0, 1, 2} - {-rotation % 3}
    alike = Matches(BOX, Seats(players=3), (Greedy(), Random(), Random()))
    assert alike.deals_at_once == 64
    assert alike._against(1) is alike._others[0] is alike._others[1]
    found = match.play(0, 2, 1)
    assert found is not None
    assert len(found.won) == 2
    for deal in found.won:
        for won in deal:
            assert sum(won) == pytest.approx(0.0)
            assert set(won) <= {1.0, 0.0, -0.5}
    own = [won[0] for deal in found.won for won in deal]
    results = {"won": 1.0, "drawn": 0.0, "lost": -0.5}
    for name, paid in results.items():
        number = own.count(paid)
        assert found.tallies["result"].get(name, (0, 0.0)) == pytest.approx((number, number * paid))
    assert found.draws == own.count(0.0)
    assert sum(found.lengths.values()) == 6
    assert min(found.lengths) >= 1
    assert match.play(0, 2, 1, lambda: True) is None


@pytest.mark.kernels
def test_searches_have_iterations_or_time() -> None:
    from analysis.raverun.contest import network_of, policy_of
    from analysis.raverun.training import shipped_values

    one: Any = policy_of(Search(iterations=30), BOX, 2, None)
    other: Any = policy_of(Search(seconds=2.0), BOX, 2, None)
    assert (one.settings.iterations, one.settings.seconds) == (30, 0.0)
    assert (other.settings.iterations, other.settings.seconds) == (0, 2.0)
    assert network_of(Greedy(), BOX, 2, "") is None
    assert shipped_values(SMALL, 2) is None
    with pytest.raises(RequestError, match="guided:file=FILE"):
        network_of(Guided(), SMALL, 2, "--player")
