"""A question's figures over values: a curve, or heat-maps, a table, and what its points tell."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from analysis.exit_codes import EXIT_FAILURE
from analysis.front.axes import Axes, laid_over, number_or_text, where
from analysis.front.chance import middle_of
from analysis.front.goals import Goal
from analysis.front.page import Board, Cell, Column, Curve, Follow, Heat, Page, Section, Table
from analysis.front.question import Amount, Answer, Declared
from analysis.front.render.numbers import cell_text
from analysis.front.render.tables import shared_head, unit_of
from analysis.front.verdicts import Best, listed

__all__ = ["GridAnswer", "GridPoint", "leading", "with_links"]

_MOST_LINES = 12
"""Lines of one curve: those that move most."""


class GridPoint(msgspec.Struct, frozen=True):
    """The figures at one point, in the order of the axes' keys.

    Attributes
    ----------
    meets : whether the goals are met there; None if luck or bounds leave that open, or without goals.
    missed : by how much they are missed; None without an answer, or goals.
    failed : why there is no answer.
    """

    values: list[str]
    amounts: list[Amount]
    meets: bool | None = None
    missed: float | None = None
    failed: str = ""


class GridAnswer(Answer, frozen=True, kw_only=True):
    """A question's figures over values.

    Attributes
    ----------
    largest : where the first figure is largest, as far as the points tell.
    goals : what figures are to be.
    present : the figures without any change, where there are goals; None if nothing is known of them.
    best : which point meets the goals with the smallest change; None if none does, or the present values do.
    method : how points were chosen, in words; empty where all were asked.
    near, near_met : points one step from the best that were tried, and those of them that may meet the goals.
    """

    keys: list[str]
    points: list[GridPoint]
    asked_points: int
    largest: Best = Best()
    goals: Sequence[Goal] = ()
    present: GridPoint | None = None
    best: int | None = None
    method: str = ""
    near: int = 0
    near_met: int = 0

    @property
    def exit_code(self) -> int:
        """What a command ends with."""
        failed = self.complete and any(point.failed for point in self.points)
        return EXIT_FAILURE if failed else super().exit_code

    def page(self) -> Page:
        """Return how they look."""
        return self.with_said(grid_page(self))


def leading(points: Sequence[GridPoint]) -> int | None:
    """Return the place of the first figure that is not the same at all points, or else of the first one."""
    known = [point for point in points if point.amounts]
    for place in range(len(known[0].amounts) if known else 0):
        if len({middle_of(point.amounts[place].value) for point in known}) > 1:
            return place
    return 0 if known and known[0].amounts else None


def grid_page(found: GridAnswer) -> Page:
    """Return how a grid looks: a curve, or heat-maps with that of the leading figure first; and a table."""
    notes = [] if found.complete else [f"{len(found.points)} of {found.asked_points} points are finished."]
    failed = [each for each in found.points if each.failed]
    reasons = [f"No answer at {where(found.keys, each.values)}: {each.failed}" for each in failed]
    lead = leading(found.points)
    if lead is None:
        said = "No point has an answer yet." if found.points else "No point is finished."
        return Page(headline=said, notes=[*notes, *reasons])
    about = shared_head([each.head for point in found.points for each in point.amounts])
    found = msgspec.structs.replace(found, points=[_without(point, about) for point in found.points])
    known = next(point.amounts for point in found.points if point.amounts)
    keys = [amount.key for amount in known]
    several = len(found.keys) == 2 and not found.method
    sections: list[Section] = []
    if several:
        sections.append(_heat(found, keys[lead]))
    elif len(found.keys) == 1 and not found.method:
        sections.append(_curve(found, known[lead]))
    others: list[Section] = [_heat(found, key) for key in keys if key != keys[lead]] if several else []
    if found.best is not None and (board := _proposal(found, found.points[found.best])):
        sections.insert(0, board)
    if found.exactness == "measured" and found.seed is not None:
        notes.append("All points share their luck, so differences are surer than the intervals say.")
    if found.exactness == "bounded":
        notes.append("In brackets: what is proved, whatever equilibria are played.")
    if found.near:
        points = "point was" if found.near == 1 else "points were"
        notes.append(f"One step from there {found.near} {points} tried; {found.near_met} may meet it, too.")
    if found.rules is not None and found.rules.said:
        notes.append(found.rules.said)
    tried = f"{len(found.points)} of {found.asked_points} points were tried: {found.method}."
    said = _goal_headline(found) if found.goals else _headline(found, lead)
    return Page(
        headline=f"{about}: {said}" if about else f"{said[0].upper()}{said[1:]}",
        sections=[*sections, _table(found, known), *others],
        notes=[*notes, *reasons],
        method=[tried] if found.method else [],
        details=len(sections) + 1 if others else None,
    )


def _without(point: GridPoint, about: str) -> GridPoint:
    """Return a point whose heads do not repeat what all are about."""
    amounts = [
        msgspec.structs.replace(each, head=each.head.removeprefix(f"{about}: ")) for each in point.amounts
    ]
    return msgspec.structs.replace(point, amounts=amounts)


def _table(found: GridAnswer, known: Sequence[Amount]) -> Table:
    columns = [Column(key, key) for key in found.keys]
    columns += [Column(amount.key, amount.head, amount.kind) for amount in known]
    if found.goals:
        columns += [Column("missed", "goal missed by", "number"), Column("meets", "goal")]
    rows: list[list[Cell]] = []
    for point in found.points:
        at = {amount.key: amount.value for amount in point.amounts}
        row: list[Cell] = [*map(number_or_text, point.values), *(at.get(amount.key) for amount in known)]
        if found.goals:
            word = "no answer" if point.missed is None else _MEETS[point.meets]
            row += [point.missed, word]
        rows.append(row)
    return Table(columns, rows)


_MEETS = {True: "met", False: "no", None: "perhaps"}


def _proposal(found: GridAnswer, point: GridPoint) -> Section | None:
    """Return a proposal as lines of a rules file, where it is values of the rules."""
    now = dict(zip(found.keys, found.present.values, strict=True)) if found.present else {}
    lines = [
        f"{key} = {value}" + (f"  # was {now[key]}" if now.get(key) else "")
        for key, value in zip(found.keys, point.values, strict=True)
        if "." in key and isinstance(number_or_text(value), float) and now.get(key) != value
    ]
    return Board(lines, "As a rules file") if lines else None


def _goal_headline(found: GridAnswer) -> str:
    wanted, present = listed([goal.text for goal in found.goals]), found.present
    if not found.complete:
        return f"Stopped early: whether {wanted} can be met is not known yet."
    here = "" if present is None else where(found.keys, present.values)
    if present is not None and present.meets is True:
        return f"The present value meets {wanted} already: {here}."
    open_ = present is not None and present.meets is None and present.missed is not None
    if found.best is None:
        if open_:
            return f"The present value may meet {wanted} ({here}); none of the other points does."
        nor = "" if present is None else ", nor does the present value"
        return f"None of these points meets {wanted}{nor}."
    point = found.points[found.best]
    sure = "meets" if point.meets else "may meet"
    too = f" The present value may meet it, too: {here}." if open_ else ""
    return f"The smallest change that {sure} {wanted}: {where(found.keys, point.values)}.{too}"


def _headline(found: GridAnswer, lead: int) -> str:
    amount = next(point.amounts[lead] for point in found.points if point.amounts)
    if not found.complete:
        return f"{amount.head}: stopped early, so where it is largest is not known yet."
    at = {where(found.keys, point.values): point.amounts[lead] for point in found.points if point.amounts}
    return _largest(found.largest, at, amount.head)


def _largest(found: Best, at: Mapping[str, Amount], head: str) -> str:
    """Say where a figure is largest, as far as the points tell; its head may be a sentence of its own."""

    def value(place: str) -> str:
        amount = at[place]
        return f"{cell_text(middle_of(amount.value), amount.kind)}{unit_of(amount.kind)}"

    if found.kind == "none":
        return f"{head}: where it is largest is not known."
    first = f"{listed(found.names[: found.alike])} ({value(found.names[0])})"
    if found.kind == "one":
        return f"{head}: of these points it is largest at {first}."
    if found.kind == "tied":
        if len(found.names) == found.among:
            return f"{head}: the same at all points, {value(found.names[0])}."
        return f"{head}: of these points it is largest at {listed(found.names)}, {value(found.names[0])}."
    if found.alike == len(found.names):
        all_ = "all points" if found.kind == "open" else listed(found.names)
        return f"{head}: these points do not tell where it is largest; it came out the same at {all_}."
    if found.kind == "open":
        return f"{head}: these points do not tell where it is largest; it came out highest at {first}."
    others = listed(found.names[found.alike :], "or")
    return f"{head}: where it is largest is not known; highest at {first}, and perhaps so at {others}."


def _curve(found: GridAnswer, lead: Amount) -> Curve:
    points = [point for point in found.points if point.amounts]
    lines: dict[str, list[float | None]] = {}
    for place, amount in enumerate(points[0].amounts):
        if amount.kind == lead.kind:
            lines[amount.head] = [middle_of(point.amounts[place].value) for point in points]

    def moves(head: str) -> float:
        known = [value for value in lines[head] if value is not None]
        return min(known, default=0.0) - max(known, default=0.0)

    most = set(sorted(lines, key=moves)[:_MOST_LINES])
    shown = {head: values for head, values in lines.items() if head in most}
    return Curve(
        title=f"{found.question} over {found.keys[0]}",
        x=found.keys[0],
        y=lead.head if len(shown) == 1 else "figure",
        kind=lead.kind,
        points=[number_or_text(point.values[0]) for point in points],
        series=shown,
    )


def _heat(found: GridAnswer, key: str) -> Heat:
    """Return the heat-map of one figure."""
    known = {
        tuple(point.values): amount for point in found.points for amount in point.amounts if amount.key == key
    }
    shown = next(iter(known.values()))
    across, down = (list(dict.fromkeys(point.values[axis] for point in found.points)) for axis in (0, 1))
    at = {values: middle_of(amount.value) for values, amount in known.items()}
    return Heat(
        title=shown.head,
        x=found.keys[0],
        y=found.keys[1],
        kind=shown.kind,
        columns=list(map(number_or_text, across)),
        rows=list(map(number_or_text, down)),
        cells=[[at.get((column, row)) for column in across] for row in down],
    )


def with_links(
    page: Page, question: Declared[Any], given: Mapping[str, Any], sets: Sequence[str], axes: Axes
) -> Page:
    """Return a grid's page with what leads from its points to their own answers.

    Parameters
    ----------
    given, sets : the question's parameters in words, and the values of rules that are laid over.
    """

    def at(values: Sequence[str]) -> Follow:
        found = laid_over(question, {**given, "set": list(sets)}, axes, values)
        several = {name: list(value) for name, value in found.items() if isinstance(value, tuple)}
        return Follow(question.name, found | several)

    sections: list[Section] = []
    for section in page.sections:
        if isinstance(section, Heat) and len(axes) == 2:
            across, down = axes[0].values, axes[1].values
            if (len(across), len(down)) == (len(section.columns), len(section.rows)):
                follow: list[list[Follow | None]] = [[at((one, other)) for one in across] for other in down]
                section = msgspec.structs.replace(section, follow=follow)
        elif isinstance(section, Table) and len(axes) == 1 and len(section.rows) == len(axes[0].values):
            section = msgspec.structs.replace(section, follow=[at((value,)) for value in axes[0].values])
        sections.append(section)
    return msgspec.structs.replace(page, sections=sections)
