"""Sweeps: the points of one or two ranges of rule values, their answers, and how to show them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path

import msgspec

from analysis.errors import RequestError
from analysis.front.grid import Axis, read_axis
from analysis.ragers.answers.answered import Answered
from analysis.ragers.answers.brackets import opening_brackets, value_bracket
from analysis.ragers.answers.ended import SolvedAnswer
from analysis.ragers.answers.report import ScenarioReport, scenario_report
from analysis.ragers.game import GAME
from analysis.ragers.scenarios import Scenario, scenarios
from engine.ragers.rules import TYPES


@dataclass(frozen=True)
class Point:
    """A scenario at one point of the sweep; `values` in the order of the axes."""

    values: tuple[str, ...]
    scenario: Scenario

    @property
    def title(self) -> str:
        """Name for people."""
        return f"{' '.join(self.values)} · {self.scenario.title}"


def read_axes(texts: Sequence[str]) -> list[Axis]:
    """Return the one or two axes of a sweep; RequestError if one is wrong, comes twice, or there are more."""
    if len(texts) > 2:
        raise RequestError("at most two values can be varied at once")
    axes = [read_axis(text) for text in texts]
    if len({axis.key for axis in axes}) < len(axes):
        raise RequestError(f"--vary {axes[0].key} was given twice")
    return axes


def all_points(
    axes: Sequence[Axis],
    files: Sequence[Path],
    overrides: Sequence[str],
    which: tuple[Sequence[str], Sequence[str]],
    preparation: str,
) -> list[Point]:
    """Return the scenarios at every combination of values.

    Parameters
    ----------
    which : patrons and cheers cards, by name; an empty one of the two means all.
    """
    points = []
    for values in product(*(axis.values for axis in axes)):
        changed = [f"{axis.key}={value}" for axis, value in zip(axes, values, strict=True)]
        rules = GAME.read(files, (*overrides, *changed))
        points += [Point(values, scenario) for scenario in scenarios(rules, *which, preparation)]
    return points


class AxisReport(msgspec.Struct, frozen=True):
    """An axis of the sweep."""

    key: str
    values: list[str]


class PointReport(msgspec.Struct, frozen=True, kw_only=True):
    """The answer at a point.

    Attributes
    ----------
    at : value of each axis by its key.
    value_bracket_gp : the value of the game lies in it.
    opening_bracket : per type the interval that holds its opening share in every equilibrium; None where
        unknown.
    """

    at: dict[str, str]
    rules_sha256: str
    value_bracket_gp: tuple[float, float]
    opening_bracket: dict[str, tuple[float, float]] | None
    scenario: ScenarioReport


class SweepAnswer(SolvedAnswer, frozen=True, kw_only=True):
    """Everything a sweep found; `metrics` are those to be drawn."""

    rules_name: str = ""
    metrics: tuple[str, ...] = ()
    axes: list[AxisReport]
    unsolved: list[dict[str, str]]
    points: list[PointReport]


def point_report(axes: Sequence[Axis], point: Point, answered: Answered, player: int) -> PointReport:
    """Return the answer at a point as `player` sees it."""
    day = point.scenario.day
    brackets = None
    if answered.strategy is not None:
        brackets = opening_brackets(answered.answer, answered.strategy, day, player)
    return PointReport(
        at={axis.key: value for axis, value in zip(axes, point.values, strict=True)},
        rules_sha256=point.scenario.rules.sha256,
        value_bracket_gp=value_bracket(answered.answer, day, player),
        opening_bracket=None if brackets is None else dict(zip(TYPES, brackets, strict=True)),
        scenario=scenario_report(answered, player),
    )


def sweep_report(
    axes: Sequence[Axis],
    points: Sequence[Point],
    answered: Sequence[Answered | None],
    player: int,
    rules_name: str = "",
) -> SweepAnswer:
    """Return what is known of all points.

    Parameters
    ----------
    answered : in the order of `points`, None where a point is not solved.
    rules_name : of the rules without what is varied; empty where those are no rules.
    """
    pairs = list(zip(points, answered, strict=True))
    return SweepAnswer(
        rules_name=rules_name,
        axes=[AxisReport(axis.key, list(axis.values)) for axis in axes],
        unsolved=[
            dict(zip([axis.key for axis in axes], point.values, strict=True))
            | {"patron": point.scenario.patron.id, "cheers": point.scenario.cheers.id}
            for point, found in pairs
            if found is None
        ],
        points=[point_report(axes, point, found, player) for point, found in pairs if found is not None],
    )


# ---- metrics -----------------------------------------------------------------------------------------------

_Metric = Callable[[ScenarioReport], float]


def metric(name: str) -> _Metric:
    """Return the number that `name` stands for: a share in %, or glory points.

    Raises
    ------
    ValueError
        For an unknown name.
    """
    if name in _METRICS:
        return _METRICS[name]
    kind, _, card = name.partition(".")
    if kind == "opening" and card in TYPES:
        return lambda each: 100 * each.opening_mix[card]
    if kind == "placed" and card in TYPES:
        column = TYPES.index(card)
        return lambda each: sum(step[column] for step in each.usage)
    raise ValueError(f"{name!r} is no metric; there are {', '.join(_METRICS)}, opening.TYPE and placed.TYPE")


_METRICS: dict[str, _Metric] = {
    "value": lambda each: each.value_gp,
    "mean_gp": lambda each: each.mean_gp[0],
    "win": lambda each: 100 * each.outcome.win,
    "draw": lambda each: 100 * each.outcome.draw,
    "decisive": lambda each: 100 * (each.outcome.win + each.outcome.loss),
    "two_losers": lambda each: 100 * each.outcome.two_losers,
    "nash_conv": lambda each: each.nash_conv_gp,
}


def metric_range(name: str) -> tuple[float, float]:
    """Return the least and the most that a metric, or all types of ``opening.each``, can be."""
    kind = name.partition(".")[0]
    if kind in ("win", "draw", "decisive", "two_losers", "opening"):
        return 0.0, 100.0
    if kind in ("mean_gp", "nash_conv", "placed"):
        return 0.0, float("inf")
    return float("-inf"), float("inf")
