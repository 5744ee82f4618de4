"""Zero-sum Bayesian games by one linear program: each player knows its type, and all move once, at once.

Its variables are player 0's behaviour strategy and what player 1 expects with each of its types, its duals
player 1's strategy (Ponssard and Sorin, "The LP formulation of finite zero-sum games with incomplete
information", 1980). The answer is measured by best replies, type by type, in which the program has no part.

Letters used for shapes: S and T types, A and B actions of players 0 and 1.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from solver.lp import FEASIBILITY_TOLERANCE, LinearProgramError

FloatArray = npt.NDArray[np.float64]
BoolArray = npt.NDArray[np.bool_]

DEFAULT_TOLERANCE = 1e-9
# Tried in turn until the gap is small enough.
_ATTEMPTS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("highs", {}),
    ("highs-ds", {"presolve": False}),
    ("highs-ipm", {}),
)
_MAX_SUM_ERROR = 1e-9


@dataclass(frozen=True, eq=False)
class BayesianGame:
    """Types are dealt, each player learns its own, both choose at once, and player 1 pays player 0.

    Attributes
    ----------
    prior : [S, T] float64
        Probability of each pair of types.
    payoffs : float64, of a shape that broadcasts to [S, T, A, B]
        To player 0; [A, B] where types only say what may be chosen. Not looked at where an action is not
        allowed.
    row_actions : [S, A] bool
        What each type of player 0 may choose.
    column_actions : [T, B] bool
    """

    prior: FloatArray
    payoffs: FloatArray
    row_actions: BoolArray
    column_actions: BoolArray

    def __post_init__(self) -> None:
        """Check shapes and numbers; ValueError with what is wrong."""
        num_rows, num_columns = self.prior.shape
        shape = (*self.prior.shape, self.row_actions.shape[1], self.column_actions.shape[1])
        if len(self.row_actions) != num_rows or len(self.column_actions) != num_columns:
            raise ValueError(f"the prior has {self.prior.shape} types, the actions have others")
        if np.broadcast_shapes(self.payoffs.shape, shape) != shape:
            raise ValueError(f"payoffs of shape {self.payoffs.shape} do not fit to {shape}")
        if not (self.row_actions.any(axis=1).all() and self.column_actions.any(axis=1).all()):
            raise ValueError("a type has no action")
        if not (self.prior >= 0).all() or abs(float(self.prior.sum()) - 1.0) > _MAX_SUM_ERROR:
            raise ValueError("the prior is no distribution")
        if not np.isfinite(self.payoffs).all():
            raise ValueError("payoffs are not all finite")


@dataclass(frozen=True, eq=False)
class BayesianSolution:
    """An equilibrium of a Bayesian game.

    Attributes
    ----------
    value : float
        To player 0: midway between what the two strategies guarantee.
    row_strategy : [S, A] float64
        Probabilities of actions by type. Types of probability 0 play anything.
    column_strategy : [T, B] float64
    gap : float
        What best replies to both strategies gain together: NashConv.
    bounds : tuple of 2 floats
        What player 0's strategy guarantees it, and what player 1's lets it have at most.
    iterations : int
        Of HiGHS.
    converged : bool
        Whether the gap is within the tolerance asked for.
    """

    value: float
    row_strategy: FloatArray
    column_strategy: FloatArray
    gap: float
    bounds: tuple[float, float]
    iterations: int
    converged: bool


def solve_bayesian_game(game: BayesianGame, *, tolerance: float = DEFAULT_TOLERANCE) -> BayesianSolution:
    """Solve a game.

    Parameters
    ----------
    game : BayesianGame
    tolerance : float
        Largest gap accepted, in units of the payoff range.

    Raises
    ------
    LinearProgramError
        If HiGHS finds no optimum.
    """
    best: BayesianSolution | None = None
    failure: LinearProgramError | None = None
    for method, options in _ATTEMPTS:
        try:
            solution = _attempt(game, tolerance, method, options)
        except LinearProgramError as error:
            failure = error
            continue
        if best is None or solution.gap < best.gap:
            best = solution
        if best.converged:
            return best
    if best is None:
        assert failure is not None
        raise failure
    return best


def guarantees(
    game: BayesianGame, row_strategy: FloatArray, column_strategy: FloatArray
) -> tuple[float, float]:
    """Return what a strategy guarantees player 0, and what one of player 1 lets it have at most.

    By a best reply of every type, O(S T A B) without the program.
    """
    weights = _weights(game)
    replies = np.einsum("sa,stab->tb", row_strategy, weights)
    lower = float(np.where(game.column_actions, replies, np.inf).min(axis=1).sum())
    replies = np.einsum("tb,stab->sa", column_strategy, weights)
    upper = float(np.where(game.row_actions, replies, -np.inf).max(axis=1).sum())
    return lower, upper


def _weights(game: BayesianGame) -> FloatArray:
    """[S, T, A, B]: payoffs times the probability of the types, 0 where an action is not allowed."""
    weights = game.prior[:, :, None, None] * game.payoffs
    allowed = game.row_actions[:, None, :, None] & game.column_actions[None, :, None, :]
    result: FloatArray = np.where(allowed, weights, 0.0)
    return result


def _attempt(game: BayesianGame, tolerance: float, method: str, options: dict[str, Any]) -> BayesianSolution:
    from scipy.optimize import linprog

    # Only payoffs that can come about count; between 0 and 1 the solver's tolerances mean something.
    allowed = game.row_actions[:, None, :, None] & game.column_actions[None, :, None, :]
    allowed = allowed & (game.prior > 0)[:, :, None, None]
    possible = np.broadcast_to(game.payoffs, allowed.shape)[allowed]
    smallest, largest = float(possible.min()), float(possible.max())
    scale = largest - smallest if largest > smallest else 1.0
    standard = BayesianGame(
        game.prior, (game.payoffs - smallest) / scale, game.row_actions, game.column_actions
    )
    rows, columns = np.argwhere(game.row_actions), np.argwhere(game.column_actions)
    of_column = game.prior.sum(axis=0)
    # Bounds are what player 1 expects given its type: a row per type and action, scaled alike however rare.
    inverse = np.divide(1.0, of_column, out=np.zeros_like(of_column), where=of_column > 0)
    weights = _weights(standard)[rows[:, 0], :, rows[:, 1]]
    replies = weights[:, columns[:, 0], columns[:, 1]].T * inverse[columns[:, 0], None]
    num_types = len(of_column)
    own = np.zeros((len(columns), num_types))
    own[np.arange(len(columns)), columns[:, 0]] = 1.0
    sums = np.zeros((len(game.prior), len(rows) + num_types))
    sums[rows[:, 0], np.arange(len(rows))] = 1.0
    answer = linprog(
        np.concatenate([np.zeros(len(rows)), -of_column]),
        A_ub=np.hstack([-replies, own]),
        b_ub=np.zeros(len(columns)),
        A_eq=sums,
        b_eq=np.ones(len(sums)),
        # No type of player 1 expects less than 0 or more than 1; one that never comes about expects anything.
        bounds=[(0.0, None)] * len(rows) + [(None, 1.0)] * num_types,
        method=method,
        options={
            "primal_feasibility_tolerance": FEASIBILITY_TOLERANCE,
            "dual_feasibility_tolerance": FEASIBILITY_TOLERANCE,
            **options,
        },
    )
    if answer.status != 0:
        raise LinearProgramError(f"HiGHS stopped with status {answer.status}: {answer.message}")
    row_strategy = np.zeros(game.row_actions.shape)
    row_strategy[rows[:, 0], rows[:, 1]] = answer.x[: len(rows)]
    column_strategy = np.zeros(game.column_actions.shape)
    column_strategy[columns[:, 0], columns[:, 1]] = -np.asarray(answer.ineqlin.marginals)
    row_strategy = _normalised(row_strategy, game.row_actions)
    column_strategy = _normalised(column_strategy, game.column_actions)
    lower, upper = guarantees(standard, row_strategy, column_strategy)
    gap = max(0.0, upper - lower) * scale
    return BayesianSolution(
        value=smallest + 0.5 * (lower + upper) * scale,
        row_strategy=row_strategy,
        column_strategy=column_strategy,
        gap=gap,
        bounds=(smallest + lower * scale, smallest + upper * scale),
        iterations=int(answer.nit),
        converged=gap <= tolerance * scale,
    )


def _normalised(strategy: FloatArray, allowed: BoolArray) -> FloatArray:
    """Return distributions over what is allowed; even where the program says nothing."""
    positive = np.where(allowed, np.maximum(strategy, 0.0), 0.0)
    sums = positive.sum(axis=1, keepdims=True)
    positive = np.where(sums > 0, positive, allowed)
    result: FloatArray = positive / positive.sum(axis=1, keepdims=True)
    return result
