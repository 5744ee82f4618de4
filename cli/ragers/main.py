"""Entry points. Commands are imported only when they are called: starting up must stay quick."""

from __future__ import annotations

from typing import NoReturn

from cli.entry import alone, commands_in, program, run

ragers = program(
    "ragers",
    """Solve days of Ragers: Champions of the Arena, and look after rules and solutions.

    Before a day each player may exchange a card: unseen by default (redraw); the rulebook's discard is seen
    (--preparation seen).
    """,
    commands_in(
        "cli.ragers.commands",
        "report",
    ),
)


def ragers_main() -> NoReturn:
    """Entry point ``ragers``."""
    run(ragers, "ragers")


def solve_main() -> NoReturn:
    """Entry point ``ragers-solve``."""
    run(alone(ragers, "solve"), "ragers-solve")
