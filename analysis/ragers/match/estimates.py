"""Shares and means with their confidence intervals."""

from __future__ import annotations

from statistics import NormalDist
from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

CONFIDENCE = 0.95
QUANTILE = NormalDist().inv_cdf(0.5 + CONFIDENCE / 2)


class Estimate(msgspec.Struct, frozen=True):
    """A figure with its confidence interval.

    Attributes
    ----------
    mean, low, high : None without observations.
    observations : how many matches it rests on.
    """

    mean: float | None
    low: float | None
    high: float | None
    observations: int


NOTHING_KNOWN = Estimate(None, None, None, 0)


def share(number: int, among: int) -> Estimate:
    """Return a share of independent matches; Wilson's interval, which holds for rare things, too.

    Wilson 1927, *Probable inference, the law of succession, and statistical inference*.
    """
    if among == 0:
        return NOTHING_KNOWN
    z2 = QUANTILE**2
    mean = number / among
    middle = (mean + z2 / (2 * among)) / (1 + z2 / among)
    width = QUANTILE / (1 + z2 / among) * (mean * (1 - mean) / among + z2 / (4 * among**2)) ** 0.5
    return Estimate(mean, max(0.0, middle - width), min(1.0, middle + width), among)


def mean_of(values: ArrayLike) -> Estimate:
    """Return the mean of independent observations; interval by the normal approximation."""
    import numpy as np

    sample = np.asarray(values, dtype=np.float64)
    if len(sample) < 2:
        return NOTHING_KNOWN
    mean = float(sample.mean())
    return around(mean, float(sample.std(ddof=1)) / len(sample) ** 0.5, len(sample))


def around(mean: float, standard_error: float, observations: int) -> Estimate:
    """Return a figure by its standard error."""
    width = QUANTILE * standard_error
    return Estimate(mean, mean - width, mean + width, observations)


def difference(first: Estimate, second: Estimate) -> Estimate:
    """Return `second` - `first`, of independent matches; interval by Newcombe 1998 (method 10)."""
    if first.mean is None or first.low is None or first.high is None:
        return NOTHING_KNOWN
    if second.mean is None or second.low is None or second.high is None:
        return NOTHING_KNOWN
    mean = second.mean - first.mean
    low = mean - ((second.mean - second.low) ** 2 + (first.high - first.mean) ** 2) ** 0.5
    high = mean + ((second.high - second.mean) ** 2 + (first.mean - first.low) ** 2) ** 0.5
    return Estimate(mean, low, high, min(first.observations, second.observations))


def excludes_zero(value: Estimate) -> bool:
    """Return whether the interval says that there is a difference."""
    return value.low is not None and value.high is not None and (value.low > 0 or value.high < 0)
