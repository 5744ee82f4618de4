"""Entry points; all commands are declared in `analysis.warage.game`."""

from __future__ import annotations

from typing import NoReturn

from cli.entry import alone, program, run

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
    run(alone(warage, "solve"), "warage-solve")
