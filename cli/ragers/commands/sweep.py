"""``ragers sweep``: the equilibrium along one or two ranges of rule values."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from analysis.files import check_output
from analysis.ragers.answers.asking import EXIT_FAILURE, Question
from analysis.ragers.workbench import sweeping
from cli import grid
from cli.entry import command
from cli.output import write_output
from cli.ragers.asking import ask_points
from cli.ragers.commands.options import (
    SETTINGS,
    details_option,
    effort_options,
    examples,
    output_options,
    rules_options,
    scenario_options,
    take_limits,
    view_option,
    workers_options,
)
from cli.ragers.views import sweep as view
from engine.ragers.rules import PLAYERS, TYPES


@command(
    "sweep",
    context_settings=SETTINGS,
    short_help="Vary one or two rule values.",
    epilog=examples(
        "ragers sweep --vary cards.basher.gp=2:6 --patron Solennos --cheers two-bashers --time-limit 5m",
        "ragers sweep --vary cards.basher.gp=2:6 --vary cheers.two-bashers.gp=1:4 --patron Solennos"
        " --cheers two-bashers --metric opening.basher",
        "ragers sweep --vary match.row_length=3,4 --patron Solennos --format csv --output rows.csv",
        "ragers sweep --vary cards.basher.gp=2:6 --patron Solennos --scheduler tcp://10.0.0.5:8786",
    )
    + "\n\n\b\nExit codes: as for ragers solve. What is finished is kept: started again, only the rest is"
    " solved.",
)
@click.option(
    "--vary",
    "axes",
    multiple=True,
    required=True,
    metavar="KEY=VALUES",
    help="FIRST:LAST, FIRST:LAST:STEP or a,b,c; once or twice.",
)
@rules_options
@scenario_options
@view_option
@click.option(
    "--metric",
    "metrics",
    multiple=True,
    metavar="NAME",
    help="For heat-maps and further curves: value, mean_gp, win, draw, decisive, two_losers, nash_conv,"
    " opening.TYPE, placed.TYPE; repeatable.",
)
@workers_options
@effort_options
@details_option
@output_options()
@click.pass_context
def sweep(
    ctx: click.Context,
    /,
    axes: tuple[str, ...],
    rules_files: tuple[Path, ...],
    overrides: tuple[str, ...],
    patrons: tuple[str, ...],
    cheers: tuple[str, ...],
    preparation: str,
    player: str,
    metrics: tuple[str, ...],
    jobs: int,
    scheduler: str | None,
    fresh: bool,
    details: bool,
    form: str,
    output: Path | None,
    quiet: bool,
    **limits: Any,
) -> None:
    """Solve every point of one range of rule values, or of two.

    Each finished point goes to your own library (`ragers library list --own`) under the hash of the values
    its day depends on: a sweep that was stopped or killed continues where it was, and points that are the
    same game are solved once.
    """
    parsed = sweeping.parse_axes(axes)
    names = _metrics(metrics, parsed)
    if output is not None:
        check_output(output)
    points = sweeping.all_points(parsed, rules_files, overrides, (patrons, cheers), preparation)
    seat = PLAYERS.index(player)
    question = Question(seat, None, take_limits(limits).effort(), fresh, strategy=True)
    answered, code = ask_points(points, question, jobs, scheduler, quiet=quiet)
    report = sweeping.sweep_report(parsed, points, answered, seat)
    brief = None if details or metrics else lambda each: view.brief(each, names)
    text = grid.in_format(
        report, form, view.csv_rows, lambda each: view.sections(each, names), view.notes, brief
    )
    if report.points and not write_output(text, output):
        code = code or EXIT_FAILURE
    ctx.exit(code)


def _metrics(names: Sequence[str], axes: Sequence[sweeping.Axis]) -> list[str]:
    """Return the metrics to show; by default what most likely answers to the values varied."""
    for name in names:
        try:
            sweeping.metric(name)
        except ValueError as error:
            raise click.BadParameter(str(error), param_hint="'--metric'") from None
    if names:
        return list(dict.fromkeys(names))
    if len(axes) == 1:
        return ["value", "draw", "mean_gp"]
    cards = [axis.key.split(".")[1] for axis in axes if axis.key.startswith("cards.")]
    return [f"opening.{card}" for card in dict.fromkeys(cards) if card in TYPES] or ["mean_gp"]
