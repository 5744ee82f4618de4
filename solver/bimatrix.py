"""Two-player games that need not be zero-sum, given as two payoff matrices: equilibria through nashpy,
verified.

What nashpy 0.0.43 returns is taken as a candidate only. Its support enumeration compares payoffs for equality
and so misses equilibria of ordinary games; its Lemke-Howson pivots in floating point and on some games never
returns. Here candidates come from its vertex enumeration (small games), from its Lemke-Howson tableaux under
a limit on pivots, and, if neither gives an equilibrium, from indifference on all pairs of equally large
supports. Each candidate is cleaned and measured on the payoffs; only those within the tolerance are returned,
with their epsilon.

Letters used for shapes: M rows (actions of player 0), N columns (actions of player 1).
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

import numpy as np
import numpy.typing as npt

FloatArray = npt.NDArray[np.float64]
Candidate = tuple[FloatArray, FloatArray]

# In units of the larger payoff range of the two players.
DEFAULT_TOLERANCE = 1e-9
# nashpy's vertices carry some 1e-10; a probability below this is taken for 0 and the candidate measured
# again.
NEGLIGIBLE_PROBABILITY = 1e-9
# Two equilibria nearer than this in every probability are one.
SAME_PROFILE = 1e-7
# Vertex enumeration looks at every pair of vertices of two polytopes: beyond this it takes minutes.
MAX_ENUMERATION_ACTIONS = 12
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
        The most either player could gain by deviating alone, in payoff units.
    method : str
        "zero-sum", "vertex-enumeration", "lemke-howson" or "supports".
    """

    strategies: tuple[FloatArray, FloatArray]
    payoffs: tuple[float, float]
    epsilon: float
    method: str


@dataclass(frozen=True, eq=False)
class BimatrixSolution:
    """The equilibria found in a game.

    Attributes
    ----------
    equilibria : tuple of BimatrixEquilibrium
        At least one, all different, the best for both together first.
    enumerated : bool
        Whether vertex enumeration ran to its end. The equilibria of a non-degenerate game are then all here;
        a degenerate one may have infinitely many, and these are the corners found of their set.
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
        Largest epsilon accepted, in units of the larger payoff range.

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
    accepted = tolerance * max(float(np.ptp(game)) for game in games)
    # Positive scaling and shifts change no equilibrium and keep the libraries in their comfortable range.
    scaled = _standardise(games[0]), _standardise(games[1])

    found: list[BimatrixEquilibrium] = []
    enumerated = False
    if np.array_equal(games[0] + games[1], np.full(games[0].shape, games[0][0, 0] + games[1][0, 0])):
        _keep(games, _zero_sum(games[0]), accepted, "zero-sum", found)
    if sum(games[0].shape) <= MAX_ENUMERATION_ACTIONS:
        try:
            for candidate in _vertex_candidates(*scaled):
                _keep(games, candidate, accepted, "vertex-enumeration", found)
            enumerated = True
        except (ValueError, ArithmeticError, RuntimeError, TypeError):
            # Polytopes too flat for Qhull or of a single dimension: the other methods have their turn.
            enumerated = False
    if not found:
        for label in range(sum(games[0].shape)):
            candidate_or_none = _guarded_lemke_howson(*scaled, label)
            if candidate_or_none is not None:
                _keep(games, candidate_or_none, accepted, "lemke-howson", found)
    if not found:
        for candidate in _support_candidates(*scaled):
            if _keep(games, candidate, accepted, "supports", found):
                break
    if not found:
        raise NoEquilibriumFoundError(
            f"no candidate was an equilibrium within {accepted:g}; try a larger tolerance or a smaller game"
        )
    found.sort(key=lambda equilibrium: -sum(equilibrium.payoffs))
    return BimatrixSolution(equilibria=tuple(found), enumerated=enumerated)


def profile_epsilon(
    payoffs_0: npt.ArrayLike, payoffs_1: npt.ArrayLike, strategy_0: npt.ArrayLike, strategy_1: npt.ArrayLike
) -> float:
    """Return the most either player gains by deviating alone from a profile. O(M N)."""
    strategies = np.asarray(strategy_0, dtype=np.float64), np.asarray(strategy_1, dtype=np.float64)
    replies = np.asarray(payoffs_0) @ strategies[1], strategies[0] @ np.asarray(payoffs_1)
    return max(float(np.max(replies[p]) - strategies[p] @ replies[p]) for p in (0, 1))


def _keep(
    games: tuple[FloatArray, FloatArray],
    candidate: Candidate,
    accepted: float,
    method: str,
    found: list[BimatrixEquilibrium],
) -> bool:
    """Append a candidate to `found` if it is an equilibrium and new; tell whether it is an equilibrium."""
    cleaned = []
    for strategy, size in zip(candidate, games[0].shape, strict=True):
        weights = np.asarray(strategy, dtype=np.float64)
        if weights.shape != (size,) or not bool(np.all(np.isfinite(weights))):
            return False
        weights = np.where(weights > NEGLIGIBLE_PROBABILITY, weights, 0.0)
        if not float(weights.sum()) > 0.0:
            return False
        cleaned.append(weights / weights.sum())
    strategies = cleaned[0], cleaned[1]
    epsilon = profile_epsilon(*games, *strategies)
    if not epsilon <= accepted:
        return False
    for known in found:
        if all(float(np.max(np.abs(known.strategies[p] - strategies[p]))) <= SAME_PROFILE for p in (0, 1)):
            return True
    payoffs = [float(strategies[0] @ game @ strategies[1]) for game in games]
    found.append(BimatrixEquilibrium(strategies, (payoffs[0], payoffs[1]), max(epsilon, 0.0), method))
    return True


def _standardise(game: FloatArray) -> FloatArray:
    """Map payoffs onto [1, 2]; constant ones to 1."""
    payoff_range = float(np.ptp(game))
    shifted: FloatArray = game - game.min()
    return 1.0 + shifted / (payoff_range if payoff_range > 0.0 else 1.0)


def _zero_sum(game: FloatArray) -> Candidate:
    from solver.matrix import solve_matrix

    solution = solve_matrix(game)
    return solution.row_strategy, solution.column_strategy


def _vertex_candidates(game_0: FloatArray, game_1: FloatArray) -> Iterator[Candidate]:
    from nashpy.algorithms.vertex_enumeration import vertex_enumeration

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield from vertex_enumeration(game_0, game_1)


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
