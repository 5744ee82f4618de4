"""External sampling on trees: known values, expected regrets counted by hand, seeds."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from solver.extensive import CHANCE, TERMINAL, ExtensiveGame, GameSource, build_game
from solver.sampling.explicit_trees import CHILD_SHIFT, COUNT_MASK, COUNT_SHIFT
from solver.sequence_form import solve_sequence_form
from solver.tree_best_response import exploitability
from solver.tree_sampling import LINEAR, WEIGHTINGS, TreeSampler
from tests.games import kuhn, leduc
from tests.games.goofspiel import Goofspiel
from tests.games.random_game import RandomGame

LOPSIDED = Goofspiel(3, hands=((3, 2, 1), (4, 2, 1)))

#: Source, value (None: ask the linear program), and a NashConv that 100,000 iterations stay below.
GAMES: dict[str, tuple[GameSource[Any], float | None, float]] = {
    "kuhn": (kuhn.Kuhn(), float(kuhn.VALUE), 0.015),
    "leduc": (leduc.Leduc(), leduc.VALUE, 0.2),
    "goofspiel-4": (Goofspiel(4, shuffled=False), 0.0, 0.006),
    "lopsided": (LOPSIDED, None, 0.07),
    "kuhn-4-ranks": (kuhn.Kuhn(ante=2, bet=3, num_ranks=4), None, 0.045),
    "random-1": (RandomGame(1, depth=5), None, 0.0005),
    "random-12": (RandomGame(12, depth=6), None, 0.02),
    "random-28": (RandomGame(28, depth=6), None, 0.02),
}


@pytest.mark.parametrize("weighting", WEIGHTINGS)
@pytest.mark.parametrize("name", GAMES)
def test_average_strategies_close_in_on_the_known_value(name: str, weighting: str) -> None:
    source, value, bound = GAMES[name]
    tree = build_game(source)
    if value is None:
        value = solve_sequence_form(tree).value
    sampler = TreeSampler(tree, weighting, seed=3)
    sampler.run(300)
    early = sampler.result()
    sampler.run(99_700)
    result = sampler.result()
    assert result.nash_conv < bound
    assert result.nash_conv < early.nash_conv
    assert -result.best_response_values[1] - 1e-9 <= value <= result.best_response_values[0] + 1e-9
    assert result.nash_conv == exploitability(tree, result.strategy).nash_conv
    assert result.iterations == 100_000


def expected_regrets(tree: ExtensiveGame) -> np.ndarray:
    """[Q] regrets of player 0's slots after one walk of his, on average: everybody plays uniformly."""

    def worth(node: int) -> float:
        if tree.node_player[node] == TERMINAL:
            return float(tree.payoff[node])
        first, count = int(tree.first_child[node]), int(tree.num_children[node])
        children = range(first, first + count)
        if tree.node_player[node] == CHANCE:
            return sum(float(tree.chance_probability[child]) * worth(child) for child in children)
        return sum(worth(child) for child in children) / count

    regrets = np.zeros(tree.num_slots)

    def visit(node: int, likely: float) -> None:
        if tree.node_player[node] == TERMINAL:
            return
        first, count = int(tree.first_child[node]), int(tree.num_children[node])
        for child in range(first, first + count):
            if tree.node_player[node] == 0:
                slot = tree.first_slot[tree.node_infoset[node]] + child - first
                regrets[slot] += likely * (worth(child) - worth(node))
                visit(child, likely)
            elif tree.node_player[node] == CHANCE:
                visit(child, likely * float(tree.chance_probability[child]))
            else:
                visit(child, likely / count)

    visit(0, 1.0)
    return regrets


@pytest.mark.parametrize(
    "source", [kuhn.Kuhn(ante=2, bet=3, num_ranks=4), *(RandomGame(seed, depth=6) for seed in (11, 12, 28))]
)
def test_one_walk_is_right_on_average(source: GameSource[Any]) -> None:
    """Uneven chance, chance behind chance and single moves included."""
    tree = build_game(source)
    number = 4000
    found = np.zeros((number, tree.num_slots))
    for seed in range(number):
        sampler = TreeSampler(tree, seed=seed)
        sampler.run(1)
        for infoset in range(tree.first_infoset_of[1]):
            begin, end = tree.first_slot[infoset], tree.first_slot[infoset + 1]
            found[seed, begin:end] = sampler._reals[2 * begin : begin + end]
    expected = expected_regrets(tree)[: tree.first_slot_of[1]]
    own = found[:, : tree.first_slot_of[1]]
    error = own.std(axis=0) / np.sqrt(number)
    assert np.abs(expected).max() > 0.05
    assert (np.abs(own.mean(axis=0) - expected) <= 5.0 * error + 1e-12).all()


def test_the_same_seed_gives_the_same_strategy_however_calls_are_cut() -> None:
    tree = build_game(leduc.Leduc())
    whole, cut, other = (TreeSampler(tree, LINEAR, seed) for seed in (7, 7, 8))
    whole.run(5000)
    for part in (1, 1999, 3000):
        cut.run(part)
    other.run(5000)
    assert (whole.result().strategy == cut.result().strategy).all()
    assert whole.updates == cut.updates
    assert (whole.result().strategy != other.result().strategy).any()


def test_chance_behind_chance_is_drawn_at_once() -> None:
    tree = build_game(RandomGame(12, depth=6))
    assert [int(tree.node_player[node]) for node in (0, 1, 2)] == [CHANCE] * 3
    walk = TreeSampler(tree)._walk
    word = int(walk.nodes[0, 0])
    count, first = (word >> COUNT_SHIFT) & COUNT_MASK, word >> CHILD_SHIFT
    chances = np.diff(walk.below[first : first + count], prepend=0.0)
    assert chances == pytest.approx([1 / 9, 2 / 9, 2 / 9, 4 / 9])


def test_other_weightings_are_refused() -> None:
    with pytest.raises(ValueError, match="weighting must be one of uniform, linear, got 'square'"):
        TreeSampler(build_game(kuhn.Kuhn()), "square")
