"""Plays sampled under the policies found: the answer once more, by simulation, with its standard error."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from numba import types

from arena_solver.kernel_cache import cached_njit
from solver.sampling.randomness import uniform_draw
from solver.stochastic.game import CHANCE, EXPAND, REALS, WORDS, FloatArray, IntArray, LocalGraph, RowArray
from solver.stochastic.kernels import evaluate_graph
from solver.stochastic.solving import Solution, ends_of

_OPTIONS: dict[str, Any] = {"_nrt": False, "error_model": "numpy", "nogil": True}
_TABLE = types.float64[:, ::1]
_SIGNATURE = types.void(
    *(EXPAND, WORDS, REALS, WORDS, WORDS, WORDS, WORDS, REALS),
    *(types.int64[:, ::1], types.float64, types.int32[::1], _TABLE, _TABLE, _TABLE, WORDS),
    *(types.int64, types.int64, types.uint64[::1], WORDS),
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
    graph = LocalGraph.of(game)
    counts = np.zeros(game.num_outcomes + 1, np.int64)
    _play(
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
    work: IntArray,
    kinds: IntArray,
    starts: IntArray,
    targets: IntArray,
    weights: FloatArray,
    preference: IntArray,
    tie: float,
    rows: RowArray,
    values: FloatArray,
    ends: FloatArray,
    local: FloatArray,
    chosen: IntArray,
    root: int,
    plays: int,
    stream: npt.NDArray[np.uint64],
    counts: IntArray,
) -> None:
    """Sample plays into `counts`. Modified in place."""
    num_positions = len(rows)
    for _ in range(plays):
        position = root
        while position < num_positions:
            num_nodes = expand(tables, reals, position, work, kinds, starts, targets, weights)
            evaluate_graph(
                num_nodes,
                kinds,
                starts,
                targets,
                weights,
                preference,
                tie,
                rows,
                values,
                ends,
                local,
                chosen,
            )
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
