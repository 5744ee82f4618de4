"""Forward pass: how often positions and outcomes are reached when both play as the solution says."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from solver.stochastic.game import Evaluation, FloatArray, LocalGraph
from solver.stochastic.kernels import propagate
from solver.stochastic.solving import Solution


@dataclass(frozen=True, eq=False)
class Distribution:
    """How plays from one root go.

    Attributes
    ----------
    outcomes : [O] float64
        The probability of each outcome.
    beyond : float
        That of leaving the state space where it is cut.
    visits : float
        Positions that a play goes through on average, the root included.
    """

    outcomes: FloatArray
    beyond: float
    visits: float

    def value(self, solution: Solution) -> FloatArray:
        """Return the K numbers that this distribution pays: those of the root, computed in another way."""
        game = solution.game
        return self.outcomes @ game.payoffs + self.beyond * game.beyond_worst


def follow(solution: Solution, root: int, *, node: int = -1) -> Distribution:
    """Follow the policies of a solution down from a root.

    Parameters
    ----------
    solution : Solution
    root : int
        A position that has a value.
    node : int
        The local node of the root where the play stands; -1 for its beginning.
    """
    reach = _from(solution, root)
    ends = np.zeros(solution.game.num_outcomes + 1)
    _push(solution, root, node, reach, reach, ends)
    return Distribution(ends[:-1], float(ends[-1]), float(reach.sum()))


@dataclass(frozen=True, eq=False)
class Standing:
    """Where plays from one root stand after some positions.

    Attributes
    ----------
    positions : position -> float
        The probability to stand there, where it is above 0.
    outcomes : [O] float64
        That of having ended so.
    beyond : float
        That of having left the state space where it is cut.
    """

    positions: dict[int, float]
    outcomes: FloatArray
    beyond: float


def follow_for(solution: Solution, root: int, steps: int, *, node: int = -1) -> Standing:
    """Follow the policies of a solution from a root through so many positions, the root being the first.

    Parameters are those of :func:`follow`. O(N + edges) for each step.
    """
    reach = _from(solution, root)
    ends = np.zeros(solution.game.num_outcomes + 1)
    for step in range(steps):
        onward = np.zeros_like(reach)
        _push(solution, root, node if step == 0 else -1, reach, onward, ends)
        reach = onward
        if not reach.any():
            break
    # Rows are numbered in the order of positions.
    reached = np.flatnonzero(solution.rows >= 0)
    standing = {int(reached[row]): float(reach[row]) for row in np.flatnonzero(reach)}
    return Standing(standing, ends[:-1], float(ends[-1]))


def _from(solution: Solution, root: int) -> FloatArray:
    """Return [rows] the probability 1 of a root, which has to have a value."""
    solution.value(root)
    reach = np.zeros(solution.num_states)
    reach[solution.rows[root]] = 1.0
    return reach


def _push(
    solution: Solution, root: int, node: int, reach: FloatArray, onward: FloatArray, ends: FloatArray
) -> None:
    """Push probabilities on, one position further or, where `onward` is `reach`, to the end."""
    game = solution.game
    propagate(
        game.expand,
        game.tables,
        game.reals,
        LocalGraph.of(game),
        Evaluation.of(game, solution.rows, solution.values),
        root,
        node,
        reach,
        onward,
        ends,
        np.zeros(game.max_nodes),
    )
