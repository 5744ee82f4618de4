"""``ragers tune``: rule values for a goal, found by solving variant after variant."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
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
    worst,
)
from analysis.ragers.answers.report import rules_report
from analysis.ragers.scenarios import Scenario, scenarios
from analysis.ragers.workbench import goals, tuning
from analysis.ragers.workbench.searching import Place, Search
from analysis.ragers.workbench.sweeping import Axis, Point, parse_axis, point_report
from cli import grid
from cli.entry import command
from cli.output import write_output
from cli.ragers.asking import ask_points
from cli.ragers.commands.options import (
    SETTINGS,
    effort_options,
    examples,
    output_options,
    rules_options,
    scenario_options,
    take_limits,
    view_option,
    workers_options,
)
from cli.ragers.views import tune as view
from engine.ragers.rules import PLAYERS, Rules, RulesError, load_rules


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
    trial = _Trial(
        parsed, wanted, over, todo, preparation, question, jobs, scheduler, quiet, rules_files, overrides
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
    report = _report(rules, parsed, texts, over, todo, trial, search, method, question)
    if report.proposal is None:
        click.echo("Nothing was solved.", err=True)
        ctx.exit(trial.code or EXIT_FAILURE)
    code = trial.code
    if not report.proposal.met:
        code = code or EXIT_TARGET_NOT_REACHED
    if not write_output(grid.in_format(report, form, view.csv_rows, view.sections, view.notes), output):
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


@dataclass
class _Trial:
    """Tries places of the search: solves their variants, and says by how much they miss the goals."""

    axes: Sequence[tuning.TuneAxis]
    goals: Sequence[goals.Goal]
    over: str
    present: Sequence[Scenario]
    preparation: str
    question: Question
    jobs: int
    scheduler: str | None
    quiet: bool
    files: Sequence[Path]
    overrides: Sequence[str]
    code: int = 0
    variants: dict[tuple[int, ...], tuning.VariantReport] = field(default_factory=dict)
    unsolved: list[tuple[int, ...]] = field(default_factory=list)

    def __call__(self, places: Sequence[Place]) -> tuple[list[float | None], bool]:
        """Solve the variants at `places`."""
        values = [tuning.values_at(self.axes, place) for place in places]
        self.solve(values)
        found = [self.variants.get(each) for each in values]
        return [None if each is None else each.missed for each in found], self.code != EXIT_INTERRUPTED

    def solve_present(self) -> None:
        """Solve the present rules, which the others are compared with; they cost none of the budget."""
        self.solve([tuple(axis.present for axis in self.axes)])

    def solve(self, todo: Sequence[tuple[int, ...]]) -> None:
        """Solve variants that were not solved before, all at once."""
        days: dict[tuple[int, ...], list[Scenario]] = {}
        for values in todo:
            if values not in self.variants and values not in self.unsolved:
                days[values] = self._scenarios(values)
        points = [Point(tuple(map(str, values)), each) for values, all_ in days.items() for each in all_]
        if not points:
            self.unsolved += days
            return
        answers, code = ask_points(points, self.question, self.jobs, self.scheduler, quiet=self.quiet)
        self.code = worst((code, self.code))
        allowed = [goals.allowed_types(each.day, self.question.player) for each in self.present]
        keys = [Axis(axis.key, ()) for axis in self.axes]
        at = 0
        for values, all_ in days.items():
            some = answers[at : at + len(all_)]
            reports = [
                point_report(keys, point, answered, self.question.player)
                for point, answered in zip(points[at : at + len(all_)], some, strict=True)
                if answered is not None
            ]
            at += len(all_)
            if all_ and len(reports) == len(all_):
                self.variants[values] = tuning.variant_report(
                    self.axes, values, self.goals, self.over, reports, allowed
                )
            else:
                self.unsolved.append(values)
        self._say()

    def _scenarios(self, values: tuple[int, ...]) -> list[Scenario]:
        """Return the scenarios of a variant; none if the values do not go together."""
        changed = [f"{axis.key}={value}" for axis, value in zip(self.axes, values, strict=True)]
        try:
            rules = load_rules(self.files, (*self.overrides, *changed))
        except RulesError:
            return []
        return [
            each
            for now in self.present
            for each in scenarios(rules, [now.patron.id], [now.cheers.id], self.preparation)
        ]

    def _say(self) -> None:
        if self.quiet or not self.variants:
            return
        best = min(self.variants.values(), key=lambda each: (each.missed, each.distance))
        values = ", ".join(f"{key}={value}" for key, value in best.at.items())
        done = len(self.variants) + len(self.unsolved)
        click.echo(f"{done} variants tried; best so far {values}, missed by {best.missed:.2f}", err=True)


def _report(
    rules: Rules,
    axes: Sequence[tuning.TuneAxis],
    texts: Sequence[str],
    over: str,
    todo: Sequence[Scenario],
    trial: _Trial,
    search: Search,
    method: str,
    question: Question,
) -> tuning.TuneReport:
    present = trial.variants.get(tuple(axis.present for axis in axes))
    best = search.best()
    proposal = None if best is None else trial.variants[tuning.values_at(axes, best)]
    # Bounds may leave the present rules out; if nothing does better, no change is the proposal.
    if present is not None and (proposal is None or present.missed <= proposal.missed + tuning.MET):
        proposal = present
        best = search.start if tuning.values_at(axes, search.start) == tuple(present.at.values()) else None
    near = [] if best is None else search.neighbours(best)
    found = [trial.variants.get(tuning.values_at(axes, place)) for place in near]
    variants = list(trial.variants.values())
    keys = [axis.key for axis in axes]
    return tuning.TuneReport(
        rules=rules_report(rules),
        player=PLAYERS[question.player],
        goals=list(texts),
        over=over,
        axes=[tuning.AxisReport(axis.key, list(axis.values), axis.present) for axis in axes],
        scenarios=[tuning.ScenarioName(each.patron.id, each.cheers.id, each.preparation) for each in todo],
        method=method,
        seed=question.effort.seed,
        budget=search.budget,
        num_possible=search.num_places,
        num_tried=len(search.found),
        complete=trial.code != EXIT_INTERRUPTED,
        present=present,
        proposal=proposal,
        effect=tuning.is_effect(present, proposal),
        frontier=tuning.frontier(variants),
        neighbours=[each for each in found if each is not None],
        variants=variants,
        unsolved=[dict(zip(keys, values, strict=True)) for values in trial.unsolved],
    )
