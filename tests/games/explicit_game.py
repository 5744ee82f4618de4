"""A stochastic game of plain arrays: for small games, for tests, and to try the solver out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numba import types

from arena_solver.kernel_cache import cached_njit
from solver.stochastic.game import CHANCE, REALS, WORDS, FloatArray, IntArray, StochasticGame

Edge = tuple[int, float]
"""A target, as `StochasticGame.expand` encodes it, and a probability (anything where no chance moves)."""
Node = tuple[int, Sequence[Edge]]
"""A local node: its kind and its edges."""

_OPTIONS: dict[str, Any] = {"_nrt": False}


@cached_njit(types.int64(WORDS, REALS, types.int64, WORDS, WORDS, WORDS, WORDS, REALS), **_OPTIONS)
def expand_explicit(
    tables: IntArray,
    reals: FloatArray,
    position: int,
    work: IntArray,
    kinds: IntArray,
    starts: IntArray,
    targets: IntArray,
    weights: FloatArray,
) -> int:
    """Copy a local graph: `tables` holds for each position where its nodes lie, then those.

    A node is its kind, the number of its edges, and their targets; the probabilities lie in `reals` at the
    same places.
    """
    place, num_nodes = tables[2 * position], tables[2 * position + 1]
    starts[0] = 0
    for node in range(num_nodes):
        kinds[node] = tables[place]
        num_edges = tables[place + 1]
        for edge in range(num_edges):
            targets[starts[node] + edge] = tables[place + 2 + edge]
            weights[starts[node] + edge] = reals[place + 2 + edge]
        starts[node + 1] = starts[node] + num_edges
        place += 2 + num_edges
    return int(num_nodes)


def explicit_game(
    positions: Sequence[Sequence[Node]],
    payoffs: Any,
    preference: Any,
    *,
    tie: float = 1e-13,
    beyond: Mapping[str, Any] | None = None,
) -> StochasticGame:
    """Return a game of plain lists.

    Parameters
    ----------
    positions : the local graph of each position, as a list of nodes.
    payoffs, preference, tie : as in `StochasticGame`.
    beyond : `worst` and `best`, K numbers each; by default the least and the largest payoffs.
    """
    paid = np.ascontiguousarray(payoffs, np.float64)
    words: list[int] = [0] * (2 * len(positions))
    numbers: list[float] = [0.0] * len(words)
    for position, nodes in enumerate(positions):
        words[2 * position : 2 * position + 2] = [len(words), len(nodes)]
        for kind, edges in nodes:
            words += [kind, len(edges), *(target for target, _ in edges)]
            numbers += [0.0, 0.0, *(weight if kind == CHANCE else 0.0 for _, weight in edges)]
    worst_and_best = beyond or {"worst": paid.min(axis=0), "best": paid.max(axis=0)}
    return StochasticGame(
        num_positions=len(positions),
        payoffs=paid,
        preference=np.ascontiguousarray(preference, np.int64),
        tie=tie,
        beyond_worst=np.asarray(worst_and_best["worst"], np.float64),
        beyond_best=np.asarray(worst_and_best["best"], np.float64),
        tables=np.array(words, np.int64),
        reals=np.array(numbers, np.float64),
        work_words=1,
        max_nodes=max(map(len, positions)),
        max_edges=max(sum(len(edges) for _, edges in nodes) for nodes in positions),
        expand=expand_explicit,
    )
