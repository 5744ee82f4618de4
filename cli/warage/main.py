"""Entry points. Commands are imported only when they are called: starting up must stay quick."""

from __future__ import annotations

from typing import NoReturn

import click

from analysis.version import __version__
from cli.entry import LazyGroup, run

_COMMANDS = {
    "solve": "cli.warage.commands.solve:solve",
    "attack": "cli.warage.commands.attack:attack",
    "race": "cli.warage.commands.race:race",
    "worth": "cli.warage.commands.worth:worth",
    "queue": "cli.warage.commands.queue:queue",
    "match": "cli.warage.commands.match:match",
    "balance": "cli.warage.commands.balance:balance",
    "rules": "cli.warage.commands.rules:rules_group",
}


@click.group(
    "warage",
    cls=LazyGroup,
    lazy_commands=_COMMANDS,
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.version_option(__version__, prog_name="warage")
def warage() -> None:
    """Price attacks, points and cards of Warage, race heroes, let decks play, look after card sets."""


def warage_main() -> NoReturn:
    """Entry point ``warage``."""
    run(warage, "warage")


def solve_main() -> NoReturn:
    """Entry point ``warage-solve``."""
    from cli.warage.commands.solve import solve

    run(solve, "warage-solve")
