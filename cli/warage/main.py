"""Entry points. Commands are imported only when they are called: starting up must stay quick."""

from __future__ import annotations

from typing import NoReturn

from cli.entry import commands_in, program, run

warage = program(
    "warage",
    "Price attacks, points and cards of Warage, race heroes, let decks play, look after card sets.",
    commands_in(
        "cli.warage.commands",
        *("solve", "attack", "race", "worth", "queue", "match", "balance", "deck_group"),
        *("brawl", "guild", "play", "train", "export_group", "report"),
    ),
)


def warage_main() -> NoReturn:
    """Entry point ``warage``."""
    run(warage, "warage")


def solve_main() -> NoReturn:
    """Entry point ``warage-solve``."""
    from cli.warage.commands.solve import solve

    run(solve, "warage-solve")
