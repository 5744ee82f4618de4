"""The pivot of the simplex kernel: Dantzig's rule, or Bland's where that might cycle.

Letters used for shapes: as in `solver.matrix.simplex`.
"""

from __future__ import annotations

import math
from typing import Any

from numba import njit

from arena_solver.kernel_cache import cached_njit
from solver.matrix.lanes import (
    LANES,
    add,
    divide,
    equal_places,
    first_place,
    load,
    load_column,
    most,
    multiply,
    replace,
    splat,
    store,
    subtract,
    where_more,
)
from solver.matrix.lanes import smallest as smallest_lane

# What `pointer` returns: indexed like an array.
Pointer = Any

# In the scaled tableau, whose entries begin in [1, 2]: a reduced cost this small costs as little in the gap,
# ...
REDUCED_COST_TOLERANCE = 1e-12
# ... and a smaller pivot element is rounding and would blow up the tableau.
PIVOT_TOLERANCE = 1e-10
# In ratios right-hand sides, which begin at 1, count for so much more: of equal ratios that of the largest
# element is then the smallest, and where ratios are nearly equal no right-hand side gets farther below 0.
TIE_BREAKER = 1e-14


@njit(inline="always")
def step_kernel(
    first: int,
    bland: bool,
    num_rows: int,
    num_columns: int,
    num_blocks: int,
    num_row_blocks: int,
    tableau: Pointer,
    costs: Pointer,
    bounds: Pointer,
    elements: Pointer,
    inverses: Pointer,
    row_label: Pointer,
    column_label: Pointer,
) -> bool:
    """Carry out the next pivot; False if there is none, the tableau being optimal.

    Condensed (Tucker) tableau: only non-basic columns are stored, so a pivot touches M N numbers, the reduced
    `costs` and the right-hand sides `bounds`. Label j < N is the column player's weight on column j,
    B LANES + i the slack of row i. All arrays are modified in place; `elements` (the entering column) and
    `inverses` are scratch. `first` is the column to begin with, or -1: largest reduced cost, or Bland's rule,
    which cannot cycle.
    """
    if first >= 0:
        entering = first
    elif bland:
        entering = _bland_entering_kernel(costs, column_label, num_columns)
    else:
        entering = _entering_kernel(costs, num_blocks)
    if entering < 0:
        return False
    block = entering // LANES
    place = entering % LANES
    begin = block * num_row_blocks * LANES * LANES + place
    best_ratio = math.inf
    leaving = -1
    for c in range(num_row_blocks):
        element = load_column(tableau, begin + c * LANES * LANES)
        store(elements, c * LANES, element)
        store(inverses, c * LANES, divide(splat(1.0), element))
        # A right-hand side below 0 is rounding.
        raised = add(most(load(bounds, c * LANES), splat(0.0)), splat(TIE_BREAKER))
        ratio = where_more(element, splat(PIVOT_TOLERANCE), divide(raised, element), splat(math.inf))
        smallest_ratio = smallest_lane(ratio)
        if smallest_ratio < best_ratio:
            best_ratio = smallest_ratio
            leaving = c * LANES + first_place(equal_places(ratio, smallest_ratio))
    if bland:
        leaving = _bland_leaving_kernel(elements, bounds, row_label, num_rows)
    if leaving < 0:
        # Cannot happen in exact arithmetic: the program is bounded. The measured gap will tell.
        return False
    inverse = inverses[leaving]
    cost = splat(costs[entering])
    bound = bounds[leaving] * inverse
    # No float64 is written alone where eight are read soon after: reading would wait for the cache.
    for b in range(num_blocks):
        # In the entering column the old entries only count as factors.
        here = place if b == block else -1
        begin = b * num_row_blocks * LANES * LANES
        pivot_row = multiply(load(tableau, begin + leaving * LANES), splat(inverse))
        pivot_row = replace(pivot_row, here, inverse)
        kept = replace(load(costs, b * LANES), here, 0.0)
        store(costs, b * LANES, subtract(kept, multiply(cost, pivot_row)))
        for i in range(num_rows):
            change = multiply(splat(elements[i]), pivot_row)
            kept = replace(load(tableau, begin + i * LANES), here, 0.0)
            store(tableau, begin + i * LANES, subtract(kept, change))
        store(tableau, begin + leaving * LANES, pivot_row)
    for c in range(num_row_blocks):
        left = subtract(load(bounds, c * LANES), multiply(load(elements, c * LANES), splat(bound)))
        store(bounds, c * LANES, replace(left, leaving - c * LANES, bound))
    label = row_label[leaving]
    row_label[leaving] = column_label[entering]
    column_label[entering] = label
    return True


@njit(inline="always")
def _entering_kernel(costs: Pointer, num_blocks: int) -> int:
    """Return the first column of the most negative reduced cost, or -1."""
    best = -REDUCED_COST_TOLERANCE
    entering = -1
    for b in range(num_blocks):
        block = load(costs, b * LANES)
        cost = smallest_lane(block)
        if cost < best:
            best = cost
            entering = b * LANES + first_place(equal_places(block, cost))
    return entering


@cached_njit()
def _bland_entering_kernel(costs: Pointer, column_label: Pointer, num_columns: int) -> int:
    """Return the column of the lowest label among those of negative reduced cost, or -1."""
    entering = -1
    for j in range(num_columns):
        if costs[j] < -REDUCED_COST_TOLERANCE and (entering < 0 or column_label[j] < column_label[entering]):
            entering = j
    return entering


@cached_njit(error_model="numpy")
def _bland_leaving_kernel(elements: Pointer, bounds: Pointer, row_label: Pointer, num_rows: int) -> int:
    """Return the row of the smallest ratio, of several the one of the lowest label, or -1."""
    leaving = -1
    best_ratio = math.inf
    for i in range(num_rows):
        if elements[i] > PIVOT_TOLERANCE:
            ratio = max(bounds[i], 0.0) / elements[i]
            if ratio < best_ratio or (ratio == best_ratio and row_label[i] < row_label[leaving]):
                best_ratio = ratio
                leaving = i
    return leaving
