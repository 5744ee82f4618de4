"""``ragers library prune``: make room in the user's library."""

from __future__ import annotations

import re
import time

import click

from analysis.amounts import size
from analysis.ragers.answers import library
from analysis.ragers.answers.own_files import items, saved_at
from analysis.ragers.play import kept_positions
from engine.ragers.rules import load_rules

_UNITS = {"h": 3600.0, "d": 24 * 3600.0, "w": 7 * 24 * 3600.0}


def _age(text: str) -> float:
    """Return the seconds in ``12h``, ``30d`` or ``8w``."""
    match = re.fullmatch(r"\s*(\d+)\s*([hdw])\s*", text.lower())
    if match is None:
        raise click.BadParameter(f"{text!r} is no age; write 12h, 30d or 8w")
    return int(match[1]) * _UNITS[match[2]]


@click.command("prune")
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
    """Remove entries of your own library, and solves of positions in mid-day: old or useless ones, or both.

    What is removed can be solved again. The library that comes with the program is never touched.

    \b
    Examples:
      ragers library prune --useless --dry-run
      ragers library prune --older-than 30d
      ragers library prune --older-than 8w --useless
    """
    if older_than is None and not useless:
        raise click.UsageError("say what is to go: --older-than AGE, --useless, or both")
    chosen, now = library.own(), time.time()
    num_all = num_removed = num_bytes = 0
    failed = False
    for item in items(chosen, load_rules(), lambda file: kept_positions.read(file) is not None):
        num_all += 1
        old = older_than is not None and now - item.saved_s > older_than
        if not (old or (useless and item.fault)):
            continue
        reason = item.fault if useless and item.fault else f"is from {saved_at(item.saved_s)}"
        room = item.num_bytes
        try:
            if not dry_run:
                item.remove()
        except OSError as error:
            click.echo(f"Error: cannot remove {item.title}: {error.strerror}", err=True)
            failed = True
            continue
        num_removed += 1
        num_bytes += room
        click.echo(f"{item.title}: {reason}")
    what = "would be removed" if dry_run else "removed"
    click.echo(f"{num_removed} of {num_all} {what}, {size(num_bytes)}, in {chosen.root}")
    ctx.exit(1 if failed else 0)
