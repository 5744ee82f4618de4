"""Means with confidence intervals, and how they are written."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike, NDArray

CONFIDENCE = 0.95
_AT_EACH_END = 2.0
"""Observations added at either bound: half the square of the normal quantile (see `estimate`)."""


class Estimate(msgspec.Struct, frozen=True):
    """A mean with its confidence interval.

    Attributes
    ----------
    mean, low, high : None without observations; the bounds also where the sample says nothing about chance.
    observations : how many.
    """

    mean: float | None
    low: float | None
    high: float | None
    observations: int


def estimate(
    values: ArrayLike, bounds: tuple[float, float] | None = None, clusters: ArrayLike | None = None
) -> Estimate:
    """Return the mean of observations and its interval by Student's t.

    With `bounds` the interval is that of a sample with two more observations at each of them: a few equal
    observations do not say that all others are equal to them, too. (Agresti and Coull 1998, *Approximate is
    better than "exact" for interval estimation of binomial proportions*; here for any bounded quantity.)

    Parameters
    ----------
    values : independent observations, or with `clusters` those of one cluster depend on each other.
    bounds : none lies outside.
    clusters : the number of each observation's cluster.
    """
    import numpy as np
    from scipy.special import stdtrit

    sample: NDArray[np.float64] = np.asarray(values, dtype=np.float64)
    if not len(sample):
        return Estimate(None, None, None, 0)
    mean = float(sample.mean())
    sums: NDArray[Any] = sample
    sizes: NDArray[Any] = np.ones_like(sample)
    if clusters is not None:
        _, number = np.unique(np.asarray(clusters), return_inverse=True)
        sums = np.bincount(number, sample)
        sizes = np.bincount(number, np.ones_like(sample))
    if len(sums) == 1:
        return Estimate(mean, None, None, len(sample))
    added = [] if bounds is None else [bound for bound in bounds for _ in range(int(_AT_EACH_END))]
    sums, sizes = np.append(sums, added), np.append(sizes, np.ones(len(added)))
    centre = sums.sum() / sizes.sum()
    groups = len(sums)
    spread = float(np.sum((sums - centre * sizes) ** 2)) * groups / (groups - 1)
    if spread == 0.0:
        # Equal observations of something without bounds: nothing is known of what else there may be.
        return Estimate(mean, None, None, len(sample))
    width = float(stdtrit(groups - 1, 0.5 + CONFIDENCE / 2)) * spread**0.5 / float(sizes.sum())
    low, high = float(centre) - width, float(centre) + width
    if bounds is not None:
        low, high = max(low, bounds[0]), min(high, bounds[1])
    return Estimate(mean, min(low, mean), max(high, mean), len(sample))


def share(flags: ArrayLike, clusters: ArrayLike | None = None) -> Estimate:
    """Return how often something is so, with its interval."""
    return estimate(flags, (0.0, 1.0), clusters)


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
