"""Entry point. Commands are imported only when they are called: starting up must stay quick."""

from __future__ import annotations

from typing import NoReturn

import click

from analysis.version import __version__
from cli.entry import LazyGroup, run

_COMMANDS = {
    "solve": "cli.arena.commands.solve:solve",
}


@click.group(
    "arena",
    cls=LazyGroup,
    lazy_commands=_COMMANDS,
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.version_option(__version__, prog_name="arena")
def arena() -> None:
    """Solve games that other programs have written: Gambit's .efg and .nfg files."""


def arena_main() -> NoReturn:
    """Entry point ``arena``."""
    run(arena, "arena")
