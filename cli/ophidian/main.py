"""Entry points. Commands are imported only when they are called: starting up must stay quick."""

from __future__ import annotations

from typing import NoReturn

from cli.entry import alone, commands_in, program, run

ophidian = program(
    "ophidian",
    "Prove fights of Ophidian Arena, let players play whole matches, and look after teams, decks and rules.",
    commands_in(
        "cli.ophidian.commands",
        "train",
    ),
)


def ophidian_main() -> NoReturn:
    """Entry point ``ophidian``."""
    run(ophidian, "ophidian")


def solve_main() -> NoReturn:
    """Entry point ``ophidian-solve``."""
    run(alone(ophidian, "solve"), "ophidian-solve")
