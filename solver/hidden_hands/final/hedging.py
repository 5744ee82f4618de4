"""What both players play at a final record: exponential weights against what each has met.

Letters as in ``final_state``.
"""

from __future__ import annotations

import numpy as np

from solver.hidden_hands.final.draws import caps_after, caps_of, clear_index
from solver.hidden_hands.final_state import FinalScratch, Frame
from solver.hidden_hands.jit import F32, ONE, ZERO, inlined, kernel
from solver.hidden_hands.tree import LANES

INVERSE_TEMPERATURE = np.float32(6.0)
"""Steepness of the hedge (measured best among 1 ... 100 up to 100 iterations)."""

_LIMIT = np.float32(88.0)
"""Largest exponent: exp(-88) is about the smallest number of single precision."""

_NONE = np.float32(-1e30)
"""Below every accumulated value."""

_TINY = np.float32(1e-30)


@kernel
def fading(x: np.float32) -> np.float32:
    """Monotone stand-in for exp(-x) on [0, 88] that compiles to multiplications: ``(1 - x/1024)**1024``.

    Any positive, steeply monotone weights make a strategy; the certificate does not care which.
    """
    y = ONE - min(x, _LIMIT) * np.float32(1.0 / 1024.0)
    for _ in range(10):
        y = y * y
    return y


@kernel
def _rank(slot: int, player: int, scale: F32, part: F32, z: FinalScratch, frame: Frame) -> None:
    """Hedge over the plain types of every support.

    Supports grow by one type at a time. Weights are relative to the best type so far, so that the mix is as
    sharp for hands that hold poor types only as for the others.

    Fills ``z.eta`` (the inverse temperature over the root of ``scale``, the accumulated squared range),
    ``z.best`` (best accumulated value), ``z.total`` (sum of weights relative to it), and ``part``
    ``[2**plain, L]``, the share of the last type of a support.
    """
    q, eta = z.mean_q[slot, player], z.eta
    best, total, line, first_line, second_line = z.best, z.total, z.line, z.first_line, z.second_line
    for lane in range(LANES):
        eta[lane] = INVERSE_TEMPERATURE / np.sqrt(max(scale[lane], _TINY))
        best[0, lane] = _NONE
        total[0, lane] = ZERO
        part[0, lane] = ZERO
    for i in range(frame.num_plain):
        half = 1 << i
        larger_best, larger_total = best[half : 2 * half], total[half : 2 * half]
        larger_part = part[half : 2 * half]
        for s in range(half):
            for lane in range(LANES):
                first_line[lane] = best[s, lane]
                second_line[lane] = total[s, lane]
            for lane in range(LANES):
                e = fading(eta[lane] * abs(q[i, lane] - first_line[lane]))
                better = q[i, lane] > first_line[lane]
                own = ONE if better else e
                line[lane] = own
                second_line[lane] = own + second_line[lane] * (e if better else ONE)
                first_line[lane] = max(q[i, lane], first_line[lane])
            for lane in range(LANES):
                larger_best[s, lane] = first_line[lane]
                larger_total[s, lane] = second_line[lane]
                larger_part[s, lane] = line[lane] / second_line[lane]


@kernel
def _chain_shares(
    slot: int, player: int, s: np.uint32, block: int, v: int, c: int, z: FinalScratch, frame: Frame
) -> None:
    """Hedge of one row of hands between its plain types and its chain items.

    Fills ``z.line`` with the share of the plain types, ``z.first_line`` and ``z.second_line`` with those of
    both chain types. The row, support ``s`` of the block that begins at ``block``, must hold something.
    """
    plain = frame.num_plain
    bits = 1 << plain
    q, values, eta = z.mean_q[slot, player], z.mean_chain[slot, player], z.eta
    best, plainly, first, second = z.top, z.line, z.first_line, z.second_line
    for lane in range(LANES):
        best[lane] = z.best[s, lane]
        plainly[lane] = z.total[s, lane]
        first[lane] = ZERO
        second[lane] = ZERO
    if v > 0:
        fewer = block - (frame.second_max + 1) * bits
        after = values[0, fewer : fewer + bits]
        # No choices here, which would keep this from vectorising: one of both weights is 1.
        for lane in range(LANES):
            x = q[plain, lane] + after[s, lane]
            lead = eta[lane] * (x - best[lane])
            first[lane] = fading(max(-lead, ZERO))
            plainly[lane] *= fading(max(lead, ZERO))
            best[lane] = max(x, best[lane])
    if c > 0:
        after = values[1, block - bits : block]
        for lane in range(LANES):
            x = q[plain + 1, lane] + after[s, lane]
            lead = eta[lane] * (x - best[lane])
            less = fading(max(lead, ZERO))
            second[lane] = fading(max(-lead, ZERO))
            plainly[lane] *= less
            first[lane] *= less
    for lane in range(LANES):
        unit = ONE / (plainly[lane] + first[lane] + second[lane])
        plainly[lane] *= unit
        first[lane] *= unit
        second[lane] *= unit


