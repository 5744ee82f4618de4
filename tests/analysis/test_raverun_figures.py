"""Raverun: figures worked out by hand, time that is shared out, what things are called, who sits where."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from itertools import pairwise

import numpy as np
import pytest

from analysis.raverun import statistics
from analysis.raverun.bundles import Seats
from analysis.raverun.exact_game import all_deals
from analysis.raverun.game import Random, bounds, size
from engine.raverun import layout
from engine.raverun.reference import CHANCE, State, decider, is_over, legal_moves, payoffs, step
from engine.raverun.rules import load_rules
from solver.sampling.branched_plays import BranchedPlays
from solver.sampling.recorded_plays import RecordedPlays

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


# -- exact answers --------------------------------------------------------------------------------------


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
