"""Zero-sum matrix games: equilibrium, value and duality gap, one game or a whole batch at a time.

The row player receives the payoff and maximises, the column player pays it. The kernel is a dense primal
simplex on the column player's program (maximise the sum of w subject to B w <= 1, w >= 0, where B is the
payoff matrix shifted and scaled into [1, 2]); von Neumann's duality gives the row player from the same final
tableau. Everything it returns is measured on the payoffs themselves: the gap is what the better replies would
gain, whatever the tableau says.

Letters used for shapes: K games in a batch, M rows, N columns.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from numba import njit

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]

# Gaps are measured in units of the game's payoff range (largest minus smallest payoff).
DEFAULT_TOLERANCE = 1e-9
# In the scaled tableau, whose entries begin in [1, 2]: a reduced cost this small costs as little in the gap,
# ...
REDUCED_COST_TOLERANCE = 1e-12
# ... and a smaller pivot element is rounding and would blow up the tableau.
PIVOT_TOLERANCE = 1e-10
# Above this gap the final basis is solved again from the payoffs, which sheds what the pivots have
# accumulated.
POLISH_ABOVE = 1e-13
# Keep the range and the scale inside float64.
MAX_PAYOFF = 1e150
MAX_SCALE_EXPONENT = 1000
# Larger games go to HiGHS at once: the dense tableau's cost per pivot grows with M times N.
MAX_KERNEL_ENTRIES = 250_000


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
    # Written so that nan fails as well.
    if not bool(np.all(np.abs(games) <= MAX_PAYOFF)):
        raise ValueError(f"payoffs must be numbers between -{MAX_PAYOFF:g} and {MAX_PAYOFF:g}")
    return games


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
    _solve_batch_kernel(
        games,
        tolerance,
        solution.values,
        solution.row_strategies,
        solution.column_strategies,
        solution.gaps,
        solution.iterations,
        solution.converged,
        np.empty((num_rows + 1, num_columns + 1)),
        np.empty(num_rows, dtype=np.int64),
        np.empty(num_columns, dtype=np.int64),
        np.empty((size, size + 1)),
        np.empty(num_rows),
        np.empty(num_columns),
    )
    return solution


@njit(cache=True)
def _solve_batch_kernel(
    games: FloatArray,
    tolerance: float,
    values: FloatArray,
    row_strategies: FloatArray,
    column_strategies: FloatArray,
    gaps: FloatArray,
    iterations: IntArray,
    converged: npt.NDArray[np.bool_],
    tableau: FloatArray,
    row_label: IntArray,
    column_label: IntArray,
    system: FloatArray,
    spare_row: FloatArray,
    spare_column: FloatArray,
) -> None:
    """Solve games [K, M, N] one after the other.

    The arrays of results and the scratch (tableau [M + 1, N + 1], labels [M] and [N], system [min(M, N) + 1,
    that + 1], spare [M] and [N]) are modified in place.
    """
    for k in range(games.shape[0]):
        game = games[k]
        row_strategy = row_strategies[k]
        column_strategy = column_strategies[k]
        smallest = game[0, 0]
        largest = smallest
        for i in range(game.shape[0]):
            for j in range(game.shape[1]):
                smallest = min(smallest, game[i, j])
                largest = max(largest, game[i, j])
        payoff_range = largest - smallest
        pure_value = _find_pure_kernel(game, row_strategy, column_strategy)
        if not math.isnan(pure_value):
            values[k] = pure_value
            gaps[k] = 0.0
            iterations[k] = 0
            converged[k] = tolerance >= 0.0
            continue
        iterations[k] = _simplex_kernel(game, smallest, payoff_range, tableau, row_label, column_label)
        _read_strategies_kernel(tableau, row_label, column_label, row_strategy, column_strategy)
        lower, upper = _guarantees_kernel(game, smallest, row_strategy, column_strategy)
        if upper - lower > POLISH_ABOVE * payoff_range:
            solved = _polish_kernel(game, smallest, row_label, column_label, system, spare_row, spare_column)
            if solved:
                better_lower, better_upper = _guarantees_kernel(game, smallest, spare_row, spare_column)
                if better_upper - better_lower < upper - lower:
                    lower, upper = better_lower, better_upper
                    row_strategy[:] = spare_row
                    column_strategy[:] = spare_column
        values[k] = smallest + 0.5 * (lower + upper)
        gaps[k] = upper - lower
        converged[k] = upper - lower <= tolerance * payoff_range


@njit(cache=True)
def _find_pure_kernel(game: FloatArray, row_strategy: FloatArray, column_strategy: FloatArray) -> float:
    """Return the value if there is an equilibrium in pure strategies, else nan.

    If there is one, the strategies are modified in place.
    """
    num_rows, num_columns = game.shape
    best_row = 0
    best_minimum: float = -math.inf
    for i in range(num_rows):
        minimum = game[i, 0]
        for j in range(1, num_columns):
            minimum = min(minimum, game[i, j])
        if minimum > best_minimum:
            best_minimum = minimum
            best_row = i
    # The security level is the value exactly if some column never pays more.
    for j in range(num_columns):
        maximum = game[0, j]
        for i in range(1, num_rows):
            maximum = max(maximum, game[i, j])
        if maximum <= best_minimum:
            row_strategy[:] = 0.0
            row_strategy[best_row] = 1.0
            column_strategy[:] = 0.0
            column_strategy[j] = 1.0
            return best_minimum
    return math.nan


@njit(cache=True)
def _simplex_kernel(
    game: FloatArray,
    smallest: float,
    payoff_range: float,
    tableau: FloatArray,
    row_label: IntArray,
    column_label: IntArray,
) -> int:
    """Pivot to optimality and return the number of pivots.

    Condensed (Tucker) tableau: only non-basic columns are stored, so a pivot touches (M + 1) (N + 1) numbers.
    Label j < N is the column player's weight on column j, N + i the slack of row i. `tableau` and both labels
    are modified in place. Largest reduced cost first; if that takes suspiciously long, Bland's rule, which
    cannot cycle.
    """
    num_rows, num_columns = game.shape
    # A power of two keeps integer payoffs exact in the tableau.
    scale: float = 2.0 ** min(-math.ceil(math.log2(payoff_range)), MAX_SCALE_EXPONENT)
    for i in range(num_rows):
        for j in range(num_columns):
            tableau[i, j] = 1.0 + (game[i, j] - smallest) * scale
        tableau[i, num_columns] = 1.0
        row_label[i] = num_columns + i
    for j in range(num_columns):
        tableau[num_rows, j] = -1.0
        column_label[j] = j
    tableau[num_rows, num_columns] = 0.0

    patience: int = 4 * (num_rows + num_columns) + 20
    limit: int = 20 * patience
    for pivot in range(limit):
        bland = pivot >= patience
        entering = -1
        entering_cost = -REDUCED_COST_TOLERANCE
        for j in range(num_columns):
            cost = tableau[num_rows, j]
            if bland:
                if cost < -REDUCED_COST_TOLERANCE and (
                    entering < 0 or column_label[j] < column_label[entering]
                ):
                    entering = j
            elif cost < entering_cost:
                entering_cost = cost
                entering = j
        if entering < 0:
            return pivot
        leaving = -1
        best_ratio = math.inf
        for i in range(num_rows):
            element = tableau[i, entering]
            if element > PIVOT_TOLERANCE:
                # A right-hand side below 0 is rounding.
                ratio = max(tableau[i, num_columns], 0.0) / element
                if ratio < best_ratio:
                    best_ratio = ratio
                    leaving = i
                elif ratio == best_ratio:
                    if bland:
                        if row_label[i] < row_label[leaving]:
                            leaving = i
                    elif element > tableau[leaving, entering]:
                        leaving = i
        if leaving < 0:
            # Cannot happen in exact arithmetic: the program is bounded. The measured gap will tell.
            return pivot
        _pivot_kernel(tableau, leaving, entering)
        label = row_label[leaving]
        row_label[leaving] = column_label[entering]
        column_label[entering] = label
    return limit


@njit(cache=True)
def _pivot_kernel(tableau: FloatArray, row: int, column: int) -> None:
    """Exchange the basic variable of `row` with the non-basic one of `column`; modified in place."""
    inverse = 1.0 / tableau[row, column]
    width = tableau.shape[1]
    for j in range(width):
        tableau[row, j] *= inverse
    tableau[row, column] = inverse
    for i in range(tableau.shape[0]):
        if i != row:
            factor = tableau[i, column]
            if factor != 0.0:
                tableau[i, column] = 0.0
                for j in range(width):
                    tableau[i, j] -= factor * tableau[row, j]


@njit(cache=True)
def _read_strategies_kernel(
    tableau: FloatArray,
    row_label: IntArray,
    column_label: IntArray,
    row_strategy: FloatArray,
    column_strategy: FloatArray,
) -> None:
    """Read both strategies off a final tableau and normalise them; they are modified in place."""
    num_rows = row_strategy.shape[0]
    num_columns = column_strategy.shape[0]
    row_strategy[:] = 0.0
    column_strategy[:] = 0.0
    for i in range(num_rows):
        if row_label[i] < num_columns:
            column_strategy[row_label[i]] = tableau[i, num_columns]
    for j in range(num_columns):
        if column_label[j] >= num_columns:
            row_strategy[column_label[j] - num_columns] = tableau[num_rows, j]
    _normalise_kernel(row_strategy)
    _normalise_kernel(column_strategy)


@njit(cache=True)
def _normalise_kernel(strategy: FloatArray) -> None:
    """Drop negative weights and divide by the sum; modified in place. Without any weight: uniform."""
    total = 0.0
    for i in range(strategy.shape[0]):
        strategy[i] = max(strategy[i], 0.0)
        total += strategy[i]
    if total > 0.0:
        for i in range(strategy.shape[0]):
            strategy[i] /= total
    else:
        strategy[:] = 1.0 / strategy.shape[0]


@njit(cache=True)
def _guarantees_kernel(
    game: FloatArray, smallest: float, row_strategy: FloatArray, column_strategy: FloatArray
) -> tuple[float, float]:
    """Return what the two strategies guarantee, above `smallest`: the value lies between.

    Measured above the smallest payoff, so that a large common offset costs no digits.
    """
    num_rows, num_columns = game.shape
    lower = math.inf
    for j in range(num_columns):
        total = 0.0
        for i in range(num_rows):
            total += row_strategy[i] * (game[i, j] - smallest)
        lower = min(lower, total)
    upper = -math.inf
    for i in range(num_rows):
        total = 0.0
        for j in range(num_columns):
            total += column_strategy[j] * (game[i, j] - smallest)
        upper = max(upper, total)
    return lower, upper


@njit(cache=True)
def _polish_kernel(
    game: FloatArray,
    smallest: float,
    row_label: IntArray,
    column_label: IntArray,
    system: FloatArray,
    row_strategy: FloatArray,
    column_strategy: FloatArray,
) -> bool:
    """Solve the final basis from the payoffs; False if that is singular. The last three are modified in
    place.

    The column weights y and the value v make the tight rows indifferent: sum of y over the basic columns is 1
    and payoff times y minus v is 0 in each tight row; likewise for the row weights.
    """
    num_rows, num_columns = game.shape
    for side in range(2):
        strategy = column_strategy if side == 0 else row_strategy
        strategy[:] = 0.0
        equation = 0
        size = 0
        for i in range(num_rows):
            if row_label[i] < num_columns:
                size += 1
        # Tight rows carry a non-basic slack, basic columns a basic weight; there are equally many.
        for a in range(num_columns if side == 0 else num_rows):
            label = column_label[a] - num_columns if side == 0 else row_label[a]
            if (side == 0 and label < 0) or (side == 1 and label >= num_columns):
                continue
            unknown = 0
            for b in range(num_rows if side == 0 else num_columns):
                other = row_label[b] if side == 0 else column_label[b] - num_columns
                if (side == 0 and other >= num_columns) or (side == 1 and other < 0):
                    continue
                payoff = game[label, other] if side == 0 else game[other, label]
                system[equation, unknown] = payoff - smallest
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
            other = row_label[b] if side == 0 else column_label[b] - num_columns
            if (side == 0 and other >= num_columns) or (side == 1 and other < 0):
                continue
            strategy[other] = system[unknown, size + 1]
            unknown += 1
        _normalise_kernel(strategy)
    return True


@njit(cache=True)
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
