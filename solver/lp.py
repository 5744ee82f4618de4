"""Zero-sum matrix games through HiGHS (scipy).

Letters used for shapes: M rows, N columns.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

FloatArray = npt.NDArray[np.float64]

# The tightest HiGHS accepts; its default of 1e-7 would show in the value.
FEASIBILITY_TOLERANCE = 1e-10


class LinearProgramError(RuntimeError):
    """HiGHS gave no optimal answer; the message carries its status."""


@dataclass(frozen=True, eq=False)
class MatrixProgram:
    """Optimum of the row player's program and its dual.

    Attributes
    ----------
    value : float
        Midway between what the two strategies guarantee.
    row_strategy : [M] float64
    column_strategy : [N] float64
    gap : float
        Best reply to the column strategy minus worst reply to the row strategy, measured on the payoffs.
    iterations : int
        Of HiGHS.
    """

    value: float
    row_strategy: FloatArray
    column_strategy: FloatArray
    gap: float
    iterations: int


def solve_matrix_program(payoffs: FloatArray) -> MatrixProgram:
    """Solve a zero-sum game given by its [M, N] float64 payoffs to the row player.

    Not checked: that payoffs are finite. Raises `LinearProgramError` if HiGHS finds no optimum.
    """
    from scipy.optimize import linprog

    num_rows, num_columns = payoffs.shape
    smallest = float(payoffs.min())
    payoff_range = float(np.ptp(payoffs))
    scale = payoff_range if payoff_range > 0.0 else 1.0
    shifted = (payoffs - smallest) / scale
    # Maximise v subject to v <= x' A for each column; the column player is the dual.
    answer = linprog(
        np.append(np.zeros(num_rows), -1.0),
        A_ub=np.hstack([-shifted.T, np.ones((num_columns, 1))]),
        b_ub=np.zeros(num_columns),
        A_eq=np.append(np.ones(num_rows), 0.0)[np.newaxis],
        b_eq=[1.0],
        bounds=[(0.0, None)] * num_rows + [(None, None)],
        method="highs",
        options={
            "primal_feasibility_tolerance": FEASIBILITY_TOLERANCE,
            "dual_feasibility_tolerance": FEASIBILITY_TOLERANCE,
        },
    )
    if answer.status != 0:
        raise LinearProgramError(f"HiGHS stopped with status {answer.status}: {answer.message}")
    row_strategy = _normalise(np.asarray(answer.x[:num_rows], dtype=np.float64))
    column_strategy = _normalise(-np.asarray(answer.ineqlin.marginals, dtype=np.float64))
    lower = float(np.min(row_strategy @ shifted)) * scale
    upper = float(np.max(shifted @ column_strategy)) * scale
    return MatrixProgram(
        value=smallest + 0.5 * (lower + upper),
        row_strategy=row_strategy,
        column_strategy=column_strategy,
        gap=upper - lower,
        iterations=int(answer.nit),
    )


def _normalise(weights: FloatArray) -> FloatArray:
    positive = np.maximum(weights, 0.0)
    return np.asarray(positive / positive.sum(), dtype=np.float64)
