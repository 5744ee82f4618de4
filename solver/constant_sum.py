"""Whether two players' payoffs sum to a constant, as far as other programs' rounding lets it be seen."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from fractions import Fraction
from typing import NamedTuple

# Programs that compute payoffs in float64 or write ten digits are off by less, in units of the payoff range.
SUM_ROUNDING = Fraction(1, 10**9)


class ConstantSum(NamedTuple):
    """What payoffs sum to, and how far they are off at most: 0 where they do so exactly."""

    total: Fraction
    deviation: Fraction


def constant_sum(payoffs: Iterable[tuple[Fraction, ...]]) -> ConstantSum | None:
    """Return the sum that all pairs of payoffs have up to rounding; None if there is no such sum.

    The sum is the commonest one, or of several the one with the shortest fraction. O(N).
    """
    counts: Counter[Fraction] = Counter()
    amounts: list[Fraction] = []
    for pair in set(payoffs):
        counts[sum(pair, Fraction(0))] += 1
        amounts += [min(pair), max(pair)]
    allowed = SUM_ROUNDING * (max(amounts) - min(amounts))
    if max(counts) - min(counts) > allowed:
        return None
    total = min(counts, key=lambda each: (-counts[each], each.denominator, each))
    return ConstantSum(total, max(abs(each - total) for each in counts))
