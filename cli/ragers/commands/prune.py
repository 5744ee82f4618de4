"""``ragers library prune``: make room in the user's library."""

from __future__ import annotations

import re

import click

from analysis.amounts import size
from analysis.errors import RequestError
from analysis.exit_codes import EXIT_FAILURE
from analysis.ragers.answers import library
from analysis.ragers.answers.own_files import pruned
from analysis.ragers.play import kept_positions
from cli.entry import command

_UNITS = {"h": 3600.0, "d": 24 * 3600.0, "w": 7 * 24 * 3600.0}


def _age(text: str) -> float:
    """Return the seconds in ``12h``, ``30d`` or ``8w``."""
    match = re.fullmatch(r"\s*(\d+)\s*([hdw])\s*", text.lower())
    if match is None:
        raise click.BadParameter(f"{text!r} is no age; write 12h, 30d or 8w")
    return int(match[1]) * _UNITS[match[2]]


@command("prune")
@click.option("--older-than", type=_age, metavar="AGE", help="What was written that long ago: 12h, 30d, 8w.")
@click.option(
    "--useless",
    is_flag=True,
    help="What no longer counts: damaged or half written, of another version's format or model, or known as"
    " well to the library that comes with the program.",
)
@click.option("--dry-run", is_flag=True, help="Only say what would go.")
@click.pass_context
def prune(ctx: click.Context, older_than: float | None, useless: bool, dry_run: bool) -> None:
    """Remove entries of your own library, solves of positions in mid-day, and tables for what-ifs: old or
    useless ones, or both.

    What is removed can be solved again. The library that comes with the program is never touched.

    \b
    Examples:
      ragers library prune --useless --dry-run
      ragers library prune --older-than 30d
      ragers library prune --older-than 8w --useless
    """
    if older_than is None and not useless:
        raise RequestError("say what is to go: --older-than AGE, --useless, or both")
    done = pruned(
        is_sound=lambda file: kept_positions.read(file) is not None,
        older_than_s=older_than,
        useless=useless,
        dry_run=dry_run,
        say=click.echo,
        complain=lambda text: click.echo(f"Error: {text}", err=True),
    )
    what = "would be removed" if dry_run else "removed"
    click.echo(
        f"{done.num_removed} of {done.num_all} {what}, {size(done.num_bytes)}, in {library.own().root}"
    )
    ctx.exit(EXIT_FAILURE if done.num_left else 0)
