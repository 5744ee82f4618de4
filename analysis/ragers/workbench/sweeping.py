"""Sweeps: the points of one or two ranges of rule values, their answers, and how to show them."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

import msgspec

from analysis import __version__
from analysis.ragers.answers.asking import Answered
from analysis.ragers.answers.brackets import opening_brackets, value_bracket
from analysis.ragers.answers.report import ScenarioReport, scenario_report
from analysis.ragers.scenarios import Scenario
from cli.grid import Section, percent
from cli.ragers.views.tables import bound, signed
from engine.ragers.rules import TYPES

SCHEMA = 1
MAX_POINTS = 10_000
_BARS = "▁▂▃▄▅▆▇█"
_SHADES = " ░▒▓█"
#: Types that never open more often than this get no curve.
_SEEN = 0.01
_SHORT = [name[:3].capitalize() for name in TYPES]


@dataclass(frozen=True)
class Axis:
    """A rule value that is varied: its dotted key, and its values as typed."""

    key: str
    values: tuple[str, ...]


def parse_axis(text: str) -> Axis:
    """Return the axis in ``cards.basher.gp=2:6``, ``match.winning_lead=6:14:2`` or ``KEY=2,4,5``.

    A range has both its ends.

    Raises
    ------
    ValueError
        If it is none of these.
    """
    key, equals, values = (part.strip() for part in text.partition("="))
    if not equals or not key or not values:
        raise ValueError(f"{text!r} is not KEY=VALUES; write cards.basher.gp=2:6 or cards.basher.gp=2,4,6")
    match = re.fullmatch(r"(\d+)\s*:\s*(\d+)(?:\s*:\s*(\d+))?", values)
    if match is not None:
        first, last, step = int(match[1]), int(match[2]), int(match[3] or 1)
        if step < 1 or last < first or (last - first) // step >= MAX_POINTS:
            raise ValueError(f"{values!r} is no range; write FIRST:LAST or FIRST:LAST:STEP, from low to high")
        return Axis(key, tuple(map(str, range(first, last + 1, step))))
    if ":" in values:
        raise ValueError(f"{values!r} is no range of whole numbers; write 2:6, or the values: 2,4,6")
    listed = tuple(dict.fromkeys(value.strip() for value in values.split(",")))
    if not all(listed):
        raise ValueError(f"{values!r} has an empty value")
    return Axis(key, listed)


@dataclass(frozen=True)
class Point:
    """A scenario at one point of the sweep; `values` in the order of the axes."""

    values: tuple[str, ...]
    scenario: Scenario

    @property
    def title(self) -> str:
        """Name for people."""
        return f"{' '.join(self.values)} · {self.scenario.title}"


def combinations(axes: Sequence[Axis]) -> list[tuple[str, ...]]:
    """Return the values of every point, the last axis fastest."""
    return list(product(*(axis.values for axis in axes)))


class AxisReport(msgspec.Struct, frozen=True):
    """An axis of the sweep."""

    key: str
    values: list[str]


class PointReport(msgspec.Struct, frozen=True, kw_only=True):
    """The answer at a point.

    Attributes
    ----------
    at
        Value of each axis by its key.
    value_bracket_gp
        The value of the game lies in it.
    opening_bracket
        Per type the interval that holds its opening share in every equilibrium; None where unknown.
    """

    at: dict[str, str]
    rules_sha256: str
    value_bracket_gp: tuple[float, float]
    opening_bracket: dict[str, tuple[float, float]] | None
    scenario: ScenarioReport


class SweepReport(msgspec.Struct, frozen=True, kw_only=True):
    """Everything a sweep found."""

    schema: int = SCHEMA
    game: str = "ragers"
    version: str = __version__
    axes: list[AxisReport]
    unsolved: list[dict[str, str]]
    points: list[PointReport]


def point_report(axes: Sequence[Axis], point: Point, answered: Answered, player: int) -> PointReport:
    """Return the answer at a point as `player` sees it."""
    day = point.scenario.day
    brackets = None
    if answered.strategy is not None:
        brackets = opening_brackets(answered.answer, answered.strategy, day, player)
    return PointReport(
        at={axis.key: value for axis, value in zip(axes, point.values, strict=True)},
        rules_sha256=point.scenario.rules.sha256,
        value_bracket_gp=value_bracket(answered.answer, day, player),
        opening_bracket=None if brackets is None else dict(zip(TYPES, brackets, strict=True)),
        scenario=scenario_report(
            point.scenario,
            answered.answer,
            player,
            from_library=answered.from_library,
            source=answered.source,
            relabelled_from=answered.relabelled_from,
        ),
    )


# ---- metrics -----------------------------------------------------------------------------------------------

_Metric = Callable[[ScenarioReport], float]


def metric(name: str) -> _Metric:
    """Return the number that `name` stands for: a share in %, or glory points.

    Raises
    ------
    ValueError
        For an unknown name.
    """
    if name in _METRICS:
        return _METRICS[name]
    kind, _, card = name.partition(".")
    if kind == "opening" and card in TYPES:
        return lambda each: 100 * each.opening_mix[card]
    if kind == "placed" and card in TYPES:
        column = TYPES.index(card)
        return lambda each: sum(step[column] for step in each.usage)
    raise ValueError(f"{name!r} is no metric; there are {', '.join(_METRICS)}, opening.TYPE and placed.TYPE")


_METRICS: dict[str, _Metric] = {
    "value": lambda each: each.value_gp,
    "mean_gp": lambda each: each.mean_gp[0],
    "win": lambda each: 100 * each.outcome.win,
    "draw": lambda each: 100 * each.outcome.draw,
    "decisive": lambda each: 100 * (each.outcome.win + each.outcome.loss),
    "two_losers": lambda each: 100 * each.outcome.two_losers,
    "nash_conv": lambda each: each.nash_conv_gp,
}


# ---- showing -----------------------------------------------------------------------------------------------


def sections(report: SweepReport, metrics: Sequence[str]) -> list[Section]:
    """Return a table with curves (one axis) or heat-maps (two) for each scenario."""
    groups: dict[tuple[str, str], list[PointReport]] = {}
    for point in report.points:
        groups.setdefault((point.scenario.patron, point.scenario.cheers), []).append(point)
    parts = []
    for (patron, cheers), points in groups.items():
        first = points[0].scenario
        title = f"{patron} / {cheers} · {first.player} · {first.preparation}"
        if len(report.axes) == 1:
            parts.append(_curve_section(title, report.axes[0], points, metrics))
        else:
            parts.extend(_heat_map(title, report.axes, points, name) for name in metrics)
    return parts


def _curve_section(
    title: str, axis: AxisReport, points: Sequence[PointReport], metrics: Sequence[str]
) -> Section:
    head = [axis.key, *_SHORT, "value", "W/D/N %", "GP", "NashConv"]
    rows = []
    for point in points:
        each = point.scenario
        outcome = each.outcome
        rows.append(
            [
                point.at[axis.key],
                *(percent(each.opening_mix[name]) for name in TYPES),
                signed(each.value_gp),
                "/".join(percent(share) for share in (outcome.win, outcome.draw, outcome.two_losers)),
                f"{each.mean_gp[0]:.1f}",
                bound(each.nash_conv_gp),
            ]
        )
    opened = [name for name in TYPES if any(point.scenario.opening_mix[name] >= _SEEN for point in points)]
    names = [*(f"opening.{name}" for name in opened), *metrics]
    width = max(map(len, names))
    curves = []
    for name in dict.fromkeys(names):
        numbers = [metric(name)(point.scenario) for point in points]
        low, high = min(numbers), max(numbers)
        curves.append(f"{name:{width}}  {curve(numbers)}  {low:.2f} to {high:.2f}")
    return Section(title, head, rows, lines=curves)


def curve(numbers: Sequence[float]) -> str:
    """Return `numbers` as a line of bars, from the lowest to the highest of them."""
    low, high = min(numbers), max(numbers)
    if high - low < 1e-9:
        return _BARS[0] * len(numbers)
    top = len(_BARS) - 1
    return "".join(_BARS[round((number - low) / (high - low) * top)] for number in numbers)


def _heat_map(title: str, axes: Sequence[AxisReport], points: Sequence[PointReport], name: str) -> Section:
    rows_axis, columns_axis = axes
    numbers = {
        (point.at[rows_axis.key], point.at[columns_axis.key]): metric(name)(point.scenario)
        for point in points
    }
    low, high = min(numbers.values()), max(numbers.values())

    def cell(number: float | None) -> str:
        if number is None:
            return "-"
        share = (number - low) / (high - low) if high - low > 1e-9 else 0.0
        return f"{_SHADES[round(share * (len(_SHADES) - 1))] * 2} {number:.2f}"

    head = [f"{rows_axis.key} \\ {columns_axis.key}", *columns_axis.values]
    rows = [
        [value, *(cell(numbers.get((value, other))) for other in columns_axis.values)]
        for value in rows_axis.values
    ]
    return Section(f"{title} · {name}", head, rows)


def notes(report: SweepReport) -> list[str]:
    """Return what a reader has to know."""
    lines = []
    if report.points:
        worst = max(point.scenario.nash_conv_gp for point in report.points)
        lines.append(
            f"NashConv is at most {bound(worst)} GP at every point. Openings (in %), outcomes and GP are"
            " those of the plans found; whether two points differ for certain, ragers diff tells."
        )
    lines += [
        f"Not solved: {', '.join(f'{key}={value}' for key, value in each.items())}"
        for each in report.unsolved
    ]
    return lines


def csv_rows(report: SweepReport) -> list[dict[str, Any]]:
    """Return a row per point."""
    rows = []
    for point in report.points:
        each = point.scenario
        row: dict[str, Any] = dict(point.at)
        row |= {"patron": each.patron, "cheers": each.cheers, "player": each.player}
        row |= {"preparation": each.preparation, "value_gp": each.value_gp}
        row["value_low_gp"], row["value_high_gp"] = point.value_bracket_gp
        row |= {"nash_conv_gp": each.nash_conv_gp, "certified": str(each.certified).lower()}
        for name in TYPES:
            row[f"opening_{name}"] = each.opening_mix[name]
        for name in TYPES if point.opening_bracket else ():
            assert point.opening_bracket is not None
            row[f"opening_{name}_low"], row[f"opening_{name}_high"] = point.opening_bracket[name]
        for name in TYPES:
            row[f"placed_{name}"] = metric(f"placed.{name}")(each)
        row |= msgspec.structs.asdict(each.outcome)
        row |= {"mean_gp": each.mean_gp[0], "opponent_mean_gp": each.mean_gp[1]}
        row |= {"iterations": each.iterations, "rules_sha256": point.rules_sha256}
        rows.append(row)
    return rows
