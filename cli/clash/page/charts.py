"""Charts of the page: how losses spread, what icons and cards are worth, clans against clans."""

from __future__ import annotations

from collections.abc import Sequence

from analysis.clash.balance_reports import BalanceReport, WorthReport
from analysis.clash.reports import BattleReport
from cli.page.charts import INK, Chart, svg

_MOST_BARS = 20


def ends_chart(report: BattleReport) -> Chart:
    """How the battle ends: chances of what is left, the likeliest first."""
    rows = [
        {"end": f"{number}. {_end_text(each.attacker, each.defender)}", "chance": 100 * each.probability}
        for number, each in enumerate(report.ends[:12], 1)
    ]
    words = "; ".join(f"{row['end']}: {row['chance']:.1f} %" for row in rows)
    return _bars("How it ends: figures left, attacker against defender", words, rows, "end", "chance", "%")


def _end_text(attacker: Sequence[int], defender: Sequence[int]) -> str:
    return f"{' '.join(map(str, attacker))} : {' '.join(map(str, defender))}"


def worth_chart(report: BalanceReport, kind: str) -> Chart | None:
    """What one more of a kind adds to the attacker's chance, in points."""
    found: list[WorthReport] = [each for each in report.worth if each.kind == kind]
    if not found:
        return None
    found.sort(key=lambda each: -each.gain)
    rows = [{"name": each.name, "points": 100 * each.gain} for each in found[:_MOST_BARS]]
    words = "; ".join(f"{row['name']}: {row['points']:+.1f}" for row in rows)
    title = {"icon": "One icon more", "card": "One card more", "unit": "One figure more"}[kind]
    return _bars(f"{title}: points of chance for the attacker", words, rows, "name", "points", "points")


def clans_chart(report: BalanceReport) -> Chart:
    """Clans against clans: the attacker's chance, over all armies that count the same."""
    rows = [
        {
            "attacker": each.attacker,
            "defender": each.defender,
            "chance": None if each.mean is None else 100 * each.mean,
            "text": "-" if each.mean is None else f"{100 * each.mean:.0f}",
        }
        for each in report.cells
    ]
    words = "; ".join(f"{row['attacker']} attacks {row['defender']}: {row['text']} %" for row in rows)
    axes = {
        "x": {"field": "defender", "type": "nominal", "title": "defender"},
        "y": {"field": "attacker", "type": "nominal", "title": "attacker"},
    }
    colour = {
        "field": "chance",
        "type": "quantitative",
        "scale": {"scheme": "redblue", "domain": [0, 100]},
        "legend": None,
    }
    picture = svg(
        {
            "data": {"values": rows},
            "encoding": axes,
            "height": {"step": 34},
            "layer": [
                {"mark": {"type": "rect", "opacity": 0.65}, "encoding": {"color": colour}},
                {
                    "mark": {"type": "text", "fill": INK},
                    "encoding": {"text": {"field": "text", "type": "nominal"}},
                },
            ],
        }
    )
    return Chart("The attacker's chance in %, clan against clan", words, picture)


def _bars(
    caption: str, words: str, rows: Sequence[dict[str, object]], name: str, number: str, unit: str
) -> Chart:
    picture = svg(
        {
            "data": {"values": list(rows)},
            "mark": {"type": "bar", "color": "#5b8bd0"},
            "encoding": {
                "y": {"field": name, "type": "nominal", "sort": None, "title": None},
                "x": {"field": number, "type": "quantitative", "title": unit},
            },
        }
    )
    return Chart(caption, words, picture)
