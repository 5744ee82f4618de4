"""Entry points. Commands are imported only when they are called: starting up must stay quick."""

from __future__ import annotations

from typing import NoReturn

import click

from cli.entry import program, run

raverun = program("raverun", "Solve Raverun, play it, and look after its rules.", {})


def raverun_main() -> NoReturn:
    """Entry point ``raverun``."""
    run(raverun, "raverun")


def solve_main() -> NoReturn:
    """Entry point ``raverun-solve``."""
    from analysis.registry import game_named
    from analysis.version import __version__
    from cli.front import command_of

    command = command_of(game_named("raverun").question("solve"))
    run(click.version_option(__version__, prog_name="raverun-solve")(command), "raverun-solve")
