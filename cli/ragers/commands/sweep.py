"""``ragers sweep``: the equilibrium along one or two ranges of rule values."""

from __future__ import annotations

from collections.abc import Sequence

import click

from analysis.errors import RequestError
from analysis.ragers.answers.asking import Question
from analysis.ragers.answers.solving import Effort
from analysis.ragers.workbench import sweeping
from cli.entry import command
from cli.grid import Shown
from cli.options import GivenRules, Output, Workers, examples, with_output, with_workers
from cli.ragers.asking import ask_points
from cli.ragers.commands.options import (
    GivenScenarios,
    seat_option,
    with_effort,
    with_rules,
    with_scenarios,
)
from cli.ragers.views import sweep as view
from engine.ragers.rules import TYPES, Rules


@command(
    "sweep",
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
@with_rules
@with_scenarios
@seat_option
@click.option(
    "--metric",
    "metrics",
    multiple=True,
    metavar="NAME",
    help="For heat-maps and further curves: value, mean_gp, win, draw, decisive, two_losers, nash_conv,"
    " opening.TYPE, placed.TYPE; repeatable.",
)
@with_workers()
@with_effort
@with_output(details=True)
def sweep(
    axes: tuple[str, ...],
    rules: GivenRules[Rules],
    asked: GivenScenarios,
    seat: int,
    metrics: tuple[str, ...],
    workers: Workers,
    effort: Effort,
    fresh: bool,
    out: Output,
) -> None:
    """Solve every point of one range of rule values, or of two.

    Each finished point goes to your own library (`ragers library list --own`) under the hash of the values
    its day depends on: a sweep that was stopped or killed continues where it was, and points that are the
    same game are solved once.
    """
    parsed = sweeping.parse_axes(axes)
    names = _metrics(metrics, parsed)
    names_of_days = (asked.patrons, asked.cheers)
    points = sweeping.all_points(parsed, rules.files, rules.overrides, names_of_days, asked.preparation)
    question = Question(seat, None, effort, fresh, strategy=True)
    answered, code = ask_points(points, question, workers.jobs, workers.scheduler, quiet=out.quiet)
    report = sweeping.sweep_report(parsed, points, answered, seat, _name(rules))
    if not report.points:
        raise click.exceptions.Exit(code)
    # Metrics that were asked for are on no first screen.
    out.show(
        report,
        Shown(
            view.csv_rows,
            lambda each: view.sections(each, names),
            view.notes,
            None if metrics else lambda each: view.brief(each, names),
        ),
        code,
    )


def _name(rules: GivenRules[Rules]) -> str:
    """Return what the rules call themselves; nothing where they become rules by what is varied only."""
    try:
        return rules.load().name
    except RequestError:
        return ""


def _metrics(names: Sequence[str], axes: Sequence[sweeping.Axis]) -> list[str]:
    """Return the metrics to show; by default what most likely answers to the values varied."""
    for name in names:
        try:
            sweeping.metric(name)
        except ValueError as error:
            raise RequestError(str(error), "--metric") from None
    if names:
        return list(dict.fromkeys(names))
    if len(axes) == 1:
        return ["value", "draw", "mean_gp"]
    cards = [axis.key.split(".")[1] for axis in axes if axis.key.startswith("cards.")]
    return [f"opening.{card}" for card in dict.fromkeys(cards) if card in TYPES] or ["mean_gp"]
