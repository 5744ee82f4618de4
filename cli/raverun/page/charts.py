"""Charts of estimates: a point, and a line as long as its confidence interval; and what effort changes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from analysis.estimates import Estimate, percent, signed
from analysis.raverun.approximate_answers import BoundReport
from cli.page.charts import INK, Chart, svg

_LABEL_LIMIT = 480
#: Room left of the names, per letter: a reader's font may be wider than the one the chart is laid out with.
_SPARE_PX = 1.2


def interval_chart(
    caption: str, unit: str, lines: Sequence[tuple[str, Estimate]], *, share: bool = False
) -> Chart:
    """Return the chart of some estimates; those unknown are left out.

    Parameters
    ----------
    caption, unit
        Above it, and on its axis.
    lines
        Names and estimates, from the top.
    share
        Whether these are shares, to be shown in per cent, or payoffs, with a line at zero.
    """
    values = []
    for place, (name, value) in enumerate(lines):
        if value.mean is not None:
            low, high = (
                (value.mean, value.mean)
                if value.low is None or value.high is None
                else (value.low, value.high)
            )
            row = {"place": place, "name": name, "mean": value.mean, "low": low, "high": high}
            values.append(row)
    # Two lines may have one name, so places are told apart, and names only shown.
    names = " : ".join(f"datum.value == {row['place']} ? {_quoted(str(row['name']))}" for row in values)
    axis = {
        "labelExpr": f"{names} : ''" if names else "''",
        "labelLimit": _LABEL_LIMIT,
        "maxExtent": _LABEL_LIMIT,
    }
    rows = {"field": "place", "type": "nominal", "sort": None, "title": None, "axis": axis}
    amount: dict[str, Any] = {"type": "quantitative", "title": unit, "scale": {"zero": not share}}
    if share:
        amount["axis"] = {"format": "%", "tickCount": 5}
    layers: list[dict[str, Any]] = [
        {
            "mark": {"type": "rule", "stroke": INK, "strokeWidth": 2},
            "encoding": {"x": {"field": "low", **amount}, "x2": {"field": "high"}},
        },
        {
            "mark": {"type": "point", "filled": True, "color": INK, "size": 45, "opacity": 1},
            "encoding": {"x": {"field": "mean", **amount}},
        },
    ]
    if not share:
        zero = {
            "x": {"datum": 0, "type": "quantitative"},
            "y": {"value": 0},
            "y2": {"value": "height"},
        }
        mark = {"type": "rule", "stroke": INK, "strokeDash": [3, 3]}
        layers.append({"data": {"values": [{}]}, "mark": mark, "encoding": zero})
    show = percent if share else signed
    words = ", ".join(f"{name} {'unknown' if value.mean is None else show(value)}" for name, value in lines)
    longest = max((len(str(row["name"])) for row in values), default=0)
    padding = {"left": 5 + _SPARE_PX * longest, "right": 5, "top": 5, "bottom": 5}
    spec = {"data": {"values": values}, "encoding": {"y": rows}, "layer": layers, "padding": padding}
    return Chart(caption, f"{unit}: {words}.", svg(spec))


def effort_chart(caption: str, bounds: Sequence[BoundReport]) -> Chart:
    """Return the chart of what searches win in both seats together (NashConv), by the iterations of each.

    The line is the estimate, the dashed one what NashConv is at least.
    """
    values = [
        {"iterations": each.iterations, "won": each.nash_conv, "least": each.lower_bound} for each in bounds
    ]
    efforts = [each.iterations for each in bounds]
    effort = {
        "field": "iterations",
        "type": "quantitative",
        "title": "iterations of each search",
        "scale": {"type": "log", "domain": [min(efforts), max(efforts)], "nice": False},
        "axis": {"values": efforts, "format": "d", "labelOverlap": True},
    }
    layers = []
    for field, dash in (("won", [1, 0]), ("least", [3, 3])):
        amount = {"field": field, "type": "quantitative", "title": "NashConv, of 2", "scale": {"zero": True}}
        places = {"x": effort, "y": amount}
        line = {"type": "line", "stroke": INK, "strokeWidth": 2, "strokeDash": dash}
        point = {"type": "point", "filled": True, "color": INK, "size": 45, "opacity": 1}
        layers += [{"mark": line, "encoding": places}, {"mark": point, "encoding": places}]
    words = ", ".join(
        f"{each.iterations} iterations {each.nash_conv:.2f}, at least {each.lower_bound:.2f}"
        for each in bounds
    )
    return Chart(
        caption, f"NashConv: {words}.", svg({"data": {"values": values}, "layer": layers, "height": 150})
    )


def _quoted(text: str) -> str:
    """Return `text` as a string of Vega's expressions."""
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"
