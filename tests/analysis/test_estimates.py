"""Intervals of measured numbers: they cover what they claim, also of small samples."""

from __future__ import annotations

import numpy as np
import pytest

from analysis.estimates import CONFIDENCE, Estimate, estimate, percent, share, share_of, signed

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


def test_few_equal_observations_are_no_certainty() -> None:
    for value in (estimate([1.0] * 3, (-1.0, 1.0)), share_of([True] * 4), estimate([0.0] * 50, (-1.0, 1.0))):
        assert value.low is not None
        assert value.high is not None
        assert value.high - value.low > 0.1
    # Without bounds nothing is known of what else there may be, and nothing is claimed.
    assert signed(estimate([2.0, 2.0])) == "+2.000"
    assert signed(estimate([2.0])) == "+2.000"
    assert percent(estimate([])) == "-"
    assert estimate([0.25] * 3, (0.0, 1.0), [4, 4, 4]).low is None


def test_ties_count_as_halves_and_no_sample_has_no_width() -> None:
    assert share(2.5, 5).mean == 0.5
    assert share(5, 10).width < share(2.5, 5).width < 0.5
    assert share(0, 0).width == 0.0
    # Nothing is certain, not even what has always been so.
    always, never = share(10, 10), share(0, 10)
    assert always.low is not None
    assert never.high is not None
    assert 0.6 < always.low < always.mean == always.high == 1.0
    assert never.high == pytest.approx(1.0 - always.low)
    assert estimate([1.0, 1.0, 1.0]).width == 0.0
