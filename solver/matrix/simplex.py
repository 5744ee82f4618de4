"""The simplex kernel of zero-sum matrix games.

A dense primal simplex on the column player's program: maximise the sum of w subject to B w <= 1, w >= 0,
where B is the payoff matrix shifted and scaled into [1, 2]; von Neumann's duality gives the row player from
the same final tableau. Everything it returns is measured on the payoffs themselves: the gap is what the
better replies would gain, whatever the tableau says.

Laid out for small games in large batches: columns lie in blocks of `LANES` (see `solver.matrix.lanes`), and
several games take turns. Helpers are inlined and take pointers, since anything else costs as much as a pivot.

Letters used for shapes: K games in a batch, M rows, N columns, S turns.
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt
from numba import njit

from arena_solver.kernel_cache import cached_njit
from solver.matrix.lanes import (
    LANES,
    add,
    divide,
    equal_places,
    first_place,
    load,
    most,
    multiply,
    pointer,
    replace,
    splat,
    store,
    subtract,
    total,
)
from solver.matrix.lanes import largest as largest_lane
from solver.matrix.lanes import smallest as smallest_lane
from solver.matrix.pivots import Pointer, step_kernel
from solver.matrix.polish import polish_kernel

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]
# Above this gap the final basis is solved again from the payoffs, which sheds what the pivots have
# accumulated.
POLISH_ABOVE = 1e-13
# Keep payoff ranges, sums and the scale inside float64.
MAX_PAYOFF = 1e150
MAX_SCALE_EXPONENT = 1000


@cached_njit(error_model="numpy")
def solve_batch_kernel(
    games: FloatArray,
    tolerance: float,
    values: FloatArray,
    row_strategies: FloatArray,
    column_strategies: FloatArray,
    gaps: FloatArray,
    iterations: IntArray,
    converged: npt.NDArray[np.bool_],
    present: FloatArray,
    payoffs: FloatArray,
    tableau: FloatArray,
    costs: FloatArray,
    bounds: FloatArray,
    elements: FloatArray,
    inverses: FloatArray,
    row_label: IntArray,
    column_label: IntArray,
    weights: FloatArray,
    system: FloatArray,
    current: IntArray,
    extremes: FloatArray,
) -> bool:
    """Solve games [K, M, N]; False at once if a payoff is nan or beyond `MAX_PAYOFF`.

    S games at a time take turns, a pivot each: a pivot is a chain of steps that wait for one another, and the
    processor fills the waits with the other games. What comes out does not depend on S.

    With B blocks of `LANES` columns for N and C blocks of rows for M: `present` [B, LANES] is 1 for columns
    of the games and 0 for the padding. The arrays of results and the scratch are modified in place: payoffs
    [S, B, M, LANES]; tableau [S, B, C LANES, LANES], zero on entry beyond row M; costs [S, B, LANES]; bounds,
    elements and inverses [S, C, LANES]; labels [S, M] and [S, N]; weights [S, (B + C) LANES], the columns'
    first, zero on entry; system [min(M, N) + 1, that + 1]; current [S], the game each turn is at or -1;
    extremes [S, 2], its smallest payoff and its range.
    """
    num_games, num_rows, num_columns = games.shape
    num_turns = current.shape[0]
    num_blocks = costs.shape[1]
    num_row_blocks = bounds.shape[1]
    width = num_blocks * LANES
    height = num_row_blocks * LANES
    patience: int = 4 * (num_rows + num_columns) + 20
    limit: int = 20 * patience
    next_game = 0
    num_running = 0
    for s in range(num_turns):
        current[s] = -1
    while num_running > 0 or next_game < num_games:
        for s in range(num_turns):
            k = current[s]
            first = -1
            if k < 0:
                if next_game >= num_games:
                    continue
                k = next_game
                next_game += 1
                smallest, largest, maximin, minimax, sound = _copy_kernel(
                    pointer(games, k * num_rows * num_columns),
                    num_rows,
                    num_columns,
                    num_blocks,
                    pointer(payoffs, s * num_rows * width),
                    pointer(bounds, s * height),
                )
                if not sound:
                    return False
                iterations[k] = 0
                if maximin >= minimax:
                    _write_pure_kernel(games, k, maximin, row_strategies, column_strategies)
                    values[k] = maximin
                    gaps[k] = 0.0
                    converged[k] = tolerance >= 0.0
                    continue
                current[s] = k
                num_running += 1
                extremes[s, 0] = smallest
                extremes[s, 1] = largest - smallest
                first = _fill_kernel(
                    smallest,
                    largest - smallest,
                    num_rows,
                    num_blocks,
                    num_row_blocks,
                    pointer(present, 0),
                    pointer(payoffs, s * num_rows * width),
                    pointer(tableau, s * height * width),
                    pointer(costs, s * width),
                    pointer(bounds, s * height),
                )
                for i in range(num_rows):
                    row_label[s, i] = width + i
                for j in range(num_columns):
                    column_label[s, j] = j
            if iterations[k] < limit:
                pivoted = step_kernel(
                    first,
                    iterations[k] >= patience,
                    num_rows,
                    num_columns,
                    num_blocks,
                    num_row_blocks,
                    pointer(tableau, s * height * width),
                    pointer(costs, s * width),
                    pointer(bounds, s * height),
                    pointer(elements, s * height),
                    pointer(inverses, s * height),
                    pointer(row_label, s * num_rows),
                    pointer(column_label, s * num_columns),
                )
                if pivoted:
                    iterations[k] += 1
                    continue
            current[s] = -1
            num_running -= 1
            payoff_range = extremes[s, 1]
            column_weight = pointer(weights, s * (width + height))
            row_weight = pointer(weights, s * (width + height) + width)
            _read_weights_kernel(
                num_rows,
                num_columns,
                width,
                pointer(costs, s * width),
                pointer(bounds, s * height),
                pointer(row_label, s * num_rows),
                pointer(column_label, s * num_columns),
                column_weight,
            )
            _normalise_kernel(num_rows, num_row_blocks, row_weight)
            _normalise_kernel(num_columns, num_blocks, column_weight)
            payoff = pointer(payoffs, s * num_rows * width)
            lower, upper = _guarantees_kernel(num_rows, num_blocks, payoff, row_weight, column_weight)
            _write_kernel(row_weight, pointer(row_strategies, k * num_rows), num_rows)
            _write_kernel(column_weight, pointer(column_strategies, k * num_columns), num_columns)
            if upper - lower > POLISH_ABOVE * payoff_range and polish_kernel(
                s, payoffs, row_label, column_label, system, weights
            ):
                _normalise_kernel(num_rows, num_row_blocks, row_weight)
                _normalise_kernel(num_columns, num_blocks, column_weight)
                better_lower, better_upper = _guarantees_kernel(
                    num_rows, num_blocks, payoff, row_weight, column_weight
                )
                if better_upper - better_lower < upper - lower:
                    lower, upper = better_lower, better_upper
                    _write_kernel(row_weight, pointer(row_strategies, k * num_rows), num_rows)
                    _write_kernel(column_weight, pointer(column_strategies, k * num_columns), num_columns)
            values[k] = extremes[s, 0] + 0.5 * (lower + upper)
            gaps[k] = upper - lower
            converged[k] = upper - lower <= tolerance * payoff_range
    return True


@njit(inline="always")
def _copy_kernel(
    game: Pointer, num_rows: int, num_columns: int, num_blocks: int, payoffs: Pointer, minima: Pointer
) -> tuple[float, float, float, float, bool]:
    """Copy a game [M, N] into blocks and look for its bounds.

    `payoffs` ([B, M, LANES]) and `minima` (scratch, [M]) are modified in place; columns beyond N repeat the
    last one, which changes none of the bounds. Returns the smallest and the largest payoff, what pure
    strategies guarantee the row and the column player, and whether all payoffs are numbers within
    `MAX_PAYOFF`.
    """
    for i in range(num_rows):
        minima[i] = math.inf
    minimax = math.inf
    largest_payoff = -math.inf
    sums = splat(0.0)
    for b in range(num_blocks):
        column_most = splat(-math.inf)
        left = num_columns - b * LANES
        for i in range(num_rows):
            begin = i * num_columns + b * LANES
            if left >= LANES:
                row = load(game, begin)
            else:
                row = splat(game[begin + left - 1])
                for c in range(left - 1):
                    row = replace(row, c, game[begin + c])
            store(payoffs, (b * num_rows + i) * LANES, row)
            column_most = most(row, column_most)
            sums = add(sums, row)
            minima[i] = min(minima[i], smallest_lane(row))
        minimax = min(minimax, smallest_lane(column_most))
        largest_payoff = max(largest_payoff, largest_lane(column_most))
    least_payoff = math.inf
    maximin = -math.inf
    for i in range(num_rows):
        least_payoff = min(least_payoff, minima[i])
        maximin = max(maximin, minima[i])
    # Comparisons pass over nan, sums do not.
    sound = least_payoff >= -MAX_PAYOFF and largest_payoff <= MAX_PAYOFF and not math.isnan(total(sums))
    return least_payoff, largest_payoff, maximin, minimax, sound


@cached_njit()
def _write_pure_kernel(
    games: FloatArray, k: int, value: float, row_strategies: FloatArray, column_strategies: FloatArray
) -> None:
    """Write the first pure strategies that guarantee the value, known to exist; modified in place."""
    _, num_rows, num_columns = games.shape
    row_strategies[k] = 0.0
    column_strategies[k] = 0.0
    for i in range(num_rows):
        minimum = games[k, i, 0]
        for j in range(1, num_columns):
            minimum = min(minimum, games[k, i, j])
        if minimum >= value:
            row_strategies[k, i] = 1.0
            break
    for j in range(num_columns):
        maximum = games[k, 0, j]
        for i in range(1, num_rows):
            maximum = max(maximum, games[k, i, j])
        if maximum <= value:
            column_strategies[k, j] = 1.0
            break


@njit(inline="always")
def _fill_kernel(
    smallest: float,
    payoff_range: float,
    num_rows: int,
    num_blocks: int,
    num_row_blocks: int,
    present: Pointer,
    payoffs: Pointer,
    tableau: Pointer,
    costs: Pointer,
    bounds: Pointer,
) -> int:
    """Shift the payoffs to begin at 0, and write them, scaled into [1, 2], into the first tableau.

    The last four are modified in place; what the tableau and the costs have beyond column N becomes 0.
    Returns the column of the least sum. All reduced costs are equal at first, and beginning there instead of
    at the first column saves a fifth of the pivots of 8 x 8 games, a twelfth of 35 x 35 ones.
    """
    # A power of two of at least the range: it keeps integer payoffs exact in the tableau.
    fraction, exponent = math.frexp(payoff_range)
    if fraction == 0.5:
        exponent -= 1
    scale = splat(math.ldexp(1.0, min(-exponent, MAX_SCALE_EXPONENT)))
    offset = splat(smallest)
    least_sum = math.inf
    first = 0
    for b in range(num_blocks):
        one = load(present, b * LANES)
        # No column of the padding has the least one.
        sums = multiply(subtract(splat(1.0), one), splat(MAX_PAYOFF))
        block_scale = multiply(one, scale)
        store(costs, b * LANES, subtract(splat(0.0), one))
        for i in range(num_rows):
            here = (b * num_rows + i) * LANES
            shifted = subtract(load(payoffs, here), offset)
            store(payoffs, here, shifted)
            there = (b * num_row_blocks * LANES + i) * LANES
            row = add(one, multiply(shifted, block_scale))
            store(tableau, there, row)
            sums = add(sums, row)
        block_sum = smallest_lane(sums)
        if block_sum < least_sum:
            least_sum = block_sum
            first = b * LANES + first_place(equal_places(sums, block_sum))
    for c in range(num_row_blocks):
        store(bounds, c * LANES, splat(1.0))
    return first


@njit(inline="always")
def _read_weights_kernel(
    num_rows: int,
    num_columns: int,
    width: int,
    costs: Pointer,
    bounds: Pointer,
    row_label: Pointer,
    column_label: Pointer,
    weights: Pointer,
) -> None:
    """Read both strategies off a final tableau, not yet normalised; `weights` is modified in place."""
    # Each label is somewhere, so that every weight is written. Labels are as good as random: no branches.
    for i in range(num_rows):
        label = row_label[i]
        bound = bounds[i]
        weights[label] = bound if label < width else 0.0
    for j in range(num_columns):
        label = column_label[j]
        cost = costs[j]
        weights[label] = cost if label >= width else 0.0


@njit(inline="always")
def _normalise_kernel(size: int, num_blocks: int, weights: Pointer) -> None:
    """Drop negative weights and divide by the sum; modified in place. Without any weight: uniform."""
    zero = splat(0.0)
    sums = zero
    for b in range(num_blocks):
        sums = add(sums, most(load(weights, b * LANES), zero))
    weight = total(sums)
    if weight > 0.0:
        for b in range(num_blocks):
            store(weights, b * LANES, divide(most(load(weights, b * LANES), zero), splat(weight)))
    else:
        for j in range(size):
            weights[j] = 1.0 / size


@njit(inline="always")
def _guarantees_kernel(
    num_rows: int, num_blocks: int, payoffs: Pointer, row_weights: Pointer, column_weights: Pointer
) -> tuple[float, float]:
    """Return what the two strategies guarantee on payoffs [B, M, LANES]: the value lies between.

    The payoffs begin at 0, so that a large common offset costs no digits.
    """
    lower = math.inf
    for b in range(num_blocks):
        paid = splat(0.0)
        for i in range(num_rows):
            row = load(payoffs, (b * num_rows + i) * LANES)
            paid = add(paid, multiply(splat(row_weights[i]), row))
        lower = min(lower, smallest_lane(paid))
    upper = -math.inf
    for i in range(num_rows):
        received = splat(0.0)
        for b in range(num_blocks):
            row = load(payoffs, (b * num_rows + i) * LANES)
            received = add(received, multiply(load(column_weights, b * LANES), row))
        upper = max(upper, total(received))
    return lower, upper


@njit(inline="always")
def _write_kernel(weights: Pointer, strategy: Pointer, size: int) -> None:
    """Copy weights without their padding to a strategy, which is modified in place."""
    for b in range(size // LANES):
        store(strategy, b * LANES, load(weights, b * LANES))
    for j in range(size // LANES * LANES, size):
        strategy[j] = weights[j]
