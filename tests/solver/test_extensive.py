"""The explicit tree: what the builder makes and what it refuses."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solver.extensive import (
    CHANCE,
    NONE,
    TERMINAL,
    ExtensiveGame,
    MalformedGameError,
    build_game,
    expected_payoff,
)
from tests.games.goofspiel import Goofspiel
from tests.games.kuhn import Kuhn
from tests.games.random_game import RandomGame
from tests.solver import naive


class Scripted:
    """A game given as nested tuples.

    (payoff,) or ("c", [(label, weight, tree), ...]) or (player, key, [(label, tree), ...]).
    """

    def __init__(self, tree: tuple[object, ...]) -> None:
        self.tree = tree

    def root(self) -> tuple[object, ...]:
        return self.tree

    def is_terminal(self, state: tuple[object, ...]) -> bool:
        return len(state) == 1

    def payoff(self, state: tuple[object, ...]) -> int:
        return state[0]  # type: ignore[return-value]

    def player(self, state: tuple[object, ...]) -> int:
        return CHANCE if state[0] == "c" else state[0]  # type: ignore[return-value]

    def infoset(self, state: tuple[object, ...]) -> Hashable:
        return state[1]

    def actions(self, state: tuple[object, ...]) -> Sequence[Hashable]:
        return [label for label, _ in state[2]]  # type: ignore[attr-defined]

    def chance_outcomes(self, state: tuple[object, ...]) -> Sequence[tuple[Hashable, int]]:
        return [(label, weight) for label, weight, _ in state[1]]  # type: ignore[attr-defined]

    def child(self, state: tuple[object, ...], action: Hashable) -> tuple[object, ...]:
        branches: list[tuple[Any, ...]] = state[-1]  # type: ignore[assignment]
        return next(branch[-1] for branch in branches if branch[0] == action)


def random_strategy(game: ExtensiveGame, seed: int) -> naive.FloatArray:
    """Return a random behaviour strategy with some pure infosets in it."""
    generator = np.random.default_rng(seed)
    strategy = np.zeros(game.num_slots)
    for infoset in range(game.num_infosets):
        slots = naive.slots_of(game, infoset)
        if generator.random() < 0.3:
            strategy[generator.choice(slots)] = 1.0
        else:
            strategy[slots] = generator.dirichlet(np.ones(len(slots)))
    return strategy


@pytest.mark.parametrize(
    "source", [Kuhn(), Goofspiel(3), RandomGame(4, depth=5)], ids=["kuhn", "goofspiel", "random"]
)
def test_numbering_is_as_documented(source: Kuhn) -> None:
    game = build_game(source)
    for node in range(game.num_nodes):
        children = naive.children_of(game, node)
        assert all(game.parent[child] == node for child in children)
        player = game.node_player[node]
        assert (len(children) == 0) == (player == TERMINAL)
        if player == CHANCE:
            assert sum(game.exact_chance[child] for child in children) == 1
        if player in (0, 1):
            infoset = game.node_infoset[node]
            assert game.infoset_player[infoset] == player
            assert [game.incoming_slot[child] for child in children] == list(naive.slots_of(game, infoset))
            assert game.parent_slot[infoset] == game.last_slot[player, node]
    for infoset in range(game.num_infosets):
        before = game.parent_slot[infoset]
        assert before == NONE or game.slot_infoset[before] < infoset
    assert all(a < b for a, b in pairwise(game.level_start))
    assert game.level_start[-1] == game.num_nodes


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 10**6))
def test_expected_payoff_is_that_of_the_tree_walk(seed: int) -> None:
    game = build_game(RandomGame(seed, depth=5))
    strategy = random_strategy(game, seed)
    assert expected_payoff(game, strategy) == pytest.approx(naive.expected_payoff(game, strategy), abs=1e-12)


def test_payoffs_and_weights_stay_exact() -> None:
    tree = ("c", [("a", 0.5, (Fraction(1, 3),)), ("b", Fraction(1, 4), (0.1,))])
    game = build_game(Scripted(tree))
    assert game.exact_chance[1:] == (Fraction(2, 3), Fraction(1, 3))
    assert game.exact_payoff[1:] == (Fraction(1, 3), Fraction(0.1))


LEFT_RIGHT = [("l", (1,)), ("r", (2,))]


@pytest.mark.parametrize(
    ("tree", "message"),
    [
        ((0, "i", []), "at least one and all different"),
        ((0, "i", [("l", (1,)), ("l", (1,))]), "all different"),
        ((2, "i", LEFT_RIGHT), "player must be 0, 1 or CHANCE, got 2"),
        (("c", [("a", 0, (1,)), ("b", 1, (1,))]), "all above 0"),
        (("c", []), "at least one"),
        (("c", [("a", 1, (0, "i", LEFT_RIGHT)), ("b", 1, (0, "i", [("l", (1,))]))]), "offers"),
        # Forgets what it did, and being drunk: passing the same infoset twice.
        ((0, "i", [("l", (0, "j", LEFT_RIGHT)), ("r", (0, "j", LEFT_RIGHT))]), "imperfect recall"),
        ((0, "i", [("l", (0, "i", LEFT_RIGHT)), ("r", (1,))]), "imperfect recall"),
    ],
)
def test_malformed_games_are_refused(tree: tuple[object, ...], message: str) -> None:
    with pytest.raises(MalformedGameError, match=message):
        build_game(Scripted(tree))
