"""``ragers solve``: the declared question; days of a match (``--match``) are solved by a command of old."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from analysis.errors import RequestError
from analysis.ragers.answers.solving import Effort
from analysis.ragers.scenarios import PREPARATIONS
from analysis.registry import game_named
from analysis.version import __version__
from cli.entry import Command, command
from cli.front import command_of
from cli.options import GivenRules, Output, bundle, with_output
from cli.ragers.commands.options import (
    GivenScenarios,
    cheers_option,
    effort_bundle,
    method_option,
    patron_option,
    seat_option,
    with_rules,
)
from engine.ragers.rules import Rules


@command("solve")
@bundle(
    "asked",
    GivenScenarios,
    patron_option,
    cheers_option,
    click.option("--preparation", type=click.Choice(PREPARATIONS), help="Model of the discard before it."),
)
@with_rules
@seat_option
@click.option("--hand", metavar="CARDS", help="The hand that is asked about.")
@click.option(
    "--match",
    metavar="STANDING",
    required=True,
    help="A day of a match, solved for the chance of winning, the last one exactly: where it stands, Accusers"
    ' first, e.g. "day 3, score 4:6, cheers 1:0, left B2S3P1:B1S2T2"; or a transcript of ragers play.',
)
@click.option(
    "--worth",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    metavar="FILE",
    help="Before the last day: what ragers match --format json wrote for these rules.  [default: read from"
    " where play of the day leads]",
)
@effort_bundle(method_option)
@click.option("--dry-run", is_flag=True, help="Not for a day of a match.")
@with_output(details=True)
def of_match(
    asked: GivenScenarios,
    rules: GivenRules[Rules],
    seat: int,
    hand: str | None,
    match: str,
    worth: Path | None,
    effort: Effort,
    dry_run: bool,
    out: Output,
) -> None:
    """Solve a day of a match for the chance of winning the match."""
    if dry_run:
        raise RequestError("--checkpoint, --resume, --disk and --dry-run do not go with --match")
    from cli.ragers.commands.last_day import GivenMatch, show_last_day

    show_last_day(GivenMatch(match, asked, seat, hand, worth), rules.load(), effort, out)


class _Solve(Command):
    """Either command, by what is asked."""

    def make_context(self, info_name: str | None, args: list[str], *rest: Any, **extra: Any) -> click.Context:
        of_a_match = any(word.partition("=")[0] == "--match" for word in args)
        chosen = of_match if of_a_match else declared
        return chosen.make_context(info_name, args, *rest, **extra)

    def invoke(self, ctx: click.Context) -> Any:
        return ctx.command.invoke(ctx)


declared = click.version_option(__version__, prog_name="ragers-solve")(
    command_of(game_named("ragers").question("solve"))
)
solve = _Solve("solve", params=declared.params, help=declared.help)
