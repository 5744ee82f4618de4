"""Any question over values of rules or of its own parameters: one value gives a curve, two give a heat-map.

With goals, the answer is the smallest change that makes figures what they are to be (`front.goals`).
All points have the same seed, so chance is common to them where a question plays.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from itertools import product
from typing import Any

import msgspec

from analysis.errors import RequestError
from analysis.estimates import Estimate
from analysis.front.goals import Goal, nearest, within
from analysis.front.page import Cell, Column, Curve, Follow, Heat, Page, Section, Table
from analysis.front.players import Player
from analysis.front.question import Amount, Answer, Declared, Question, Running
from analysis.front.store import answered

__all__ = ["Axes", "Axis", "GridAnswer", "GridPoint", "number_or_text", "over", "read_axis", "with_links"]

MOST_POINTS = 2_000


@dataclass(frozen=True)
class Axis:
    """One value that varies: an option of the question, or a value of the rules, and the texts it takes."""

    key: str
    values: tuple[str, ...]


Axes = Sequence[Axis]


class GridPoint(msgspec.Struct, frozen=True):
    """The figures at one point, in the order of the axes' keys, and whether the goals are met there."""

    values: list[str]
    amounts: list[Amount]
    meets: bool | None = None


class GridAnswer(Answer, frozen=True, kw_only=True):
    """A question's figures over one or two values.

    Attributes
    ----------
    goals : what figures are to be.
    best : which point meets the goals with the smallest change; None if none does, or there are no goals.
    """

    keys: list[str]
    points: list[GridPoint]
    asked_points: int
    goals: Sequence[Goal] = ()
    best: int | None = None

    def page(self) -> Page:
        """Return how they look."""
        return grid_page(self)


def read_axis(text: str) -> Axis:
    """Return the axis of ``KEY=1:4``, ``KEY=4:8:2``, ``KEY=a,b,c``, or with ``;`` where values hold commas.

    Raises
    ------
    RequestError
        If it is none of these.
    """
    key, equals, tail = (part.strip() for part in text.partition("="))
    if not equals or not key or not tail:
        raise RequestError(f"{text!r}: write KEY=FROM:TO, KEY=FROM:TO:STEP or KEY=VALUE,VALUE", "--vary")
    values = tuple(_values(tail))
    if len(set(values)) < len(values):
        raise RequestError(f"{text!r}: a value stands there twice", "--vary")
    return Axis(key, values)


def _values(text: str) -> Iterator[str]:
    parts = text.split(":")
    if len(parts) in (2, 3) and "," not in text and ";" not in text:
        try:
            first, last, *rest = map(Decimal, parts)
        except InvalidOperation:
            yield text
            return
        step = rest[0] if rest else Decimal(1)
        finite = all(each.is_finite() for each in (first, last, step))
        if not finite or step <= 0 or last < first:
            raise RequestError(f"{text!r}: write FROM:TO with FROM at most TO, and a step above 0", "--vary")
        try:
            steps = (last - first) // step
        except ArithmeticError:  # more than a decimal has digits
            steps = Decimal(MOST_POINTS)
        if steps >= MOST_POINTS:
            raise RequestError(f"{text!r}: these are more than {MOST_POINTS:,} values", "--vary")
        number = int(steps) + 1
        yield from (f"{first + step * place:f}" for place in range(number))
        return
    words = [word.strip() for word in text.split(";" if ";" in text else ",")]
    if not all(words):
        raise RequestError(f"{text!r}: a value is missing", "--vary")
    yield from words


