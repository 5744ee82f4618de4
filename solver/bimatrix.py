"""Two-player games that need not be zero-sum, given as two payoff matrices: equilibria, verified.

Small games have all their extreme equilibria enumerated in rational numbers. In larger ones what nashpy
0.0.43 returns is taken as a candidate only: its support enumeration compares payoffs for equality and so
misses equilibria of ordinary games, and its Lemke-Howson pivots in floating point and on some games never
returns. Candidates come from its Lemke-Howson tableaux under a limit on pivots, and, if they give no
equilibrium, from indifference on all pairs of equally large supports. Each candidate is cleaned and measured
on the payoffs; only those within the tolerance are returned, with their epsilon.

Letters used for shapes: M rows (actions of player 0), N columns (actions of player 1).
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations

import numpy as np
import numpy.typing as npt

from solver.extreme_equilibria import MAX_ACTIONS, extreme_equilibria

FloatArray = npt.NDArray[np.float64]
Candidate = tuple[FloatArray, FloatArray]

# In units of each player's own payoff range: what one may lose says nothing of what the other minds.
DEFAULT_TOLERANCE = 1e-9
# nashpy's mixes carry some 1e-10; a probability below this is taken for 0 and the candidate measured again.
NEGLIGIBLE_PROBABILITY = 1e-9
# Two equilibria nearer than this in every probability are one.
SAME_PROFILE = 1e-7
# Beyond this there are other ways.
MAX_ENUMERATION_ACTIONS = MAX_ACTIONS
# Lemke-Howson needs a few times M + N pivots where it works at all.
PIVOTS_PER_ACTION = 10
# Pairs of supports tried as a last resort; all those of an 8 x 8 game.
MAX_SUPPORT_PAIRS = 13_000


class NoEquilibriumFoundError(RuntimeError):
    """No candidate passed verification; an equilibrium exists, but these methods did not reach it."""


@dataclass(frozen=True, eq=False)
class BimatrixEquilibrium:
    """One verified equilibrium.

    Attributes
    ----------
    strategies : tuple of [M] and [N] float64
    payoffs : tuple of 2 floats
        Expected payoffs of players 0 and 1.
    epsilon : float
        The most either player could gain by deviating alone, in its payoff units.
    gains : tuple of 2 floats
        The same of players 0 and 1, in units of each one's payoff range.
    method : str
        "zero-sum", "vertex-enumeration", "lemke-howson" or "supports".
    """

    strategies: tuple[FloatArray, FloatArray]
    payoffs: tuple[float, float]
    epsilon: float
    gains: tuple[float, float]
    method: str


@dataclass(frozen=True, eq=False)
class BimatrixSolution:
    """The equilibria found in a game.

    Attributes
    ----------
    equilibria : tuple of BimatrixEquilibrium
        At least one, all different, the best for both together first.
    enumerated : bool
        Whether all extreme equilibria are here. A non-degenerate game has no others; a degenerate one may
        have infinitely many, all of them mixtures of these.
    """

    equilibria: tuple[BimatrixEquilibrium, ...]
    enumerated: bool


def solve_bimatrix(
    payoffs_0: npt.ArrayLike, payoffs_1: npt.ArrayLike, *, tolerance: float = DEFAULT_TOLERANCE
) -> BimatrixSolution:
    """Find equilibria of a two-player game.

    Parameters
    ----------
    payoffs_0, payoffs_1 : [M, N] array_like of finite numbers
        What player 0 (rows) and player 1 (columns) receive.
    tolerance : float
        Largest gain accepted of each player, in units of its own payoff range.

    Raises
    ------
    ValueError
        For misshapen, empty or non-finite payoffs.
    NoEquilibriumFoundError
        If no candidate passes.
    """
    games = np.asarray(payoffs_0, dtype=np.float64), np.asarray(payoffs_1, dtype=np.float64)
    if games[0].ndim != 2 or games[0].size == 0 or games[0].shape != games[1].shape:
        shapes = f"{games[0].shape} and {games[1].shape}"
        raise ValueError(f"two [rows, columns] matrices of one shape are needed, got {shapes}")
    if not all(bool(np.all(np.isfinite(game))) for game in games):
        raise ValueError("payoffs must be finite numbers")
    # Positive scaling and shifts change no equilibrium: each player's payoffs become those between 0 and 1.
    scaled = _standardise(games[0]), _standardise(games[1])

    found: list[BimatrixEquilibrium] = []
    enumerated = sum(games[0].shape) <= MAX_ENUMERATION_ACTIONS
    if enumerated:
        for candidate in _extreme_candidates(*games):
            _keep(games, scaled, candidate, tolerance, "vertex-enumeration", found)
    elif _is_constant_sum(*games):
        _keep(games, scaled, _zero_sum(scaled[0]), tolerance, "zero-sum", found)
    if not found:
        for label in range(sum(games[0].shape)):
            # nashpy wants payoffs above 0.
            candidate_or_none = _guarded_lemke_howson(1.0 + scaled[0], 1.0 + scaled[1], label)
            if candidate_or_none is not None:
                _keep(games, scaled, candidate_or_none, tolerance, "lemke-howson", found)
    if not found:
        for candidate in _support_candidates(*scaled):
            if _keep(games, scaled, candidate, tolerance, "supports", found):
                break
    if not found:
        raise NoEquilibriumFoundError(
            f"no candidate was an equilibrium within {tolerance:g} of each player's payoff range;"
            " try a larger tolerance or a smaller game"
        )
    found.sort(key=lambda equilibrium: -sum(0.5 * payoff for payoff in equilibrium.payoffs))
    return BimatrixSolution(equilibria=tuple(found), enumerated=enumerated)


def _keep(
    games: tuple[FloatArray, FloatArray],
    scaled: tuple[FloatArray, FloatArray],
    candidate: Candidate,
    tolerance: float,
    method: str,
    found: list[BimatrixEquilibrium],
) -> bool:
    """Append a candidate to `found` if it is an equilibrium and new; tell whether it is an equilibrium."""
    exact = method == "vertex-enumeration"
    negligible, same = (0.0, 0.0) if exact else (NEGLIGIBLE_PROBABILITY, SAME_PROFILE)
    cleaned = []
    for strategy, size in zip(candidate, games[0].shape, strict=True):
        weights = np.asarray(strategy, dtype=np.float64)
        if weights.shape != (size,) or not bool(np.all(np.isfinite(weights))):
            return False
        weights = np.where(weights > negligible, weights, 0.0)
        if not float(weights.sum()) > 0.0:
            return False
        cleaned.append(weights / weights.sum())
    strategies = cleaned[0], cleaned[1]
    replies = scaled[0] @ strategies[1], strategies[0] @ scaled[1]
    gains = [max(float(np.max(replies[p]) - strategies[p] @ replies[p]), 0.0) for p in (0, 1)]
    # Written so that nan fails as well.
    if not max(gains) <= tolerance:
        return False
    for known in found:
        if all(float(np.max(np.abs(known.strategies[p] - strategies[p]))) <= same for p in (0, 1)):
            return True
    payoffs = [float(strategies[0] @ game @ strategies[1]) for game in games]
    epsilon = max(2.0 * (gain * _half_range(game)) for gain, game in zip(gains, games, strict=True))
    found.append(
        BimatrixEquilibrium(strategies, (payoffs[0], payoffs[1]), epsilon, (gains[0], gains[1]), method)
    )
    return True


def _half_range(game: FloatArray) -> float:
    """Return half of the payoff range: all of it may be beyond float64."""
    return float(0.5 * game.max() - 0.5 * game.min())


def _standardise(game: FloatArray) -> FloatArray:
    """Map payoffs onto [0, 1]; constant ones to 0."""
    half_range = _half_range(game)
    if half_range == 0.0:
        # Nothing between them, or a range so small that half of it is none.
        game = game - game.min()
        return game / (game.max() or 1.0)
    scaled: FloatArray = (0.5 * game - 0.5 * game.min()) / half_range
    return scaled


def _is_constant_sum(game_0: FloatArray, game_1: FloatArray) -> bool:
    """Return whether the payoffs of both players sum to the same everywhere."""
    sums = 0.5 * game_0 + 0.5 * game_1
    return bool(np.all(sums == sums[0, 0]))


def _zero_sum(game: FloatArray) -> Candidate:
    from solver.lp import solve_matrix_program

    solution = solve_matrix_program(game)
    return solution.row_strategy, solution.column_strategy


def _extreme_candidates(game_0: FloatArray, game_1: FloatArray) -> Iterator[Candidate]:
    exact = [[[Fraction(amount) for amount in row] for row in game.tolist()] for game in (game_0, game_1)]
    for equilibrium in extreme_equilibria(exact[0], exact[1]):
        rows, columns = (np.array([float(p) for p in mix]) for mix in equilibrium.strategies)
        yield rows, columns


def _guarded_lemke_howson(game_0: FloatArray, game_1: FloatArray, label: int) -> Candidate | None:
    """Run Lemke-Howson on nashpy's tableaux from a dropped label; None if it fails or takes too long.

    The loop is that of `nashpy.algorithms.lemke_howson`, with an end.
    """
    from nashpy.linalg import create_col_tableau, create_row_tableau

    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        column_tableau = create_col_tableau(game_0, True)
        row_tableau = create_row_tableau(game_1, True)
        turns = [column_tableau, row_tableau]
        if label in row_tableau.non_basic_variables:
            turns.reverse()
        entering = label
        try:
            for pivot in range(PIVOTS_PER_ACTION * len(column_tableau.labels)):
                entering = turns[pivot % 2].pivot_and_drop_label(entering)
                labels = column_tableau.non_basic_variables | row_tableau.non_basic_variables
                if labels == column_tableau.labels:
                    break
            else:
                return None
            row_strategy = row_tableau.to_strategy(column_tableau.non_basic_variables)
            column_strategy = column_tableau.to_strategy(row_tableau.non_basic_variables)
        except (ValueError, ArithmeticError, LookupError):
            return None
    return row_strategy, column_strategy


def _support_candidates(game_0: FloatArray, game_1: FloatArray) -> Iterator[Candidate]:
    """Yield the profiles that make both players indifferent on each pair of supports of equal size.

    Least squares instead of a plain solve, so that singular systems of degenerate games give a candidate too.
    """
    num_rows, num_columns = game_0.shape
    tried = 0
    for size in range(1, min(num_rows, num_columns) + 1):
        for rows in combinations(range(num_rows), size):
            for columns in combinations(range(num_columns), size):
                tried += 1
                if tried > MAX_SUPPORT_PAIRS:
                    return
                column_weights = _indifferent(game_0[np.ix_(rows, columns)])
                row_weights = _indifferent(game_1[np.ix_(rows, columns)].T)
                if row_weights is None or column_weights is None:
                    continue
                row_strategy, column_strategy = np.zeros(num_rows), np.zeros(num_columns)
                row_strategy[list(rows)] = row_weights
                column_strategy[list(columns)] = column_weights
                yield row_strategy, column_strategy


def _indifferent(game: FloatArray) -> FloatArray | None:
    """Return weights on the columns of a square game that make its rows pay the same; None if some are
    negative."""
    size = len(game)
    system = np.ones((size + 1, size + 1))
    system[:size, :size] = game
    system[:size, size] = -1.0
    system[size, size] = 0.0
    target = np.zeros(size + 1)
    target[size] = 1.0
    weights = np.asarray(np.linalg.lstsq(system, target, rcond=None)[0][:size])
    return weights if bool(np.all(weights >= -NEGLIGIBLE_PROBABILITY)) else None
