"""``ragers tune``: rule values for a goal, found by solving variant after variant."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from analysis.files import check_output
from analysis.ragers.answers.asking import (
    EXIT_FAILURE,
    EXIT_INTERRUPTED,
    EXIT_TARGET_NOT_REACHED,
    Question,
    read_rules,
)
from analysis.ragers.scenarios import scenarios
from analysis.ragers.workbench import goals, tuning
from analysis.ragers.workbench.searching import Search
from analysis.ragers.workbench.sweeping import parse_axis
from analysis.ragers.workbench.trying import Trial, tune_report
from cli import grid
from cli.entry import command
from cli.output import write_output
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
from cli.ragers.progress import Reporter
from cli.ragers.views import tune as view
from engine.ragers.rules import PLAYERS, Rules


@command(
    "tune",
    context_settings=SETTINGS,
    short_help="Search rule values for a goal.",
    epilog=examples(
        "ragers tune --vary cards.basher.gp=1:6 --goal opening.each=5:35 --patron Solennos",
        "ragers tune --vary cards.basher.gp=1:6 --vary cards.slasher.gp=1:6 --vary cards.prodder.gp=1:6"
        ' --goal "opening.basher=opening.slasher=opening.prodder within 3" --patron Solennos --budget 60',
        "ragers tune --vary cheers.two-bashers.gp=0:6 --goal draw=:10 --goal opening.basher=10:20"
        " --patron Solennos --cheers two-bashers --target 0.1",
    )
    + "\n\n\b\nExit codes: 0 a variant meets all goals; 3 none tried does; 1, 2, 4, 130 as for ragers solve"
    " (what was\nfound is printed). What is finished is kept: started again, only the rest is solved.",
)
@click.option(
    "--goal",
    "texts",
    multiple=True,
    required=True,
    metavar="GOAL",
    help="METRIC=LOW:HIGH, where one end may be missing, or METRIC=METRIC=METRIC [within N] (5 if nothing is"
    " said); repeatable. Metrics as for ragers sweep, in % or GP; opening.each is every type.",
)
@click.option(
    "--vary",
    "axes",
    multiple=True,
    required=True,
    metavar="KEY=VALUES",
    help="A value that may change, and its bounds: FIRST:LAST, FIRST:LAST:STEP or a,b,c; repeatable.",
)
@click.option(
    "--budget",
    type=click.IntRange(min=1),
    default=40,
    show_default=True,
    help="Variants tried at most, each one solve per scenario.",
)
@click.option(
    "--over",
    type=click.Choice(["each", "mean"]),
    default="each",
    show_default=True,
    help="Whether each scenario is to meet the goals, or the means over the scenarios.",
)
@rules_options
@scenario_options
@view_option
@workers_options
@effort_options
@details_option
@output_options()
@click.pass_context
def tune(
    ctx: click.Context,
    /,
    texts: tuple[str, ...],
    axes: tuple[str, ...],
    budget: int,
    over: str,
    rules_files: tuple[Path, ...],
    overrides: tuple[str, ...],
    patrons: tuple[str, ...],
    cheers: tuple[str, ...],
    preparation: str,
    player: str,
    jobs: int,
    scheduler: str | None,
    fresh: bool,
    details: bool,
    form: str,
    output: Path | None,
    quiet: bool,
    **limits: Any,
) -> None:
    """Search rule values that meet goals, as near as possible to the present rules.

    Every variant tried is solved (or was, and is kept in your own library). Reported are the proposal, what
    less of a change would bring, how the proposal's neighbours do, and whether the difference is more than
    the solver's own uncertainty.
    """
    rules = read_rules(rules_files, overrides)
    wanted = _goals(texts)
    parsed = _axes(axes, rules, rules_files, overrides)
    if output is not None:
        check_output(output)
    seat = PLAYERS.index(player)
    todo = scenarios(rules, patrons, cheers, preparation)
    try:
        goals.check_allowed(wanted, [each.day for each in todo], over)
    except ValueError as error:
        raise click.BadParameter(str(error), param_hint="'--goal'") from None
    question = Question(seat, None, take_limits(limits).effort(), fresh, strategy=True)
    with Reporter(quiet=quiet, total=1) as reporter:
        trial = Trial(
            parsed,
            wanted,
            over,
            todo,
            preparation,
            question,
            jobs,
            scheduler,
            reporter,
            rules_files,
            overrides,
        )
        search = Search(
            sizes=tuple(len(axis.values) for axis in parsed),
            start=tuning.nearest(parsed),
            distance=lambda place: tuning.distance(parsed, tuning.values_at(parsed, place)),
            evaluate=trial,
            budget=budget,
        )
        trial.solve_present()
        method = search.run(question.effort.seed) if trial.code != EXIT_INTERRUPTED else "nothing tried"
        report = tune_report(rules, parsed, texts, over, todo, trial, search, method, question)
    if report.proposal is None:
        click.echo("Nothing was solved.", err=True)
        ctx.exit(trial.code or EXIT_FAILURE)
    code = trial.code
    if not report.proposal.met:
        code = code or EXIT_TARGET_NOT_REACHED
    brief = None if details else view.brief
    if not write_output(
        grid.in_format(report, form, view.csv_rows, view.sections, view.notes, brief), output
    ):
        code = code or EXIT_FAILURE
    ctx.exit(code)


def _goals(texts: Sequence[str]) -> list[goals.Goal]:
    try:
        return [goals.parse_goal(text) for text in texts]
    except ValueError as error:
        raise click.BadParameter(str(error), param_hint="'--goal'") from None


def _axes(
    texts: Sequence[str], rules: Rules, files: Sequence[Path], overrides: Sequence[str]
) -> list[tuning.TuneAxis]:
    """Return the axes; each of their ends must be a valid rule by itself."""
    axes = []
    try:
        for text in texts:
            axis = parse_axis(text)
            values = tuning.whole_values(axis.key, axis.values)
            for value in (values[0], values[-1]):
                read_rules(files, (*overrides, f"{axis.key}={value}"))
            axes.append(tuning.TuneAxis(axis.key, values, tuning.present_value(rules, axis.key)))
    except ValueError as error:
        raise click.BadParameter(str(error), param_hint="'--vary'") from None
    if len({axis.key for axis in axes}) < len(axes):
        raise click.UsageError("one value was given to --vary twice")
    return axes
