"""Rule values for a goal: what was tried, what is proposed, how far from the present rules, how robust."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean
from typing import TYPE_CHECKING

import msgspec

from analysis.ragers.answers.ended import SolvedAnswer
from analysis.ragers.workbench.sweeping import PointReport
from engine.ragers.rules import PLAYERS, TYPES, Rules

if TYPE_CHECKING:
    from analysis.ragers.workbench.goals import Goal
    from analysis.ragers.workbench.searching import Place

#: Missed by less than this is met: shares are given in per cent, and nobody sees a millionth of one.
MET = 1e-6


def present_value(rules: Rules, key: str) -> int:
    """Return a whole number of the rules by its dotted key.

    Raises
    ------
    ValueError
        If there is no such number.
    """
    tables = rules.tables()
    table, _, name = key.rpartition(".")
    value = tables.get(table, {}).get(name)
    if value is None and name in PLAYERS:
        table, _, name = table.rpartition(".")
        both = tables.get(table, {}).get(name)
        value = both.get(key.rpartition(".")[2]) if isinstance(both, dict) else both
    if isinstance(value, bool) or not isinstance(value, int):
        raise ValueError(f"{key} is {value!r} at present; only whole numbers can be tuned")
    return value


def whole_values(key: str, texts: Sequence[str]) -> tuple[int, ...]:
    """Return the values of an axis as whole numbers, ascending.

    Raises
    ------
    ValueError
        If one is none.
    """
    try:
        return tuple(sorted({int(text) for text in texts}))
    except ValueError:
        raise ValueError(f"{key}={','.join(texts)}: only whole numbers can be tuned") from None


class GoalReport(msgspec.Struct, frozen=True, kw_only=True):
    """How far a goal is missed; in every equilibrium it is missed by something in the bracket."""

    goal: str
    missed: float
    missed_bracket: tuple[float, float] | None


class VariantReport(msgspec.Struct, frozen=True, kw_only=True):
    """What one choice of values does.

    Attributes
    ----------
    at : value by key.
    distance : sum of the differences from the present values.
    missed, missed_bracket : sum over the goals: for the plans found, and what it lies between in every
        equilibrium (None where no interval is known).
    met, certain : whether the plans found meet all goals, and whether every equilibrium does.
    opening : share of openings by type, mean over the scenarios.
    nash_conv_gp : the largest of its solves.
    """

    at: dict[str, int]
    distance: int
    missed: float
    missed_bracket: tuple[float, float] | None
    met: bool
    certain: bool
    goals: list[GoalReport]
    opening: dict[str, float]
    nash_conv_gp: float
    rules_sha256: str


class AxisReport(msgspec.Struct, frozen=True):
    """A rule value that may be changed: its key, the values it may take, ascending, and the present one."""

    key: str
    values: tuple[int, ...]
    present: int


class ScenarioName(msgspec.Struct, frozen=True):
    """A scenario that counts."""

    patron: str
    cheers: str
    preparation: str


class TuneAnswer(SolvedAnswer, frozen=True, kw_only=True):
    """What a search has found.

    Attributes
    ----------
    over : ``each`` scenario is to meet the goals, or their ``mean``.
    method : how it was searched, in words.
    num_possible, num_tried : combinations of the values; those tried.
    present : the present rules; None if they were not solved.
    proposal : what misses least, of those the nearest to the present rules.
    toml : the proposal's values as a rules file, to be laid over the present rules; None where there is no
        proposal, or no change does better.
    effect : whether the proposal misses less than the present rules in whatever equilibria are played.
    frontier : from the present rules outwards: what misses less than all that is as near.
    neighbours : the proposal with one value one step off, as far as they were tried.
    variants : all that was tried, in this order.
    unsolved : what could not be solved, or is no valid set of rules.
    """

    player: str
    goals: list[str]
    over: str
    axes: list[AxisReport]
    scenarios: list[ScenarioName]
    method: str
    budget: int
    num_possible: int
    num_tried: int
    present: VariantReport | None
    proposal: VariantReport | None
    toml: str | None
    effect: bool
    frontier: list[VariantReport]
    neighbours: list[VariantReport]
    variants: list[VariantReport]
    unsolved: list[dict[str, int]]


def as_toml(axes: Sequence[AxisReport], variant: VariantReport) -> str | None:
    """Return the values of a variant that are not the present ones as a rules file; None if all are."""
    changed = [axis for axis in axes if variant.at[axis.key] != axis.present]
    lines = [f"{axis.key} = {variant.at[axis.key]}  # was {axis.present}" for axis in changed]
    return "".join(f"{line}\n" for line in lines) or None


def distance(axes: Sequence[AxisReport], values: Sequence[int]) -> int:
    """Return the sum of the differences from the present values."""
    return sum(abs(value - axis.present) for axis, value in zip(axes, values, strict=True))


def values_at(axes: Sequence[AxisReport], place: Place) -> tuple[int, ...]:
    """Return the values at a place."""
    return tuple(axis.values[at] for axis, at in zip(axes, place, strict=True))


def nearest(axes: Sequence[AxisReport]) -> Place:
    """Return the place nearest to the present rules."""
    away = [[abs(value - axis.present) for value in axis.values] for axis in axes]
    return tuple(each.index(min(each)) for each in away)


def variant_report(
    axes: Sequence[AxisReport],
    values: Sequence[int],
    goals: Sequence[Goal],
    over: str,
    points: Sequence[PointReport],
    allowed: Sequence[Sequence[str]],
) -> VariantReport:
    """Return what one choice of values does, from its answer to each scenario, and the types that count."""
    from analysis.ragers.workbench.goals import missed, total

    parts = [missed(goal, points, allowed, over) for goal in goals]
    whole = total(parts)
    return VariantReport(
        at={axis.key: value for axis, value in zip(axes, values, strict=True)},
        distance=distance(axes, values),
        missed=whole.amount,
        missed_bracket=whole.span,
        met=whole.amount <= MET,
        certain=whole.span is not None and whole.span[1] <= MET,
        goals=[
            GoalReport(goal=goal.text, missed=part.amount, missed_bracket=part.span)
            for goal, part in zip(goals, parts, strict=True)
        ],
        opening={name: fmean(point.scenario.opening_mix[name] for point in points) for name in TYPES},
        nash_conv_gp=max(point.scenario.nash_conv_gp for point in points),
        rules_sha256=points[0].rules_sha256,
    )


def frontier(variants: Sequence[VariantReport]) -> list[VariantReport]:
    """Return the variants that miss less than all that are as near to the present rules, nearest first."""
    front: list[VariantReport] = []
    for each in sorted(variants, key=lambda each: (each.distance, each.missed)):
        if not front or each.missed < front[-1].missed - MET:
            front.append(each)
    return front


def is_effect(present: VariantReport | None, proposal: VariantReport | None) -> bool:
    """Return whether one misses less than the other in whatever equilibria are played."""
    if present is None or proposal is None:
        return False
    one, other = present.missed_bracket, proposal.missed_bracket
    return one is not None and other is not None and other[1] < one[0]
