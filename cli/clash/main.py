"""Entry points: commands are what is declared of the game."""

from __future__ import annotations

from typing import NoReturn

import click

from analysis.registry import game_named
from analysis.version import __version__
from cli.entry import program, run

clash = program(
    "clash",
    "Solve battles of Clash of Rage, find armies, equipment and cards that win; play whole games.",
    {},
)


def clash_solve() -> click.Command:
    """Return the command ``clash-solve``, which is ``clash solve``."""
    from cli.front import declared_command

    command = declared_command(game_named("clash"), "solve")
    assert command is not None
    return click.version_option(__version__, prog_name="clash-solve")(command)


def clash_main() -> NoReturn:
    """Entry point ``clash``."""
    run(clash, "clash")


def solve_main() -> NoReturn:
    """Entry point ``clash-solve``."""
    run(clash_solve(), "clash-solve")
