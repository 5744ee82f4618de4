"""Zero-sum matrix games: equilibrium, value and duality gap, one game or a whole batch at a time.

The row player receives the payoff and maximises, the column player pays it. Solved by the simplex method
(`solver.matrix.simplex`), by HiGHS where the games are large.

Letters used for shapes: K games in a batch, M rows, N columns.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from solver.matrix.lanes import LANES
from solver.matrix.simplex import MAX_PAYOFF, solve_batch_kernel

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]

# Gaps are measured in units of the game's payoff range (largest minus smallest payoff).
DEFAULT_TOLERANCE = 1e-9
# Larger games go to HiGHS at once: the dense tableau's cost per pivot grows with M times N.
MAX_KERNEL_ENTRIES = 250_000
# So many games of a batch take turns in the kernel, fewer if their payoffs are more than these entries: the
# scratch of all should stay in the innermost cache.
MAX_TURNS = 4
TURNS_ENTRIES = 1024


@dataclass(frozen=True, eq=False)
class MatrixSolution:
    """Equilibrium of one zero-sum matrix game.

    Attributes
    ----------
    value : float
        Between the two guarantees; off by at most gap / 2.
    row_strategy : [M] float64
    column_strategy : [N] float64
    gap : float
        Best reply to the column strategy minus worst reply to the row strategy: NashConv of the pair.
    iterations : int
        Simplex pivots; 0 where a pure equilibrium was found by looking.
    converged : bool
        Whether the gap is within the tolerance asked for.
    method : str
        "simplex" (the kernel) or "highs" (the fallback).
    """

    value: float
    row_strategy: FloatArray
    column_strategy: FloatArray
    gap: float
    iterations: int
    converged: bool
    method: str

    @property
    def exploitability(self) -> float:
        """The gap shared by the two players."""
        return self.gap / 2


@dataclass(frozen=True, eq=False)
class MatrixBatchSolution:
    """Equilibria of K zero-sum matrix games of one shape; the fields are those of `MatrixSolution`.

    Attributes
    ----------
    values, gaps : [K] float64
    row_strategies : [K, M] float64
    column_strategies : [K, N] float64
    iterations : [K] int64
    converged : [K] bool
    """

    values: FloatArray
    row_strategies: FloatArray
    column_strategies: FloatArray
    gaps: FloatArray
    iterations: IntArray
    converged: npt.NDArray[np.bool_]


def solve_matrix(payoffs: npt.ArrayLike, *, tolerance: float = DEFAULT_TOLERANCE) -> MatrixSolution:
    """Solve one zero-sum game.

    Parameters
    ----------
    payoffs : [M, N] array_like
        What the row player receives.
    tolerance : float
        Largest gap accepted, in units of the payoff range. If the kernel misses it, HiGHS is asked.

    Raises
    ------
    ValueError
        For an empty or misshapen matrix, nan, or payoffs beyond 1e150.
    """
    games = _check(payoffs, 2)
    if games.size <= MAX_KERNEL_ENTRIES:
        batch = _solve_batch(games[np.newaxis], tolerance)
        if batch.converged[0]:
            return MatrixSolution(
                value=float(batch.values[0]),
                row_strategy=batch.row_strategies[0],
                column_strategy=batch.column_strategies[0],
                gap=float(batch.gaps[0]),
                iterations=int(batch.iterations[0]),
                converged=True,
                method="simplex",
            )
    # Written so that nan fails as well.
    elif not (games.max() <= MAX_PAYOFF and games.min() >= -MAX_PAYOFF):
        raise _refuse()
    from solver.lp import solve_matrix_program

    program = solve_matrix_program(games)
    return MatrixSolution(
        value=program.value,
        row_strategy=program.row_strategy,
        column_strategy=program.column_strategy,
        gap=program.gap,
        iterations=program.iterations,
        converged=program.gap <= tolerance * float(np.ptp(games)),
        method="highs",
    )


def solve_matrices(payoffs: npt.ArrayLike, *, tolerance: float = DEFAULT_TOLERANCE) -> MatrixBatchSolution:
    """Solve a batch of zero-sum games of one shape.

    Parameters
    ----------
    payoffs : [K, M, N] array_like
    tolerance : float
        As for `solve_matrix`; the few games whose gap misses it, if any, are handed to HiGHS one by one.

    Raises
    ------
    ValueError
        For an empty or misshapen array, nan, or payoffs beyond 1e150. A batch of K = 0 games is allowed.
    """
    games = _check(payoffs, 3)
    batch = _solve_batch(games, tolerance)
    for k in np.flatnonzero(~batch.converged):
        from solver.lp import solve_matrix_program

        program = solve_matrix_program(games[k])
        if program.gap < batch.gaps[k]:
            batch.values[k] = program.value
            batch.row_strategies[k] = program.row_strategy
            batch.column_strategies[k] = program.column_strategy
            batch.gaps[k] = program.gap
            batch.iterations[k] = program.iterations
            batch.converged[k] = program.gap <= tolerance * float(np.ptp(games[k]))
    return batch


def duality_gap(payoffs: npt.ArrayLike, row_strategy: npt.ArrayLike, column_strategy: npt.ArrayLike) -> float:
    """Return best reply minus worst reply to a pair of strategies: 0 exactly in equilibrium. O(M N)."""
    game = _check(payoffs, 2)
    # Shifted first: a large common offset must not cost digits of the gap.
    shifted = game - game.min()
    best = np.max(shifted @ np.asarray(column_strategy, dtype=np.float64))
    worst = np.min(np.asarray(row_strategy, dtype=np.float64) @ shifted)
    return float(best - worst)


def _check(payoffs: npt.ArrayLike, num_dimensions: int) -> FloatArray:
    games = np.ascontiguousarray(payoffs, dtype=np.float64)
    if games.ndim != num_dimensions or 0 in games.shape[-2:]:
        expected = "[rows, columns]" if num_dimensions == 2 else "[games, rows, columns]"
        raise ValueError(
            f"payoffs must have shape {expected} with at least one row and column, got {games.shape}"
        )
    return games


def _refuse() -> ValueError:
    return ValueError(f"payoffs must be numbers between -{MAX_PAYOFF:g} and {MAX_PAYOFF:g}")


def _solve_batch(games: FloatArray, tolerance: float) -> MatrixBatchSolution:
    """Allocate, call the kernel, wrap. `games` is [K, M, N], contiguous and finite."""
    num_games, num_rows, num_columns = games.shape
    size = min(num_rows, num_columns) + 1
    solution = MatrixBatchSolution(
        values=np.empty(num_games),
        row_strategies=np.empty((num_games, num_rows)),
        column_strategies=np.empty((num_games, num_columns)),
        gaps=np.empty(num_games),
        iterations=np.empty(num_games, dtype=np.int64),
        converged=np.empty(num_games, dtype=np.bool_),
    )
    num_blocks = -(-num_columns // LANES)
    num_row_blocks = -(-num_rows // LANES)
    num_turns = max(1, min(MAX_TURNS, num_games, TURNS_ENTRIES // (num_rows * num_columns)))
    sound = solve_batch_kernel(
        games,
        tolerance,
        solution.values,
        solution.row_strategies,
        solution.column_strategies,
        solution.gaps,
        solution.iterations,
        solution.converged,
        (np.arange(num_blocks * LANES) < num_columns).astype(np.float64).reshape(num_blocks, LANES),
        np.empty((num_turns, num_blocks, num_rows, LANES)),
        np.zeros((num_turns, num_blocks, num_row_blocks * LANES, LANES)),
        np.empty((num_turns, num_blocks, LANES)),
        np.empty((num_turns, num_row_blocks, LANES)),
        np.empty((num_turns, num_row_blocks, LANES)),
        np.empty((num_turns, num_row_blocks, LANES)),
        np.empty((num_turns, num_rows), dtype=np.int64),
        np.empty((num_turns, num_columns), dtype=np.int64),
        np.zeros((num_turns, (num_blocks + num_row_blocks) * LANES)),
        np.empty((size, size + 1)),
        np.empty(num_turns, dtype=np.int64),
        np.empty((num_turns, 2)),
    )
    if not sound:
        raise _refuse()
    return solution
