"""``arena games``: which games are in, and what can be asked about them."""

from __future__ import annotations

import importlib

import click

from analysis.games import games_report
from cli.arena.games import PROGRAMS
from cli.arena.views import games as view
from cli.entry import command
from cli.options import Output, exit_codes, with_output


@command("games", epilog=exit_codes())
@with_output(quiet=False)
def games(out: Output) -> None:
    """List the games that are in, and what can be asked about each: arena GAME VERB.

    \b
    Examples:
      arena games
      arena games --format json
    """
    out.show(games_report({name: _commands(where) for name, where in PROGRAMS.items()}), view)


def _commands(where: str) -> list[str]:
    module, _, attribute = where.partition(":")
    group: click.Group = getattr(importlib.import_module(module), attribute)
    return group.list_commands(click.Context(group))
