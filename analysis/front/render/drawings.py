"""Curves as SVG without a chart library; inks come from the page's style sheet, so dark mode holds."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from html import escape

from analysis.front.page import Curve, Format
from analysis.front.render.numbers import number_text
from analysis.front.render.tables import unit_of

__all__ = ["curve_svg", "ticks"]

_WIDTH, _HEIGHT = 640, 300
_LEFT, _RIGHT, _TOP, _BOTTOM = 70, 16, 14, 46


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