def over(
    question: Question[Any, Any],
    given: Mapping[str, Any],
    axes: Axes,
    running: Running | None = None,
    goals: Sequence[Goal] = (),
) -> GridAnswer:
    """Ask a question at every point of one or two axes.

    Parameters
    ----------
    given : values or texts of the question's other parameters, by name.
    goals : what figures are to be; the answer says where they are so with the smallest change.

    Raises
    ------
    RequestError
        If the question has no figures to compare, or a point cannot be asked; nothing is computed then.
    """
    if question.amounts is None:
        raise RequestError(f"{question.name} has no figures that can be compared", "--vary")
    if given.get("keep") is not None:
        raise RequestError("a file keeps the work of one answer; leave it out beside --vary", "--keep")
    if not 1 <= len(axes) <= 2 or len({axis.key for axis in axes}) < len(axes):
        raise RequestError("one or two different values can vary", "--vary")
    total = 1
    for axis in axes:
        total *= len(axis.values)
    if total > MOST_POINTS:
        raise RequestError(f"these are {total:,} points; at most {MOST_POINTS:,}", "--vary")
    running = running or Running()
    combinations = list(product(*(axis.values for axis in axes)))
    # All points are read before the first one is asked: a wrong one is known at once.
    asked = [question.build(**_at(question, given, axes, values)) for values in combinations]
    if question.has_rules:
        for each in asked:
            question.needs.rules_of(each.rules)
    points, complete, last = [], True, None
    for number, (values, each) in enumerate(zip(combinations, asked, strict=True)):
        if running.interrupt():
            complete = False
            break
        found = answered(question, each, running)
        complete = complete and found.complete
        last = found
        amounts = list(question.amounts(found))
        points.append(GridPoint(list(values), amounts, within(amounts, goals) if goals else None))
        running.note("points", number + 1, total)
    # Longer plays have more figures, such as who is ahead in late rounds: those of all points are compared.
    shared = (
        set.intersection(*({each.key for each in point.amounts} for point in points)) if points else set()
    )
    points = [
        GridPoint(point.values, [each for each in point.amounts if each.key in shared], point.meets)
        for point in points
    ]
    present = [_present(question, given, axis.key) for axis in axes] if goals else []
    best = nearest([(point.values, point.meets) for point in points], present) if goals else None
    return GridAnswer(
        game=question.needs.name,
        question=question.name,
        version="" if last is None else last.version,
        rules=None if last is None else question.needs.rules_note(question.needs.read(*_files(given))),
        exactness=question.exactness,
        seed=None if last is None else last.seed,
        keys=[axis.key for axis in axes],
        points=points,
        asked_points=total,
        complete=complete,
        reached=not goals or best is not None,
        goals=tuple(goals),
        best=best,
    )


def _present(question: Question[Any, Any], given: Mapping[str, Any], key: str) -> str | None:
    """What an axis' value is without any change; None if nobody knows."""
    for each in question.parameters:
        if each.name == key.lstrip("-").replace("-", "_"):
            return str(given.get(each.name, each.default))
    found = question.needs.read(*_files(given)).values().get(key)
    return None if found is None else str(found)


def _files(given: Mapping[str, Any]) -> tuple[Any, Any]:
    files, overrides = given.get("rules", ()), given.get("set", ())
    return tuple(files), ((overrides,) if isinstance(overrides, str) else tuple(overrides))


def _at(
    question: Question[Any, Any], given: Mapping[str, Any], axes: Axes, values: Sequence[str]
) -> dict[str, Any]:
    """The values of all parameters at one point."""
    known = {each.name: each for each in question.parameters}
    found = dict(given)
    for axis, value in zip(axes, values, strict=True):
        parameter = known.get(axis.key.lstrip("-").replace("-", "_"))
        if parameter is None:
            if "." not in axis.key or not question.has_rules:
                options = ", ".join(each.name for each in known.values())
                said = f"{axis.key!r} is neither a value of the rules nor one of {options}"
                raise RequestError(said, "--vary")
            found["set"] = (*_files(found)[1], f"{axis.key}={value}")
        elif parameter.repeatable:
            before = found.get(parameter.name, ())
            several = (before,) if isinstance(before, str | Player) else tuple(before)
            # The first of several varies: who plays against the same others.
            found[parameter.name] = (value, *several[1:])
        else:
            found[parameter.name] = value
    return found


