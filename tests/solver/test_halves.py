"""Regrets as 16-bit numbers."""

from __future__ import annotations

import numpy as np
import pytest

from solver.hidden_hands.jit import decode, encode, halved, whole


def test_the_nearest_stored_number_is_within_a_256th() -> None:
    numbers = np.random.default_rng(1).normal(0.0, 10.0, 1000).astype(np.float32)
    assert decode(encode(numbers)) == pytest.approx(numbers, rel=2**-8)
    assert decode(encode(np.zeros(1, np.float32))) == [0.0]


@pytest.mark.kernels
@pytest.mark.parametrize("number", [1.003, -2.0049, 1e-20, -37.11])
def test_rounding_takes_one_of_the_two_neighbours_and_is_right_on_average(number: float) -> None:
    exact = np.float32(number)
    stored = np.array([whole(halved(exact, place, 7)) for place in range(4000)], np.float64)
    neighbours = np.unique(stored)
    assert neighbours.size == 2
    assert neighbours[0] < exact < neighbours[1]
    # Four standard deviations of a mean of 4000 such draws.
    assert abs(stored.mean() - exact) < 4 * 0.5 * (neighbours[1] - neighbours[0]) / np.sqrt(4000)
