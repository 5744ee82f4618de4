"""Search at play time: budgets, seeds, and that it looks at nothing hidden."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from solver.extensive import build_game
from solver.sampling.checks import check_sampling_game
from solver.sampling.explicit_trees import TreeSamplingGame, tree_sampling_game
from solver.sampling.game import MalformedSamplingGameError
from solver.sampling.information_set_search import InformationSetSearch, SearchSettings
from solver.sampling.policy import function_policy
from solver.sampling.specialisation import specialised
from tests.games import kuhn
from tests.games.compiled_goofspiel import CompiledGoofspiel, highest_card
from tests.games.leduc import Leduc
from tests.solver.test_extensive import Scripted


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


def test_dominated_moves_are_found(kuhn_game: TreeSamplingGame) -> None:
    search = InformationSetSearch(kuhn_game, SearchSettings(iterations=2000))
    # Facing a bet: the best card calls, the worst one folds.
    best = search.search(state_of(kuhn_game, (0, 2), "b"), seed=1)
    worst = search.search(state_of(kuhn_game, (2, 0), "b"), seed=1)
    assert (best.move, worst.move) == (1, 0)
    assert best.mean_payoffs[1] == 2.0
    assert worst.mean_payoffs.tolist() == [-1.0, -2.0]
    assert best.visits.sum() == best.iterations == 2000
    assert best.visits[1] > 1900


def test_a_search_sees_nothing_hidden(kuhn_game: TreeSamplingGame) -> None:
    search = InformationSetSearch(kuhn_game, SearchSettings(iterations=500))
    results = [search.search(state_of(kuhn_game, deal, "p"), seed=4) for deal in ((0, 1), (2, 1))]
    np.testing.assert_array_equal(results[0].visits, results[1].visits)
    np.testing.assert_array_equal(results[0].mean_payoffs, results[1].mean_payoffs)


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


def test_time_limits_and_full_tables() -> None:
    game = tree_sampling_game(build_game(Leduc()))
    state = game.root.copy()
    for _ in range(1):
        game.apply(game.tables, state, np.zeros(2, dtype=np.int64), 0)
    # This one first: a kernel that is loaded, or compiled, in the time of a search takes all of it.
    tiny = InformationSetSearch(game, SearchSettings(iterations=300, max_infosets=5)).search(state)
    timed = InformationSetSearch(game, SearchSettings(iterations=0, seconds=0.05)).search(state)
    assert timed.iterations >= 16
    assert 0.05 <= timed.seconds < 2.0
    assert tiny.num_infosets == 5
    assert tiny.num_lost > 100
    assert tiny.visits.sum() == 300


def test_loading_a_kernel_takes_no_time_of_a_search(monkeypatch: pytest.MonkeyPatch) -> None:
    def slow(*asked: object) -> object:
        time.sleep(0.3)
        return specialised(*asked)  # type: ignore[arg-type]

    game = tree_sampling_game(build_game(Leduc()))
    state = game.root.copy()
    game.apply(game.tables, state, np.zeros(2, dtype=np.int64), 0)
    monkeypatch.setattr("solver.sampling.information_set_search.specialised", slow)
    result = InformationSetSearch(game, SearchSettings(iterations=0, seconds=0.2)).search(state)
    assert result.iterations > 10


def test_forced_moves_need_no_search() -> None:
    tree = build_game(Scripted((0, "i", [("only", (4,))])))
    result = InformationSetSearch(tree_sampling_game(tree)).search(np.zeros(1, dtype=np.int64))
    assert (result.move, result.iterations, result.visits.tolist()) == (0, 0, [0])


def test_what_cannot_be_searched_is_refused(kuhn_game: TreeSamplingGame) -> None:
    blind = replace(CompiledGoofspiel(3), determinise=None)
    with pytest.raises(ValueError, match="determinise"):
        InformationSetSearch(blind)
    with pytest.raises(ValueError, match="nobody decides"):
        InformationSetSearch(kuhn_game).search(kuhn_game.root)
    with pytest.raises(MalformedSamplingGameError, match="max_length = 1"):
        InformationSetSearch(replace(kuhn_game, max_length=1)).search(state_of(kuhn_game, (0, 1)))
    for kwargs in ({"iterations": 0}, {"seconds": -1.0}, {"exploration": float("nan")}):
        with pytest.raises(ValueError, match=r"limit|exploration"):
            SearchSettings(**kwargs)