def grid_page(found: GridAnswer) -> Page:
    """Return how a grid looks: a curve, or heat-maps with that of the first figure first; and a table."""
    if not found.points:
        return Page(headline="No point is finished.")
    amounts = found.points[0].amounts
    columns = [Column(key, key) for key in found.keys]
    columns += [Column(amount.key, amount.head, amount.kind) for amount in amounts]
    rows: list[list[Cell]] = [
        [*map(number_or_text, point.values), *(amount.value for amount in point.amounts)]
        for point in found.points
    ]
    if found.goals:
        columns.append(Column("meets", "goal"))
        for row, point in zip(rows, found.points, strict=True):
            row.append({True: "met", False: "no"}.get(point.meets, "perhaps"))  # type: ignore[arg-type]
    table = Table(columns, rows)
    several = len(found.keys) == 2
    picture: Section = _heat(found) if several else _curve(found)
    others: list[Section] = [_heat(found, place) for place in range(1, len(amounts))] if several else []
    notes = [] if found.complete else [f"{len(found.points)} of {found.asked_points} points are finished."]
    if found.exactness == "measured" and found.seed is not None:
        notes.append("All points share their luck, so differences are surer than the intervals say.")
    if found.rules is not None and found.rules.said:
        notes.append(found.rules.said)
    return Page(
        headline=_headline(found),
        sections=[picture, table, *others],
        notes=notes,
        details=2 if others else None,
    )


def _headline(found: GridAnswer) -> str:
    if found.goals:
        wanted = " and ".join(goal.text for goal in found.goals)
        if found.best is None:
            return f"None of these points meets {wanted}."
        point = found.points[found.best]
        sure = "meets" if point.meets else "may meet"
        return f"The smallest change that {sure} {wanted}: {_where(found.keys, point)}."
    first = found.points[0].amounts[0]
    known = [(middle(point.amounts[0].value), point) for point in found.points]
    known = [(value, point) for value, point in known if value is not None]
    if not known:
        return f"Nothing is known of {first.head}."
    best = max(known, key=lambda each: each[0] or 0.0)[1]
    return f"Of these points, {first.head} is largest at {_where(found.keys, best)}."


def _where(keys: Sequence[str], point: GridPoint) -> str:
    return ", ".join(f"{key} = {value}" for key, value in zip(keys, point.values, strict=True))


def _curve(found: GridAnswer) -> Curve:
    amounts = found.points[0].amounts
    same = [place for place, amount in enumerate(amounts) if amount.kind == amounts[0].kind]
    return Curve(
        title=f"{found.question} over {found.keys[0]}",
        x=found.keys[0],
        y=amounts[0].head if len(same) == 1 else "figure",
        kind=amounts[0].kind,
        points=[number_or_text(point.values[0]) for point in found.points],
        series={
            amounts[place].head: [middle(point.amounts[place].value) for point in found.points]
            for place in same
        },
    )


def _heat(found: GridAnswer, place: int = 0) -> Heat:
    """Return the heat-map of one figure."""
    shown = found.points[0].amounts[place]
    across, down = (list(dict.fromkeys(point.values[axis] for point in found.points)) for axis in (0, 1))
    at = {tuple(point.values): middle(point.amounts[place].value) for point in found.points}
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
    known = {each.name: each for each in question.parameters}

    def at(values: Sequence[str]) -> Follow:
        found: dict[str, Any] = {**given, "set": list(sets)}
        for axis, value in zip(axes, values, strict=True):
            name = axis.key.lstrip("-").replace("-", "_")
            if name not in known:
                found["set"] = [*found["set"], f"{axis.key}={value}"]
            elif known[name].repeatable:
                before = found.get(name, [])
                found[name] = [value, *(before[1:] if isinstance(before, list) else [])]
            else:
                found[name] = value
        return Follow(question.name, found)

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


def middle(value: float | Estimate | None) -> float | None:
    """Return the number that stands for a figure."""
    return value.mean if isinstance(value, Estimate) else value


def number_or_text(text: str) -> float | str:
    """Return a value of an axis as a number where it is one."""
    try:
        return float(text)
    except ValueError:
        return text
