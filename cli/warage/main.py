"""Entry points; all commands are declared in `analysis.warage.game`."""

from __future__ import annotations

import sys
from typing import NoReturn

from cli.entry import program, run

warage = program(
    "warage",
    "Price attacks, points and cards of Warage, race heroes, let decks play, look after card sets.",
    {},
)


def warage_main() -> NoReturn:
    """Entry point ``warage``."""
    run(warage, "warage")


def solve_main() -> NoReturn:
    """Entry point ``warage-solve``: ``warage solve``."""
    sys.argv[1:1] = [] if sys.argv[1:2] == ["--version"] else ["solve"]
    run(warage, "warage")
