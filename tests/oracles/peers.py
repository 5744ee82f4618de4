"""What Gambit and OpenSpiel make of an exported tree. Tests that ask them are skipped without them."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from solver.extensive import ExtensiveGame, uniform_strategy
from solver.gambit import efg_lines


def write_efg(game: ExtensiveGame, path: Path) -> None:
    """Write a tree as Gambit's tools and OpenSpiel read it."""
    with path.open("w", encoding="utf-8") as file:
        file.writelines(f"{line}\n" for line in efg_lines(game))


def node_at(game: ExtensiveGame, labels: Iterable[str]) -> int:
    """Return the node that the labels on the way from the root lead to."""
    node = 0
    for label in labels:
        children = range(game.first_child[node], game.first_child[node] + game.num_children[node])
        [node] = [child for child in children if str(game.node_labels[child]) == label]
    return node


def strategy_of(game: ExtensiveGame, profile: Any) -> npt.NDArray[np.float64]:
    """Read a Gambit profile of an exported game as one of our strategies.

    Gambit's linear program leaves weights that are no distribution at some infosets (seen with
    17.0.0b2, in rational arithmetic too); its own payoff of the profile is then off. Such infosets play
    uniformly here.
    """
    strategy = uniform_strategy(game)
    for player in (0, 1):
        for history, mixed in profile[f"Player {player}"]:
            infoset = game.node_infoset[node_at(game, (move.action for move in history))]
            slots = slice(game.first_slot[infoset], game.first_slot[infoset + 1])
            weight = {label: float(probability) for label, probability in mixed}
            weights = np.array([weight[str(label)] for label in game.slot_labels[slots]])
            if weights.min() > -1e-9 and abs(weights.sum() - 1.0) < 1e-9:
                strategy[slots] = np.maximum(weights, 0.0)
    return strategy


def openspiel_uniform_play(tree: ExtensiveGame, folder: Path) -> tuple[int, float]:
    """Write a tree, and walk it as `uniform_play_of` does."""
    path = folder / "game.efg"
    write_efg(tree, path)
    return uniform_play_of(path)


def uniform_play_of(path: Path) -> tuple[int, float]:
    """Number of nodes that OpenSpiel walks, and what uniform play pays player 0 there."""
    pyspiel = pytest.importorskip("pyspiel")
    loaded = pyspiel.load_game(f"efg_game(filename={path})")
    total, count = 0.0, 0
    stack = [(loaded.new_initial_state(), 1.0)]
    while stack:
        state, reach = stack.pop()
        count += 1
        if state.is_terminal():
            total += reach * state.returns()[0]
        elif state.is_chance_node():
            stack.extend((state.child(action), reach * odds) for action, odds in state.chance_outcomes())
        else:
            actions = state.legal_actions()
            stack.extend((state.child(action), reach / len(actions)) for action in actions)
    return count, total
