"""Search by rollouts: it finds what is plainly better, keeps its limits, and sees nothing hidden."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from solver.extensive import build_game
from solver.sampling.information_set_search import SearchSettings
from solver.sampling.policy import uniform_policy
from solver.sampling.rollouts import RolloutSearch
from tests.games import kuhn
from tests.games.explicit_trees import TreeSamplingGame, tree_sampling_game

pytestmark = pytest.mark.kernels


@pytest.fixture(scope="module")
def game() -> TreeSamplingGame:
    return tree_sampling_game(build_game(kuhn.Kuhn()))


@pytest.fixture(scope="module")
def search(game: TreeSamplingGame) -> RolloutSearch:
    return RolloutSearch(game, uniform_policy(), SearchSettings(iterations=4000))


def state_of(game: TreeSamplingGame, deal: tuple[int, int], history: str = "") -> Any:
    tree, node = game.tree, 0
    for label in (deal, *history):
        children = range(tree.first_child[node], tree.first_child[node] + tree.num_children[node])
        [node] = [child for child in children if tree.node_labels[child] == label]
    return np.array([node], dtype=np.int64)


def test_dominated_moves_are_found(game: TreeSamplingGame, search: RolloutSearch) -> None:
    # Facing a bet: the best card calls, the worst one folds.
    best = search.search(state_of(game, (0, 2), "b"), seed=1)
    worst = search.search(state_of(game, (2, 0), "b"), seed=1)
    assert (best.move, worst.move) == (1, 0)
    # Either is plain after one look at the playouts, and the search ends there or soon.
    assert worst.mean_payoffs.tolist() == [-1.0, -2.0]
    assert worst.iterations < 4000


def test_a_search_sees_nothing_hidden(game: TreeSamplingGame, search: RolloutSearch) -> None:
    results = [search.search(state_of(game, deal, "p"), seed=4) for deal in ((0, 1), (2, 1))]
    np.testing.assert_array_equal(results[0].visits, results[1].visits)
    np.testing.assert_array_equal(results[0].mean_payoffs, results[1].mean_payoffs)


def test_the_same_seed_gives_the_same_search_and_a_limit_is_kept(
    game: TreeSamplingGame, search: RolloutSearch
) -> None:
    state = state_of(game, (1, 0))
    first, again = (search.search(state, seed=3) for _ in range(2))
    assert first.mean_payoffs.tolist() == again.mean_payoffs.tolist()
    short = RolloutSearch(game, uniform_policy(), SearchSettings(iterations=32)).search(state, seed=3)
    assert short.iterations == short.visits.sum() == 32
    timed = RolloutSearch(game, uniform_policy(), SearchSettings(iterations=0, seconds=0.01))
    assert timed.search(state, seed=3).iterations >= 0
