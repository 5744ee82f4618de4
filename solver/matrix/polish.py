"""Zero-sum matrix games: a final simplex basis solved again, from the payoffs.

Letters used for shapes: as in `solver.matrix.simplex`.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from arena_solver.kernel_cache import cached_njit
from solver.matrix.lanes import LANES

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]


@cached_njit(error_model="numpy")
def polish_kernel(
    s: int,
    payoffs: FloatArray,
    row_label: IntArray,
    column_label: IntArray,
    system: FloatArray,
    weights: FloatArray,
) -> bool:
    """Solve the final basis of turn s from the payoffs, without normalising; False if that is singular.

    The last two are modified in place. The column weights y and the value v make the tight rows indifferent:
    sum of y over the basic columns is 1 and payoff times y minus v is 0 in each tight row; likewise for the
    row weights.
    """
    num_rows = row_label.shape[1]
    num_columns = column_label.shape[1]
    width = payoffs.shape[1] * LANES
    weights[s] = 0.0
    size = 0
    for i in range(num_rows):
        if row_label[s, i] < width:
            size += 1
    for side in range(2):
        equation = 0
        # Tight rows carry a non-basic slack, basic columns a basic weight; there are equally many.
        for a in range(num_columns if side == 0 else num_rows):
            label = column_label[s, a] if side == 0 else row_label[s, a]
            if (label < width) == (side == 0):
                continue
            unknown = 0
            for b in range(num_rows if side == 0 else num_columns):
                other = row_label[s, b] if side == 0 else column_label[s, b]
                if (other < width) != (side == 0):
                    continue
                i, j = (label - width, other) if side == 0 else (other - width, label)
                system[equation, unknown] = payoffs[s, j // LANES, i, j % LANES]
                unknown += 1
            system[equation, size] = -1.0
            system[equation, size + 1] = 0.0
            equation += 1
        for unknown in range(size):
            system[size, unknown] = 1.0
        system[size, size] = 0.0
        system[size, size + 1] = 1.0
        if not _eliminate_kernel(system, size + 1):
            return False
        unknown = 0
        for b in range(num_rows if side == 0 else num_columns):
            other = row_label[s, b] if side == 0 else column_label[s, b]
            if (other < width) == (side == 0):
                weights[s, other] = system[unknown, size + 1]
                unknown += 1
    return True


@cached_njit()
def _eliminate_kernel(system: FloatArray, size: int) -> bool:
    """Solve the leading `size` equations; the last column becomes the solution. Modified in place.

    Gauss-Jordan with partial pivoting. False if a pivot vanishes.
    """
    for column in range(size):
        best = column
        for i in range(column + 1, size):
            if abs(system[i, column]) > abs(system[best, column]):
                best = i
        if system[best, column] == 0.0:
            return False
        if best != column:
            for j in range(column, size + 1):
                system[best, j], system[column, j] = system[column, j], system[best, j]
        inverse = 1.0 / system[column, column]
        for j in range(column, size + 1):
            system[column, j] *= inverse
        for i in range(size):
            factor = system[i, column]
            if i != column and factor != 0.0:
                for j in range(column, size + 1):
                    system[i, j] -= factor * system[column, j]
    return True
