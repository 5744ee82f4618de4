"""What figures are to be: ``--goal won_1=45:55``, and by how much they miss it.

Shares are in per cent. What is missed has an interval where the figures have one, by luck or by a proved
bound: a goal that is met all over it is met for certain, one that is missed all over it is not met.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import msgspec

from analysis.errors import RequestError
from analysis.estimates import Estimate
from analysis.front.question import Amount

__all__ = ["Goal", "Missed", "meant", "missed", "read_goal"]

WITHIN = 5.0
"""How far figures that are to be even may lie apart if nothing is said."""
EACH = "each"
_HUGE = float("inf")
_ROUNDING = 1e-6
"""Missed by less is met: nobody sees a millionth of one per cent."""


class Goal(msgspec.Struct, frozen=True):
    """Figures by their keys, and what they are to be.

    Attributes
    ----------
    key : of one figure, or of several with = between them; a key may leave out what stands before its last
        slash, and ``.each`` at its end stands for all that begin so.
    low, high : what each of them is to be at least and at most.
    even : how far several may lie apart; None where they are to lie within `low` and `high`.
    """

    key: str
    low: float | None
    high: float | None
    even: float | None = None

    @property
    def text(self) -> str:
        """Return it as it is written."""
        if self.even is not None:
            return f"{self.key} within {self.even:g}"
        low, high = ("" if end is None else f"{end:g}" for end in (self.low, self.high))
        return f"{self.key}={low}:{high}"


@dataclass(frozen=True)
class Missed:
    """By how much goals are missed, and what that lies between; None where nothing tells."""

    amount: float
    span: tuple[float, float] | None

    @property
    def meets(self) -> bool | None:
        """Whether nothing is missed; None if luck or bounds leave that open."""
        if self.span is None:
            return None if self.amount <= _ROUNDING else False
        return True if self.span[1] <= _ROUNDING else None if self.span[0] <= _ROUNDING else False


def read_goal(text: str) -> Goal:
    """Return the goal of ``KEY=LOW:HIGH``, where one end may be missing, or ``KEY=KEY within 3``.

    Raises
    ------
    RequestError
        If it is no goal.
    """
    wrong = f"{text!r}: write KEY=LOW:HIGH, KEY=LOW: or KEY=:HIGH, such as won_1=45:55, or KEY=KEY within 5"
    body, _, distance = text.partition(" within ")
    *keys, tail = (part.strip() for part in body.split("="))
    try:
        if ":" not in tail:
            even = float(distance) if distance else WITHIN
            several = list(dict.fromkeys([*keys, tail]))
            if len(several) < 2 or not all(several) or tail[:1].isdigit() or not 0 <= even < _HUGE:
                raise ValueError
            return Goal("=".join(several), None, None, even)
        low, high = (float(end) if end.strip() else None for end in tail.split(":"))
    except ValueError:
        raise RequestError(wrong, "--goal") from None
    if len(keys) != 1 or not keys[0] or distance or (low is None and high is None):
        raise RequestError(wrong, "--goal")
    if any(end is not None and not abs(end) < _HUGE for end in (low, high)):
        raise RequestError(wrong, "--goal")
    if low is not None and high is not None and low > high:
        raise RequestError(f"{text!r}: nothing is at least {low:g} and at most {high:g}", "--goal")
    return Goal(keys[0], low, high)


def meant(goals: Sequence[Goal], amounts: Sequence[Amount]) -> list[list[list[str]]]:
    """Return for each goal the keys of the figures that it is about; for figures to be even, group by group.

    Raises
    ------
    RequestError
        If there is none, or it cannot be what the goal says.
    """
    found = []
    for goal in goals:
        groups: dict[str, list[str]] = {}
        for key in goal.key.split("="):
            mine = [each for each in amounts if _is(key, each)]
            if not mine:
                known = ", ".join(each.key for each in amounts)
                raise RequestError(f"{key!r} is none of the figures: {known}", "--goal")
            for each in mine:
                group = each.key if goal.even is None else each.key.rpartition("/")[0]
                groups.setdefault(group, []).append(each.key)
                if each.kind == "share" and ((goal.low or 0) > 100 or (goal.high or 0) < 0):
                    raise RequestError(f"{goal.text!r} cannot be met: shares are 0 to 100 (in %)", "--goal")
        found.append(list(groups.values()))
    return found


def _is(key: str, amount: Amount) -> bool:
    short = amount.key.rpartition("/")[2]
    if key.endswith(f".{EACH}"):
        begin, value = key.removesuffix(EACH), amount.value
        # What can be nothing but nothing is left out: a card that a patron lets nobody play.
        nothing = isinstance(value, Estimate) and value.low == value.high == 0
        return not nothing and (amount.key.startswith(begin) or short.startswith(begin))
    return key in (amount.key, short)


def missed(
    goals: Sequence[Goal], keys: Sequence[Sequence[Sequence[str]]], amounts: Sequence[Amount], *, exact: bool
) -> Missed | None:
    """Return by how much figures miss goals in all; None if one of them is not known.

    Parameters
    ----------
    keys : which figures goals are about, by `meant`.
    exact : whether numbers without an interval are exact; where not, nothing tells how far they may be off.
    """
    known = {each.key: each for each in amounts}
    total, spans = 0.0, []
    for goal, groups in zip(goals, keys, strict=True):
        for group in groups:
            values = [_value(known, key) for key in group]
            if any(value is None for value in values):
                return None
            found = [value for value in values if value is not None]
            total += _missed(goal, [(middle, middle) for middle, _ in found])[0]
            ends = [(middle, middle) if span is None and exact else span for middle, span in found]
            spans.append(None if None in ends else _missed(goal, [span for span in ends if span is not None]))
    if None in spans:
        return Missed(total, None)
    both = [span for span in spans if span is not None]
    return Missed(total, (sum(low for low, _ in both), sum(high for _, high in both)))


_Span = tuple[float, float]


def _value(known: Mapping[str, Amount], key: str) -> tuple[float, _Span | None] | None:
    """A figure in the units of goals, and its interval."""
    if key not in known:
        return None
    value = known[key].value
    unit = 100.0 if known[key].kind in ("share", "gain") else 1.0
    if not isinstance(value, Estimate):
        return None if value is None else (unit * value, None)
    if value.low is None or value.high is None:
        return None if value.mean is None else (unit * value.mean, None)
    middle = (value.low + value.high) / 2 if value.mean is None else value.mean
    return unit * middle, (unit * value.low, unit * value.high)


def _missed(goal: Goal, spans: Sequence[_Span]) -> _Span:
    """The least and the most by which figures that lie in these intervals may miss a goal."""
    lows, highs = [low for low, _ in spans], [high for _, high in spans]
    if goal.even is not None:
        pairs = [(at, other) for at in range(len(lows)) for other in range(len(lows)) if at != other]
        farthest = max((highs[at] - lows[other] for at, other in pairs), default=0.0)
        return max(0.0, max(lows) - min(highs) - goal.even), max(0.0, farthest - goal.even)
    low, high = (-_HUGE if goal.low is None else goal.low), (_HUGE if goal.high is None else goal.high)
    least = sum(max(0.0, low - end, start - high) for start, end in spans)
    most = sum(max(0.0, low - start, end - high) for start, end in spans)
    return least, most
