"""Draws on ranges and values over support indices, eight lanes side by side.

``I`` support indices (see ``spaces``), ``L = 8`` lanes. *Hands* hold at most ``hand_size`` items and
*remainders*, before the draw, one less; only rows that a hand or remainder of that size can have are touched.

*Chain items* leave a hand with one item less, drawn for like any other. Who is left alone to place a further
item sees everything, so it takes the best top it holds; a further chain item is always placed (the tables are
checked for a longer chain never paying less). What a lone chain is worth is therefore a fixed function of the
range, and only its total against each opposing action is remembered. ``slot`` names the record, ``player``
the owner of the chain items. Other letters as in ``final_state``.
"""

from __future__ import annotations

import numpy as np

from solver.hidden_hands.final_state import FinalScratch, FinalTables, Frame
from solver.hidden_hands.jit import F32, I64, ONE, ZERO, kernel
from solver.hidden_hands.tree import LANES


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

    ``weights`` ``[plain + 4, L] float32``: modified in place: weight of each plain type, of both chain types,
    of staying, and the unit ``1 / stock``; ``pool``, ``hidden`` ``[T]``: items not yet public, and the hidden
    ones among them; ``held_after``: items in hand when the draw is made; ``stock``: items left to draw from;
    0 leaves the hand as it is.
    """
    plain = plain_types.size
    for row in range(plain + 4):
        weights[row, lane] = ZERO
    if stock <= 0:
        weights[plain + 2, lane] = ONE
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

    ``weights`` ``[plain + 4, L]``: see ``set_draw_weights``; ``first``, ``last``: most items of both chain
    types in hand after the draw.
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
                            weights[plain, lane] - less * weights[plain + 3, lane], ZERO
                        )
            if c > 0:
                less = np.float32(c - 1)
                fewer = source[block - bits : block]
                for r in range(room):
                    s = frame.order[r]
                    for lane in range(LANES):
                        after[s, lane] += fewer[s, lane] * max(
                            weights[plain + 1, lane] - less * weights[plain + 3, lane], ZERO
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
                            weights[plain, lane] - np.float32(v) * weights[plain + 3, lane], ZERO
                        )
            if c < last:
                more = source[block + bits : block + 2 * bits]
                for r in range(room):
                    s = frame.order[r]
                    for lane in range(LANES):
                        before[s, lane] += more[s, lane] * max(
                            weights[plain + 1, lane] - np.float32(c) * weights[plain + 3, lane], ZERO
                        )


_IMPOSSIBLE = np.float32(-1e4)


@kernel
def caps_of(caps: I64, frame: Frame) -> tuple[int, int]:
    """Most items of both chain types a player may hold when it decides.

    ``caps``: ``[2]`` items of each chain type that are not yet public; 0 where there is no such type.
    """
    return min(caps[0], frame.first_max), min(caps[1], frame.second_max)


@kernel
def caps_after(caps: I64, which: int, frame: Frame) -> tuple[int, int]:
    """Most items of both chain types a player may hold once it has placed one of them and drawn."""
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
                        here[s, lane] = ZERO


@kernel
def copy_hands(source: F32, target: F32, frame: Frame, base: int, first: int, last: int, less: int) -> None:
    """Copy the rows of hands, from row ``base`` on, with at most so many items of both chain types.

    ``less``: 1 for remainders, which hold one item less.
    """
    bits = 1 << frame.num_plain
    for v in range(first + 1):
        for c in range(last + 1):
            block = base + (v * (frame.second_max + 1) + c) * bits
            here, there = target[block : block + bits], source[block : block + bits]
            for r in range(frame.room[v + c + less]):
                s = frame.order[r]
                for lane in range(LANES):
                    here[s, lane] = there[s, lane]


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
                        else ZERO
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
                best[0, 0, lane] = ZERO


@kernel
def lone_values(
    slot: int, player: int, opp_reach: F32, out: F32, z: FinalScratch, frame: Frame, num_groups: int
) -> None:
    """Accumulate onto ``out`` what lone chains are worth by support index after the chain item and its draw.

    ``opp_reach``: ``[P, L]`` opposing reach by action. Longer chains first: a further chain item is always
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
            facing[b, lane] = opp_reach[b, lane] * z.alone[slot, player, b, lane]
    for group in range(num_groups):
        base = group * block_size
        for j in range(longest - 1, -1, -1):
            # Values with j + 1 chain items in the slot: first those who hold no further one.
            for held in range(2 if most > 0 else 1):
                for s in range(bits):
                    for lane in range(LANES):
                        sums[s, lane] = ZERO
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
def lone_ranges(slot: int, player: int, after: F32, z: FinalScratch, frame: Frame, num_groups: int) -> None:
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
                                here[s, lane] = ZERO
            if j > 0:
                draw = z.draw[slot, player, j, group]
                forward_draw(rest, z.tail[j], draw, frame, base, first, most)


@kernel
def lone_worth(slot: int, player: int, out: F32, z: FinalScratch, frame: Frame, num_groups: int) -> None:
    """What the player's lone chains are worth to it, by plain opposing action: ``out`` ``[P, L]``."""
    plain = frame.num_plain
    second = frame.second_max + 1
    bits = 1 << plain
    size = (frame.first_max + 1) * second * bits
    _, most = caps_of(z.caps[slot, player], frame)
    ends = z.total
    for b in range(plain):
        for lane in range(LANES):
            out[b, lane] = ZERO
    for j in range(min(z.caps[slot, player, 0], frame.max_chain)):
        # Those who hold no further chain item, summed over groups and how many of the second type they hold.
        for held in range(2 if most > 0 else 1):
            for s in range(bits):
                for lane in range(LANES):
                    ends[s, lane] = ZERO
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
