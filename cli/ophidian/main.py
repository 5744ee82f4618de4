"""Entry points. Commands are made when they are called: starting up must stay quick."""

from __future__ import annotations

from typing import NoReturn

from analysis.registry import game_named
from cli.entry import alone, run
from cli.front import group_of

ophidian = group_of(game_named("ophidian"))


def ophidian_main() -> NoReturn:
    """Entry point ``ophidian``."""
    run(ophidian, "ophidian")


def solve_main() -> NoReturn:
    """Entry point ``ophidian-solve``."""
    run(alone(ophidian, "solve"), "ophidian-solve")
