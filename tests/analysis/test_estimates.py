"""Intervals of measured numbers: they cover what they claim, also of small samples."""

from __future__ import annotations

import numpy as np
import pytest

from analysis.estimates import (
    CONFIDENCE,
    NOTHING_KNOWN,
    Estimate,
    difference,
    estimate,
    share,
    share_of,
    share_of_deals,
)

ROUNDS = 500


def covered(samples: list[Estimate], truth: float) -> float:
    inside = [
        each.low <= truth <= each.high for each in samples if each.low is not None and each.high is not None
    ]
    assert len(inside) == len(samples)
    return sum(inside) / len(inside)


@pytest.mark.parametrize("size", [2, 5, 20, 200])
@pytest.mark.parametrize("chance", [0.0, 0.02, 0.3, 0.97])
def test_shares_are_covered_however_rare(size: int, chance: float) -> None:
    generator = np.random.default_rng(size)
    found = [share_of(generator.random(size) < chance) for _ in range(ROUNDS)]
    assert covered(found, chance) > CONFIDENCE - 0.03
    assert all(0.0 <= each.low <= each.mean <= each.high <= 1.0 for each in found)  # type: ignore[operator]


@pytest.mark.parametrize("size", [3, 12, 60])
def test_payoffs_are_covered(size: int) -> None:
    generator = np.random.default_rng(size)
    payoffs, chances = np.array([-1.0, 0.0, 1.0]), [0.04, 0.02, 0.94]
    found = [estimate(generator.choice(payoffs, size, p=chances), (-1.0, 1.0)) for _ in range(ROUNDS)]
    assert covered(found, float(payoffs @ chances)) > CONFIDENCE - 0.03


@pytest.mark.parametrize("bounds", [None, (-4.0, 4.0)])
def test_observations_that_depend_on_each_other_count_as_their_cluster(
    bounds: tuple[float, float] | None,
) -> None:
    generator = np.random.default_rng(1)
    found = []
    for _ in range(ROUNDS):
        sizes = generator.integers(1, 6, 40)
        common = np.repeat(np.clip(generator.normal(size=40), -3.0, 3.0), sizes)
        values = common + generator.uniform(-0.5, 0.5, len(common))
        found.append(estimate(values, bounds, np.repeat(np.arange(40) * 7, sizes)))
    assert covered(found, 0.0) > CONFIDENCE - 0.03
    alone = [estimate(generator.normal(size=8)) for _ in range(ROUNDS)]
    assert abs(covered(alone, 0.0) - CONFIDENCE) < 0.03


def interval(found: Estimate) -> tuple[float | None, float | None, float | None, int]:
    return found.mean, found.low, found.high, found.observations


#: Quantiles of Student's t at 97.5 %, by degrees of freedom, as tables have them.
STUDENT = {1: 12.7062, 2: 4.30265, 3: 3.18245, 6: 2.44691}


def test_the_interval_of_a_mean_is_that_of_the_tables() -> None:
    # The sample 1, 2, 3, 4 has the standard deviation sqrt(5 / 3).
    width = STUDENT[3] * (5 / 3) ** 0.5 / 2
    assert interval(estimate([1.0, 2.0, 3.0, 4.0])) == pytest.approx(
        (2.5, 2.5 - width, 2.5 + width, 4), rel=1e-5
    )
    # With bounds there are two more at either: 0, 0, 0.5, 1, 1, 0, 0.5 has the mean 3 / 7.
    sample = [0.5, 0.0, 0.5, 0.0, 0.0, 1.0, 1.0]
    spread = sum((each - 3 / 7) ** 2 for each in sample) / 6
    width = STUDENT[6] * (spread / 7) ** 0.5
    found = estimate([0.5, 0.0, 0.5], (0.0, 1.0))
    assert interval(found) == pytest.approx((1 / 3, 3 / 7 - width, 3 / 7 + width, 3), abs=1e-5)
    # Neither end leaves the bounds, and the mean lies within.
    assert estimate([0.0, 0.0, 0.1], (0.0, 1.0)).low == 0.0
    assert estimate([1.0, 1.0, 0.9], (0.0, 1.0)).high == 1.0
    assert estimate([-3.0, -3.0, -3.0], (-3.0, 5.0)).low == -3.0
    assert estimate([1.0] * 40, (0.0, 1.0)).high == 1.0


def test_clusters_of_one_are_plain_observations_and_equal_ones_their_means() -> None:
    values = [0.0, 1.0, 0.5, 0.25, 1.0, 0.75]
    assert interval(estimate(values, None, range(6))) == pytest.approx(interval(estimate(values)))
    pairs, means = estimate(values, None, [7, 7, 3, 3, 5, 5]), estimate([0.5, 0.375, 0.875])
    assert interval(pairs)[:3] == pytest.approx(interval(means)[:3])
    assert pairs.observations == 6
    # Two clusters, 1 and 2 in one and 4 in the other: their sums are off from 2 and 1 means by 5 / 3.
    found = estimate([1.0, 2.0, 4.0], None, [0, 0, 9])
    width = STUDENT[1] * (2 * 2 * (5 / 3) ** 2) ** 0.5 / 3
    assert interval(found) == pytest.approx((7 / 3, 7 / 3 - width, 7 / 3 + width, 3), rel=1e-5)
    assert interval(estimate([1.0, 0.0], None, [4, 4])) == (0.5, None, None, 2)
    assert interval(share_of([True, False, True], [1, 2, 3])) == interval(estimate([1, 0, 1], (0.0, 1.0)))


def test_wilsons_interval_is_that_of_the_books() -> None:
    # Newcombe 1998: 81 of 263, 15 of 148, and 0 of 20.
    for won, among, low, high in ((81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0, 0.1611)):
        found = share(won, among)
        assert interval(found) == pytest.approx((won / among, low, high, among), abs=5e-5)
        other = share(among - won, among)
        assert (other.low, other.high) == pytest.approx((1.0 - high, 1.0 - low), abs=5e-5)
    assert share(1, 0) == NOTHING_KNOWN


def test_deals_that_all_end_alike_may_end_otherwise_as_often_as_wilson_says() -> None:
    otherwise = share(0, 12).high
    assert otherwise is not None
    for value in (0.0, 0.25, 1.0):
        low, high = value * (1 - otherwise), value + (1 - value) * otherwise
        assert interval(share_of_deals([value] * 12)) == pytest.approx((value, low, high, 12))


def test_the_difference_of_two_shares_is_that_of_newcombe() -> None:
    # His example: 56 of 70 less 48 of 80, method 10.
    found = difference(share(48, 80), share(56, 70))
    assert interval(found) == pytest.approx((0.2, 0.0524, 0.3339, 70), abs=5e-5)
    back = difference(share(56, 70), share(48, 80))
    assert interval(back) == pytest.approx((-0.2, -0.3339, -0.0524, 70), abs=5e-5)
    known = share(1, 4)
    for hidden in (
        NOTHING_KNOWN,
        Estimate(0.5, None, 0.6, 9),
        Estimate(0.5, 0.4, None, 9),
        Estimate(None, 0.4, 0.6, 9),
    ):
        assert difference(hidden, known) == difference(known, hidden) == NOTHING_KNOWN
