"""What Gambit and OpenSpiel make of an exported tree. Tests that ask them are skipped without them."""

from __future__ import annotations

from pathlib import Path

import pytest

from solver.extensive import ExtensiveGame
from solver.gambit import write_efg


def gambit_value(tree: ExtensiveGame, folder: Path) -> float:
    """What player 0 gets in the equilibrium that Gambit's linear program finds."""
    gambit = pytest.importorskip("pygambit")
    path = folder / "game.efg"
    write_efg(tree, path)
    result = gambit.nash.lp_solve(gambit.read_efg(str(path)), rational=False)
    return float(result.equilibrium.payoffs["Player 0"])


def openspiel_uniform_play(tree: ExtensiveGame, folder: Path) -> tuple[int, float]:
    """Number of nodes that OpenSpiel walks, and what uniform play pays player 0 there."""
    pyspiel = pytest.importorskip("pyspiel")
    path = folder / "game.efg"
    write_efg(tree, path)
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
