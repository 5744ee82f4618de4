"""Which histories of a merged tree are refined, and which decisions have averages: where play goes.

Play is concentrated: on Arianna's day 3 of 100 nodes, and 10 of 100 final records, see four fifths of it
after a dozen iterations. What merging loses is lost there, and of refined histories even fewer see nearly all
of it. Merged decisions say how play spreads, so how likely each history is need not be stored.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.hidden_hands.merged.merged_tree import NOWHERE, Refinement, Spread

__all__ = ["LEAST_GROWTH", "LIKELIHOODS", "NodeReach", "busiest", "refine"]

LEAST_GROWTH = 1.1
"""How much larger a tree gets, at least, by refined histories that are worth having."""
LIKELIHOODS = (1e-8, 2e-8, 3e-8, 5e-8, 1e-7, 3e-7, 1e-6)
"""How likely a history must be to be merged with no others: the least of these that there is room for."""

_AVERAGED = 0.97
"""Share of play that decisions with averages see (Greybeard's whole day takes half a GiB more for it)."""


class NodeReach(NamedTuple):
    """How much play comes by ``n`` nodes, with the keys of a merged tree."""

    key: NDArray[np.int64]  # [n, 2]
    flow: NDArray[np.float64]  # [n]
    spread: Spread = NOWHERE


def refine(node_reach: NodeReach, least: float) -> Refinement:
    """Refine histories that are so likely; give averages to decisions that see nearly all play."""
    averaged = busiest(node_reach.key, node_reach.flow, _AVERAGED)
    return Refinement(averaged, node_reach.spread if least <= 1.0 else NOWHERE, least)


def busiest(keys: NDArray[np.int64], flow: NDArray[np.float64], share: float) -> NDArray[np.int64]:
    """Keys of the fewest nodes that see so large a share of play; one for each and its mirror image."""
    merged = keys[:, 0] >= 0
    keys, flow = keys[merged], flow[merged]
    # Mirror images stay together: of two keys the smaller one stands for both.
    _, first, which = np.unique(keys.min(axis=1), return_index=True, return_inverse=True)
    total = np.bincount(which, weights=flow, minlength=first.size)
    order = np.argsort(-total, kind="stable")
    before = np.cumsum(total[order]) - total[order]
    chosen = order[(before < share * total.sum()) & (total[order] > 0.0)]
    return np.unique(keys[first[chosen]])
