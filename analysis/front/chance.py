"""What chance may explain: differences of figures, one by one and several at once.

A deal is one observation. Student's t is used throughout, with differences of the largest size that was seen
added to either side, since a few like ones do not say that all are.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from analysis.estimates import CONFIDENCE, Estimate

if TYPE_CHECKING:
    import numpy as np

    Matrix = np.ndarray[Any, np.dtype[np.float64]]

__all__ = ["ROUNDING", "Pairs", "apart", "compared", "holm", "is_exact", "middle_of", "pairs_of"]

ROUNDING = 1e-9
"""Exact figures that differ by less are equal."""
_ADDED = 2
"""Observations added at either bound, as `analysis.estimates.estimate` does."""


def middle_of(value: Estimate | float | None) -> float | None:
    return value.mean if isinstance(value, Estimate) else value


def is_exact(value: Estimate | float | None) -> bool:
    return not isinstance(value, Estimate) or (value.low is not None and value.low == value.high)


@dataclass(frozen=True)
class Pairs:
    """What each of several figures is more than each other one, of the same deals.

    Attributes
    ----------
    mean, error : with its standard error; not a number where fewer than two deals tell.
    shrunk, careful : the same with differences of the largest size that was seen added to either side: a few
        like ones do not say that all are; less half the step by which whole deals change it.
    freedom : degrees of it.
    """

    mean: Matrix
    error: Matrix
    shrunk: Matrix
    careful: Matrix
    freedom: Matrix


def pairs_of(deals: Sequence[Sequence[float]], sign: float = 1.0) -> Pairs:
    """Compare means of different deals of one row of deals, by what each deal adds to either mean."""
    import numpy as np

    values: Matrix = sign * np.array(deals, dtype=np.float64)
    seen = ~np.isnan(values)
    counts = seen.sum(axis=1)
    safe = np.maximum(counts, 1)
    means = np.where(seen, values, 0.0).sum(axis=1) / safe
    parts = np.where(seen, values - means[:, None], 0.0) / safe[:, None]
    both = parts @ parts.T
    spread = np.maximum(np.diag(both)[:, None] + np.diag(both)[None, :] - 2 * both, 0.0)
    number = np.minimum(counts[:, None], counts[None, :]).astype(np.float64)
    number[number < 2] = np.nan
    high, low = np.where(seen, values, -np.inf).max(axis=0), np.where(seen, values, np.inf).min(axis=0)
    farthest = float(np.maximum(high - low, 0.0).max(initial=0.0))
    mean = means[:, None] - means[None, :]
    whole = number + 2 * _ADDED
    shrunk = mean * number / whole
    square = (number**2 * spread + number * mean**2 + 2 * _ADDED * farthest**2) / whole - shrunk**2
    # Wins come in whole deals: half a step is taken off, as chance exceeds a bound by up to as much (Yates).
    shrunk = np.sign(mean) * np.maximum(np.abs(shrunk) - farthest / whole, 0.0)
    return Pairs(
        mean,
        np.sqrt(spread * number / (number - 1)),
        shrunk,
        np.sqrt(np.maximum(square, 0.0) / (whole - 1)),
        number - 1,
    )


def apart(one: Sequence[float], other: Sequence[float]) -> tuple[Estimate, float | None]:
    """Return what the mean of `one` is more than that of `other`, and how likely that is by chance alone.

    Both are of the same deals, not a number where a deal says nothing of one of them. The chance goes through
    `holm` with those of all others that are compared.
    """
    from scipy.special import stdtr, stdtrit

    known = min(sum(value == value for value in each) for each in (one, other))
    if not known:
        return Estimate(None, None, None, 0), None
    pairs = pairs_of([one, other])
    mean, error, careful = (float(each[0, 1]) for each in (pairs.mean, pairs.error, pairs.careful))
    if known < 2:
        return Estimate(mean, None, None, known), None
    if not careful > 0:
        # No deal differs.
        return Estimate(mean, None, None, known), 1.0
    chance = float(2 * stdtr(known - 1, -abs(float(pairs.shrunk[0, 1])) / careful))
    if not error > 0:
        return Estimate(mean, None, None, known), chance
    width = float(stdtrit(known - 1, 0.5 + CONFIDENCE / 2)) * error
    return Estimate(mean, mean - width, mean + width, known), chance


def compared(
    before: Estimate | float | None,
    after: Estimate | float | None,
    deals: tuple[Sequence[float], Sequence[float]] | None = None,
    *,
    proved: bool = False,
) -> tuple[Estimate, float | None]:
    """Return what `after` is more than `before`, and how likely such a change is by chance alone.

    That chance goes through `holm` with those of all figures of the answer. It is 0 or 1 where both are exact
    or proved, and None where nothing tells.

    Parameters
    ----------
    deals : what both were in each deal, where they were played with the same luck.
    proved : numbers are exact, and intervals proved bounds; else a number without an interval is not tested.
    """
    one, other = middle_of(before), middle_of(after)
    if deals is not None and deals[0] and deals[1]:
        both = min(map(len, deals))
        return apart(deals[1][:both], deals[0][:both])
    if one is None or other is None:
        return Estimate(None, None, None, 0), None
    change = Estimate(other - one, None, None, 0)
    (low, high), (low_after, high_after) = _ends(before, proved), _ends(after, proved)
    if low is None or high is None or low_after is None or high_after is None:
        return change, None
    change = Estimate(other - one, low_after - high, high_after - low, 0)
    if proved or (is_exact(before) and is_exact(after)):
        differ = low_after > high + ROUNDING or high_after < low - ROUNDING
        return change, 0.0 if differ else 1.0
    return change, _chance_of_ends(before, after, change)


def _ends(value: Estimate | float | None, proved: bool) -> tuple[float | None, float | None]:
    if isinstance(value, Estimate):
        return value.low, value.high
    return (value, value) if proved else (None, None)


def _chance_of_ends(
    before: Estimate | float | None, after: Estimate | float | None, change: Estimate
) -> float:
    """The chance of a difference of two samples, whose errors may be related at worst."""
    from scipy.special import stdtr, stdtrit

    assert change.mean is not None
    assert change.low is not None
    assert change.high is not None
    width = change.mean - change.low if change.mean > 0 else change.high - change.mean
    if abs(change.mean) <= ROUNDING:
        return 1.0
    if width <= 0:
        return 0.0
    samples = [
        each.observations for each in (before, after) if isinstance(each, Estimate) and each.observations
    ]
    freedom = max(min(samples) - 1, 1) if samples else 1e9
    return float(2 * stdtr(freedom, -stdtrit(freedom, 0.5 + CONFIDENCE / 2) * abs(change.mean) / width))


def holm(chances: Sequence[float | None]) -> list[bool | None]:
    """Return which differences are certain, all of them together; None where nothing tells.

    Holm 1979, *A simple sequentially rejective multiple test procedure*: any of them is called certain
    wrongly in at most 5 % of answers, however many are tested.
    """
    found: list[bool | None] = [None if chance is None else False for chance in chances]
    tested = sorted((chance, place) for place, chance in enumerate(chances) if chance is not None)
    for done, (chance, place) in enumerate(tested):
        if chance > (1 - CONFIDENCE) / (len(tested) - done):
            break
        found[place] = True
    return found
