"""Where histories of a merged tree are told apart, and have averages: where play goes.

Play is concentrated: on Arianna's day 3 of 100 nodes, and 10 of 100 final records, see four fifths of it
after a dozen iterations. What merging loses is lost there; telling apart what is merged elsewhere takes
memory for little. Of single histories even fewer see nearly all of it (merged decisions say how play spreads,
so how likely each is need not be stored), and these are merged with no others.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.hidden_hands.merging import NOWHERE, Apart, Spread

__all__ = ["GROWTHS", "SINGLE", "Traffic", "told_apart"]

GROWTHS = ((0.97, 2.8), (0.9, 1.9), (0.8, 1.6), (0.6, 1.4), (0.0, 1.1))
"""Shares of all play, and how much larger a tree gets that tells their histories apart, single ones included.

Arianna's; larger days grow less.
"""

SINGLE = 1e-6
"""How likely a history must be to be merged with no others.

Ten times less takes more room, and learns more slowly (Arianna, 60 iterations: .45 GP instead of .39, both
with some more kept single).
"""

_AVERAGED = 0.97
"""Share of play that decisions with averages see (Greybeard's whole day takes half a GiB more for it)."""


class Traffic(NamedTuple):
    """How much play comes by: of ``n`` nodes and ``u`` final records, with the keys of a merged tree."""

    node_key: NDArray[np.int64]  # [n, 2]
    node: NDArray[np.float64]  # [n]
    record_key: NDArray[np.int64]  # [u, 2]
    record: NDArray[np.float64]  # [u]
    spread: Spread = NOWHERE


def told_apart(traffic: Traffic, share: float, single: float = 2.0) -> Apart:
    """Keys of the fewest nodes, and of the fewest final records, that see so large a share of play.

    ``single``: how likely a history must be to be merged with no others.
    """
    return Apart(
        _busiest(traffic.node_key, traffic.node, share),
        _busiest(traffic.record_key, traffic.record, share),
        _busiest(traffic.node_key, traffic.node, max(share, _AVERAGED)),
        share,
        traffic.spread if single <= 1.0 else NOWHERE,
        single,
    )


def _busiest(keys: NDArray[np.int64], flow: NDArray[np.float64], share: float) -> NDArray[np.int64]:
    merged = keys[:, 0] >= 0
    keys, flow = keys[merged], flow[merged]
    # Mirror images stay together: of two keys the smaller one stands for both.
    _, first, which = np.unique(keys.min(axis=1), return_index=True, return_inverse=True)
    total = np.bincount(which, weights=flow, minlength=first.size)
    order = np.argsort(-total, kind="stable")
    before = np.cumsum(total[order]) - total[order]
    chosen = order[(before < share * total.sum()) & (total[order] > 0.0)]
    return np.unique(keys[first[chosen]])
