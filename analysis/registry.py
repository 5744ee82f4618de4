"""The games that questions are declared for, by name: nothing of a game is imported before it is asked for.

A package of somebody else brings a game by the entry point group ``arena_solver.games``: its name is the
game's, and its value says where the game is declared, ``package.module:GAME``. It is treated like ours.
"""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from typing import Any

__all__ = ["ARENA", "GAMES", "GROUP", "game_named", "places"]

ARENA = "analysis.arena.game:GAME"
"""What is asked of no single game, declared like a game."""
GROUP = "arena_solver.games"
"""The group of entry points."""
GAMES: dict[str, str] = {
    "ragers": "analysis.ragers.game:GAME",
    "raverun": "analysis.raverun.game:GAME",
    "clash": "analysis.clash.game:GAME",
    "warage": "analysis.warage.game:GAME",
    "ophidian": "analysis.ophidian.game:GAME",
}
"""Our games that are declared whole: name -> ``module:GAME``."""


def places() -> Mapping[str, str]:
    """Return where each game is declared, ours before those that other packages bring."""
    from importlib.metadata import entry_points  # here, since it takes longer than most commands' help

    brought = {point.name: point.value for point in entry_points(group=GROUP)}
    return GAMES | {name: place for name, place in brought.items() if name not in GAMES}


def game_named(name: str) -> Any:
    """Return the declaration of a game, a `analysis.front.game.Game`.

    Raises
    ------
    KeyError
        If no game is called so.
    """
    place = ARENA if name == "arena" else GAMES.get(name) or places()[name]
    module, _, attribute = place.partition(":")
    return getattr(importlib.import_module(module), attribute)
