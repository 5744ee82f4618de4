"""What best responses at final records work on.

Letters as in ``final.response``.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.hidden_hands.final.state import Frame
from solver.hidden_hands.tree import LANES

__all__ = [
    "RecordScratch",
    "Supports",
    "record_scratch",
    "supports_by_size",
]


class Supports(NamedTuple):
    """All sets of plain types, small ones first."""

    order: NDArray[np.int64]  # [2**plain] bit sets
    within: NDArray[np.int64]  # [plain + 1] number of sets with at most so many types


class RecordScratch(NamedTuple):
    """Work space of one thread; the leading axis is the nesting level of chain sub-steps."""

    pool: NDArray[np.float64]  # [E, 2, T, L] items not yet public when this level's decision is made
    stock: NDArray[np.float64]  # [E, 2, L] items left to draw
    held: NDArray[np.float64]  # [E, 2, L] items in hand
    value: NDArray[np.float64]  # [E, 2, G*I, L] values handed to the caller
    inner: NDArray[np.float64]  # [E, 2, 2, G*I, L] values after a chain item and its draw
    live: NDArray[np.int64]  # [E, 2] 1 where the player meets any flow; his values are left out otherwise
    inner_live: NDArray[np.int64]  # [E, 2, 2] the same for `inner`
    caps: NDArray[np.int64]  # [E, 2, 2] most items of each chain type in any lane
    room: NDArray[np.int64]  # [E, 2] most items in hand in any lane
    scores: NDArray[np.float64]  # [E, 2, P, L] values of actions
    facing: NDArray[np.float64]  # [E, 2, P, L] the other side's flow by action
    work: NDArray[np.float64]  # [2, G*I, L]
    best: NDArray[np.float64]  # [2**plain, L]
    total: NDArray[np.float64]  # [2, 2**plain, L]
    tops: NDArray[np.float64]  # [P, L]
    left: NDArray[np.float64]  # [T, L] items that may still be drawn or held
    weights: NDArray[np.float64]  # [plain + 4, L]
    public: NDArray[np.float64]  # [2, L] items in hand and in stock when a draw is made
    batch: NDArray[np.int64]  # [E] batch in progress
    link: NDArray[np.int64]  # [E] its next link


def supports_by_size(num_plain: int) -> Supports:
    """List all sets of plain types by size."""
    sizes = np.array([int(s).bit_count() for s in range(1 << num_plain)])
    within = np.cumsum(np.bincount(sizes, minlength=num_plain + 1))
    return Supports(np.argsort(sizes, kind="stable").astype(np.int64), within.astype(np.int64))


def record_scratch(frame: Frame, num_groups: int, num_types: int) -> RecordScratch:
    """Allocate one thread's work space for ``num_groups`` groups of hidden items."""
    levels, p = frame.num_levels, frame.num_actions
    bits = 1 << frame.num_plain
    index = (frame.first_max + 1) * (frame.second_max + 1) * bits * num_groups
    chain_index = index if frame.num_chain else 1

    def array(*shape: int) -> NDArray[np.float64]:
        return np.zeros((*shape, LANES))

    return RecordScratch(
        array(levels, 2, num_types),
        array(levels, 2),
        array(levels, 2),
        array(levels, 2, index),
        array(levels, 2, 2, chain_index),
        np.zeros((levels, 2), np.int64),
        np.zeros((levels, 2, 2), np.int64),
        np.zeros((levels, 2, 2), np.int64),
        np.zeros((levels, 2), np.int64),
        array(levels, 2, p),
        array(levels, 2, p),
        array(2, chain_index),
        array(bits),
        array(2, bits),
        array(p),
        array(num_types),
        array(frame.num_plain + 4),
        array(2),
        np.zeros(levels, np.int64),
        np.zeros(levels, np.int64),
    )
