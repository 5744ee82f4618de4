"""Any question at many points, and the search for those that meet a goal.

With goals, the answer is the smallest change that makes figures what they are to be (`front.goals`); with a
budget, not all points are tried, but those that `front.searching` chooses. All points have the same seed, so
chance is common to them where a question plays.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from math import prod
from typing import Any

import msgspec

from analysis.errors import RequestError
from analysis.estimates import Estimate
from analysis.front.axes import MOST_POINTS, Axes, away_from, files_of, laid_over, present_value, where
from analysis.front.goals import Goal, Missed, meant, missed
from analysis.front.grid import GridAnswer, GridPoint, leading
from analysis.front.points import Point, at_points
from analysis.front.question import Amount, Answer, Question, Running
from analysis.front.searching import Place, Search
from analysis.front.verdicts import Best, Figure, best

__all__ = ["Effort", "over"]


@dataclass(frozen=True)
class Effort:
    """How points are asked.

    Attributes
    ----------
    budget : how many may be tried for a goal, the present values aside; None for all there are.
    jobs, scheduler : processes, and the address of a Dask cluster, for questions without such parameters.
    """

    budget: int | None = None
    jobs: int = 1
    scheduler: str | None = None


def over(
    question: Question[Any, Any],
    given: Mapping[str, Any],
    axes: Axes,
    running: Running | None = None,
    goals: Sequence[Goal] = (),
    effort: Effort | None = None,
) -> GridAnswer:
    """Ask a question at the points of some axes.

    Parameters
    ----------
    given : values or texts of the question's other parameters, by name.
    goals : what figures are to be; the answer says where they are so with the smallest change.

    Raises
    ------
    RequestError
        If the question has no figures to compare, or a point cannot be asked; nothing is computed then.
    """
    effort = effort or Effort()
    total = _checked(question, given, axes, goals, effort)
    tried = _Tried(question, given, axes, running or Running(), goals, effort)
    every = list(product(*(axis.values for axis in axes))) if effort.budget is None else []
    for values in every or [tuple(axis.values[0] for axis in axes)]:
        # All are read before the first one is asked: a wrong one is known at once.
        tried.read(values)
    if goals:
        tried.ask_present()
    method = ""
    if effort.budget is None or effort.budget >= total:
        tried.ask(every or list(product(*(axis.values for axis in axes))))
    elif not tried.stopped:
        search = Search(
            sizes=tuple(len(axis.values) for axis in axes),
            start=tried.nearest(),
            distance=lambda place: tried.distance(tried.at(place)),
            evaluate=tried.evaluate,
            budget=effort.budget,
        )
        method = search.run(int(given.get("seed") or 0))
    return tried.answer(total, method)


def _checked(
    question: Question[Any, Any],
    given: Mapping[str, Any],
    axes: Axes,
    goals: Sequence[Goal],
    effort: Effort,
) -> int:
    """Return how many points there are; RequestError if they cannot be asked."""
    if question.amounts is None:
        raise RequestError(f"{question.name} has no figures that can be compared", "--vary")
    if given.get("keep") is not None:
        raise RequestError("a file keeps the work of one answer; leave it out beside --vary", "--keep")
    if not axes or len({axis.key for axis in axes}) < len(axes) or (len(axes) > 2 and not goals):
        raise RequestError("one or two different values can vary; with a --goal more", "--vary")
    if effort.budget is not None and not goals:
        raise RequestError("a budget is of a search; say what for: --goal FIGURE=LOW:HIGH", "--budget")
    total = prod(len(axis.values) for axis in axes)
    if total > MOST_POINTS and effort.budget is None:
        said = f"these are {total:,} points; at most {MOST_POINTS:,}"
        raise RequestError(f"{said}, or with a --goal as many as --budget says", "--vary")
    return total


@dataclass
class _Tried:
    """What is known of points, and asks further ones."""

    question: Question[Any, Any]
    given: Mapping[str, Any]
    axes: Axes
    running: Running
    goals: Sequence[Goal]
    effort: Effort
    points: dict[tuple[str, ...], GridPoint] = field(default_factory=dict)
    deals: dict[tuple[str, ...], Mapping[str, Sequence[float]]] = field(default_factory=dict)
    present: GridPoint | None = None
    meant: list[list[list[str]]] | None = None
    last: Answer | None = None
    reached: bool = True
    stopped: bool = False

    def __post_init__(self) -> None:
        self.now = [present_value(self.question, self.given, axis.key) for axis in self.axes]
        self.away = [away_from(axis, now) for axis, now in zip(self.axes, self.now, strict=True)]

    def at(self, place: Place) -> tuple[str, ...]:
        """Return the values at a place of the search."""
        return tuple(axis.values[number] for axis, number in zip(self.axes, place, strict=True))

    def distance(self, values: Sequence[str]) -> float:
        """Return how far values are from the present ones, in steps."""
        return sum(away(number) for away, number in zip(self.away, self._place(values), strict=True))

    def _place(self, values: Sequence[str]) -> Place:
        return tuple(axis.values.index(value) for axis, value in zip(self.axes, values, strict=True))

    def nearest(self) -> Place:
        """Return the place nearest to the present values."""
        axes = zip(self.axes, self.away, strict=True)
        return tuple(min(range(len(axis.values)), key=away) for axis, away in axes)

    def ask_present(self) -> None:
        """Ask with the values as they are, whatever the axes leave out; nothing if they cannot be asked."""
        values = tuple("" if now is None else now for now in self.now)
        try:
            self.question.build(**self.given)
        except RequestError:
            return
        if all(value in axis.values for axis, value in zip(self.axes, values, strict=True)):
            self.ask([values])
            self.present = self.points.get(values)
            return
        for point in at_points(self.question, [self.given], self.running):
            self.present = self._taken(values, point)

    def evaluate(self, places: Sequence[Place]) -> tuple[list[float | None], bool]:
        """Ask at places of the search: how much each misses the goals, and whether to go on."""
        values = [self.at(place) for place in places]
        self.ask(values)
        known = [self.points.get(each) for each in values]
        return [None if each is None else each.missed for each in known], not self.stopped

    def read(self, values: Sequence[str]) -> dict[str, Any]:
        """Return what is asked at a point; RequestError if it cannot be."""
        at = laid_over(self.question, self.given, self.axes, values)
        asked = self.question.build(**at)
        if self.question.has_rules:
            self.question.needs.rules_of(asked.rules)
        return at

    def ask(self, combinations: Sequence[tuple[str, ...]]) -> None:
        """Ask at points that are not known yet, several at once where the effort says so."""
        todo, places = [], []
        for values in combinations:
            if values in self.points or self.stopped:
                continue
            try:
                todo.append(self.read(values))
                places.append(values)
            except RequestError as error:  # values that are sound by themselves, and not together
                self.points[values] = GridPoint(list(values), [], failed=str(error))
        own = {each.name for each in self.question.parameters}
        jobs, scheduler = self.effort.jobs, self.effort.scheduler
        if "jobs" in own:
            jobs, scheduler = int(self.given.get("jobs", jobs)), self.given.get("scheduler", scheduler)
        number = 0
        for point in at_points(self.question, todo, self.running, jobs, scheduler):
            number += 1
            self.points[places[point.number]] = self._taken(places[point.number], point)
            self.running.note("points", number, len(todo))
        self.stopped |= number < len(todo) or (self.last is not None and not self.last.complete)

    def _taken(self, values: tuple[str, ...], point: Point) -> GridPoint:
        """Take in what one asking came to."""
        if point.answer is None:
            return GridPoint(list(values), [], failed=point.failed)
        self.last = point.answer
        self.reached = self.reached and point.answer.reached
        assert self.question.amounts is not None
        amounts = list(self.question.amounts(point.answer))
        self.deals[values] = point.deals
        found = self._missed(amounts, point.answer)
        return GridPoint(
            list(values),
            amounts,
            None if found is None else found.meets,
            None if found is None else found.amount,
        )

    def _missed(self, amounts: Sequence[Amount], answer: Answer) -> Missed | None:
        if not self.goals or not amounts:
            return None
        if self.meant is None:
            self.meant = meant(self.goals, amounts)
        return missed(self.goals, self.meant, amounts, exact=answer.exactness == "exact")

    def answer(self, total: int, method: str) -> GridAnswer:
        """Return what all points came to."""
        # Longer plays have more figures, such as who is ahead in late rounds: those of all are compared.
        points = list(self.points.values())
        if not method:
            points.sort(key=lambda point: self._place(point.values))
        known = [{each.key for each in point.amounts} for point in points if point.amounts]
        shared = set.intersection(*known) if known else set()
        shown = [
            msgspec.structs.replace(point, amounts=[each for each in point.amounts if each.key in shared])
            for point in points
        ]
        chosen = self._nearest(shown) if self.goals else None
        near = [] if chosen is None else self._near(shown, chosen)
        question, last = self.question, self.last
        rules = None
        if last is not None and question.has_rules:
            rules = question.needs.rules_note(question.needs.read(*files_of(self.given)))
        met = self.present is not None and self.present.meets is True
        return GridAnswer(
            game=question.needs.name,
            question=question.name,
            version="" if last is None else last.version,
            rules=rules,
            exactness=question.exactness,
            seed=None if last is None else last.seed,
            keys=[axis.key for axis in self.axes],
            points=shown,
            asked_points=total,
            complete=not self.stopped,
            reached=met or chosen is not None if self.goals else self.reached,
            largest=Best() if self.goals else self._largest(shown),
            goals=tuple(self.goals),
            present=self.present,
            best=chosen,
            method=method,
            near=len(near),
            near_met=sum(point.meets is not False for point in near),
        )

    def _largest(self, points: Sequence[GridPoint]) -> Best:
        """Where the leading figure is largest, deal by deal where all points played the same ones."""
        lead = leading(points)
        whole = not self.stopped and lead is not None and all(point.amounts for point in points)
        if not whole or lead is None or self.last is None:
            return Best()
        figures = []
        for point in points:
            value = point.amounts[lead].value
            if not isinstance(value, Estimate) and self.last.exactness != "exact":
                value = Estimate(value, None, None, 0)  # nothing tells how far it is off
            deals = self.deals.get(tuple(point.values), {}).get(point.amounts[lead].key, ())
            figures.append(Figure(where(self.axes, point.values), value, deals))
        return best(figures, proved=self.last.exactness != "measured")

    def _nearest(self, points: Sequence[GridPoint]) -> int | None:
        """Return which point meets the goals with the smallest change: for certain, else as measured."""
        if self.present is not None and self.present.meets is True:
            return None
        now = None if self.present is None else self.present.values
        fit = [
            (point.meets is None, (point.missed or 0.0) > 0, self.distance(point.values), number)
            for number, point in enumerate(points)
            if point.missed is not None and point.meets is not False and point.values != now
        ]
        return min(fit)[-1] if fit else None

    def _near(self, points: Sequence[GridPoint], chosen: int) -> list[GridPoint]:
        """Return the points that are one step along one axis from the chosen one."""

        here = self._place(points[chosen].values)

        def steps(point: GridPoint) -> int:
            return sum(abs(one - other) for one, other in zip(self._place(point.values), here, strict=True))

        return [point for point in points if point.missed is not None and steps(point) == 1]
