"""Recorded plays: what they hold; and walks with few branching decisions."""

from __future__ import annotations

import numpy as np
import pytest

from solver.extensive import build_game, expected_payoff, uniform_strategy
from solver.sampling.explicit_trees import table_strategy, tree_sampling_game
from solver.sampling.external_sampling import ExternalSamplingSettings, train_external_sampling
from solver.sampling.policy import uniform_policy
from solver.sampling.recorded_plays import record_plays
from solver.tree_best_response import exploitability
from tests.games import kuhn, leduc

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


def test_meaningless_numbers_are_refused() -> None:
    with pytest.raises(ValueError, match="cannot record 0 plays"):
        record_plays(GAME, uniform_policy(), num_plays=0)
    with pytest.raises(ValueError, match=r"words \(7,\)"):
        record_plays(GAME, uniform_policy(), num_plays=1, words=(7,))


@pytest.mark.parametrize(("branching", "exploration"), [(1, 1.0), (2, 1.0), (1, 0.5)])
def test_walks_with_few_branching_decisions_reach_equilibria_too(branching: int, exploration: float) -> None:
    """Averages have to be summed behind a player's last decision as well, or Leduc stays at 1."""
    for source, bound in ((kuhn.Kuhn(), 0.03), (leduc.Leduc(), 0.6)):
        tree = build_game(source)
        settings = ExternalSamplingSettings(branching=branching, horizon=4, exploration=exploration)
        measured = []
        for iterations in (1000, 150_000):
            result = train_external_sampling(tree_sampling_game(tree), settings, iterations=iterations)
            measured.append(exploitability(tree, table_strategy(tree, result.table)).nash_conv)
        assert measured[1] < min(bound, measured[0])


@pytest.mark.parametrize(
    ("change", "message"),
    [({"branching": -1}, "branching"), ({"horizon": 0}, "horizon"), ({"exploration": 0.0}, "exploration")],
)
def test_meaningless_branching_is_refused(change: dict[str, float], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        ExternalSamplingSettings(**change)  # type: ignore[arg-type]
