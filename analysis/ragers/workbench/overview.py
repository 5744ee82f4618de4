"""The heat-map of patrons and cheers cards: one number a scenario, of several to choose from."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from analysis.amounts import bound, percent
from analysis.ragers.naive import NAIVE
from analysis.ragers.workbench.health import ScenarioHealth
from engine.ragers.rules import TYPES

if TYPE_CHECKING:
    from analysis.ragers.workbench.variants import Key

#: Level from which the ink on a cell changes, in a dark and in a light page: with the colours of page.css
#: hardly any other choice keeps the contrast of text above 4.5 at every level (WCAG 2.2, 1.4.3).
INKS = {"dark": 0.498, "light": 0.756}


@dataclass(frozen=True)
class Metric:
    """A number of a scenario.

    Attributes
    ----------
    id, label, group
        For the choice.
    of
        The number; None where it is unknown.
    show
        The number as text, with its mark if it has one.
    """

    id: str
    label: str
    group: str
    of: Callable[[ScenarioHealth], float | None]
    show: Callable[[ScenarioHealth], str]

    @property
    def is_share(self) -> bool:
        """Whether it is a share of days."""
        return self.label.endswith("%")


def metrics() -> list[Metric]:
    """Return the choices, in order; the first is shown at first."""
    return [
        *(_opening(name) for name in TYPES),
        _share("draw", "days drawn", lambda each: each.outcome.draw),
        _share("decisive", "decisive days", lambda each: each.outcome.win + each.outcome.loss),
        _share("two_losers", "days lost by both", lambda each: each.outcome.two_losers),
        Metric(
            "mean_gp",
            "mean GP of a day",
            "Day",
            lambda each: each.mean_gp[0],
            lambda each: f"{each.mean_gp[0]:.2f}",
        ),
        *(_loss(name) for name in NAIVE),
        Metric(
            "nash_conv",
            "NashConv in GP: how exact the answer is",
            "Certificate",
            lambda each: each.nash_conv_gp,
            lambda each: bound(each.nash_conv_gp),
        ),
    ]


_MARKS = {"dead": " †", "never opens": " -", "late card": " ›", "forbidden": " ×", "must": " !", "": ""}


def _opening(name: str) -> Metric:
    return Metric(
        f"opening.{name}",
        f"{name} opens, %",
        "Opening share",
        lambda each: each.cards[name].opening,
        lambda each: percent(each.cards[name].opening) + _MARKS[each.cards[name].verdict],
    )


def _loss(name: str) -> Metric:
    def of(each: ScenarioHealth) -> float | None:
        return None if each.sampled is None else each.sampled.loss_gp[name]

    def show(each: ScenarioHealth) -> str:
        loss = of(each)
        return "–" if loss is None else f"{loss:.2f}"

    return Metric(f"loss.{name}", f"GP lost in a day by {name} play", "Skill", of, show)


def _share(name: str, label: str, of: Callable[[ScenarioHealth], float]) -> Metric:
    return Metric(name, f"{label}, %", "Day", of, lambda each: percent(of(each)))


@dataclass(frozen=True)
class Cell:
    """A number as shown: its text, and its place between none (0) and the highest of the page (1)."""

    text: str
    level: float


@dataclass(frozen=True)
class HeatMap:
    """A metric over scenarios.

    Attributes
    ----------
    metric
        The metric.
    low, high
        What the two ends of the scale stand for, as text.
    cells
        By rules (``base``, ``variant``), and by scenario.
    """

    metric: Metric
    low: str
    high: str
    cells: Mapping[str, Mapping[Key, Cell]]


def heat_maps(health: Mapping[str, Mapping[Key, ScenarioHealth]]) -> list[HeatMap]:
    """Return a heat-map for each metric, on one scale for all rules; `health` by rules, and by scenario."""
    maps = []
    for metric in metrics():
        numbers = {
            word: {
                key: metric.of(each) if each.answers or metric.id == "nash_conv" else None
                for key, each in solved.items()
            }
            for word, solved in health.items()
        }
        every = [number for solved in numbers.values() for number in solved.values() if number is not None]
        if not every:
            continue
        low = min([0.0, *every]) if metric.id != "mean_gp" else min(every)
        high = max(every)
        scale = 1 / (high - low) if high > low else 0.0
        ends = [f"{percent(end)} %" if metric.is_share else f"{end:.2f} GP" for end in (low, high)]
        cells = {
            word: {
                key: Cell(
                    "–" if number is None else metric.show(health[word][key]),
                    0.0 if number is None else (number - low) * scale,
                )
                for key, number in solved.items()
            }
            for word, solved in numbers.items()
        }
        maps.append(HeatMap(metric, ends[0], ends[1], cells))
    return maps


def script_data(maps: Sequence[HeatMap]) -> str:
    """Return all heat-maps as JSON for the page's script: texts and levels by id of cell."""
    data = {
        each.metric.id: {
            "label": each.metric.label,
            "low": each.low,
            "high": each.high,
            "cells": {
                cell_id(word, key): [cell.text, round(cell.level, 3)]
                for word, solved in each.cells.items()
                for key, cell in solved.items()
            },
        }
        for each in maps
    }
    return json.dumps(data, ensure_ascii=True, separators=(",", ":")).replace("<", "\\u003c")


def cell_id(word: str, key: Key) -> str:
    """Return the id of a scenario's cell."""
    return f"{day_id(key)}-cell-{word}"


def day_id(key: Key) -> str:
    """Return the id of a scenario's section."""
    return f"day-{'--'.join(key)}"


@dataclass(frozen=True)
class Verdict:
    """Where a type is what `verdict` says: scenarios, and whether every equilibrium says so."""

    card: str
    verdict: str
    where: list[tuple[ScenarioHealth, bool]]


def verdicts(scenarios: Iterable[ScenarioHealth]) -> list[Verdict]:
    """Return the types that are dead, a must and so on somewhere; scenarios without an answer say nothing."""
    solved = [each for each in scenarios if each.answers]
    found = []
    for name in TYPES:
        for verdict in ("must", "dead", "never opens", "late card", "forbidden"):
            where = [
                (each, each.cards[name].certain) for each in solved if each.cards[name].verdict == verdict
            ]
            if where:
                found.append(Verdict(name, verdict, where))
    return found
