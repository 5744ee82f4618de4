"""Chain items in the final step: what they leave a hand with, and lone chains.

Who is left alone to place a further item sees everything, so he takes the best top he holds; a further
chain item is always placed (the tables are checked for a longer chain never paying less). What a lone chain
is worth is therefore a fixed function of the range, and only its total against each opposing action is
remembered.

Letters as in ``final.state``; ``slot`` names the record, ``player`` the owner of the chain items.
"""

from __future__ import annotations

import numpy as np

from solver.hidden_hands.arrays import F32, I64
from solver.hidden_hands.final.draws import adjoint_draw, forward_draw
from solver.hidden_hands.final.state import FinalScratch, Frame
from solver.hidden_hands.final.tables import FinalTables
from solver.hidden_hands.jit import kernel
from solver.hidden_hands.tree import LANES

__all__ = [
    "caps_after",
    "caps_of",
    "clear_index",
    "lone_flows",
    "lone_values",
    "lone_worth",
    "tabulate_tops",
]

_ZERO = np.float32(0.0)
_IMPOSSIBLE = np.float32(-1e4)


@kernel
def caps_of(caps: I64, frame: Frame) -> tuple[int, int]:
    """Most items of both chain types a player may hold when he decides.

    ``caps``: ``[2]`` items of each chain type that are not yet public; 0 where there is no such type.
    """
    return min(caps[0], frame.first_max), min(caps[1], frame.second_max)


@kernel
def caps_after(caps: I64, which: int, frame: Frame) -> tuple[int, int]:
    """Most items of both chain types a player may hold once he has placed one of them and drawn."""
    if which:
        return min(caps[0], frame.first_max), min(caps[1] - 1, frame.second_max)
    return min(caps[0] - 1, frame.first_max), min(caps[1], frame.second_max)


@kernel
def clear_index(array: F32, first: int, last: int, frame: Frame, num_groups: int) -> None:
    """Zero the rows of hands with at most so many items of both chain types."""
    second = frame.second_max + 1
    bits = 1 << frame.num_plain
    size = (frame.first_max + 1) * second * bits
    for group in range(num_groups):
        for v in range(first + 1):
            for c in range(last + 1):
                block = group * size + (v * second + c) * bits
                here = array[block : block + bits]
                for r in range(frame.room[v + c]):
                    s = frame.order[r]
                    for lane in range(LANES):
                        here[s, lane] = _ZERO


@kernel
def tabulate_tops(
    slot: int, batch: int, player: int, joints: I64, tables: FinalTables, z: FinalScratch, frame: Frame
) -> None:
    """Worth of the best top for every support, by chain length and opposing action.

    The axis before the supports tells whether the second chain type is held. Only plain opposing actions
    leave a player alone, and where chains are possible something can always be placed.
    """
    plain = frame.num_plain
    bits = 1 << plain
    g, line = z.worth, z.line
    for j in range(min(z.caps[slot, player, 0], frame.max_chain)):
        for b in range(plain):
            best = z.best_top[slot, player, j, b]
            for lane in range(LANES):
                joint = joints[batch, lane]
                row = tables.top_slot[joint] if joint >= 0 else -1
                for x in range(plain + 2):
                    g[x, lane] = (
                        np.float32(tables.top[row, player, j, b, x])
                        if row >= 0 and x < frame.num_actions
                        else _ZERO
                    )
            for lane in range(LANES):
                best[0, 0, lane] = _IMPOSSIBLE
            for i in range(plain):
                size = 1 << i
                for s in range(size):
                    for lane in range(LANES):
                        line[lane] = max(best[0, s, lane], g[i, lane])
                    for lane in range(LANES):
                        best[0, size + s, lane] = line[lane]
            if z.caps[slot, player, 1] > 0:
                for s in range(bits):
                    for lane in range(LANES):
                        line[lane] = max(best[0, s, lane], g[plain + 1, lane])
                    for lane in range(LANES):
                        best[1, s, lane] = line[lane]
            for lane in range(LANES):
                best[0, 0, lane] = _ZERO


