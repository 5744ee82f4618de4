"""Entry points. Commands are imported only when they are called: starting up must stay quick."""

from __future__ import annotations

from typing import NoReturn

import click

from analysis.version import __version__
from cli.entry import LazyGroup, run

_COMMANDS = {
    "solve": "cli.raverun.commands.solve:solve",
    "train": "cli.raverun.commands.train:train",
    "match": "cli.raverun.commands.match:match",
    "play": "cli.raverun.commands.play:play",
    "report": "cli.raverun.commands.report:report",
    "rules": "cli.raverun.commands.rules:rules_group",
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
    from cli.raverun.commands.solve import solve

    run(solve, "raverun-solve")
