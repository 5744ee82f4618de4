"""Variants tried on the way to a goal, and what is proposed in the end."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from analysis.errors import RequestError
from analysis.exit_codes import EXIT_FAILURE, EXIT_INTERRUPTED, EXIT_TARGET_NOT_REACHED, worst
from analysis.front.grid import Axis, read_axis
from analysis.progress import Reporter
from analysis.ragers.answers.asking import Question
from analysis.ragers.game import GAME
from analysis.ragers.scenarios import Scenario, scenarios
from analysis.ragers.workbench import goals, tuning
from analysis.ragers.workbench.point_answers import answer_points
from analysis.ragers.workbench.searching import Place, Search
from analysis.ragers.workbench.sweeping import Point, point_report
from engine.ragers.rules import PLAYERS, Rules, RulesError, load_rules


@dataclass
class Trial:
    """Tries places of the search: solves their variants, and says by how much they miss the goals."""

    axes: Sequence[tuning.AxisReport]
    goals: Sequence[goals.Goal]
    over: str
    present: Sequence[Scenario]
    preparation: str
    question: Question
    jobs: int
    scheduler: str | None
    reporter: Reporter
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
        answers, code = answer_points(points, self.question, self.jobs, self.scheduler, self.reporter)
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
        if not self.variants:
            return
        best = min(self.variants.values(), key=lambda each: (each.missed, each.distance))
        values = ", ".join(f"{key}={value}" for key, value in best.at.items())
        done = len(self.variants) + len(self.unsolved)
        self.reporter.note(f"{done} variants tried; best so far {values}, missed by {best.missed:.2f}")


@dataclass(frozen=True)
class Aim:
    """What is searched for, as people type it.

    Attributes
    ----------
    goals : such as ``opening.each=5:35``; see :func:`analysis.ragers.workbench.goals.parse_goal`.
    vary : values that may change, and their bounds, such as ``cards.basher.gp=1:6``.
    over : whether each scenario is to meet the goals, or the ``mean`` over them.
    budget : variants tried at most.
    """

    goals: Sequence[str]
    vary: Sequence[str]
    over: str = "each"
    budget: int = 40


def tune(
    aim: Aim,
    changes: tuple[Sequence[Path], Sequence[str]],
    names: tuple[Sequence[str], Sequence[str]],
    preparation: str,
    question: Question,
    workers: tuple[int, str | None],
    reporter: Reporter,
) -> tuple[tuning.TuneAnswer, int]:
    """Search rule values that meet goals, as near as possible to the present rules.

    The answer has no proposal if nothing was solved; the exit code is 3 if the goals are not met.

    Parameters
    ----------
    changes : files and overrides of the present rules.
    names : patrons and cheers cards; empty for all.
    workers : processes, and the address of a cluster or None.

    Raises
    ------
    RequestError
        If a goal, a range or a name is wrong.
    """
    rules = GAME.read(*changes)
    try:
        wanted = [goals.parse_goal(text) for text in aim.goals]
        axes = _axes(aim.vary, rules, changes)
        todo = scenarios(rules, *names, preparation)
        goals.check_allowed(wanted, [each.day for each in todo], aim.over)
    except ValueError as error:
        raise RequestError(str(error), "--goal") from None
    trial = Trial(axes, wanted, aim.over, todo, preparation, question, *workers, reporter, *changes)
    search = Search(
        sizes=tuple(len(axis.values) for axis in axes),
        start=tuning.nearest(axes),
        distance=lambda place: tuning.distance(axes, tuning.values_at(axes, place)),
        evaluate=trial,
        budget=aim.budget,
    )
    trial.solve_present()
    method = search.run(question.effort.seed) if trial.code != EXIT_INTERRUPTED else "nothing tried"
    report = tune_report(axes, aim, todo, trial, search, method)
    if report.proposal is None:
        return report, trial.code or EXIT_FAILURE
    return report, trial.code or (0 if report.proposal.met else EXIT_TARGET_NOT_REACHED)


def _axes(
    texts: Sequence[str], rules: Rules, changes: tuple[Sequence[Path], Sequence[str]]
) -> list[tuning.AxisReport]:
    """Return the axes; each of their ends must be a valid rule by itself."""
    axes = []
    files, overrides = changes
    for text in texts:
        axis = read_axis(text)
        try:
            values = tuning.whole_values(axis.key, axis.values)
            for value in (values[0], values[-1]):
                GAME.read(files, (*overrides, f"{axis.key}={value}"))
            axes.append(tuning.AxisReport(axis.key, values, tuning.present_value(rules, axis.key)))
        except ValueError as error:
            raise RequestError(str(error), "--vary") from None
    if len({axis.key for axis in axes}) < len(axes):
        raise RequestError("one value was given to --vary twice")
    return axes


def tune_report(
    axes: Sequence[tuning.AxisReport],
    aim: Aim,
    todo: Sequence[Scenario],
    trial: Trial,
    search: Search,
    method: str,
) -> tuning.TuneAnswer:
    """Return what a search has found; see :func:`tune`."""
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
    return tuning.TuneAnswer(
        player=PLAYERS[trial.question.player],
        goals=list(aim.goals),
        over=aim.over,
        axes=list(axes),
        scenarios=[tuning.ScenarioName(each.patron.id, each.cheers.id, each.preparation) for each in todo],
        method=method,
        seed=trial.question.effort.seed,
        budget=search.budget,
        num_possible=search.num_places,
        num_tried=len(search.found),
        present=present,
        proposal=proposal,
        toml=None if proposal is None else tuning.as_toml(axes, proposal),
        effect=tuning.is_effect(present, proposal),
        frontier=tuning.frontier(variants),
        neighbours=[each for each in found if each is not None],
        variants=variants,
        unsolved=[dict(zip(keys, values, strict=True)) for values in trial.unsolved],
    )