@kernel
def lone_values(
    slot: int, player: int, opp_flow: F32, out: F32, z: FinalScratch, frame: Frame, num_groups: int
) -> None:
    """Accumulate onto ``out`` what lone chains are worth by support index after the chain item and its draw.

    ``opp_flow``: ``[P, L]`` opposing flow by action. Longer chains first: a further chain item is always
    placed.
    """
    plain = frame.num_plain
    bits = 1 << plain
    second = frame.second_max + 1
    block_size = (frame.first_max + 1) * second * bits
    work, pulled = z.spare[0], z.spare[1]
    available = z.caps[slot, player, 0]
    longest = min(available, frame.max_chain)
    _, most = caps_of(z.caps[slot, player], frame)
    facing, sums = z.facing, z.total
    for b in range(plain):
        for lane in range(LANES):
            facing[b, lane] = opp_flow[b, lane] * z.alone[slot, player, b, lane]
    for group in range(num_groups):
        base = group * block_size
        for j in range(longest - 1, -1, -1):
            # Values with j + 1 chain items in the slot: first those who hold no further one.
            for held in range(2 if most > 0 else 1):
                for s in range(bits):
                    for lane in range(LANES):
                        sums[s, lane] = _ZERO
                for b in range(plain):
                    best = z.best_top[slot, player, j, b, held]
                    for s in range(bits):
                        for lane in range(LANES):
                            sums[s, lane] += best[s, lane] * facing[b, lane]
                for c in range(held, most + 1 if held else 1):
                    here = work[base + c * bits : base + (c + 1) * bits]
                    for r in range(frame.room[c]):
                        s = frame.order[r]
                        for lane in range(LANES):
                            here[s, lane] = sums[s, lane]
            # `pulled` holds the values of remainders after one more chain item.
            for v in range(1, min(available - j - 1, frame.first_max) + 1):
                for c in range(most + 1):
                    block = base + (v * second + c) * bits
                    here = work[block : block + bits]
                    before = pulled[block - second * bits : block - second * bits + bits]
                    for r in range(frame.room[v + c]):
                        s = frame.order[r]
                        for lane in range(LANES):
                            here[s, lane] = before[s, lane]
            if j > 0:
                first = min(available - j - 1, frame.first_max)
                adjoint_draw(work, pulled, z.draw[slot, player, j, group], frame, base, first, most)
        for v in range(min(available - 1, frame.first_max) + 1):
            for c in range(most + 1):
                block = base + (v * second + c) * bits
                sums_here, more = out[block : block + bits], work[block : block + bits]
                for r in range(frame.room[v + c]):
                    s = frame.order[r]
                    for lane in range(LANES):
                        sums_here[s, lane] += more[s, lane]


@kernel
def lone_flows(slot: int, player: int, after: F32, z: FinalScratch, frame: Frame, num_groups: int) -> None:
    """Ranges of lone chains by the number of chain items in the slot: ``z.tail``.

    ``after``: ``[G*I, L]`` range after the first chain item and its draw.
    """
    second = frame.second_max + 1
    bits = 1 << frame.num_plain
    size = (frame.first_max + 1) * second * bits
    rest = z.spare[0]
    available = z.caps[slot, player, 0]
    _, most = caps_of(z.caps[slot, player], frame)
    for group in range(num_groups):
        base = group * size
        for j in range(min(available, frame.max_chain)):
            first = min(available - j - 1, frame.first_max)
            for v in range(first + 1):
                for c in range(most + 1):
                    block = base + (v * second + c) * bits
                    # A remainder has room for one item less than a hand.
                    kept = frame.room[v + c + 1] if j > 0 and v < frame.first_max else 0
                    if j == 0:
                        source, here = after[block : block + bits], z.tail[0, block : block + bits]
                        for r in range(frame.room[v + c]):
                            s = frame.order[r]
                            for lane in range(LANES):
                                here[s, lane] = source[s, lane]
                        continue
                    more = block + second * bits if kept > 0 else block
                    source, here = z.tail[j - 1, more : more + bits], rest[block : block + bits]
                    for r in range(frame.room[v + c]):
                        s = frame.order[r]
                        if r < kept:
                            for lane in range(LANES):
                                here[s, lane] = source[s, lane]
                        else:
                            for lane in range(LANES):
                                here[s, lane] = _ZERO
            if j > 0:
                draw = z.draw[slot, player, j, group]
                forward_draw(rest, z.tail[j], draw, frame, base, first, most)


@kernel
def lone_worth(slot: int, player: int, out: F32, z: FinalScratch, frame: Frame, num_groups: int) -> None:
    """What the player's lone chains are worth to him, by plain opposing action: ``out`` ``[P, L]``."""
    plain = frame.num_plain
    second = frame.second_max + 1
    bits = 1 << plain
    size = (frame.first_max + 1) * second * bits
    _, most = caps_of(z.caps[slot, player], frame)
    ends = z.total
    for b in range(plain):
        for lane in range(LANES):
            out[b, lane] = _ZERO
    for j in range(min(z.caps[slot, player, 0], frame.max_chain)):
        # Those who hold no further chain item, summed over groups and how many of the second type they hold.
        for held in range(2 if most > 0 else 1):
            for s in range(bits):
                for lane in range(LANES):
                    ends[s, lane] = _ZERO
            for group in range(num_groups):
                for c in range(held, most + 1 if held else 1):
                    block = group * size + c * bits
                    here = z.tail[j, block : block + bits]
                    for r in range(frame.room[c]):
                        s = frame.order[r]
                        for lane in range(LANES):
                            ends[s, lane] += here[s, lane]
            for b in range(plain):
                best = z.best_top[slot, player, j, b, held]
                for s in range(bits):
                    for lane in range(LANES):
                        out[b, lane] += best[s, lane] * ends[s, lane]
    for b in range(plain):
        for lane in range(LANES):
            out[b, lane] *= z.alone[slot, player, b, lane]
