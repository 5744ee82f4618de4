"""``ragers sweep``: the equilibrium along one or two ranges of rule values."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import click

from cli.output import check_output, write_output
from cli.ragers import grid, library, sweeping, workers
from cli.ragers.options import (
    SETTINGS,
    effort_options,
    examples,
    output_options,
    rules_options,
    scenario_options,
    take_limits,
)
from cli.ragers.progress import Reporter, clock
from cli.ragers.report import to_json
from cli.ragers.scenarios import Scenario, scenarios
from cli.ragers.solve_command import (
    EXIT_FAILURE,
    EXIT_INTERRUPTED,
    EXIT_MEMORY,
    EXIT_TARGET_NOT_REACHED,
    Answered,
    Question,
    answer_all,
    read_rules,
    stored_answer,
)
from cli.ragers.tables import bound
from cli.ragers.workers import Done, Task, WorkersError, WorkersLost
from engine.ragers.isomorphism import relabelling
from engine.ragers.rules import PLAYERS, TYPES


@click.command(
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
@click.option(
    "--player", type=click.Choice(PLAYERS), default=PLAYERS[0], show_default=True, help="Whose view."
)
@click.option(
    "--metric",
    "metrics",
    multiple=True,
    metavar="NAME",
    help="For heat-maps and further curves: value, mean_gp, win, draw, decisive, two_losers, nash_conv,"
    " opening.TYPE, placed.TYPE; repeatable.",
)
@click.option(
    "--jobs", type=click.IntRange(min=0), default=0, help="Processes; 0: all that cores and memory allow."
)
@click.option("--scheduler", metavar="ADDRESS", help="Solve on the Dask cluster there instead.")
@effort_options
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
    parsed = _axes(axes)
    names = _metrics(metrics, parsed)
    if output is not None:
        check_output(output)
    points = [
        sweeping.Point(values, scenario)
        for values in sweeping.combinations(parsed)
        for scenario in scenarios(
            read_rules(
                rules_files,
                (*overrides, *(f"{axis.key}={v}" for axis, v in zip(parsed, values, strict=True))),
            ),
            patrons,
            cheers,
            preparation,
        )
    ]
    seat = PLAYERS.index(player)
    question = Question(seat, None, take_limits(limits).effort(), fresh, strategy=True)
    answered, code = _answer(points, question, jobs, scheduler, quiet)
    report = sweeping.SweepReport(
        axes=[sweeping.AxisReport(axis.key, list(axis.values)) for axis in parsed],
        unsolved=[
            dict(zip([axis.key for axis in parsed], point.values, strict=True))
            | {"patron": point.scenario.patron.id, "cheers": point.scenario.cheers.id}
            for point, found in zip(points, answered, strict=True)
            if found is None
        ],
        points=[
            sweeping.point_report(parsed, point, found, seat)
            for point, found in zip(points, answered, strict=True)
            if found is not None
        ],
    )
    if report.points and not write_output(_render(report, names, form), output):
        code = code or EXIT_FAILURE
    ctx.exit(code)


def _axes(texts: Sequence[str]) -> list[sweeping.Axis]:
    if len(texts) > 2:
        raise click.UsageError("at most two values can be varied at once")
    try:
        axes = [sweeping.parse_axis(text) for text in texts]
    except ValueError as error:
        raise click.BadParameter(str(error), param_hint="'--vary'") from None
    if len({axis.key for axis in axes}) < len(axes):
        raise click.UsageError(f"--vary {axes[0].key} was given twice")
    return axes


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


def _answer(
    points: Sequence[sweeping.Point], question: Question, jobs: int, scheduler: str | None, quiet: bool
) -> tuple[list[Answered | None], int]:
    """Return the answer to each point, in order, and the exit code."""
    found = [stored_answer(point.scenario, question) for point in points]
    # Points that are one game, if need be under other names of the attacks, are solved once.
    leaders: list[int] = []
    for number, point in enumerate(points):
        if found[number] is None and not any(
            _same_game(points[leader].scenario, point.scenario) for leader in leaders
        ):
            leaders.append(number)
    if not quiet:
        stored = sum(answer is not None for answer in found)
        click.echo(
            f"{len(points)} points: {stored} stored, {len(leaders)} to solve,"
            f" {len(points) - stored - len(leaders)} the same game as one of these.",
            err=True,
        )
    codes = {0}
    if leaders:
        tasks = [Task(number, points[number].scenario, question.effort) for number in leaders]
        if scheduler is None and jobs == 0:
            jobs = workers.num_processes(tasks)
        if scheduler is None and min(jobs, len(tasks)) == 1:
            todo = [task.scenario for task in tasks]
            answers, code = answer_all(todo, question, quiet=quiet)
            codes.add(code)
            for number in leaders:
                mine = [each for each in answers if each.scenario is points[number].scenario]
                found[number] = mine[0] if mine else None
        else:
            start = _start(tasks, min(jobs, len(tasks)), scheduler)
            codes.add(_collect(points, start, found, question, len(leaders), quiet))
    for number, point in enumerate(points):
        if found[number] is None:
            found[number] = _from_leader(point.scenario, [found[leader] for leader in leaders])
    severity = [EXIT_INTERRUPTED, EXIT_FAILURE, EXIT_MEMORY, EXIT_TARGET_NOT_REACHED, 0]
    return found, next(code for code in severity if code in codes)


def _same_game(one: Scenario, other: Scenario) -> bool:
    return one.preparation == other.preparation and relabelling(one.day, other.day) is not None


def _from_leader(scenario: Scenario, leaders: Sequence[Answered | None]) -> Answered | None:
    for leader in leaders:
        types = None if leader is None else relabelling(leader.scenario.day, scenario.day)
        if leader is None or types is None or leader.answer.preparation != scenario.preparation:
            continue
        if leader.scenario.day == scenario.day:
            return Answered(scenario, leader.answer, leader.strategy, leader.from_library, leader.source)
        return Answered(
            scenario,
            leader.answer.relabelled(types, scenario.day.sha256),
            None if leader.strategy is None else leader.strategy.relabelled(types),
            leader.from_library,
            leader.source,
            leader.scenario.cheers.id,
        )
    return None


def _start(tasks: Sequence[Task], jobs: int, scheduler: str | None) -> Callable[[], Iterator[Done]]:
    if scheduler is not None:
        return lambda: workers.on_cluster(tasks, scheduler)
    return lambda: workers.on_processes(tasks, jobs)


def _collect(
    points: Sequence[sweeping.Point],
    start: Callable[[], Iterator[Done]],
    found: list[Answered | None],
    question: Question,
    total: int,
    quiet: bool,
) -> int:
    """Put what the workers bring into `found` and into the user's library; return the exit code."""
    own = library.own()
    codes = {0}
    finished = 0
    with Reporter(quiet=quiet, total=total) as reporter:
        try:
            for done in start():
                finished += 1
                point = points[done.number]
                head = f"[{finished}/{total}] {point.title}"
                if done.answer is None or done.strategy is None:
                    codes.add(EXIT_MEMORY if done.refused else EXIT_FAILURE)
                    reporter.note(f"{head}: {done.refused or done.error}")
                    continue
                answer = done.answer
                if answer.certified:
                    own.store(point.scenario, answer, done.strategy)
                reporter.note(f"{head}: NashConv {bound(answer.nash_conv_gp)} in {clock(answer.seconds)}")
                source = f"solved now ({answer.method}, {answer.iterations} iterations)"
                found[done.number] = Answered(point.scenario, answer, done.strategy, False, source)
                target = question.effort.target_gp
                if target is not None and not (answer.certified and answer.nash_conv_gp <= target):
                    codes.add(EXIT_TARGET_NOT_REACHED)
        except WorkersError as error:
            raise click.UsageError(str(error)) from None
        except WorkersLost as error:
            codes.add(EXIT_FAILURE)
            click.echo(f"Error: {error}. {finished} of {total} points are kept.", err=True)
        except KeyboardInterrupt:
            codes.add(EXIT_INTERRUPTED)
            reporter.note(f"Interrupted; {finished} of {total} points are kept.")
    severity = [EXIT_INTERRUPTED, EXIT_FAILURE, EXIT_MEMORY, EXIT_TARGET_NOT_REACHED, 0]
    return next(code for code in severity if code in codes)


def _render(report: sweeping.SweepReport, metrics: Sequence[str], form: str) -> str:
    if form == "json":
        return to_json(report)
    if form == "csv":
        return grid.to_csv(sweeping.csv_rows(report))
    render = grid.to_markdown if form == "md" else grid.to_text
    return render(sweeping.sections(report, metrics), sweeping.notes(report))
