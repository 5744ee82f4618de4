"""Entry points. Commands are imported only when they are called: starting up must stay quick."""

from __future__ import annotations

from typing import NoReturn

import click

from cli import __version__
from cli.entry import LazyGroup, run

_COMMANDS = {
    "solve": "cli.raverun.solve_command:solve",
    "train": "cli.raverun.train_command:train",
    "match": "cli.raverun.match_command:match",
    "play": "cli.raverun.play_command:play",
    "report": "cli.raverun.report_command:report",
    "rules": "cli.raverun.rules_commands:rules_group",
}


@click.group(
    "raverun",
    cls=LazyGroup,
    lazy_commands=_COMMANDS,
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.version_option(__version__, prog_name="raverun")
def raverun() -> None:
    """Solve Raverun, play it, and look after its rules."""


def raverun_main() -> NoReturn:
    """Entry point ``raverun``."""
    run(raverun, "raverun")


def solve_main() -> NoReturn:
    """Entry point ``raverun-solve``."""
    from cli.raverun.solve_command import solve

    run(solve, "raverun-solve")
