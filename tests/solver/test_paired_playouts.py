"""Moves compared in pairs: what is told apart is so, and what is not is never called equal."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from solver.sampling.game import FloatArray
from solver.sampling.paired_playouts import Moves, PairedPlayouts, PlayRounds, judge

SPAN = 2.0


def lottery(chances: Sequence[float], seed: int = 0) -> PlayRounds:
    """Moves that win 1 with these chances, else lose 1; within a round all have the same luck."""
    rng = np.random.default_rng(seed)

    def play(moves: Moves, rounds: int) -> FloatArray:
        luck = rng.random((rounds, 1))
        return np.where(luck < np.asarray(chances)[moves], 1.0, -1.0)

    return play


def test_a_difference_and_its_error_are_those_of_pairs() -> None:
    payoffs = np.array([[1.0, 1.0], [1.0, -1.0], [-1.0, -1.0], [1.0, -1.0]])
    playouts = PairedPlayouts(lambda moves, rounds: payoffs[:, moves], 2, SPAN)
    playouts.add(np.arange(2), 4)
    ahead, errors = playouts.ahead(1)
    assert ahead.tolist() == [1.0, 0.0]
    assert errors == pytest.approx([np.std([0.0, 2.0, 0.0, 2.0]) / 2.0, 0.0])
    assert playouts.means.tolist() == [0.5, -0.5]


@pytest.mark.parametrize("pairs", [1, 16, 1000])
def test_pairs_that_end_alike_leave_room_for_one_that_does_not(pairs: int) -> None:
    playouts = PairedPlayouts(lottery([0.5, 0.5]), 2, SPAN)
    playouts.add(np.arange(2), pairs)
    ahead, errors = playouts.ahead(0)
    assert ahead[1] == 0.0
    assert errors[1] == pytest.approx(SPAN / pairs)
    assert playouts.alike


def test_a_race_ends_once_one_move_is_ahead_of_all() -> None:
    playouts = PairedPlayouts(lottery([0.3, 0.9, 0.2]), 3, SPAN)
    assert playouts.race(100_000).tolist() == [1]
    assert playouts.spent < 1000


def test_judgements_are_right_as_often_as_they_say() -> None:
    # Eight moves of which the one made is as good as the others: three standard errors hold by chance.
    wrong = sum(judge(lottery([0.5] * 8, seed), 8, 3, 400, 0.05, SPAN).dear for seed in range(200))
    assert wrong == 0
    # A move that costs 30 points of a hundred is known as that, and the cost is not exaggerated.
    found = [judge(lottery([0.5] * 7 + [0.2], seed), 8, 7, 400, 0.05, SPAN) for seed in range(200)]
    assert np.mean([each.dear for each in found]) > 0.95
    assert np.mean([each.cost for each in found]) == pytest.approx(0.6, abs=0.03)


def test_a_move_is_judged_beside_those_that_left_the_race_too() -> None:
    # The best one is told from the one made; a move that was dropped early bounds the cost less tightly.
    found = judge(lottery([0.9, 0.88, 0.1]), 3, 1, 2000, 0.05, SPAN)
    assert found.better == 0
    assert found.most >= found.cost
