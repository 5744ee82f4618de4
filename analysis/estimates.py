"""Means with confidence intervals, and how they are written."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import NormalDist
from typing import TYPE_CHECKING, Any

import msgspec

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike, NDArray

CONFIDENCE = 0.95
_AT_EACH_END = 2.0
"""Observations added at either bound: half the square of the normal quantile (see `estimate`)."""


def quantile(confidence: float = CONFIDENCE) -> float:
    """Return how many standard errors to either side make an interval of a normal mean."""
    return NormalDist().inv_cdf(0.5 + confidence / 2)


_QUANTILE = quantile()


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

    @property
    def width(self) -> float:
        """Half of its interval; 0 without one."""
        return 0.0 if self.low is None or self.high is None else (self.high - self.low) / 2


NOTHING_KNOWN = Estimate(None, None, None, 0)


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
        return NOTHING_KNOWN
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


def share_of(flags: ArrayLike, clusters: ArrayLike | None = None) -> Estimate:
    """Return how often something is so, with its interval."""
    return estimate(flags, (0.0, 1.0), clusters)


def share(number: float, among: int) -> Estimate:
    """Return a share of independent observations, ties as halves; Wilson's interval, for rare ones, too.

    Wilson 1927, *Probable inference, the law of succession, and statistical inference*.
    """
    if among == 0:
        return NOTHING_KNOWN
    z2 = _QUANTILE**2
    mean = number / among
    middle = (mean + z2 / (2 * among)) / (1 + z2 / among)
    width = _QUANTILE / (1 + z2 / among) * (mean * (1 - mean) / among + z2 / (4 * among**2)) ** 0.5
    return Estimate(mean, max(0.0, middle - width), min(1.0, middle + width), among)


def share_of_deals(means: Sequence[float]) -> Estimate:
    """Return a share by the means of deals, each within 0 and 1, with the interval that all games use.

    A deal is one observation: its plays share their luck. Where deals differ this is `estimate`. Where all
    end alike, all that is known is that few end otherwise: at most the share that Wilson's interval of none
    among them allows, each at the worst bound. Where all deals are won this is Wilson's interval itself.
    """
    if len(set(means)) != 1:
        return estimate(means, (0.0, 1.0))
    first = means[0]
    otherwise = _QUANTILE**2 / (len(means) + _QUANTILE**2)
    return Estimate(first, first * (1.0 - otherwise), first + (1.0 - first) * otherwise, len(means))


def around(mean: float, standard_error: float, observations: int) -> Estimate:
    """Return a figure by its standard error."""
    width = _QUANTILE * standard_error
    return Estimate(mean, mean - width, mean + width, observations)


def difference(first: Estimate, second: Estimate) -> Estimate:
    """Return `second` - `first`, of independent observations; interval by Newcombe 1998 (method 10)."""
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
