"""Plays sampled under the policies found: the answer once more, by simulation, with its standard error."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from numba import types

from arena_solver.kernel_cache import cached_njit
from solver.sampling.randomness import uniform_draw
from solver.stochastic.game import (
    CHANCE,
    EVALUATION,
    EXPAND,
    GRAPH,
    REALS,
    WORDS,
    Evaluation,
    FloatArray,
    IntArray,
    LocalGraph,
)
from solver.stochastic.kernels import evaluate_graph
from solver.stochastic.solving import Solution

_OPTIONS: dict[str, Any] = {"_nrt": False, "error_model": "numpy", "nogil": True}
_SIGNATURE = types.void(
    *(EXPAND, WORDS, REALS, GRAPH, EVALUATION, types.int64, types.int64, types.uint64[::1], WORDS)
)


def sample_outcomes(solution: Solution, root: int, plays: int, seed: int = 0) -> IntArray:
    """Play from a root as the solution says, and count how plays end.

    Parameters
    ----------
    solution : Solution
    root : int
        A position that has a value.
    plays : int
    seed : int

    Returns
    -------
    [O + 1] int64
        Plays that ended in each outcome; the last is how many left the state space where it is cut.
    """
    solution.value(root)
    game = solution.game
    counts = np.zeros(game.num_outcomes + 1, np.int64)
    _play(
        game.expand,
        game.tables,
        game.reals,
        LocalGraph.of(game),
        Evaluation.of(game, solution.rows, solution.values),
        root,
        plays,
        np.array([seed], np.uint64),
        counts,
    )
    return counts


@cached_njit(_SIGNATURE, **_OPTIONS)
def _play(
    expand: Any,
    tables: IntArray,
    reals: FloatArray,
    graph: LocalGraph,
    evaluation: Evaluation,
    root: int,
    plays: int,
    stream: npt.NDArray[np.uint64],
    counts: IntArray,
) -> None:
    """Sample plays into `counts`. Modified in place."""
    kinds, starts, targets, weights = graph.kinds, graph.starts, graph.targets, graph.weights
    chosen, num_positions = evaluation.chosen, len(evaluation.rows)
    for _ in range(plays):
        position = root
        while position < num_positions:
            num_nodes = expand(tables, reals, position, graph.work, kinds, starts, targets, weights)
            evaluate_graph(num_nodes, graph, evaluation)
            node = num_nodes - 1
            while node >= 0:
                edge = chosen[node]
                if kinds[node] == CHANCE:
                    edge = starts[node]
                    left = uniform_draw(stream)
                    while left >= weights[edge] and edge < starts[node + 1] - 1:
                        left -= weights[edge]
                        edge += 1
                target = targets[edge]
                node = -1 - target
            position = target
        counts[position - num_positions] += 1
