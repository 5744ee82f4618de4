"""Entry point. Commands are imported only when they are called: starting up must stay quick."""

from __future__ import annotations

from typing import NoReturn

from cli.arena.games import PROGRAMS
from cli.entry import commands_in, program, run

arena = program(
    "arena",
    """Solve games: those that are in, by name, and what other programs have written.

    \b
    Examples:
      arena app                                    asks in a browser
      arena games                                  which are in, and what can be asked
      arena ragers solve --patron Arianna          the same as: ragers solve --patron Arianna
      arena solve poker.efg                        a file of Gambit's
    """,
    commands_in("cli.arena.commands", "app", "solve", "games") | PROGRAMS,
)


def arena_main() -> NoReturn:
    """Entry point ``arena``."""
    run(arena, "arena")
