"""Drawings as SVG without a chart library; inks come from the page's style sheet, so dark mode holds."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from html import escape

from analysis.estimates import Estimate
from analysis.front.page import Cell, Curve, Format, Sides
from analysis.front.render.numbers import number_text
from analysis.front.render.tables import unit_of

__all__ = ["curve_svg", "sides_drawn", "ticks"]

_WIDTH, _HEIGHT = 640, 300
_LEFT, _RIGHT, _TOP, _BOTTOM = 70, 16, 14, 46
_MOST_SIDES = 10
"""Rows that are drawn of figures on two sides: those that change most."""
_ROUNDING = 1e-9
_SAID = {"yes": "certain", "no": "may be nothing", "-": "not tested"}


def ticks(low: float, high: float, most: int = 6) -> list[float]:
    """Return round numbers that span a range, at most so many and a few."""
    if not high > low:
        return [low]
    raw = (high - low) / most
    power = 10.0 ** math.floor(math.log10(raw))
    step = next(each * power for each in (1, 2, 5, 10) if each * power >= raw * 0.999)
    first = math.floor(low / step + 1e-9)
    last = math.ceil(high / step - 1e-9)
    return [round(number * step, 12) for number in range(first, last + 1)]


def curve_svg(section: Curve) -> str:
    """Return a curve as SVG; it is hidden from screen readers: the table beside it says the same."""
    known = [value for series in section.series.values() for value in series if value is not None]
    if not known or not section.points:
        return ""
    numeric = all(isinstance(point, int | float) for point in section.points)
    places = [float(point) for point in section.points] if numeric else list(range(len(section.points)))
    left, right = min(places), max(places)
    marks = ticks(*_widened(min(known), max(known)))

    def x(value: float) -> float:
        share = (value - left) / (right - left) if right > left else 0.5
        return _LEFT + share * (_WIDTH - _LEFT - _RIGHT)

    def y(value: float) -> float:
        return _TOP + (marks[-1] - value) / (marks[-1] - marks[0]) * (_HEIGHT - _TOP - _BOTTOM)

    parts = [f'<g class="grid">{"".join(_rule(y(mark), mark, section.kind, marks) for mark in marks)}</g>']
    parts.append(_across(section, x, places, numeric))
    for number, series in enumerate(section.series.values()):
        drawn = [
            (x(place), y(value)) if value is not None else None
            for place, value in zip(places, series, strict=True)
        ]
        parts.append(f'<g class="series series-{number % 8}">{_line(drawn)}</g>')
    middle = (_LEFT + _WIDTH - _RIGHT) / 2
    parts.append(
        f'<text class="axis" x="{middle}" y="{_HEIGHT - 6}" text-anchor="middle">{escape(section.x)}</text>'
    )
    return (
        f'<svg class="curve" viewBox="0 0 {_WIDTH} {_HEIGHT}" aria-hidden="true" focusable="false">'
        f"{''.join(parts)}</svg>"
    )


def _widened(low: float, high: float) -> tuple[float, float]:
    if high - low > 1e-9 * max(1.0, abs(low), abs(high)):  # less is rounding
        return low, high
    spread = abs(low) / 10 if abs(low) > 1e-9 else 1.0
    return low - spread, high + spread


def _rule(height: float, mark: float, kind: Format, marks: Sequence[float]) -> str:
    step = marks[1] - marks[0]
    if kind in ("share", "gain"):
        step *= 100.0
    digits = max(0, -math.floor(math.log10(step) + 1e-9))
    text = f"{mark:g}" if kind == "word" else number_text(mark, kind, digits)
    text += unit_of(kind).replace(" points", "")
    return (
        f'<line x1="{_LEFT}" x2="{_WIDTH - _RIGHT}" y1="{height:.1f}" y2="{height:.1f}"/>'
        f'<text x="{_LEFT - 8}" y="{height + 4:.1f}" text-anchor="end">{text}</text>'
    )


def _across(section: Curve, x: Callable[[float], float], places: Sequence[float], numeric: bool) -> str:
    base = _HEIGHT - _BOTTOM + 18
    if numeric:
        shown = [mark for mark in ticks(min(places), max(places), 8) if min(places) <= mark <= max(places)]
        if all(place == int(place) for place in places):
            shown = [mark for mark in shown if mark == int(mark)]
        labels = [(x(mark), f"{mark:g}") for mark in shown or places[:1]]
    else:
        every = math.ceil(len(places) / 8)
        labels = [
            (x(place), str(section.points[number]))
            for number, place in enumerate(places)
            if number % every == 0
        ]
    texts = "".join(
        f'<text x="{at:.1f}" y="{base}" text-anchor="middle">{escape(text)}</text>' for at, text in labels
    )
    return f'<g class="across">{texts}</g>'


def _line(drawn: Sequence[tuple[float, float] | None]) -> str:
    """A polyline for each stretch that is known, and a dot at each point."""
    runs: list[list[tuple[float, float]]] = [[]]
    for point in drawn:
        if point is None:
            runs.append([])
        else:
            runs[-1].append(point)
    lines = "".join(
        f'<polyline points="{" ".join(f"{a:.1f},{b:.1f}" for a, b in run)}"/>' for run in runs if len(run) > 1
    )
    dots = "".join(f'<circle cx="{a:.1f}" cy="{b:.1f}" r="3.5"/>' for run in runs for a, b in run)
    return lines + dots


# ---- two sides ---------------------------------------------------------------------------------------------


def sides_drawn(section: Sides) -> list[dict[str, str]]:
    """Return the figures that change most, each as a line with both sides on it, and what is said beside.

    Shares have one scale in common, so that rows can be compared; any other figure has one of its own.
    """
    keys = [column.key for column in section.columns]
    kinds: list[Format] = section.kinds or ["number"] * len(section.rows)
    found = []
    for row, kind in zip(section.rows, kinds, strict=True):
        cells = dict(zip(keys, row, strict=True))
        (one, other), change = (_ends(cells[key]) for key in ("before", "after")), _ends(cells["change"])
        if one is not None and other is not None and change is not None and abs(change[1]) > _ROUNDING:
            found.append((cells, kind, one, other, change))
    shares = max((max(*one, *other) for _, kind, one, other, _ in found if kind == "share"), default=1.0)

    def scale(kind: Format, one: _Ends, other: _Ends) -> tuple[float, float]:
        if kind == "share":
            return 0.0, min(ticks(0.0, shares)[-1], 1.0) or 1.0
        low, high = _widened(min(*one, *other), max(*one, *other))
        return low - (high - low) / 12, high + (high - low) / 12

    def moved(each: tuple[dict[str, Cell], Format, _Ends, _Ends, _Ends]) -> tuple[bool, float]:
        cells, kind, one, other, change = each
        low, high = scale(kind, one, other)
        return cells["certain"] == "yes", abs(change[1]) / (high - low)

    shown = sorted(found, key=moved, reverse=True)[:_MOST_SIDES]
    return [
        {
            "figure": str(cells["figure"]),
            "svg": _dumbbell(one, other, *scale(kind, one, other)),
            "from": number_text(one[1], kind),
            "to": number_text(other[1], kind),
            "change": number_text(change[1], "gain" if kind in ("share", "gain") else "signed"),
            "sure": _SAID.get(str(cells["certain"]), ""),
        }
        for cells, kind, one, other, change in found
        if any(cells is each for each, *_ in shown)
    ]


_Ends = tuple[float, float, float]


def _ends(value: Cell) -> _Ends | None:
    """Where a figure's interval begins, the figure, and where that ends; None without a figure."""
    if isinstance(value, Estimate):
        if value.mean is None:
            return None
        low, high = (value.mean if end is None else end for end in (value.low, value.high))
        return min(low, value.mean), value.mean, max(high, value.mean)
    return None if value is None or isinstance(value, str) else (float(value),) * 3


def _dumbbell(one: _Ends, other: _Ends, low: float, high: float) -> str:
    def x(value: float) -> float:
        return 8 + (_WIDTH / 2 - 16) * (min(max(value, low), high) - low) / (high - low)

    bars = "".join(
        f'<rect class="series-{side}" x="{x(begin):.1f}" y="{5 + 5 * side}" height="5" rx="2"'
        f' width="{x(end) - x(begin):.1f}"/>'
        for side, (begin, _, end) in enumerate((one, other))
        if end > begin
    )
    dots = "".join(
        f'<circle class="series-{side}" cx="{x(middle):.1f}" cy="10" r="4.5"/>'
        for side, (_, middle, _) in enumerate((one, other))
    )
    return (
        f'<svg class="ends" viewBox="0 0 {_WIDTH // 2} 20" aria-hidden="true" focusable="false">'
        f'<line x1="8" x2="{_WIDTH // 2 - 8}" y1="10" y2="10"/>{bars}{dots}</svg>'
    )
