"""Goals of ``ragers tune``: what is wanted of the numbers, and by how much it is missed.

Numbers are in the units of :func:`analysis.ragers.workbench.sweeping.metric`: shares in per cent, amounts in
glory points. So is what is missed: by how much numbers lie outside of a range, or further apart than they
may.

Of openings and of the value intervals are known that hold them in every equilibrium. What is missed then has
an interval, too, and a goal that is met all over it is met for certain.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean

from analysis.ragers.workbench.sweeping import PointReport, metric, metric_range
from engine.ragers.isomorphism import DayGame
from engine.ragers.rules import TYPES

#: How far numbers that are to be even may lie apart, if nothing is said.
WITHIN = 5.0
EACH = "each"
Span = tuple[float, float]


@dataclass(frozen=True)
class Goal:
    """What is wanted of some numbers.

    Attributes
    ----------
    text : as typed.
    names : metrics; ``opening.each`` and ``placed.each`` stand for every type that the day allows.
    low, high : each of them is to lie within, if this is about a range.
    within : they are to lie this close together, if it is not; None if it is.
    """

    text: str
    names: tuple[str, ...]
    low: float = float("-inf")
    high: float = float("inf")
    within: float | None = None

    def missed(self, numbers: Sequence[float]) -> float:
        """Return by how much `numbers` miss this."""
        if self.within is not None:
            return max(0.0, max(numbers) - min(numbers) - self.within)
        return sum(max(0.0, self.low - x, x - self.high) for x in numbers)

    def missed_span(self, spans: Sequence[Span]) -> Span:
        """Return the least and the most by which numbers that lie in `spans` may miss this."""
        if self.within is not None:
            least = max(low for low, _ in spans) - min(high for _, high in spans)
            most = max(high for _, high in spans) - min(low for low, _ in spans)
            return max(0.0, least - self.within), max(0.0, most - self.within)
        least = sum(max(0.0, self.low - high, low - self.high) for low, high in spans)
        most = sum(max(0.0, self.low - low, high - self.high) for low, high in spans)
        return least, most


@dataclass(frozen=True)
class Missed:
    """By how much a goal is missed, and what holds this in every equilibrium; None if unknown."""

    amount: float
    span: Span | None


def parse_goal(text: str) -> Goal:
    """Return the goal in ``opening.each=5:35``, ``draw=:10`` or ``opening.basher=opening.slasher within 3``.

    Raises
    ------
    ValueError
        If it is none of these.
    """
    body, _, within = text.partition(" within ")
    parts = [part.strip() for part in body.split("=")]
    span = re.fullmatch(r"([^:]*):([^:]*)", parts[-1])
    if span is not None and len(parts) == 2 and not within:
        low, high = (_number(end) if end.strip() else None for end in span.groups())
        if low is None and high is None:
            raise ValueError(f"{text!r} has no end; write opening.each=5:35, or draw=:10")
        goal = Goal(
            text, (parts[0],), float("-inf") if low is None else low, float("inf") if high is None else high
        )
        if goal.low > goal.high:
            raise ValueError(f"{parts[-1]!r} goes from high to low")
    elif span is None and len(set(parts)) >= 2:
        goal = Goal(text, tuple(dict.fromkeys(parts)), within=_number(within) if within else WITHIN)
        if goal.within is not None and goal.within < 0:
            raise ValueError(f"{within!r} is no distance")
        if any(name.endswith(f".{EACH}") for name in goal.names):
            raise ValueError(f"{text!r}: name the types that are to be even")
    else:
        raise ValueError(
            f"{text!r} is no goal; write METRIC=LOW:HIGH (one end may be missing), or"
            " METRIC=METRIC=METRIC within N"
        )
    for name in goal.names:
        kind, _, card = name.partition(".")
        if not (kind in ("opening", "placed") and card == EACH):
            metric(name)
        least, most = metric_range(name)
        if goal.within is None and (goal.low > most or goal.high < least):
            unit = " (in %)" if most == 100.0 else ""
            ends = f"is {least:g} to {most:g}" if most < float("inf") else f"is never below {least:g}"
            raise ValueError(f"{text!r} cannot be met: {name} {ends}{unit}")
    return goal


def check_allowed(goals: Sequence[Goal], days: Sequence[DayGame], over: str) -> None:
    """Raise ValueError for a goal that a patron rules out: a type that nobody may place is placed never.

    Parameters
    ----------
    days : of the scenarios that are to meet the goals; what patrons ban is no number, and never varied.
    over : as for `missed`.
    """
    for goal in goals:
        for name in goal.names if goal.within is None and goal.low > 0 else ():
            kind, _, card = name.partition(".")
            if kind not in ("opening", "placed") or card not in TYPES:
                continue
            banned = [TYPES.index(card) in day.banned for day in days]
            if all(banned) or (over == "each" and any(banned)):
                raise ValueError(f"{goal.text!r} cannot be met: a patron here lets nobody place a {card}")


def _number(text: str) -> float:
    try:
        number = float(text)
    except ValueError:
        number = float("nan")
    if not abs(number) < float("inf"):
        raise ValueError(f"{text.strip()!r} is no number")
    return number


def allowed_types(day: DayGame, player: int) -> list[str]:
    """Return the types a player has and may place on a day."""
    return [name for t, name in enumerate(TYPES) if day.copies[player][t] > 0 and t not in day.banned]


def missed(goal: Goal, points: Sequence[PointReport], allowed: Sequence[Sequence[str]], over: str) -> Missed:
    """Return by how much the answers to some scenarios, of one set of rules, miss a goal.

    Parameters
    ----------
    points : an answer for each scenario.
    allowed : for each scenario the types that count. Better taken from the present rules: otherwise a type
        that is taken out of the deck would miss nothing.
    over : ``each``: every scenario is to meet it, and what they miss is averaged; ``mean``: the means over
        the scenarios are to meet it.
    """
    tables = [
        {name: _number_and_span(point, name) for name in _expanded(goal, types)}
        for point, types in zip(points, allowed, strict=True)
    ]
    if over == "mean":
        names = dict.fromkeys(name for table in tables for name in table)
        found = {name: [table[name] for table in tables if name in table] for name in names}
        tables = [{name: _mean(pairs) for name, pairs in found.items()}]
    tables = [table for table in tables if table]
    if not tables:
        return Missed(0.0, (0.0, 0.0))
    amount = fmean(goal.missed([x for x, _ in table.values()]) for table in tables)
    spans = []
    for table in tables:
        known = [span for _, span in table.values() if span is not None]
        if len(known) < len(table):
            return Missed(amount, None)
        spans.append(goal.missed_span(known))
    return Missed(amount, (fmean(low for low, _ in spans), fmean(high for _, high in spans)))


def total(parts: Sequence[Missed]) -> Missed:
    """Return what several goals are missed by in all."""
    spans = [part.span for part in parts if part.span is not None]
    amount = sum(part.amount for part in parts)
    if len(spans) < len(parts):
        return Missed(amount, None)
    return Missed(amount, (sum(low for low, _ in spans), sum(high for _, high in spans)))


def _expanded(goal: Goal, allowed: Sequence[str]) -> list[str]:
    """Return the metrics a goal is about where these types count."""
    names = []
    for name in goal.names:
        kind, _, card = name.partition(".")
        if card == EACH:
            names += [f"{kind}.{each}" for each in allowed]
        elif card == "" or card in allowed:
            names.append(name)
    return names


def _number_and_span(point: PointReport, name: str) -> tuple[float, Span | None]:
    """Return a metric of the plans found, and the interval that holds it in every equilibrium."""
    number = metric(name)(point.scenario)
    kind, _, card = name.partition(".")
    span = None
    if kind == "opening" and point.opening_bracket is not None:
        low, high = point.opening_bracket[card]
        span = 100 * low, 100 * high
    elif kind == "value" and point.scenario.certified:
        span = point.value_bracket_gp
    elif kind == "nash_conv":
        span = number, number
    return number, span


def _mean(pairs: Sequence[tuple[float, Span | None]]) -> tuple[float, Span | None]:
    known = [span for _, span in pairs if span is not None]
    number = fmean(x for x, _ in pairs)
    if len(known) < len(pairs):
        return number, None
    return number, (fmean(low for low, _ in known), fmean(high for _, high in known))
