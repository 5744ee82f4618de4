"""Whole matches on the page: the answer of `ragers study` as tables and charts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from analysis.errors import RequestError
from analysis.estimates import Estimate
from analysis.front.page import Facts, Table
from analysis.front.render.tables import fact_lines, texts
from analysis.ragers.match.report import MatchFigures, MatchReport, read_report
from analysis.ragers.questions.study import all_figures
from analysis.ragers.wording.names import card as card_name
from cli import grid
from cli.page.charts import INK, Chart, svg
from cli.ragers.page.charts import COLOURS

_DAYS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7")


@dataclass(frozen=True)
class MatchSection:
    """What the page says about whole matches."""

    tables: Sequence[grid.Section]
    charts: Sequence[Chart]
    notes: Sequence[str]


def read_match(path: Path) -> MatchReport:
    """Return what `ragers study --format json` wrote; RequestError if it holds no matches."""
    report = read_report(path, "--match")
    if not report.figures:
        raise RequestError(f"{path} holds no matches of a player with itself", "--match")
    return report


def match_section(report: MatchReport) -> MatchSection:
    """Return a report as tables and charts, those of each set of rules."""
    charts, tables, notes = [], [], []
    for figures in report.figures:
        name = f" ({figures.rules.name})" if len(report.figures) > 1 else ""
        charts += [chart for chart in (_by_lead(figures, name), _given(figures, name)) if chart is not None]
        notes.append(f"{figures.player.name}: {figures.player.words}.")
        for each in all_figures(figures):
            if isinstance(each, Facts):
                tables.append(grid.Section(each.title, ("", ""), fact_lines(each)))
            elif isinstance(each, Table):
                tables.append(grid.Section(each.title, *texts(each)))
    return MatchSection(tables, charts, notes)


def _by_lead(figures: MatchFigures, name: str) -> Chart | None:
    """Return the chance of winning by lead, a line for each day."""
    values, words = [], []
    for day in figures.days[1:]:
        for each in day.win_by_lead:
            if each.win.mean is not None and each.win.observations >= _FEWEST:
                after = f"after day {day.day - 1}"
                values.append({"lead": each.lead, "day": after, **_ends(each.win)})
                words.append(f"{after}, {each.lead} ahead {100 * each.win.mean:.0f} %")
    if not values:
        return None
    lead = {"field": "lead", "type": "quantitative", "title": "GP ahead", "axis": {"tickMinStep": 1}}
    chance = {"axis": {"format": "%"}, "scale": {"domain": [0.4, 1]}, "title": None}
    days = sorted({str(each["day"]) for each in values})
    colour = {"field": "day", "type": "nominal", "scale": {"domain": days, "range": list(_DAYS[: len(days)])}}
    legend = {**colour, "legend": {"title": None, "orient": "top-left"}}
    spec = {
        "data": {"values": values},
        "encoding": {"x": lead},
        "layer": [
            {
                "mark": {"type": "rule", "strokeWidth": 1},
                "encoding": {
                    "y": {"field": "low", "type": "quantitative", **chance},
                    "y2": {"field": "high"},
                    "color": legend,
                },
            },
            {
                "mark": {"type": "line", "point": True},
                "encoding": {"y": {"field": "mean", "type": "quantitative", **chance}, "color": legend},
            },
        ],
    }
    caption = f"Chance of winning the match by lead{name}: {figures.player.name} against itself, 95 %"
    return Chart(caption, f"{caption}: {'; '.join(words)}.", svg(spec))


_FEWEST = 30
"""Matches that a point of a chart needs."""


def _given(figures: MatchFigures, name: str) -> Chart | None:
    """Return what a card given before the last day is worth, or a day before that."""
    for day in reversed(figures.days):
        known = [each for each in day.cards if each.given.mean is not None]
        if known:
            break
    else:
        return None
    values = [{"card": card_name(each.card), **_ends(each.given)} for each in known]
    rows = {"field": "card", "type": "nominal", "sort": [card_name(each) for each in COLOURS], "title": None}
    colour = {
        "field": "card",
        "type": "nominal",
        "legend": None,
        "scale": {"domain": [card_name(each) for each in COLOURS], "range": list(COLOURS.values())},
    }
    chance: dict[str, Any] = {"axis": {"format": "%"}, "title": None}
    spec = {
        "data": {"values": values},
        "encoding": {"y": rows},
        "layer": [
            {
                "mark": {"type": "bar", "stroke": INK, "strokeWidth": 0.4},
                "encoding": {"x": {"field": "mean", "type": "quantitative", **chance}, "color": colour},
            },
            {
                "mark": {"type": "rule", "stroke": INK, "strokeWidth": 2},
                "encoding": {"x": {"field": "low", "type": "quantitative"}, "x2": {"field": "high"}},
            },
        ],
    }
    words = [f"{card_name(each.card)} {100 * (each.given.mean or 0.0):+.1f} win-%" for each in known]
    caption = f"A card given before day {day.day}{name}: chance of winning, {figures.player.name}, 95 %"
    return Chart(caption, f"{caption}: {', '.join(words)}.", svg(spec))


def _ends(value: Estimate) -> dict[str, float | None]:
    return {"mean": value.mean, "low": value.low, "high": value.high}
