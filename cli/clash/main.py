"""Entry points. Commands are imported only when they are called: starting up must stay quick."""

from __future__ import annotations

from typing import NoReturn

import click

from analysis.version import __version__
from cli.entry import LazyGroup, run

_COMMANDS = {
    "solve": "cli.clash.commands.solve:solve",
    "need": "cli.clash.commands.need:need",
    "split": "cli.clash.commands.split:split",
    "equip": "cli.clash.commands.equip:equip",
    "tactic": "cli.clash.commands.tactic:tactic",
    "balance": "cli.clash.commands.balance:balance",
    "solo": "cli.clash.commands.solo:solo",
    "match": "cli.clash.commands.match:match",
    "play": "cli.clash.commands.play:play_command",
    "export": "cli.clash.commands.export:export_group",
    "report": "cli.clash.commands.report:report",
    "rules": "cli.clash.commands.rules:rules_group",
}


@click.group(
    "clash",
    cls=LazyGroup,
    lazy_commands=_COMMANDS,
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.version_option(__version__, prog_name="clash")
def clash() -> None:
    """Solve battles of Clash of Rage, find armies, equipment and cards that win; play whole games."""


def clash_main() -> NoReturn:
    """Entry point ``clash``."""
    run(clash, "clash")


def solve_main() -> NoReturn:
    """Entry point ``clash-solve``."""
    from cli.clash.commands.solve import solve

    run(solve, "clash-solve")
