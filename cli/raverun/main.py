"""Entry points. Commands are imported only when they are called: starting up must stay quick."""

from __future__ import annotations

from typing import NoReturn

from cli.entry import commands_in, program, run

raverun = program(
    "raverun",
    "Solve Raverun, play it, and look after its rules.",
    commands_in("cli.raverun.commands", "solve", "train", "match", "play", "review", "report"),
)


def raverun_main() -> NoReturn:
    """Entry point ``raverun``."""
    run(raverun, "raverun")


def solve_main() -> NoReturn:
    """Entry point ``raverun-solve``."""
    from cli.raverun.commands.solve import solve

    run(solve, "raverun-solve")