@inlined
def push(
    level: int, slot: int, player: int, scale: F32, z: FinalScratch, frame: Frame, num_groups: int
) -> None:
    """Push the range of the learner's opponent through its strategy.

    Fills ``z.action_reach`` and, for chain types, ``z.after`` of the level (before the draw).
    """
    plain, num = frame.num_plain, frame.num_actions
    bits = 1 << plain
    second = frame.second_max + 1
    size = (frame.first_max + 1) * second * bits
    part = z.their_part
    _rank(slot, player, scale, part, z, frame)
    mass, down, line = z.mass[level], z.down, z.line
    first, last = caps_of(z.caps[slot, player], frame)
    after = z.after[level]
    for which in range(frame.num_chain):
        if z.caps[slot, player, which] > 0:
            # Remainders that no placement leads to: hands as large as can be.
            vs, cs = caps_after(z.caps[slot, player], which, frame)
            clear_index(after[which], vs, cs, frame, num_groups)
    for a in range(num):
        for lane in range(LANES):
            z.action_reach[a, lane] = ZERO
    for s in range(bits):
        for lane in range(LANES):
            down[s, lane] = ZERO
    for group in range(num_groups):
        base = group * size
        for v in range(first + 1):
            for c in range(last + 1):
                block = base + (v * second + c) * bits
                here = mass[block : block + bits]
                if v == 0 and c == 0:
                    for r in range(frame.room[0]):
                        s = frame.order[r]
                        for lane in range(LANES):
                            down[s, lane] += here[s, lane]
                    continue
                fewer = block - second * bits if v > 0 else block
                first_after = after[0, fewer : fewer + bits]
                fewer = block - bits if c > 0 else block
                second_after = after[1, fewer : fewer + bits]
                for r in range(frame.room[v + c]):
                    s = frame.order[r]
                    _chain_shares(slot, player, s, block, v, c, z, frame)
                    for lane in range(LANES):
                        down[s, lane] += here[s, lane] * z.line[lane]
                    if v > 0:
                        for lane in range(LANES):
                            moved = here[s, lane] * z.first_line[lane]
                            first_after[s, lane] = moved
                            z.action_reach[plain, lane] += moved
                    if c > 0:
                        for lane in range(LANES):
                            moved = here[s, lane] * z.second_line[lane]
                            second_after[s, lane] = moved
                            z.action_reach[plain + 1, lane] += moved
    # From every support its last type takes its part, the rest goes on to the support without it.
    for i in range(plain - 1, -1, -1):
        half = 1 << i
        for s in range(half):
            for lane in range(LANES):
                line[lane] = down[half + s, lane] * part[half + s, lane]
                z.action_reach[i, lane] += line[lane]
            for lane in range(LANES):
                line[lane] = down[half + s, lane] - line[lane]
            for lane in range(LANES):
                down[s, lane] += line[lane]
    if frame.has_nothing:
        for lane in range(LANES):
            z.action_reach[num - 1, lane] = down[0, lane]


@inlined
def mix_strategy(
    level: int, slot: int, player: int, scale: F32, z: FinalScratch, frame: Frame, num_groups: int
) -> None:
    """The learner's strategy: ``part``, ``share`` and ``plainly`` of the level."""
    bits = 1 << frame.num_plain
    second = frame.second_max + 1
    size = (frame.first_max + 1) * second * bits
    _rank(slot, player, scale, z.part[level], z, frame)
    first, last = caps_of(z.caps[slot, player], frame)
    share, plainly = z.share[level], z.plainly[level]
    for group in range(num_groups):
        base = group * size
        for v in range(first + 1):
            for c in range(last + 1):
                if v == 0 and c == 0:
                    continue
                block = base + (v * second + c) * bits
                here = plainly[block : block + bits]
                first_here, second_here = share[0, block : block + bits], share[1, block : block + bits]
                for r in range(frame.room[v + c]):
                    s = frame.order[r]
                    _chain_shares(slot, player, s, block, v, c, z, frame)
                    for lane in range(LANES):
                        here[s, lane] = z.line[lane]
                    if v > 0:
                        for lane in range(LANES):
                            first_here[s, lane] = z.first_line[lane]
                    if c > 0:
                        for lane in range(LANES):
                            second_here[s, lane] = z.second_line[lane]
