"""How sweeps look: curves along one range of values, heat-maps over two."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import msgspec

from analysis.amounts import bound, percent, signed
from analysis.ragers.answers.report import ScenarioReport
from analysis.ragers.questions.sides import worse
from analysis.ragers.wording import trust
from analysis.ragers.wording.names import BOX, answers, card, cheers_name, day_name, patron_name
from analysis.ragers.workbench.sweeping import AxisReport, PointReport, SweepReport, metric
from cli.grid import Brief, Section
from cli.ragers.views.heads import under_rules
from engine.ragers.rules import TYPES

_BARS = "▁▂▃▄▅▆▇█"
_SHADES = " ░▒▓█"
#: Types that never open more often than this get no curve.
_SEEN = 0.01
#: Points that get a column each.
_MOST_COLUMNS = 6
_SHORT = [name[:3].capitalize() for name in TYPES]


def brief(report: SweepReport, metrics: Sequence[str]) -> Brief:
    """Return the first screen: a line for each day with what moves most, or heat-maps of two ranges."""
    if len(report.axes) > 1:
        return Brief(sections(report, metrics), _sure(report), "Other numbers (--metric), all points")
    if len(report.axes[0].values) <= _MOST_COLUMNS:
        return Brief(_columns(report), _sure(report), "Every point, all cards")
    axis = report.axes[0]
    rows = []
    for points in _by_day(report.points).values():
        first = points[0].scenario
        shown = [point for point in points if answers(point.scenario)]
        day = cheers_name(first) if len({p.scenario.patron for p in report.points}) == 1 else day_name(first)
        grades = [trust.words(point.scenario.trust) for point in points]
        if not shown:
            rows.append([day, "no answer yet", "", ""])
            continue
        parts = [
            f"{name.capitalize()[:7]} {curve(numbers)} {100 * min(numbers):.0f}–{100 * max(numbers):.0f}"
            for name in _moving(shown)[:2]
            for numbers in ([point.scenario.opening_mix[name] for point in shown],)
        ]
        gp = [point.scenario.mean_gp[0] for point in shown]
        rows.append([day, "  ".join(parts), f"{curve(gp)} {min(gp):.1f}–{max(gp):.1f}", worst_of(grades)])
    values = ", ".join(axis.values[:8]) + (", …" if len(axis.values) > 8 else "")
    title = f"{axis.key} = {values}"
    if report.points:
        one = report.points[0].scenario
        patrons = {patron_name(point.scenario) for point in report.points}
        who = f"{patrons.pop()} · " if len(patrons) == 1 else ""
        title = f"{who}{one.player.capitalize()} · {one.preparation} · {title}"
    part = Section(title, ["crowd wants", "opens with, % of days", "GP", "exact to"], rows, left=2)
    return Brief(under_rules(report.rules_name or BOX, [part]), _sure(report), "Every point")


def _columns(report: SweepReport) -> list[Section]:
    """Return a table for each day: a column for each point, a row for each card that opens, and for GP."""
    axis, parts = report.axes[0], []
    for points in _by_day(report.points).values():
        first = points[0].scenario
        at = {point.at[axis.key]: point.scenario for point in points}
        shown = [at.get(value) for value in axis.values]
        known = [each for each in shown if each is not None and answers(each)]
        opened = [name for name in TYPES if any(each.opening_mix[name] >= _SEEN for each in known)]

        def row(
            name: str, cell: Callable[[ScenarioReport], str], shown: Sequence[ScenarioReport | None] = shown
        ) -> list[str]:
            return [name, *("–" if each is None or not answers(each) else cell(each) for each in shown)]

        rows = [
            row(card(name), lambda each, name=name: percent(each.opening_mix[name]))  # type: ignore[misc]
            for name in opened
        ]
        if known:
            rows.append(row("GP a day", lambda each: f"{each.mean_gp[0]:.1f}"))
            rows.append(row("drawn %", lambda each: percent(each.outcome.draw)))
        rows.append(["exact to", *("–" if each is None else trust.words(each.trust) for each in shown)])
        title = f"{day_name(first)} · {first.player.capitalize()} · {first.preparation}"
        parts.append(Section(title, (f"{'opens %, by ' if known else ''}{axis.key} =", *axis.values), rows))
    return under_rules(report.rules_name or BOX, parts)


def _moving(points: Sequence[PointReport]) -> list[str]:
    """Return the types whose opening share changes most."""

    def moves(name: str) -> float:
        shares = [point.scenario.opening_mix[name] for point in points]
        return max(shares) - min(shares)

    return sorted(TYPES, key=lambda name: -moves(name))


def worst_of(grades: Sequence[str]) -> str:
    """Return the worst of some grades."""
    found = grades[0]
    for each in grades[1:]:
        found = worse(found, each)
    return found


def _by_day(points: Sequence[PointReport]) -> dict[tuple[str, str], list[PointReport]]:
    groups: dict[tuple[str, str], list[PointReport]] = {}
    for point in points:
        groups.setdefault((point.scenario.patron, point.scenario.cheers), []).append(point)
    return groups


def sections(report: SweepReport, metrics: Sequence[str]) -> list[Section]:
    """Return a table with curves (one axis) or heat-maps (two) for each scenario."""
    parts = []
    for points in _by_day(report.points).values():
        first = points[0].scenario
        title = f"{day_name(first)} · {first.player.capitalize()} · {first.preparation}"
        if len(report.axes) == 1:
            parts.append(_curve_section(title, report.axes[0], points, metrics))
        else:
            parts.extend(_heat_map(title, report.axes, points, name) for name in metrics)
    return under_rules(report.rules_name or BOX, parts)


def _curve_section(
    title: str, axis: AxisReport, points: Sequence[PointReport], metrics: Sequence[str]
) -> Section:
    head = [axis.key, *_SHORT, "value", "W/D/N %", "GP", "NashConv", "grade"]
    rows = []
    for point in points:
        each = point.scenario
        grade = trust.words(each.trust)
        if not answers(each):
            unknown = ["–"] * (len(TYPES) + 3)
            rows.append([point.at[axis.key], *unknown, bound(each.nash_conv_gp), grade])
            continue
        outcome = each.outcome
        rows.append(
            [
                point.at[axis.key],
                *(percent(each.opening_mix[name]) for name in TYPES),
                signed(each.value_gp),
                "/".join(percent(share) for share in (outcome.win, outcome.draw, outcome.two_losers)),
                f"{each.mean_gp[0]:.1f}",
                bound(each.nash_conv_gp),
                grade,
            ]
        )
    points = [point for point in points if answers(point.scenario)]
    if not points:
        return Section(title, head, rows)
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
        if answers(point.scenario)
    }
    if not numbers:
        return Section(f"{title} · {name}: no answer yet at any point")
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
    return lines + _sure(report)


def _sure(report: SweepReport) -> list[str]:
    """Return how far to trust it, and what was not solved."""
    lines = trust.grades(
        (f"{day_name(each)}, {_at(point.at)}", each.nash_conv_gp, each.trust)
        for point in report.points
        for each in (point.scenario,)
        if each.trust is not msgspec.UNSET
    )
    return lines + [f"Not solved: {_at(each)}" for each in report.unsolved]


def _at(values: Mapping[str, str]) -> str:
    return ", ".join(f"{key}={value}" for key, value in values.items())


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
        row["grade"] = trust.words(each.trust)
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
