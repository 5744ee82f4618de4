"""Entry points. Commands are imported only when they are called: starting up must stay quick."""

from __future__ import annotations

from typing import NoReturn

import click

from cli import __version__
from cli.entry import LazyGroup, run

_COMMANDS = {
    "solve": "cli.ragers.solve_command:solve",
    "advise": "cli.ragers.advise_command:advise",
    "diff": "cli.ragers.diff_command:diff",
    "sweep": "cli.ragers.sweep_command:sweep",
    "lock": "cli.ragers.lock_command:lock",
    "tune": "cli.ragers.tune_command:tune",
    "balance": "cli.ragers.balance_command:balance",
    "report": "cli.ragers.report_command:report",
    "play": "cli.ragers.play_command:play",
    "review": "cli.ragers.review_command:review",
    "export": "cli.ragers.export_command:export_group",
    "rules": "cli.ragers.rules_commands:rules_group",
    "library": "cli.ragers.library_commands:library_group",
    "warmup": "cli.ragers.warmup_command:warmup",
    "bench": "cli.ragers.bench_command:bench",
}


@click.group(
    "ragers",
    cls=LazyGroup,
    lazy_commands=_COMMANDS,
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.version_option(__version__, prog_name="ragers")
def ragers() -> None:
    """Solve days of Ragers: Champions of the Arena, and look after rules and solutions."""


def ragers_main() -> NoReturn:
    """Entry point ``ragers``."""
    run(ragers, "ragers")


def solve_main() -> NoReturn:
    """Entry point ``ragers-solve``."""
    from cli.ragers.solve_command import solve

    run(solve, "ragers-solve")
