"""Values that vary: an option of a question, or a value of the rules, and what is asked at each point."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from itertools import pairwise
from pathlib import Path
from typing import Any

from analysis.errors import RequestError
from analysis.front.parameters import Parameter, text_of
from analysis.front.question import Declared

__all__ = [
    "MOST_POINTS",
    "Axes",
    "Axis",
    "away_from",
    "files_of",
    "laid_over",
    "number_or_text",
    "parameter_of",
    "present_value",
    "read_axis",
    "where",
]

MOST_POINTS = 2_000


@dataclass(frozen=True)
class Axis:
    """One value that varies: an option of the question, or a value of the rules, and the texts it takes."""

    key: str
    values: tuple[str, ...]


Axes = Sequence[Axis]


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


def where(axes: Iterable[Axis | str], values: Sequence[str]) -> str:
    """Return a point in words."""
    keys = (each.key if isinstance(each, Axis) else each for each in axes)
    return ", ".join(f"{key} = {value}" for key, value in zip(keys, values, strict=True))


def away_from(axis: Axis, now: str | None) -> Callable[[int], float]:
    """Return how far each value of an axis, by its number, is from the present one, in steps."""
    try:
        numbers = [float(value) for value in axis.values]
        here = float(now or "")
    except ValueError:
        return lambda number: 0.0 if now is None else float(axis.values[number] != now)
    gaps = [abs(one - other) for one, other in pairwise(numbers)]
    step = min(gaps, default=1.0) or 1.0
    return lambda number: abs(numbers[number] - here) / step


def parameter_of(question: Declared[Any], key: str) -> Parameter | None:
    """Return the parameter that an axis is called like; None if there is none."""
    name = key.lstrip("-").replace("-", "_")
    return next((each for each in question.parameters if each.name == name), None)


def present_value(question: Declared[Any], given: Mapping[str, Any], key: str) -> str | None:
    """What an axis' value is without any change; None if nobody knows."""
    parameter = parameter_of(question, key)
    if parameter is None:
        found = question.needs.read(*files_of(given)).values().get(key)
        return None if found is None else str(found)
    value = given.get(parameter.name, parameter.default)
    if parameter.repeatable:
        value = next(iter(_listed(value)), None)
    return None if value is None else text_of(value)


def files_of(given: Mapping[str, Any]) -> tuple[tuple[Path, ...], tuple[str, ...]]:
    """Return the files and single values of rules that are given."""
    files, overrides = given.get("rules", ()), given.get("set", ())
    return tuple(map(Path, _listed(files))), tuple(_listed(overrides))


def _listed(value: Any) -> Sequence[Any]:
    return value if isinstance(value, list | tuple) else (value,)


def laid_over(
    question: Declared[Any],
    given: Mapping[str, Any],
    axes: Axes,
    values: Sequence[str],
    option: str = "--vary",
) -> dict[str, Any]:
    """Return the values of all parameters where each axis has one of its values.

    Raises
    ------
    RequestError
        Naming `option`, if an axis is neither a parameter nor a value of the rules.
    """
    found = dict(given)
    for axis, value in zip(axes, values, strict=True):
        parameter = parameter_of(question, axis.key)
        if parameter is None:
            if "." not in axis.key or not question.has_rules:
                options = ", ".join(each.name for each in question.parameters)
                said = f"{axis.key!r} is neither a value of the rules nor one of {options}"
                raise RequestError(said, option)
            found["set"] = (*files_of(found)[1], f"{axis.key}={value}")
        elif parameter.repeatable:
            # The first of several varies: who plays against the same others.
            found[parameter.name] = (value, *_listed(found.get(parameter.name, ()))[1:])
        else:
            found[parameter.name] = value
    return found


def number_or_text(text: str) -> float | str:
    """Return a value of an axis as a number where it is one."""
    try:
        return float(text)
    except ValueError:
        return text
