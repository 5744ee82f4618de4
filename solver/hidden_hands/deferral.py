"""Visiting rarely what is rarely reached, without leaving anything out.

Most public histories carry next to no probability, yet all of them need a strategy. At some nodes a child is
*active* while the joint flow into it is above a threshold; the other children are *deferred*: their subtree
is frozen between every ``PERIOD``-th visit. Meanwhile the opponent's range into them is added up, weights
included, and pushed through at the next *refresh* with the sum of the weights. As the subtree's strategies
did not change in between, its accumulated flows become exactly those of the average strategy. What a
deferred child was worth to the learner at the last refresh is kept and counts at every visit.

Which children are active changes at a refresh only. An iteration in which everything is refreshed leaves
nothing waiting; certificates are taken after such iterations.

Letters as in ``walk``; ``d`` deferring nodes.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.hidden_hands.spaces import MAX_ACTIONS, Spaces
from solver.hidden_hands.tree import Tree, remainder_counts

__all__ = ["PERIOD", "THRESHOLD", "Deferral", "build_deferral"]

PERIOD = 4
"""Iterations from one refresh of a node to the next."""
THRESHOLD = 1e-6
"""Joint probability from which on a child is visited every time."""


class Deferral(NamedTuple):
    """What waits at deferring nodes."""

    row: NDArray[np.int32]  # [n] number of a deferring node, -1 for the others
    start: NDArray[
        np.int64
    ]  # [d, 2] where a player's remainders lie in the next two arrays, action by action
    waiting: NDArray[np.float32]  # accumulated range of the player, met by the other one as learner
    kept: NDArray[np.float32]  # the player's values of remainders below deferred children
    weight: NDArray[np.float64]  # [d, 2] sum of the weights of what waits, by learner
    active: NDArray[np.bool_]  # [d, 2, MAX_ACTIONS**2] by learner and child slot


def build_deferral(tree: Tree, spaces: tuple[Spaces, Spaces]) -> Deferral:
    """Allocate what the deferring nodes of a tree need; everything starts out deferred and unvisited."""
    nodes = np.flatnonzero(tree.defers)
    row = np.full(tree.kind.size, -1, np.int32)
    row[nodes] = np.arange(nodes.size, dtype=np.int32)
    counts = remainder_counts(spaces)
    sizes = np.zeros((nodes.size, 2), np.int64)
    for p in range(2):
        kind = np.where((tree.acts[nodes] >> p) & 1, tree.kind[nodes], 3)
        sizes[:, p] = counts[p, kind, tree.level[nodes, p]]
    start = np.concatenate([[0], np.cumsum(sizes.reshape(-1))])
    total = int(start[-1])
    return Deferral(
        row,
        start[:-1].reshape(nodes.size, 2).copy(),
        np.zeros(total, np.float32),
        np.zeros(total, np.float32),
        np.zeros((nodes.size, 2)),
        np.zeros((nodes.size, 2, MAX_ACTIONS * MAX_ACTIONS), np.bool_),
    )
