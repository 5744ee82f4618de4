"""Draws on ranges and values over support indices, eight lanes side by side.

``I`` support indices (see ``spaces``), ``L = 8`` lanes. *Hands* hold at most ``hand_size`` items and
*remainders*, before the draw, one less; only rows that a hand or remainder of that size can have are touched.
"""

from __future__ import annotations

import numpy as np

from solver.hidden_hands.arrays import F32, I64
from solver.hidden_hands.final.state import Frame
from solver.hidden_hands.jit import kernel
from solver.hidden_hands.tree import LANES

__all__ = ["adjoint_draw", "forward_draw", "set_draw_weights"]

_ZERO = np.float32(0.0)
_ONE = np.float32(1.0)


@kernel
def set_draw_weights(
    weights: F32,
    lane: int,
    plain_types: I64,
    chain_types: I64,
    pool: F32,
    hidden: F32,
    held_after: int,
    stock: int,
) -> None:
    """Weights of one lane for ``forward_draw``.

    Parameters
    ----------
    weights : [plain + 4, L] float32
        Modified in place: weight of each plain type, of both chain types, of staying, and the unit
        ``1 / stock``.
    pool, hidden : [T]
        Items not yet public, and the hidden ones among them.
    held_after : int
        Items in hand when the draw is made.
    stock : int
        Items left to draw from; 0 leaves the hand as it is.
    """
    plain = plain_types.size
    for row in range(plain + 4):
        weights[row, lane] = _ZERO
    if stock <= 0:
        weights[plain + 2, lane] = _ONE
        return
    unit = 1.0 / stock
    rest = 0.0
    for t in range(pool.size):
        rest += pool[t] - hidden[t]
    for i in range(plain):
        w = pool[plain_types[i]] - hidden[plain_types[i]]
        weights[i, lane] = w * unit
        rest -= w
    for i in range(chain_types.size):
        w = pool[chain_types[i]] - hidden[chain_types[i]]
        weights[plain + i, lane] = w * unit
        rest -= w
    # What lies outside plain and chain types leaves the index as it is, and so does drawing a type already
    # held.
    weights[plain + 2, lane] = (rest - held_after) * unit
    weights[plain + 3, lane] = unit


@kernel
def forward_draw(
    source: F32, target: F32, weights: F32, frame: Frame, base: int, first: int, last: int
) -> None:
    """Push a range over support indices through a draw; ``[I, L]`` block starting at row ``base``.

    ``source`` must be zero in rows that only a full hand can have. Exact: a type not held is drawn with the
    weight of all its copies, and drawing any type already held leaves the support as it is, with a total
    weight that depends on the support alone. Complexity ``O(I plain)``.

    Parameters
    ----------
    weights : [plain + 4, L]
        See ``set_draw_weights``.
    first, last : int
        Most items of both chain types in hand after the draw.
    """
    plain = frame.num_plain
    bits = 1 << plain
    second = frame.second_max + 1
    for v in range(first + 1):
        for c in range(last + 1):
            block = base + (v * second + c) * bits
            before, after = source[block : block + bits], target[block : block + bits]
            held = np.float32(v + c)
            room = frame.room[v + c]
            for r in range(room):
                s = frame.order[r]
                for lane in range(LANES):
                    after[s, lane] = before[s, lane] * (
                        weights[plain + 2, lane] + held * weights[plain + 3, lane]
                    )
            for i in range(plain):
                bit = np.uint32(1 << i)
                for r in range(room):
                    s = frame.order[r]
                    if s & bit:
                        other = s ^ bit
                        for lane in range(LANES):
                            after[s, lane] += (before[s, lane] + before[other, lane]) * weights[i, lane]
            if v > 0:
                less = np.float32(v - 1)
                fewer = source[block - second * bits : block - second * bits + bits]
                for r in range(room):
                    s = frame.order[r]
                    for lane in range(LANES):
                        after[s, lane] += fewer[s, lane] * max(
                            weights[plain, lane] - less * weights[plain + 3, lane], _ZERO
                        )
            if c > 0:
                less = np.float32(c - 1)
                fewer = source[block - bits : block]
                for r in range(room):
                    s = frame.order[r]
                    for lane in range(LANES):
                        after[s, lane] += fewer[s, lane] * max(
                            weights[plain + 1, lane] - less * weights[plain + 3, lane], _ZERO
                        )


@kernel
def adjoint_draw(
    source: F32, target: F32, weights: F32, frame: Frame, base: int, first: int, last: int
) -> None:
    """Pull values of hands back to remainders, through a draw: the transpose of ``forward_draw``."""
    plain = frame.num_plain
    bits = 1 << plain
    second = frame.second_max + 1
    for v in range(first + 1):
        for c in range(last + 1):
            block = base + (v * second + c) * bits
            after, before = source[block : block + bits], target[block : block + bits]
            held = np.float32(v + c)
            room = frame.room[v + c + 1]
            for r in range(room):
                s = frame.order[r]
                for lane in range(LANES):
                    before[s, lane] = after[s, lane] * (
                        weights[plain + 2, lane] + held * weights[plain + 3, lane]
                    )
            for i in range(plain):
                bit = np.uint32(1 << i)
                for r in range(room):
                    s = frame.order[r]
                    other = s | bit
                    for lane in range(LANES):
                        before[s, lane] += after[other, lane] * weights[i, lane]
            if v < first:
                more = source[block + second * bits : block + second * bits + bits]
                for r in range(room):
                    s = frame.order[r]
                    for lane in range(LANES):
                        before[s, lane] += more[s, lane] * max(
                            weights[plain, lane] - np.float32(v) * weights[plain + 3, lane], _ZERO
                        )
            if c < last:
                more = source[block + bits : block + 2 * bits]
                for r in range(room):
                    s = frame.order[r]
                    for lane in range(LANES):
                        before[s, lane] += more[s, lane] * max(
                            weights[plain + 1, lane] - np.float32(c) * weights[plain + 3, lane], _ZERO
                        )
