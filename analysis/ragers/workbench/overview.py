"""The figures that a heat-map of patrons and cheers cards may show, one a scenario."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from analysis.ragers.naive import NAIVE
from analysis.ragers.workbench.health import ScenarioHealth
from engine.ragers.rules import TYPES


@dataclass(frozen=True)
class Metric:
    """A figure of a scenario: its name, what it is called, and how to read it; None where it is unknown."""

    id: str
    label: str
    of: Callable[[ScenarioHealth], float | None]

    @property
    def is_share(self) -> bool:
        """Whether it is a share of days."""
        return self.label.endswith("%")


def metrics() -> list[Metric]:
    """Return the choices, in order."""
    return [
        *(_opening(name) for name in TYPES),
        Metric("draw", "days drawn, %", lambda each: each.outcome.draw),
        Metric("decisive", "decisive days, %", lambda each: each.outcome.win + each.outcome.loss),
        Metric("two_losers", "days lost by both, %", lambda each: each.outcome.two_losers),
        Metric("mean_gp", "mean GP of a day", lambda each: each.mean_gp[0]),
        *(_loss(name) for name in NAIVE),
        Metric("nash_conv", "NashConv in GP: how exact the answer is", lambda each: each.nash_conv_gp),
    ]


def _opening(name: str) -> Metric:
    return Metric(f"opening.{name}", f"{name} opens, %", lambda each: each.cards[name].opening)


def _loss(name: str) -> Metric:
    def of(each: ScenarioHealth) -> float | None:
        return None if each.sampled is None else each.sampled.loss_gp[name]

    return Metric(f"loss.{name}", f"GP lost in a day by {name} play", of)
