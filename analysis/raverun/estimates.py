"""Means with confidence intervals, and how they are written."""

from __future__ import annotations

from statistics import NormalDist
from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

CONFIDENCE = 0.95


class Estimate(msgspec.Struct, frozen=True):
    """A mean over independent observations, with its confidence interval by the normal approximation.

    Attributes
    ----------
    mean, low, high : None without observations; the bounds also with a single one.
    observations : how many.
    """

    mean: float | None
    low: float | None
    high: float | None
    observations: int


def estimate(values: ArrayLike) -> Estimate:
    """Return the mean of independent observations and its interval."""
    import numpy as np

    sample = np.asarray(values, dtype=np.float64)
    if not len(sample):
        return Estimate(None, None, None, 0)
    mean = float(sample.mean())
    if len(sample) == 1:
        return Estimate(mean, None, None, 1)
    width = NormalDist().inv_cdf(0.5 + CONFIDENCE / 2) * float(sample.std(ddof=1)) / len(sample) ** 0.5
    return Estimate(mean, mean - width, mean + width, len(sample))


def signed(value: Estimate) -> str:
    """Return a payoff with half the width of its interval, `+0.123 ±0.010`."""
    return _text(value, "+.3f", ".3f", 1.0)


def percent(value: Estimate) -> str:
    """Return a share in per cent with half the width of its interval, `12.3 ±1.0`."""
    return _text(value, ".1f", ".1f", 100.0)


def number(value: Estimate) -> str:
    """Return a plain number with half the width of its interval, `5.12 ±0.03`."""
    return _text(value, ".2f", ".2f", 1.0)


def _text(value: Estimate, form: str, width: str, factor: float) -> str:
    if value.mean is None:
        return "-"
    if value.low is None or value.high is None:
        return f"{factor * value.mean:{form}}"
    return f"{factor * value.mean:{form}} ±{factor * (value.high - value.low) / 2:{width}}"
