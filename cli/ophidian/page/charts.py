"""Charts of the page: duels as a heat-map, what things are worth, teams, how likely responses have to be."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from analysis.estimates import Estimate
from analysis.ophidian.decks import TeamsReport
from analysis.ophidian.reports import DuelsReport, ResponseReport
from analysis.ophidian.worth import WorthReport
from cli.ophidian.views.duels import cell
from cli.ophidian.views.worth import CHANGE_WORDS
from cli.page.charts import INK, Chart, svg

_BAR = "#5b8bd0"


def duels_chart(report: DuelsReport) -> Chart:
    """Every gladiator against every other one: a sign for each who begins, the colour of their mean."""
    rows = [
        {
            "row": duel.gladiator,
            "column": duel.against,
            "mean": sum(duel.low + duel.high) / 4,
            "text": cell(duel),
        }
        for duel in report.duels
    ]
    words = "; ".join(f"{row['row']}, {row['column']}: {row['text']}" for row in rows)
    axes = {
        name: {"field": field, "type": "nominal", "title": title, "sort": report.gladiators}
        for name, field, title in (("y", "row", None), ("x", "column", "against"))
    }
    colour = {
        "field": "mean",
        "type": "quantitative",
        "scale": {"scheme": "redblue", "domain": [-1, 1]},
        "legend": None,
    }
    picture = svg(
        {
            "data": {"values": rows},
            "encoding": axes,
            "width": {"step": 34},
            "height": {"step": 24},
            "layer": [
                {"mark": {"type": "rect", "opacity": 0.65}, "encoding": {"color": colour}},
                {
                    "mark": {"type": "text", "fill": INK, "fontSize": 12},
                    "encoding": {"text": {"field": "text", "type": "nominal"}},
                },
            ],
        }
    )
    caption = "A row against a column: + won, = drawn, - lost, ? a die decides; first who begins, then second"
    return Chart(caption, words, picture)


def changes_chart(report: WorthReport) -> Chart:
    """What acting, a cheer and a level are worth."""
    found = [(CHANGE_WORDS[each.change], each.points) for each in report.changes]
    return _estimates("What changes are worth, in points", found)


def gladiators_chart(report: WorthReport) -> Chart:
    """What fights with each gladiator are worth, the best first."""
    found = [(f"{each.name} ({each.cost})", each.points) for each in report.gladiators]
    found.sort(key=lambda each: -(each[1].mean or 0.0))
    return _estimates("Fights with a gladiator (and what it costs), in points", found)


def _estimates(caption: str, found: Sequence[tuple[str, Estimate]]) -> Chart:
    """Means as points, their intervals as lines."""
    rows = [
        {"name": name, "mean": each.mean, "low": each.low, "high": each.high}
        for name, each in found
        if each.mean is not None
    ]
    words = "; ".join(f"{row['name']}: {row['mean']:+.2f}" for row in rows)
    y = {"field": "name", "type": "nominal", "sort": None, "title": None}
    bounds = {
        "x": {"field": "low", "type": "quantitative", "title": "points, with 95 % intervals"},
        "x2": {"field": "high"},
    }
    layers: list[dict[str, Any]] = [
        {
            "mark": {"type": "rule", "color": INK, "opacity": 0.3},
            "encoding": {"x": {"datum": 0, "type": "quantitative"}},
        },
        {"mark": {"type": "rule", "color": _BAR, "strokeWidth": 2}, "encoding": {"y": y, **bounds}},
        {
            "mark": {"type": "point", "filled": True, "color": _BAR, "size": 60},
            "encoding": {"y": y, "x": {"field": "mean", "type": "quantitative"}},
        },
    ]
    return Chart(caption, words, svg({"data": {"values": rows}, "layer": layers}))


def teams_chart(report: TeamsReport) -> Chart | None:
    """How many of the teams each gladiator is in."""
    counts: dict[str, int] = {}
    for team in report.teams:
        for name in team.gladiators:
            counts[name] = counts.get(name, 0) + 1
    if len(report.teams) < 2:
        return None
    rows = [
        {"name": name, "teams": number} for name, number in sorted(counts.items(), key=lambda each: -each[1])
    ]
    words = "; ".join(f"{row['name']}: {row['teams']}" for row in rows)
    picture = svg(
        {
            "data": {"values": rows},
            "mark": {"type": "bar", "color": _BAR},
            "encoding": {
                "y": {"field": "name", "type": "nominal", "sort": None, "title": None},
                "x": {"field": "teams", "type": "quantitative", "title": "teams"},
            },
        }
    )
    return Chart(f"Of {len(report.teams)} teams, so many have the gladiator", words, picture)


def thresholds_chart(report: ResponseReport) -> Chart | None:
    """How likely each response is held, and how likely it would have to be for the attack to be wrong."""
    if not report.thresholds:
        return None
    rows = [
        {
            "card": each.card,
            "held": 100 * each.held,
            "wrong": None if each.wrong_from is None else 100 * each.wrong_from,
        }
        for each in report.thresholds
    ]
    words = "; ".join(
        f"{row['card']}: held {row['held']:.0f} %, wrong "
        + ("never" if row["wrong"] is None else f"from {row['wrong']:.0f} %")
        for row in rows
    )
    y = {"field": "card", "type": "nominal", "sort": None, "title": None}
    scale = {"domain": [0, 100]}
    layers = [
        {
            "mark": {"type": "bar", "color": _BAR},
            "encoding": {
                "y": y,
                "x": {"field": "held", "type": "quantitative", "title": "%", "scale": scale},
            },
        },
        {
            "mark": {"type": "tick", "color": "#c23b3b", "thickness": 4},
            "encoding": {"y": y, "x": {"field": "wrong", "type": "quantitative", "scale": scale}},
        },
    ]
    caption = "How likely a response is held (bar), and from when on the attack is wrong, it alone (red)"
    return Chart(caption, words, svg({"data": {"values": rows}, "layer": layers}))
