"""Entry points. Commands are imported only when they are called: starting up must stay quick."""

from __future__ import annotations

from typing import NoReturn

import click

from analysis.version import __version__
from cli.entry import LazyGroup, run

_COMMANDS = {
    "solve": "cli.ragers.commands.solve:solve",
    "advise": "cli.ragers.commands.advise:advise",
    "diff": "cli.ragers.commands.diff:diff",
    "sweep": "cli.ragers.commands.sweep:sweep",
    "lock": "cli.ragers.commands.lock:lock",
    "tune": "cli.ragers.commands.tune:tune",
    "balance": "cli.ragers.commands.balance:balance",
    "report": "cli.ragers.commands.report:report",
    "match": "cli.ragers.commands.match:match",
    "train": "cli.ragers.commands.train:train",
    "play": "cli.ragers.commands.play:play",
    "review": "cli.ragers.commands.review:review",
    "export": "cli.ragers.commands.export:export_group",
    "rules": "cli.ragers.commands.rules:rules_group",
    "library": "cli.ragers.commands.library:library_group",
    "warmup": "cli.ragers.commands.warmup:warmup",
    "bench": "cli.ragers.commands.bench:bench",
}


@click.group(
    "ragers",
    cls=LazyGroup,
    lazy_commands=_COMMANDS,
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.version_option(__version__, prog_name="ragers")
def ragers() -> None:
    """Solve days of Ragers: Champions of the Arena, and look after rules and solutions.

    Before a day each player may exchange a card: unseen by default (redraw); the rulebook's discard is seen
    (--preparation seen).
    """


def ragers_main() -> NoReturn:
    """Entry point ``ragers``."""
    run(ragers, "ragers")


def solve_main() -> NoReturn:
    """Entry point ``ragers-solve``."""
    from cli.ragers.commands.solve import solve

    run(solve, "ragers-solve")
