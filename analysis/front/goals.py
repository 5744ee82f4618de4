"""What figures are to be, and which values of a grid make them so: ``--vary KEY=4:8 --goal won_1=45:55``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from analysis.errors import RequestError
from analysis.estimates import Estimate
from analysis.front.question import Amount

__all__ = ["Goal", "nearest", "read_goal", "within"]

_IN_PER_CENT = ("share", "gain")


class Goal(msgspec.Struct, frozen=True):
    """A figure by its key, and what it is to be at least and at most: shares in per cent."""

    key: str
    low: float | None
    high: float | None

    @property
    def text(self) -> str:
        """Return it as it is written."""
        low, high = ("" if end is None else f"{end:g}" for end in (self.low, self.high))
        return f"{self.key}={low}:{high}"


def read_goal(text: str) -> Goal:
    """Return the goal of ``KEY=LOW:HIGH``, where one end may be missing.

    Raises
    ------
    RequestError
        If it is no goal.
    """
    key, equals, tail = (part.strip() for part in text.partition("="))
    low, colon, high = (part.strip() for part in tail.partition(":"))
    try:
        ends = [float(end) if end else None for end in (low, high)]
    except ValueError:
        ends = [None, None]
    if not key or not equals or not colon or ends == [None, None]:
        raise RequestError(
            f"{text!r}: write KEY=LOW:HIGH, KEY=LOW: or KEY=:HIGH, such as won_1=45:55", "--goal"
        )
    if ends[0] is not None and ends[1] is not None and ends[0] > ends[1]:
        raise RequestError(f"{text!r}: nothing is at least {ends[0]:g} and at most {ends[1]:g}", "--goal")
    return Goal(key, *ends)


def within(amounts: Sequence[Amount], goals: Sequence[Goal]) -> bool | None:
    """Tell whether figures are what they are to be; None if luck or bounds leave that open.

    Raises
    ------
    RequestError
        If there is no figure of a goal's name.
    """
    known = {each.key: each for each in amounts}
    met: bool | None = True
    for goal in goals:
        if goal.key not in known:
            raise RequestError(f"{goal.key!r} is none of the figures: {', '.join(known)}", "--goal")
        one = _meets(known[goal.key], goal)
        if one is False:
            return False
        met = None if one is None else met
    return met


def _meets(amount: Amount, goal: Goal) -> bool | None:
    value = amount.value
    middle = value.mean if isinstance(value, Estimate) else value
    if middle is None:
        return None
    unit = 100.0 if amount.kind in _IN_PER_CENT else 1.0
    ends = (value.low, value.high) if isinstance(value, Estimate) else (value, value)
    least, most = (None if end is None else unit * end for end in ends)
    low, high = (-_HUGE if goal.low is None else goal.low), (_HUGE if goal.high is None else goal.high)
    if least is not None and most is not None:
        if low - _ROUNDING <= least and most <= high + _ROUNDING:
            return True
        if most < low - _ROUNDING or least > high + _ROUNDING:
            return False
    return None


_HUGE = float("inf")
_ROUNDING = 1e-9
"""Exact figures may be off by that, and still be at an end of a goal."""


def nearest(points: Sequence[tuple[Sequence[str], Any]], present: Sequence[str | None]) -> int | None:
    """Return which of the points that meet a goal changes least.

    Parameters
    ----------
    points : values of the axes, and whether the goals are met there, as `within` says.
    present : what the axes' values are without any change; None where nobody knows.

    Returns
    -------
    The place of a point that certainly meets them, else of one that may; None if none can.
    """
    for wanted in (True, None):
        fit = [place for place, (_, met) in enumerate(points) if met is wanted]
        if fit:
            return min(fit, key=lambda place: _steps(points, place, present))
    return None


def _steps(points: Sequence[tuple[Sequence[str], Any]], place: int, present: Sequence[str | None]) -> int:
    """Return how many steps of the axes lie between a point and what is there without any change."""
    taken = [list(dict.fromkeys(values[axis] for values, _ in points)) for axis in range(len(present))]
    return sum(
        abs(known.index(points[place][0][axis]) - known.index(now))
        for axis, (known, now) in enumerate(zip(taken, present, strict=True))
        if now in known
    )
