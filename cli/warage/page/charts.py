"""Charts of the page: heat-maps of heroes, prices by the rounds left, what cards are worth."""

from __future__ import annotations

from collections.abc import Sequence

from analysis.warage.deck_reports import ValueReport
from analysis.warage.reports import BalanceReport, WorthReport
from cli.page.charts import INK, Chart, svg

_SCALE = {"scheme": "redblue", "domain": [0, 100]}


def _heat_map(caption: str, axes: tuple[str, str], cells: Sequence[tuple[str, str, float]]) -> Chart:
    """Shares in per cent: a row against a column."""
    rows = [
        {"row": row, "column": column, "share": 100 * share, "text": f"{100 * share:.0f}"}
        for row, column, share in cells
    ]
    words = "; ".join(f"{row['row']}, {row['column']}: {row['text']} %" for row in rows)
    encoding = {
        name: {"field": key, "type": "nominal", "title": title, "sort": None}
        for name, key, title in (("y", "row", axes[0]), ("x", "column", axes[1]))
    }
    colour = {"field": "share", "type": "quantitative", "scale": _SCALE, "legend": None}
    picture = svg(
        {
            "data": {"values": rows},
            "encoding": encoding,
            "width": {"step": 34},
            "height": {"step": 24},
            "layer": [
                {"mark": {"type": "rect", "opacity": 0.65}, "encoding": {"color": colour}},
                {
                    "mark": {"type": "text", "fill": INK, "fontSize": 10},
                    "encoding": {"text": {"field": "text", "type": "nominal"}},
                },
            ],
        }
    )
    return Chart(caption, words, picture)


def against_chart(report: BalanceReport) -> Chart:
    """Everybody against everybody else."""
    shares = {(cell.deck, cell.against): cell.win for cell in report.cells}
    shares |= {(other, one): 1 - share for (one, other), share in shares.items() if one != other}
    cells = [
        (one, other, shares[one, other])
        for one in report.decks
        for other in report.decks
        if (one, other) in shares and one != other
    ]
    return _heat_map("A row beats a column, in %", ("", "against"), cells)


def season_chart(report: BalanceReport) -> Chart | None:
    """Everybody's mean share by the season at the beginning."""
    cells = [
        (deck, season, share)
        for deck, seasons in report.by_season.items()
        for season, share in seasons.items()
    ]
    if not cells:
        return None
    return _heat_map("Mean share in %, by the season at the beginning", ("", "season"), cells)


def worth_chart(report: WorthReport) -> Chart:
    """What points and cards are worth in HP, by the rounds left."""
    rows = [
        {"name": row.name, "rounds": point.rounds_left, "hp": point.hp}
        for row in report.rows[1:]
        for point in row.points
        if point.hp is not None
    ]
    ends = [
        f"{row.name}: {row.points[0].hp:.1f} HP with {row.points[0].rounds_left} rounds left"
        for row in report.rows[1:]
        if row.points and row.points[0].hp is not None
    ]
    picture = svg(
        {
            "data": {"values": rows},
            "mark": {"type": "line"},
            "height": 220,
            "encoding": {
                "x": {"field": "rounds", "type": "quantitative", "title": "rounds left"},
                "y": {"field": "hp", "type": "quantitative", "title": "HP"},
                "color": {"field": "name", "type": "nominal", "title": None},
            },
        }
    )
    return Chart("What a point, and a card, is worth in HP", "; ".join(ends), picture)


def cards_chart(report: ValueReport) -> Chart:
    """What one copy of each card adds to a deck."""
    rows = [{"card": row.card, "points": 100 * row.worth} for row in report.rows]
    words = "; ".join(f"{row['card']}: {row['points']:+.1f}" for row in rows)
    picture = svg(
        {
            "data": {"values": rows},
            "mark": {"type": "bar"},
            "encoding": {
                "y": {"field": "card", "type": "nominal", "title": None, "sort": None},
                "x": {"field": "points", "type": "quantitative", "title": "points"},
            },
        }
    )
    return Chart(f"One copy in {report.deck}: points of its share", words, picture)
