"""The games there are. Everything that goes over all of them reads this list.

A game is a folder: the same file names in each, and in them the same functions. `tests/engine/contract` says
which, and asks them of every game.
"""

from __future__ import annotations

import importlib
from dataclasses import dataclass
from types import ModuleType

__all__ = ["GAMES", "Game"]


@dataclass(frozen=True)
class Game:
    """A game; its modules are imported when they are asked for.

    Attributes
    ----------
    name
        Of its folder, its rules file and its commands.
    title
        As on the box.
    players
        How many may play.
    """

    name: str
    title: str
    players: tuple[int, ...]

    def module(self, name: str) -> ModuleType:
        """Return one of its modules: ``rules``, ``reference``, ``kernel``, ``codec``, ``perft``, ..."""
        return importlib.import_module(f"engine.{self.name}.{name}")


GAMES = {
    game.name: game
    for game in (
        Game("ragers", "Ragers: Champions of the Arena", (2,)),
        Game("raverun", "Raverun", (2, 3)),
        Game("clash", "Clash of Rage", (1, 2, 3, 4)),
        Game("warage", "Warage", (2, 3, 4, 5, 6)),
        Game("ophidian", "Ophidian Arena", (2,)),
    )
}
