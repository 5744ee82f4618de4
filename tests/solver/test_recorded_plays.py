"""Recorded plays: what they hold."""

from __future__ import annotations

import numpy as np
import pytest

from solver.extensive import build_game, expected_payoff, uniform_strategy
from solver.sampling.policy import uniform_policy
from solver.sampling.recorded_plays import record_plays
from tests.games import kuhn
from tests.games.explicit_trees import tree_sampling_game

pytestmark = pytest.mark.kernels

TREE = build_game(kuhn.Kuhn())
GAME = tree_sampling_game(TREE)


def test_plays_are_recorded_decision_by_decision() -> None:
    plays = record_plays(GAME, uniform_policy(), num_plays=20_000, seed=3, words=(0,))
    assert plays.payoffs.shape == (20_000, 2)
    mean = plays.payoffs[:, 0].mean()
    error = plays.payoffs[:, 0].std() / np.sqrt(20_000)
    assert abs(mean - expected_payoff(TREE, uniform_strategy(TREE))) < 4 * error
    assert set(plays.play) == set(range(20_000))
    assert np.all(np.diff(plays.play) >= 0)
    assert np.all(plays.probability == 1 / plays.num_moves)
    # The word kept is the node, and the node says who decides.
    assert np.array_equal(TREE.node_player[plays.words[:, 0]], plays.decider)
    again = record_plays(GAME, uniform_policy(), num_plays=20_000, seed=3, threads=3)
    assert np.array_equal(again.payoffs, plays.payoffs)
    assert np.array_equal(again.play, plays.play)
