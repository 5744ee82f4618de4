"""Charts of a scenario.

Types have the colours of Okabe and Ito (black replaced by grey), told apart with any kind of colour
vision, and letters besides.
"""

from __future__ import annotations

from typing import Any

from analysis.amounts import percent
from analysis.ragers.hands import LETTERS
from analysis.ragers.wording.names import card as card_name
from analysis.ragers.workbench.health import ScenarioHealth
from cli.page.charts import INK, Chart, svg
from engine.ragers.rules import TYPES

COLOURS = {
    "basher": "#d55e00",
    "slasher": "#0072b2",
    "prodder": "#f0e442",
    "chancer": "#cc79a7",
    "cheater": "#e69f00",
    "deadeye": "#999999",
    "stopper": "#009e73",
    "veteran": "#56b4e9",
}
_LETTER = {name: letter for letter, name in LETTERS.items()}
#: Cards in a step under which a segment has no room for its letter.
_LEAST_LABEL = 0.045


def charts(health: ScenarioHealth) -> list[Chart]:
    """Return the charts of a scenario: openings, steps, and worth of cards where it is known."""
    made = [_openings(health), _steps(health)]
    if any(card.worth_gp is not None for card in health.cards.values()):
        made.append(_worth(health))
    return made


def _openings(health: ScenarioHealth) -> Chart:
    values = []
    for name, card in health.cards.items():
        low, high = card.opening_bracket or (card.opening, card.opening)
        values.append({"card": card_name(name), "share": card.opening, "low": low, "high": high})
    rows = {"field": "card", "type": "nominal", "sort": list(map(card_name, TYPES)), "title": None}
    shares = {"axis": {"format": "%", "tickCount": 5}, "scale": {"domain": [0, 1]}, "title": None}
    layers: list[dict[str, Any]] = [
        {
            "mark": {"type": "bar", "stroke": INK, "strokeWidth": 0.4},
            "encoding": {
                "x": {"field": "share", "type": "quantitative", **shares},
                "color": _colour(),
            },
        }
    ]
    known = any(card.opening_bracket is not None for card in health.cards.values())
    if known:
        interval = {"x": {"field": "low", "type": "quantitative"}, "x2": {"field": "high"}}
        layers.append({"mark": {"type": "rule", "stroke": INK, "strokeWidth": 2}, "encoding": interval})
        for end in ("low", "high"):
            mark = {"type": "tick", "color": INK, "thickness": 2, "size": 8}
            layers.append({"mark": mark, "encoding": {"x": {"field": end, "type": "quantitative"}}})
    spec = {"data": {"values": values}, "encoding": {"y": rows}, "layer": layers}
    caption = "Opening mix" + (" (line: the interval of every equilibrium)" if known else "")
    words = [f"{card_name(name)} {percent(card.opening)} %" for name, card in health.cards.items()]
    return Chart(caption, f"Opening mix: {', '.join(words)}.", svg(spec))


def _steps(health: ScenarioHealth) -> Chart:
    values = []
    words = []
    for step in range(max(len(card.placed) for card in health.cards.values())):
        placed = {name: card.placed[step] for name, card in health.cards.items()}
        words.append(
            f"step {step + 1}: " + ", ".join(f"{card_name(n)} {percent(p)}" for n, p in placed.items())
        )
        begin = 0.0
        for order, (name, amount) in enumerate(placed.items()):
            label = _LETTER[name] if amount >= _LEAST_LABEL else ""
            middle, begin = begin + amount / 2, begin + amount
            values.append(
                {"step": step + 1, "card": card_name(name), "cards": amount, "middle": middle}
                | {"letter": label, "order": order}
            )
    rows = {"field": "step", "type": "ordinal", "title": "step"}
    bars = {
        "mark": {"type": "bar", "stroke": INK, "strokeWidth": 0.4},
        "encoding": {
            "x": {"field": "cards", "type": "quantitative", "stack": "zero", "title": "cards placed"},
            "color": _colour(),
            "order": {"field": "order"},
        },
    }
    dark = {"condition": {"test": "datum.card == 'Slasher'", "value": "#ffffff"}, "value": "#000000"}
    letters = {
        "transform": [{"filter": "datum.letter != ''"}],
        "mark": {"type": "text", "fontSize": 10, "fontWeight": "bold"},
        "encoding": {
            "x": {"field": "middle", "type": "quantitative"},
            "text": {"field": "letter"},
            "color": dark,
        },
    }
    spec = {"data": {"values": values}, "encoding": {"y": rows}, "layer": [bars, letters]}
    return Chart("Cards placed, by step", f"Cards placed per 100 days. {'; '.join(words)}.", svg(spec))


def _worth(health: ScenarioHealth) -> Chart:
    values = [{"card": card_name(name), "gp": card.worth_gp} for name, card in health.cards.items()]
    rows = {"field": "card", "type": "nominal", "sort": list(map(card_name, TYPES)), "title": None}
    spec = {
        "data": {"values": [value for value in values if value["gp"] is not None]},
        "encoding": {"y": rows},
        "layer": [
            {
                "mark": {"type": "bar", "stroke": INK, "strokeWidth": 0.4},
                "encoding": {
                    "x": {"field": "gp", "type": "quantitative", "title": "GP"},
                    "color": _colour(),
                },
            },
            {
                "data": {"values": [{}]},
                "mark": {"type": "rule", "stroke": INK},
                "encoding": {
                    "x": {"datum": 0, "type": "quantitative"},
                    "y": {"value": 0},
                    "y2": {"value": "height"},
                },
            },
        ],
    }
    words = [
        f"{card_name(name)} {'unknown' if card.worth_gp is None else f'{card.worth_gp:+.2f} GP'}"
        for name, card in health.cards.items()
    ]
    caption = "One more in the hand, against the average card"
    return Chart(caption, f"Worth of one more card: {', '.join(words)}.", svg(spec))


def _colour() -> dict[str, Any]:
    scale = {"domain": list(map(card_name, COLOURS)), "range": list(COLOURS.values())}
    return {"field": "card", "type": "nominal", "scale": scale, "legend": None}
