"""Search at play time: budgets, seeds, and that it looks at nothing hidden."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from solver.extensive import build_game
from solver.sampling.information_set_search import InformationSetSearch, SearchSettings
from solver.sampling.policy import function_policy, uniform_policy
from solver.sampling.rollouts import RolloutSearch
from tests.games import kuhn
from tests.games.compiled_goofspiel import CompiledGoofspiel, highest_card
from tests.games.explicit_trees import TreeSamplingGame, tree_sampling_game
from tests.games.sampling_checks import check_sampling_game

pytestmark = pytest.mark.kernels


@pytest.fixture(scope="module")
def kuhn_game() -> TreeSamplingGame:
    return tree_sampling_game(build_game(kuhn.Kuhn()))


def state_of(game: TreeSamplingGame, deal: tuple[int, int], history: str = "") -> Any:
    tree = game.tree
    node = 0
    for label in (deal, *history):
        children = range(tree.first_child[node], tree.first_child[node] + tree.num_children[node])
        [node] = [child for child in children if tree.node_labels[child] == label]
    return np.array([node], dtype=np.int64)


def searches(game: TreeSamplingGame, iterations: int) -> tuple[Any, Any]:
    """Both ways to search at play time: a tree of information sets, and rollouts."""
    settings = SearchSettings(iterations=iterations)
    return InformationSetSearch(game, settings), RolloutSearch(game, uniform_policy(), settings)


def test_dominated_moves_are_found(kuhn_game: TreeSamplingGame) -> None:
    for search in searches(kuhn_game, 4000):
        # Facing a bet: the best card calls, the worst one folds.
        best = search.search(state_of(kuhn_game, (0, 2), "b"), seed=1)
        worst = search.search(state_of(kuhn_game, (2, 0), "b"), seed=1)
        assert (best.move, worst.move) == (1, 0)
        assert best.mean_payoffs[1] == 2.0
        assert worst.mean_payoffs.tolist() == [-1.0, -2.0]
        # What is plain after one look at rollouts ends their race there or soon.
        assert (worst.iterations < 4000) == isinstance(search, RolloutSearch)


def test_a_search_sees_nothing_hidden(kuhn_game: TreeSamplingGame) -> None:
    for search in searches(kuhn_game, 500):
        results = [search.search(state_of(kuhn_game, deal, "p"), seed=4) for deal in ((0, 1), (2, 1))]
        np.testing.assert_array_equal(results[0].visits, results[1].visits)
        np.testing.assert_array_equal(results[0].mean_payoffs, results[1].mean_payoffs)


def test_rollouts_keep_their_limits_and_seeds(kuhn_game: TreeSamplingGame) -> None:
    state = state_of(kuhn_game, (1, 0))
    short, again = (
        RolloutSearch(kuhn_game, uniform_policy(), SearchSettings(iterations=32)).search(state, seed=3)
        for _ in range(2)
    )
    assert short.mean_payoffs.tolist() == again.mean_payoffs.tolist()
    assert short.iterations == short.visits.sum() == 32
    timed = RolloutSearch(kuhn_game, uniform_policy(), SearchSettings(iterations=0, seconds=0.01))
    assert timed.search(state, seed=3).iterations >= 0


def test_same_seed_same_search() -> None:
    game = CompiledGoofspiel(4)
    check_sampling_game(game)
    state = game.root.copy()
    game.apply(game.tables, state, np.zeros(2, dtype=np.int64), 2)
    search = InformationSetSearch(game, SearchSettings(iterations=700))
    first, again, other = (search.search(state, seed=seed) for seed in (1, 1, 2))
    np.testing.assert_array_equal(first.visits, again.visits)
    assert first.num_infosets == again.num_infosets > 50
    assert not np.array_equal(first.visits, other.visits)
    assert state.tolist() == [1 << 3 | 2, 1, 1, 1, 0, 0]


def test_the_policy_plays_below_the_searched_part() -> None:
    """The first iteration adds the root alone, so that all that follows is the policy's."""
    game = CompiledGoofspiel(3, shuffled=False)
    state = game.root.copy()
    game.apply(game.tables, state, np.zeros(2, dtype=np.int64), 0)
    search = InformationSetSearch(game, SearchSettings(iterations=1), function_policy("high", highest_card))
    # Prizes 3, 2, 1; bids of 3 2 1, of 2 3 1 and of 1 3 2 against 3 2 1.
    payoffs = [0.0, -3.0 + 2.0, -3.0 + 2.0 + 1.0]
    tried = set()
    for seed in range(20):
        result = search.search(state, seed)
        assert result.visits.sum() == 1
        assert result.visits[result.move] == 1
        assert result.mean_payoffs[result.move] == payoffs[result.move]
        tried.add(result.move)
    assert tried == {0, 1, 2}
