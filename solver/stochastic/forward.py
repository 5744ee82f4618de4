"""Forward pass: how often positions and outcomes are reached when both play as the solution says."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from solver.stochastic.game import FloatArray, LocalGraph
from solver.stochastic.kernels import propagate
from solver.stochastic.solving import Solution, ends_of


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
    solution.value(root)
    game = solution.game
    reach = np.zeros(solution.num_states)
    ends = np.zeros(game.num_outcomes + 1)
    graph = LocalGraph.of(game)
    propagate(
        game.expand,
        game.tables,
        game.reals,
        graph.work,
        *graph.arrays,
        game.preference,
        game.tie,
        solution.rows,
        solution.values,
        ends_of(game, game.beyond_worst),
        np.zeros((game.max_nodes, game.num_columns)),
        np.zeros(game.max_nodes, np.int64),
        root,
        node,
        reach,
        ends,
        np.zeros(game.max_nodes),
    )
    return Distribution(ends[:-1], float(ends[-1]), float(reach.sum()))
