"""Eight numbers side by side: each operation against numpy."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from numba import njit

from solver.matrix import lanes as lane
from solver.matrix.lanes import LANES

FloatArray = npt.NDArray[np.float64]

# Few different numbers: ties are what first_place is about.
NUMBERS = st.sampled_from([-np.inf, -1.5, -0.0, 0.0, 0.1, 1.0, 7.0, np.inf])
EIGHT = hnp.arrays(np.float64, LANES, elements=NUMBERS)


@njit
def _elementwise(a: FloatArray, b: FloatArray, number: float, place: int, out: FloatArray) -> None:
    x = lane.load(lane.pointer(a, 0), 0)
    y = lane.load(lane.pointer(b, 0), 0)
    to = lane.pointer(out, 0)
    lane.store(to, 0, lane.add(x, y))
    lane.store(to, 8, lane.subtract(x, y))
    lane.store(to, 16, lane.multiply(x, y))
    lane.store(to, 24, lane.divide(x, y))
    lane.store(to, 32, lane.least(x, y))
    lane.store(to, 40, lane.most(x, y))
    lane.store(to, 48, lane.where_more(x, y, x, lane.splat(number)))
    lane.store(to, 56, lane.replace(x, place, number))


@njit
def _folded(a: FloatArray, number: float) -> tuple[float, float, float, int]:
    x = lane.load(lane.pointer(a, 0), 0)
    place = lane.first_place(lane.equal_places(x, number))
    return lane.total(x), lane.smallest(x), lane.largest(x), place


@njit
def _column(a: FloatArray, offset: int, out: FloatArray) -> None:
    lane.store(lane.pointer(out, 0), 0, lane.load_column(lane.pointer(a, offset), 0))


@settings(deadline=None)
@given(a=EIGHT, b=EIGHT, number=NUMBERS, place=st.integers(-2, 9))
def test_lane_by_lane(a: FloatArray, b: FloatArray, number: float, place: int) -> None:
    out = np.empty((8, LANES))
    _elementwise(a, b, number, place, out)
    replaced = a.copy()
    if 0 <= place < LANES:
        replaced[place] = number
    with np.errstate(all="ignore"):
        expected = [
            a + b,
            a - b,
            a * b,
            a / b,
            np.minimum(a, b),
            np.maximum(a, b),
            np.where(a > b, a, number),
            replaced,
        ]
    np.testing.assert_array_equal(out, expected)


@settings(deadline=None)
@given(a=EIGHT, number=NUMBERS)
def test_folds_and_places(a: FloatArray, number: float) -> None:
    total, smallest, largest, place = _folded(a, number)
    with np.errstate(all="ignore"):
        halves = a[:4] + a[4:]
        np.testing.assert_array_equal(total, (halves[0] + halves[2]) + (halves[1] + halves[3]))
    assert (smallest, largest) == (a.min(), a.max())
    assert place == next((c for c in range(LANES) if a[c] == number), LANES)


def test_columns_are_every_eighth_number() -> None:
    numbers = np.arange(80.0)
    out = np.empty(LANES)
    _column(numbers, 5, out)
    np.testing.assert_array_equal(out, numbers[5 : 5 + 64 : 8])
