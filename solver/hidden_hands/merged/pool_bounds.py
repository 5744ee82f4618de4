"""The least and the most that any history of a merged node leaves of its public pools.

Letters as in ``walk_memory`` and ``merging``.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.hidden_hands.arrays import I16
from solver.hidden_hands.decisions.walk_memory import Problem
from solver.hidden_hands.jit import entry, kernel
from solver.hidden_hands.merged.merged_tree import MergedTree
from solver.hidden_hands.tree import (
    CHILD_FINAL,
    action_counts,
    public_type,
)

__all__ = [
    "Bounds",
    "after_draw",
    "bounds_of_pools",
]

_ZERO = np.float32(0.0)
_ONE = np.float32(1.0)


class Bounds(NamedTuple):
    """Least and most that any history leaves of public pools, at nodes and final records."""

    pool: NDArray[np.int16]  # [n, 2, T, 2] items of a type not yet seen by everybody
    left: NDArray[np.int16]  # [n, 2, 2] of all types together
    final_pool: NDArray[np.int16]  # [u, 2, T, 2]
    final_left: NDArray[np.int16]  # [u, 2, 2]


def bounds_of_pools(q: Problem, merged: MergedTree) -> Bounds:
    """Bound the public pools of all histories.

    Complexity: one pass over all child slots.
    """
    nodes, types, records = q.tree.kind.size, q.tree.pool.shape[2], merged.records.place.size

    def empty(*shape: int) -> NDArray[np.int16]:
        found = np.empty((*shape, 2), np.int16)
        found[..., 0], found[..., 1] = np.iinfo(np.int16).max, -1
        return found

    found = Bounds(empty(nodes, 2, types), empty(nodes, 2), empty(records, 2, types), empty(records, 2))
    found.pool[0] = q.stocks[..., None]
    found.left[0] = q.stocks.sum(axis=1)[:, None]
    for a, b in zip(*np.nonzero(merged.roots >= 0), strict=True):
        shown = [public_type(q.tree.kind[0], x, q.types, types) for x in (a, b)]
        _widen(
            found.pool, found.left, int(merged.roots[a, b]), found.pool, found.left, 0, shown[0], shown[1], 0
        )
    _spread_bounds(q, merged, found)
    return found


@entry
def _widen(
    pool: I16,
    left: I16,
    child: int,
    from_pool: I16,
    from_left: I16,
    node: int,
    one: int,
    other: int,
    swap: int,
) -> None:
    """Let a child's bounds contain what a node leaves once types ``one`` and ``other`` are public."""
    for p in range(2):
        shown = one if p == 0 else other
        seat = p ^ swap
        for t in range(pool.shape[2]):
            least, most = from_pool[node, p, t, 0], from_pool[node, p, t, 1]
            if t == shown:
                least, most = max(least, 1) - 1, most - 1
            pool[child, seat, t, 0] = min(pool[child, seat, t, 0], least)
            pool[child, seat, t, 1] = max(pool[child, seat, t, 1], most)
        gone = 1 if shown >= 0 else 0
        left[child, seat, 0] = min(left[child, seat, 0], from_left[node, p, 0] - gone)
        left[child, seat, 1] = max(left[child, seat, 1], from_left[node, p, 1] - gone)


@entry
def _spread_bounds(q: Problem, merged: MergedTree, found: Bounds) -> None:
    """Hand bounds down: children come later."""
    tree = q.tree
    for node in range(1, tree.kind.size):
        n0, n1 = action_counts(tree, node, q.types, q.stocks.shape[1])
        start, acts, kind = tree.child_start[node], tree.acts[node], tree.kind[node]
        for a in range(n0):
            one = public_type(kind, a, q.types, q.stocks.shape[1]) if acts & 1 else -1
            if one >= 0 and found.pool[node, 0, one, 1] <= 0:
                continue
            for b in range(n1):
                other = public_type(kind, b, q.types, q.stocks.shape[1]) if acts & 2 else -1
                if other >= 0 and found.pool[node, 1, other, 1] <= 0:
                    continue
                code, record = tree.child[start + a * n1 + b], merged.record[start + a * n1 + b]
                if code >= 0:
                    _widen(found.pool, found.left, code, found.pool, found.left, node, one, other, 0)
                elif code <= CHILD_FINAL:
                    number, swap = record // 2, record % 2
                    to_pool, to_left = found.final_pool, found.final_left
                    _widen(to_pool, to_left, number, found.pool, found.left, node, one, other, swap)


@kernel
def after_draw(least: int, most: int, away: np.float32, few: int, many: int) -> tuple[np.float32, np.float32]:
    """Least and most probability of drawing a type of which ``away`` items are out of the stock."""
    low = max(np.float32(least) - away, _ZERO) / np.float32(many)
    high = max(np.float32(most) - away, _ZERO) / np.float32(few)
    return low, min(high, _ONE)
