"""Public pools to draw from while learning."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from solver.hidden_hands.arrays import F32, F64, I32, I64
from solver.hidden_hands.enumeration import (
    LEFT,
    POOLS,
)
from solver.hidden_hands.jit import entry
from solver.hidden_hands.merged.keys import Generation, automaton_chain_types
from solver.hidden_hands.tree import (
    Automaton,
)

__all__ = [
    "typical_pools",
]


def typical_pools(g: Automaton, now: Generation) -> NDArray[np.int64]:
    """``[n, 2T]`` pools to draw from while learning: the mean over histories, as whole numbers.

    Chain types, which decide what may be held at all, count at their most. As many items are left in all as
    in the first history: whether a draw is made depends on it.
    """
    most = now.rows[:, POOLS:].astype(np.int64)
    pools = np.clip(np.rint(now.mean), np.minimum(most, 1), most).astype(np.int64)
    chains = automaton_chain_types(g)
    for t in chains:
        for column in (t, g.num_types + t):
            pools[:, column] = most[:, column]
    late = np.zeros(g.num_types)
    late[chains] = 100.0
    for p in range(2):
        own = slice(p * g.num_types, (p + 1) * g.num_types)
        _correct(pools[:, own], now.mean[:, own], most[:, own], now.rows[:, LEFT + p], late)
    return pools


@entry
def _correct(pools: I64, mean: F32, most: I64, left: I32, late: F64) -> None:
    """Take items out of pools, or put some in, until ``left`` of them are there.

    One by one, where the pool is farthest from its mean; ``late`` ``[T]`` float64 puts types off.
    """
    for i in range(pools.shape[0]):
        off = pools[i].sum() - left[i]
        while off != 0:
            best, where = -1e9, -1
            for t in range(pools.shape[1]):
                if off > 0 and pools[i, t] > 0:
                    gain = pools[i, t] - mean[i, t] - late[t]
                elif off < 0 and pools[i, t] < most[i, t]:
                    gain = mean[i, t] - np.float64(pools[i, t])
                else:
                    continue
                if gain > best:
                    best, where = gain, t
            if where < 0:
                break
            by = -1 if off > 0 else 1
            pools[i, where] += by
            off += by
