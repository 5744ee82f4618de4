"""The final step: a bilinear game over supports, solved by hedging against the opponent's average.

At the last placement every hand sees the same action values, so a player's state shrinks to its *support
index* (see ``spaces``): how many chain items he holds and which other types. A record keeps only the two
players' accumulated flows per action, and what an accumulated flow of lone chain items was worth against each
opposing action. Everything else (action values, strategies, values of chains) is recomputed from them at
every visit.

All arrays have the eight lanes of a batch as their last axis; kernels loop over them innermost, element by
element, so that the compiler turns each such loop into one vector instruction.

``P`` local actions in the order plain types, chain types, nothing; ``I`` support indices; ``G`` groups of
states with the same hidden items (1 unless chains are possible and something is hidden); ``L = 8`` lanes.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.hidden_hands.arrays import F32, I32, I64
from solver.hidden_hands.final_tables import FinalTables
from solver.hidden_hands.jit import kernel
from solver.hidden_hands.spaces import ActionSpace
from solver.hidden_hands.tree import LANES, MAX_LINKS

__all__ = [
    "FinalScratch",
    "FinalState",
    "Frame",
    "adjoint_draw",
    "final_scratch",
    "final_state",
    "forward_draw",
    "frame_of",
    "hedge_batch",
    "set_draw_weights",
]

_CLAMP = np.float32(60.0)
"""Largest exponent: exp(60) and exp(-60) leave room for sums in single precision."""

_TINY = np.float32(1e-30)
_ZERO = np.float32(0.0)
_ONE = np.float32(1.0)


class FinalState(NamedTuple):
    """What final records remember between iterations (``b`` batches)."""

    flow: NDArray[np.float32]  # [b, 2, P, L] accumulated own flow by action
    scale: NDArray[np.float32]  # [b, 2, L] accumulated squared range of the action values
    lone: NDArray[
        np.float32
    ]  # [b or 1, 2, P, L] accumulated worth of the player's lone chains by opposing action


class Frame(NamedTuple):
    """Sizes every final kernel needs."""

    num_actions: int
    num_plain: int
    num_chain: int
    has_nothing: bool
    first_max: int
    second_max: int
    max_chain: int  # longest chain of the first type in one slot
    num_levels: int  # deepest nesting of sub-steps inside one final step, plus one


class FinalScratch(NamedTuple):
    """Work space of one thread; the leading axis is the nesting level of chain sub-steps."""

    mass: NDArray[np.float32]  # [D, 2, G*I, L] range by support index
    value: NDArray[np.float32]  # [D, 2, G*I, L] values handed to the caller
    pool: NDArray[np.float32]  # [D, 2, T, L] items not yet public when this level's decision is made
    stock: NDArray[np.float32]  # [D, 2, L] items left to draw
    held: NDArray[np.float32]  # [D, 2, L] items in hand
    draw: NDArray[
        np.float32
    ]  # [D, 2, chain + 1, G, plain+4, L] draw weights after 1, 2, .. first types; last: second
    avail: NDArray[np.float32]  # [D, 2, P, L] 1 where the type may still be held
    pay: NDArray[np.float32]  # [D, P, P, L]
    alone: NDArray[np.float32]  # [D, 2, P, L]
    best_top: NDArray[np.float32]  # [D, 2, chain, P, 2, 2**plain, L]
    mean_q: NDArray[np.float32]  # [D, 2, P, L] accumulated action values
    mean_chain: NDArray[np.float32]  # [D, 2, 2, G*I, L] accumulated values of remainders after a chain item
    now_chain: NDArray[np.float32]  # [D, 2, 2, G*I, L] the same at this iteration
    share: NDArray[np.float32]  # [D, 2, 2, G*I, L] strategy of the chain types
    inverse: NDArray[np.float32]  # [D, 2, G*I, L] normaliser
    weight: NDArray[np.float32]  # [D, 2, P, L] unnormalised strategy of the other actions
    flow: NDArray[np.float32]  # [D, 2, P, L]
    now_q: NDArray[np.float32]  # [D, 2, P, L]
    after: NDArray[np.float32]  # [D, 2, 2, G*I, L] range after a chain item and its draw
    tail: NDArray[np.float32]  # [D, 2, chain, G*I, L] the same after forced chaining
    spare: NDArray[np.float32]  # [4, G*I, L]
    stay: NDArray[np.float32]  # [2**plain, L]
    table: NDArray[np.float32]  # [4, 2**plain, L]
    counts: F32  # [T]
    caps: I64  # [D, 2, 2] items of each chain type that are not yet public when this level's decision is made
    batch: NDArray[np.int64]  # [2, D] batch in progress at each level, for `_prepare` and for `hedge_batch`
    link: NDArray[np.int64]  # [2, D] its next link


def final_state(num_batches: int, num_actions: int, num_chain: int) -> FinalState:
    """Zeroed memory of all final records."""
    return FinalState(
        np.zeros((num_batches, 2, num_actions, LANES), np.float32),
        np.zeros((num_batches, 2, LANES), np.float32),
        np.zeros((num_batches if num_chain else 1, 2, num_actions, LANES), np.float32),
    )


def frame_of(actions: ActionSpace) -> Frame:
    """Sizes of the final step of a game."""
    return Frame(
        actions.local_types.size,
        actions.num_plain,
        actions.num_chain,
        actions.has_nothing,
        int(actions.chain_max[0]),
        int(actions.chain_max[1]),
        max(1, int(actions.chain_copies[0])),
        int(actions.chain_copies.sum()) + 1,
    )


def final_scratch(frame: Frame, num_groups: int, num_types: int) -> FinalScratch:
    """Work space for one thread; about a megabyte per group and level of chains."""
    levels = frame.num_levels
    p, plain = frame.num_actions, frame.num_plain
    bits = 1 << plain
    index = (frame.first_max + 1) * (frame.second_max + 1) * bits * num_groups
    chain_index = index if frame.num_chain else 1

    def array(*shape: int) -> NDArray[np.float32]:
        return np.zeros((*shape, LANES), np.float32)

    return FinalScratch(
        array(levels, 2, index),
        array(levels, 2, index),
        array(levels, 2, num_types),
        array(levels, 2),
        array(levels, 2),
        array(levels, 2, frame.max_chain + 1, num_groups, plain + 4),
        array(levels, 2, p),
        array(levels, p, p),
        array(levels, 2, p),
        array(levels, 2, frame.max_chain, p, 2, bits if frame.num_chain else 1),
        array(levels, 2, p),
        array(levels, 2, 2, chain_index),
        array(levels, 2, 2, chain_index),
        array(levels, 2, 2, chain_index),
        array(levels, 2, index),
        array(levels, 2, p),
        array(levels, 2, p),
        array(levels, 2, p),
        array(levels, 2, 2, chain_index),
        array(levels, 2, frame.max_chain, chain_index),
        array(4, index),
        array(bits),
        array(4, max(bits, 16)),
        np.zeros(num_types, np.float32),
        np.zeros((levels, 2, 2), np.int64),
        np.zeros((2, levels), np.int64),
        np.zeros((2, levels), np.int64),
    )


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
def _stay_sums(weights: F32, stay: F32, plain: int) -> None:
    """Sum of the draw weights of the types in each support."""
    for lane in range(LANES):
        stay[0, lane] = weights[plain + 2, lane]
    for i in range(plain):
        size = 1 << i
        for s in range(size):
            for lane in range(LANES):
                stay[size + s, lane] = stay[s, lane] + weights[i, lane]


@kernel
def forward_draw(
    source: F32, target: F32, weights: F32, stay: F32, frame: Frame, base: int, first: int, last: int
) -> None:
    """Push a range over support indices through a draw; ``[I, L]`` block starting at row ``base``.

    Exact: a type not held is drawn with the weight of all its copies, and drawing any type already held
    leaves the support as it is, with a total weight that depends on the support alone. Complexity
    ``O(I plain)``.
    """
    plain = frame.num_plain
    bits = 1 << plain
    _stay_sums(weights, stay, plain)
    second = frame.second_max + 1
    for v in range(first + 1):
        for c in range(last + 1):
            block = base + (v * second + c) * bits
            held = np.float32(v + c)
            for s in range(bits):
                row = block + s
                for lane in range(LANES):
                    target[row, lane] = source[row, lane] * (stay[s, lane] + held * weights[plain + 3, lane])
                for i in range(plain):
                    if (s >> i) & 1:
                        other = row - (1 << i)
                        for lane in range(LANES):
                            target[row, lane] += source[other, lane] * weights[i, lane]
            if v > 0:
                less = np.float32(v - 1)
                for s in range(bits):
                    row = block + s
                    other = row - second * bits
                    for lane in range(LANES):
                        target[row, lane] += source[other, lane] * max(
                            weights[plain, lane] - less * weights[plain + 3, lane], _ZERO
                        )
            if c > 0:
                less = np.float32(c - 1)
                for s in range(bits):
                    row = block + s
                    other = row - bits
                    for lane in range(LANES):
                        target[row, lane] += source[other, lane] * max(
                            weights[plain + 1, lane] - less * weights[plain + 3, lane], _ZERO
                        )


@kernel
def adjoint_draw(
    source: F32, target: F32, weights: F32, stay: F32, frame: Frame, base: int, first: int, last: int
) -> None:
    """Pull values over support indices back through a draw: the transpose of ``forward_draw``."""
    plain = frame.num_plain
    bits = 1 << plain
    _stay_sums(weights, stay, plain)
    second = frame.second_max + 1
    for v in range(first + 1):
        for c in range(last + 1):
            block = base + (v * second + c) * bits
            held = np.float32(v + c)
            for s in range(bits):
                row = block + s
                for lane in range(LANES):
                    target[row, lane] = source[row, lane] * (stay[s, lane] + held * weights[plain + 3, lane])
                for i in range(plain):
                    if not (s >> i) & 1:
                        other = row + (1 << i)
                        for lane in range(LANES):
                            target[row, lane] += source[other, lane] * weights[i, lane]
            if v < first:
                for s in range(bits):
                    row = block + s
                    other = row + second * bits
                    for lane in range(LANES):
                        target[row, lane] += source[other, lane] * max(
                            weights[plain, lane] - np.float32(v) * weights[plain + 3, lane], _ZERO
                        )
            if c < last:
                for s in range(bits):
                    row = block + s
                    other = row + bits
                    for lane in range(LANES):
                        target[row, lane] += source[other, lane] * max(
                            weights[plain + 1, lane] - np.float32(c) * weights[plain + 3, lane], _ZERO
                        )


@kernel
def _load(level: int, batch: int, joints: I64, tables: FinalTables, z: FinalScratch, frame: Frame) -> None:
    """Bring a batch's payoffs and masks into the lanes (zero in idle lanes)."""
    num = frame.num_actions
    for lane in range(LANES):
        joint = joints[batch, lane]
        if joint < 0:
            for a in range(num):
                for b in range(num):
                    z.pay[level, a, b, lane] = _ZERO
                z.alone[level, 0, a, lane] = _ZERO
                z.alone[level, 1, a, lane] = _ZERO
            continue
        for a in range(num):
            for b in range(num):
                z.pay[level, a, b, lane] = np.float32(tables.pay[joint, a, b])
            z.alone[level, 0, a, lane] = np.float32(tables.alone[joint, 0, a])
            z.alone[level, 1, a, lane] = np.float32(tables.alone[joint, 1, a])


@kernel
def _tabulate_tops(
    level: int, batch: int, player: int, joints: I64, tables: FinalTables, z: FinalScratch, frame: Frame
) -> None:
    """Worth of the best top for every support, by chain length and opposing action.

    The axis before the supports tells whether the second chain type is held. Only plain opposing actions
    leave a player alone, and where chains are possible something can always be placed.
    """
    plain = frame.num_plain
    bits = 1 << plain
    g = z.table[3]
    for j in range(min(z.caps[level, player, 0], frame.max_chain)):
        for b in range(plain):
            best = z.best_top[level, player, j, b]
            for lane in range(LANES):
                joint = joints[batch, lane]
                slot = tables.top_slot[joint] if joint >= 0 else -1
                for x in range(plain + 2):
                    g[x, lane] = (
                        np.float32(tables.top[slot, player, j, b, x])
                        if slot >= 0 and x < frame.num_actions
                        else _ZERO
                    )
            for lane in range(LANES):
                best[0, 0, lane] = np.float32(-1e4)
            for i in range(plain):
                size = 1 << i
                for s in range(size):
                    for lane in range(LANES):
                        best[0, size + s, lane] = max(best[0, s, lane], g[i, lane])
            if z.caps[level, player, 1] > 0:
                for s in range(bits):
                    for lane in range(LANES):
                        best[1, s, lane] = max(best[0, s, lane], g[plain + 1, lane])
            for lane in range(LANES):
                best[0, 0, lane] = _ZERO


@kernel
def _lone_values(
    level: int, player: int, opp_flow: F32, out: F32, z: FinalScratch, frame: Frame, num_groups: int
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
    available = z.caps[level, player, 0]
    longest = min(available, frame.max_chain)
    _, most = _caps(level, player, z, frame)
    facing = z.table[1]
    for b in range(plain):
        for lane in range(LANES):
            facing[b, lane] = opp_flow[b, lane] * z.alone[level, player, b, lane]
    for group in range(num_groups):
        base = group * block_size
        for j in range(longest - 1, -1, -1):
            # Values with j + 1 chain items in the slot: first those who hold no further one.
            for held in range(2 if most > 0 else 1):
                sums = z.table[0]
                for s in range(bits):
                    for lane in range(LANES):
                        sums[s, lane] = _ZERO
                for b in range(plain):
                    best = z.best_top[level, player, j, b, held]
                    for s in range(bits):
                        for lane in range(LANES):
                            sums[s, lane] += best[s, lane] * facing[b, lane]
                for c in range(held, most + 1 if held else 1):
                    for s in range(bits):
                        for lane in range(LANES):
                            work[base + c * bits + s, lane] = sums[s, lane]
            # `pulled` holds the values of remainders after one more chain item.
            for v in range(1, min(available - j - 1, frame.first_max) + 1):
                for c in range(most + 1):
                    block = base + (v * second + c) * bits
                    for s in range(bits):
                        for lane in range(LANES):
                            work[block + s, lane] = pulled[block - second * bits + s, lane]
            if j > 0:
                first = min(available - j - 1, frame.first_max)
                adjoint_draw(work, pulled, z.draw[level, player, j, group], z.stay, frame, base, first, most)
        for v in range(min(available - 1, frame.first_max) + 1):
            for c in range(most + 1):
                block = base + (v * second + c) * bits
                for s in range(bits):
                    for lane in range(LANES):
                        out[block + s, lane] += work[block + s, lane]


@kernel
def _set_level_draws(
    level: int, player: int, types: I64, hidden: F32, z: FinalScratch, frame: Frame, num_groups: int
) -> None:
    """Draw weights after each possible chain placement of a player, and what types he may still hold."""
    plain, chain = frame.num_plain, frame.num_chain
    num_types = z.pool.shape[2]
    pool = z.counts
    plain_types = types[:plain]
    chain_types = types[plain : plain + chain]
    for a in range(frame.num_actions):
        for lane in range(LANES):
            z.avail[level, player, a, lane] = (
                _ONE if types[a] < 0 or z.pool[level, player, types[a], lane] > _ZERO else _ZERO
            )
    for which in range(2):
        most = 0
        if which < chain:
            for lane in range(LANES):
                most = max(most, int(z.pool[level, player, chain_types[which], lane]))
        z.caps[level, player, which] = most
    for lane in range(LANES):
        for kind in range(frame.max_chain + 1 if chain > 1 else (frame.max_chain if chain else 0)):
            which = 1 if kind == frame.max_chain else 0
            if z.caps[level, player, which] <= (0 if which else kind):
                continue
            placed = 1 if which else kind + 1
            for t in range(num_types):
                pool[t] = z.pool[level, player, t, lane]
            pool[chain_types[which]] -= placed
            held = z.held[level, player, lane]
            stock = z.stock[level, player, lane]
            for _ in range(placed - 1):
                if stock > 0:
                    stock -= 1
                else:
                    held -= 1
            for group in range(num_groups):
                set_draw_weights(
                    z.draw[level, player, kind, group],
                    lane,
                    plain_types,
                    chain_types,
                    pool,
                    hidden[group],
                    int(held) - 1,
                    int(stock),
                )


@kernel
def _descend(level: int, link: int, types: I64, z: FinalScratch, frame: Frame) -> None:
    """Public counts of the sub-step after both placed chain types."""
    for p in range(2):
        which = link // 2 if p == 0 else link % 2
        item = types[frame.num_plain + which]
        for t in range(z.pool.shape[2]):
            for lane in range(LANES):
                z.pool[level + 1, p, t, lane] = z.pool[level, p, t, lane]
        for lane in range(LANES):
            z.pool[level + 1, p, item, lane] -= _ONE
            stock = z.stock[level, p, lane]
            z.stock[level + 1, p, lane] = max(stock - _ONE, _ZERO)
            z.held[level + 1, p, lane] = z.held[level, p, lane] - (_ZERO if stock > _ZERO else _ONE)


@kernel
def _may_hold(level: int, player: int, which: int, z: FinalScratch, frame: Frame) -> bool:
    """Whether the chain type may still be held in any lane."""
    return bool(which < frame.num_chain and z.caps[level, player, which] > 0)


@kernel
def _may_both(level: int, link: int, z: FinalScratch, frame: Frame) -> bool:
    """Whether both players may still hold the chain types of a link (the tree keeps an upper bound)."""
    return _may_hold(level, 0, link // 2, z, frame) and _may_hold(level, 1, link % 2, z, frame)


@kernel
def _caps(level: int, player: int, z: FinalScratch, frame: Frame) -> tuple[int, int]:
    """Most items of both chain types a player may hold when he decides."""
    return (
        min(z.caps[level, player, 0], frame.first_max),
        min(z.caps[level, player, 1], frame.second_max),
    )


@kernel
def _caps_after(level: int, player: int, which: int, z: FinalScratch, frame: Frame) -> tuple[int, int]:
    """Most items of both chain types a player may hold once he has placed one of them and drawn."""
    first, last = z.caps[level, player, 0], z.caps[level, player, 1]
    if which:
        return min(first, frame.first_max), min(last - 1, frame.second_max)
    return min(first - 1, frame.first_max), min(last, frame.second_max)


@kernel
def _pull(
    level: int, player: int, which: int, values: F32, z: FinalScratch, frame: Frame, num_groups: int
) -> None:
    """Pull values after a chain item back through its draw, in place."""
    second = frame.second_max + 1
    bits = 1 << frame.num_plain
    size = (frame.first_max + 1) * second * bits
    kind = frame.max_chain if which else 0
    pulled = z.spare[1]
    first, last = _caps_after(level, player, which, z, frame)
    for group in range(num_groups):
        base = group * size
        adjoint_draw(values, pulled, z.draw[level, player, kind, group], z.stay, frame, base, first, last)
        for v in range(first + 1):
            for c in range(last + 1):
                block = base + (v * second + c) * bits
                for row in range(block, block + bits):
                    for lane in range(LANES):
                        values[row, lane] = pulled[row, lane]


@kernel
def _clear(array: F32, rows: int) -> None:
    for row in range(rows):
        for lane in range(LANES):
            array[row, lane] = _ZERO


@kernel
def _clear_index(array: F32, first: int, last: int, frame: Frame, num_groups: int) -> None:
    """Zero the support indices with at most so many items of both chain types."""
    second = frame.second_max + 1
    bits = 1 << frame.num_plain
    size = (frame.first_max + 1) * second * bits
    for group in range(num_groups):
        for v in range(first + 1):
            for c in range(last + 1):
                block = group * size + (v * second + c) * bits
                for row in range(block, block + bits):
                    for lane in range(LANES):
                        array[row, lane] = _ZERO


@kernel
def _prepare_own(
    level: int,
    batch: int,
    types: I64,
    hidden0: F32,
    hidden1: F32,
    joints: I64,
    tables: FinalTables,
    state: FinalState,
    z: FinalScratch,
    frame: Frame,
) -> None:
    """Accumulated action values of a record, without what follows when both players place chain types."""
    _load(level, batch, joints, tables, z, frame)
    for p in range(2):
        hidden = hidden0 if p == 0 else hidden1
        _set_level_draws(level, p, types, hidden, z, frame, hidden.shape[0])
    _action_values(level, state.flow[batch], z.mean_q[level], z, frame)
    if frame.num_chain == 0:
        return
    for p in range(2):
        for a in range(frame.num_actions):
            for lane in range(LANES):
                z.mean_q[level, p, a, lane] -= state.lone[batch, 1 - p, a, lane]
        groups = hidden0.shape[0] if p == 0 else hidden1.shape[0]
        for which in range(frame.num_chain):
            if _may_hold(level, p, which, z, frame):
                first, last = _caps_after(level, p, which, z, frame)
                _clear_index(z.mean_chain[level, p, which], first, last, frame, groups)
        if _may_hold(level, p, 0, z, frame):
            _tabulate_tops(level, batch, p, joints, tables, z, frame)
            _lone_values(level, p, state.flow[batch, 1 - p], z.mean_chain[level, p, 0], z, frame, groups)


@kernel
def _pull_all(
    level: int, who: int, chain_values: F32, z: FinalScratch, frame: Frame, groups0: int, groups1: int
) -> None:
    """Pull the players' values after chain items back through the draw, in place."""
    for p in range(2):
        if not (who >> p) & 1:
            continue
        groups = groups0 if p == 0 else groups1
        for which in range(frame.num_chain):
            if _may_hold(level, p, which, z, frame):
                _pull(level, p, which, chain_values[level, p, which], z, frame, groups)


@kernel
def _add_link_values(
    level: int, link: int, chain_values: F32, z: FinalScratch, frame: Frame, groups0: int, groups1: int
) -> None:
    """Add the values of the sub-step below (``value`` of the next level) to those after the chain items."""
    block = (frame.first_max + 1) * (frame.second_max + 1) << frame.num_plain
    second = frame.second_max + 1
    bits = 1 << frame.num_plain
    for p in range(2):
        which = link // 2 if p == 0 else link % 2
        first, last = _caps(level + 1, p, z, frame)
        for group in range(groups0 if p == 0 else groups1):
            for v in range(first + 1):
                for c in range(last + 1):
                    start = group * block + (v * second + c) * bits
                    for row in range(start, start + bits):
                        for lane in range(LANES):
                            chain_values[level, p, which, row, lane] += z.value[level + 1, p, row, lane]


@kernel
def _prepare(
    level: int,
    batch: int,
    types: I64,
    hidden0: F32,
    hidden1: F32,
    joints: I64,
    links: I32,
    tables: FinalTables,
    state: FinalState,
    z: FinalScratch,
    frame: Frame,
) -> None:
    """Accumulated action values of a record, chains included, from what the two players have done so far.

    Fills ``mean_q`` and ``mean_chain`` of this level; levels below are overwritten. Sub-steps are visited
    depth first with an explicit stack, and count at what a best response to the accumulated play is worth
    there.
    """
    groups0, groups1 = hidden0.shape[0], hidden1.shape[0]
    at, sub = level, batch
    entering = True
    while True:
        if entering:
            _prepare_own(at, sub, types, hidden0, hidden1, joints, tables, state, z, frame)
            if frame.num_chain == 0:
                return
            z.batch[0, at] = sub
            z.link[0, at] = 0
            entering = False
        link = z.link[0, at]
        if link < MAX_LINKS:
            sub = links[z.batch[0, at], link]
            if sub < 0 or not _may_both(at, link, z, frame):
                z.link[0, at] += 1
                continue
            _descend(at, link, types, z, frame)
            at += 1
            entering = True
            continue
        _pull_all(at, 3, z.mean_chain, z, frame, groups0, groups1)
        if at == level:
            return
        for p in range(2):
            _best_values(at, p, z, frame, groups0 if p == 0 else groups1)
        at -= 1
        _add_link_values(at, z.link[0, at], z.mean_chain, z, frame, groups0, groups1)
        z.link[0, at] += 1


@kernel
def _action_values(level: int, flow: F32, q: F32, z: FinalScratch, frame: Frame) -> None:
    """``q[0] = pay @ flow[1]``, ``q[1] = -pay.T @ flow[0]``."""
    num = frame.num_actions
    for a in range(num):
        for lane in range(LANES):
            q[0, a, lane] = _ZERO
            q[1, a, lane] = _ZERO
    for a in range(num):
        for b in range(num):
            for lane in range(LANES):
                q[0, a, lane] += z.pay[level, a, b, lane] * flow[1, b, lane]
                q[1, b, lane] -= z.pay[level, a, b, lane] * flow[0, a, lane]


@kernel
def _best_values(level: int, player: int, z: FinalScratch, frame: Frame, num_groups: int) -> None:
    """Value of every support index if its owner best-responds to the accumulated play of the other side."""
    plain, num = frame.num_plain, frame.num_actions
    bits = 1 << plain
    second = frame.second_max + 1
    q = z.mean_q[level, player]
    best = z.table[0]
    out = z.value[level, player]
    low = np.float32(-1e30)
    for lane in range(LANES):
        best[0, lane] = low
    for i in range(plain):
        size = 1 << i
        for s in range(size):
            for lane in range(LANES):
                best[size + s, lane] = max(best[s, lane], q[i, lane])
    first, last = _caps(level, player, z, frame)
    for group in range(num_groups):
        base = group * (frame.first_max + 1) * second * bits
        for v in range(first + 1):
            for c in range(last + 1):
                block = base + (v * second + c) * bits
                for s in range(bits):
                    for lane in range(LANES):
                        out[block + s, lane] = best[s, lane]
                if v > 0:
                    for s in range(bits):
                        rest = block + s - second * bits
                        for lane in range(LANES):
                            out[block + s, lane] = max(
                                out[block + s, lane],
                                q[plain, lane] + z.mean_chain[level, player, 0, rest, lane],
                            )
                if c > 0:
                    for s in range(bits):
                        rest = block + s - bits
                        for lane in range(LANES):
                            out[block + s, lane] = max(
                                out[block + s, lane],
                                q[plain + 1, lane] + z.mean_chain[level, player, 1, rest, lane],
                            )
        for lane in range(LANES):
            out[base, lane] = q[num - 1, lane] if frame.has_nothing else _ZERO


@kernel
def _exponential(x: np.float32) -> np.float32:
    """Monotone stand-in for exp on [-60, 60] that compiles to multiplications: ``(1 + x/1024)**1024``.

    Any positive, steeply monotone weights make a strategy; the certificate does not care which.
    """
    y = _ONE + max(min(x, _CLAMP), -_CLAMP) * np.float32(1.0 / 1024.0)
    for _ in range(10):
        y = y * y
    return y


@kernel
def _strategy(
    level: int,
    batch: int,
    player: int,
    heat: float,
    state: FinalState,
    z: FinalScratch,
    frame: Frame,
    num_groups: int,
) -> None:
    """Hedge at every support index and push the range through it.

    Fills ``weight``, ``inverse``, ``share``, ``flow`` and, for chain types, ``after`` (before the draw).
    ``heat``: exponent per unit of accumulated value over the root of the accumulated squared range.
    """
    plain, num = frame.num_plain, frame.num_actions
    bits = 1 << plain
    second = frame.second_max + 1
    size = (frame.first_max + 1) * second * bits
    q, w = z.mean_q[level, player], z.weight[level, player]
    top = z.table[1, 0]
    eta = z.table[1, 1] if bits > 1 else z.table[1, 0]
    bottom = z.table[2, 0]
    for lane in range(LANES):
        top[lane] = np.float32(-1e30)
        bottom[lane] = np.float32(1e30)
    for a in range(plain):
        for lane in range(LANES):
            if z.avail[level, player, a, lane] > _ZERO:
                top[lane] = max(top[lane], q[a, lane])
                bottom[lane] = min(bottom[lane], q[a, lane])
    for lane in range(LANES):
        spread = max(top[lane] - bottom[lane], _TINY)
        if top[lane] < np.float32(-1e29):
            top[lane] = q[plain, lane] if frame.num_chain else _ZERO
        eta[lane] = min(
            np.float32(heat) / np.sqrt(max(state.scale[batch, player, lane], _TINY)), _CLAMP / spread
        )
    for a in range(plain):
        for lane in range(LANES):
            w[a, lane] = _exponential(eta[lane] * (q[a, lane] - top[lane]))
    mass = z.mass[level, player]
    total, down = z.table[0], z.table[2]
    first, last = _caps(level, player, z, frame)
    for which in range(frame.num_chain):
        if _may_hold(level, player, which, z, frame):
            # Remainders that no placement leads to: hands as large as can be.
            vs, cs = _caps_after(level, player, which, z, frame)
            _clear_index(z.after[level, player, which], vs, cs, frame, num_groups)
    for lane in range(LANES):
        total[0, lane] = _ZERO
    for i in range(plain):
        half = 1 << i
        for s in range(half):
            for lane in range(LANES):
                total[half + s, lane] = total[s, lane] + w[i, lane]
    for a in range(num):
        for lane in range(LANES):
            z.flow[level, player, a, lane] = _ZERO
    _clear(down, bits)
    inverse = z.inverse[level, player]
    for group in range(num_groups):
        base = group * size
        for v in range(first + 1):
            for c in range(last + 1):
                block = base + (v * second + c) * bits
                for s in range(bits):
                    row = block + s
                    for lane in range(LANES):
                        inverse[row, lane] = total[s, lane]
                    if v > 0:
                        rest = row - second * bits
                        for lane in range(LANES):
                            e = _exponential(
                                eta[lane]
                                * (q[plain, lane] + z.mean_chain[level, player, 0, rest, lane] - top[lane])
                            )
                            z.share[level, player, 0, row, lane] = e
                            inverse[row, lane] += e
                    if c > 0:
                        rest = row - bits
                        for lane in range(LANES):
                            e = _exponential(
                                eta[lane]
                                * (
                                    q[plain + 1, lane]
                                    + z.mean_chain[level, player, 1, rest, lane]
                                    - top[lane]
                                )
                            )
                            z.share[level, player, 1, row, lane] = e
                            inverse[row, lane] += e
                    if row > block or v > 0 or c > 0:
                        for lane in range(LANES):
                            inverse[row, lane] = _ONE / inverse[row, lane]
                        for lane in range(LANES):
                            down[s, lane] += mass[row, lane] * inverse[row, lane]
                    else:
                        for lane in range(LANES):
                            inverse[row, lane] = _ZERO
                        if frame.has_nothing:
                            for lane in range(LANES):
                                z.flow[level, player, num - 1, lane] += mass[row, lane]
                    if v > 0:
                        rest = row - second * bits
                        for lane in range(LANES):
                            z.share[level, player, 0, row, lane] *= inverse[row, lane]
                            moved = mass[row, lane] * z.share[level, player, 0, row, lane]
                            z.after[level, player, 0, rest, lane] = moved
                            z.flow[level, player, plain, lane] += moved
                    if c > 0:
                        rest = row - bits
                        for lane in range(LANES):
                            z.share[level, player, 1, row, lane] *= inverse[row, lane]
                            moved = mass[row, lane] * z.share[level, player, 1, row, lane]
                            z.after[level, player, 1, rest, lane] = moved
                            z.flow[level, player, plain + 1, lane] += moved
    # Flow of each plain action: its weight times the mass per unit of weight over all supports that contain
    # it.
    for i in range(plain - 1, -1, -1):
        half = 1 << i
        for s in range(half):
            for lane in range(LANES):
                z.flow[level, player, i, lane] += down[half + s, lane]
                down[s, lane] += down[half + s, lane]
        for lane in range(LANES):
            z.flow[level, player, i, lane] *= w[i, lane]


@kernel
def _values(level: int, player: int, z: FinalScratch, frame: Frame, num_groups: int) -> None:
    """Value of every support index under the strategy just played, from ``now_q`` and ``now_chain``."""
    plain, num = frame.num_plain, frame.num_actions
    bits = 1 << plain
    second = frame.second_max + 1
    size = (frame.first_max + 1) * second * bits
    q, w, inverse = z.now_q[level, player], z.weight[level, player], z.inverse[level, player]
    total = z.table[0]
    out = z.value[level, player]
    first, last = _caps(level, player, z, frame)
    for lane in range(LANES):
        total[0, lane] = _ZERO
    for i in range(plain):
        half = 1 << i
        for s in range(half):
            for lane in range(LANES):
                total[half + s, lane] = total[s, lane] + w[i, lane] * q[i, lane]
    for group in range(num_groups):
        base = group * size
        for v in range(frame.first_max + 1):
            for c in range(second):
                block = base + (v * second + c) * bits
                if v > first or c > last:
                    # Nobody can hold these. The caller of the whole visit reads them all the same.
                    if level == 0:
                        for row in range(block, block + bits):
                            for lane in range(LANES):
                                out[row, lane] = _ZERO
                    continue
                for s in range(bits):
                    row = block + s
                    for lane in range(LANES):
                        out[row, lane] = total[s, lane] * inverse[row, lane]
                    if v > 0:
                        rest = row - second * bits
                        for lane in range(LANES):
                            out[row, lane] += z.share[level, player, 0, row, lane] * (
                                q[plain, lane] + z.now_chain[level, player, 0, rest, lane]
                            )
                    if c > 0:
                        rest = row - bits
                        for lane in range(LANES):
                            out[row, lane] += z.share[level, player, 1, row, lane] * (
                                q[plain + 1, lane] + z.now_chain[level, player, 1, rest, lane]
                            )
        if frame.has_nothing:
            for lane in range(LANES):
                out[base, lane] = q[num - 1, lane]


@kernel
def _lone_flows(level: int, player: int, z: FinalScratch, frame: Frame, num_groups: int) -> None:
    """Ranges of lone chains by the number of chain items in the slot, from ``after`` (already drawn)."""
    second = frame.second_max + 1
    bits = 1 << frame.num_plain
    size = (frame.first_max + 1) * second * bits
    rest = z.spare[2]
    available = z.caps[level, player, 0]
    _, most = _caps(level, player, z, frame)
    for group in range(num_groups):
        base = group * size
        for j in range(min(available, frame.max_chain)):
            first = min(available - j - 1, frame.first_max)
            for v in range(first + 1):
                for c in range(most + 1):
                    block = base + (v * second + c) * bits
                    for s in range(bits):
                        row = block + s
                        if j == 0:
                            for lane in range(LANES):
                                z.tail[level, player, 0, row, lane] = z.after[level, player, 0, row, lane]
                        elif v < frame.first_max:
                            above = row + second * bits
                            for lane in range(LANES):
                                rest[row, lane] = z.tail[level, player, j - 1, above, lane]
                        else:
                            for lane in range(LANES):
                                rest[row, lane] = _ZERO
            if j > 0:
                draw = z.draw[level, player, j, group]
                forward_draw(rest, z.tail[level, player, j], draw, z.stay, frame, base, first, most)


@kernel
def _lone_worth(level: int, player: int, out: F32, z: FinalScratch, frame: Frame, num_groups: int) -> None:
    """What the player's lone chains are worth to him against each opposing action: ``out`` ``[P, L]``."""
    plain = frame.num_plain
    second = frame.second_max + 1
    bits = 1 << plain
    size = (frame.first_max + 1) * second * bits
    _, most = _caps(level, player, z, frame)
    ends = z.table[0]
    for b in range(frame.num_actions):
        for lane in range(LANES):
            out[b, lane] = _ZERO
    for j in range(min(z.caps[level, player, 0], frame.max_chain)):
        # Those who hold no further chain item, summed over groups and how many of the second type they hold.
        for held in range(2 if most > 0 else 1):
            _clear(ends, bits)
            for group in range(num_groups):
                for c in range(held, most + 1 if held else 1):
                    block = group * size + c * bits
                    for s in range(bits):
                        for lane in range(LANES):
                            ends[s, lane] += z.tail[level, player, j, block + s, lane]
            for b in range(plain):
                best = z.best_top[level, player, j, b, held]
                for s in range(bits):
                    for lane in range(LANES):
                        out[b, lane] += best[s, lane] * ends[s, lane]
    for b in range(plain):
        for lane in range(LANES):
            out[b, lane] *= z.alone[level, player, b, lane]


@kernel
def _play(
    level: int,
    batch: int,
    step: np.float32,
    heat: float,
    who: int,
    types: I64,
    hidden0: F32,
    hidden1: F32,
    joints: I64,
    links: I32,
    tables: FinalTables,
    state: FinalState,
    z: FinalScratch,
    frame: Frame,
) -> None:
    """Play a record at its level: strategies, flows, memory, and the values that need no sub-step."""
    num, plain = frame.num_actions, frame.num_plain
    block = (frame.first_max + 1) * (frame.second_max + 1) << plain
    _prepare(level, batch, types, hidden0, hidden1, joints, links, tables, state, z, frame)
    for p in range(2):
        groups = hidden0.shape[0] if p == 0 else hidden1.shape[0]
        _strategy(level, batch, p, heat, state, z, frame, groups)
        for a in range(num if (who >> (1 - p)) & 1 else 0):
            for lane in range(LANES):
                state.flow[batch, p, a, lane] += step * z.flow[level, p, a, lane]
    _action_values(level, z.flow[level], z.now_q[level], z, frame)
    if frame.num_chain == 0:
        return
    for p in range(2):
        groups = hidden0.shape[0] if p == 0 else hidden1.shape[0]
        for which in range(frame.num_chain):
            if not _may_hold(level, p, which, z, frame):
                continue
            first, last = _caps_after(level, p, which, z, frame)
            _clear_index(z.now_chain[level, p, which], first, last, frame, groups)
            kind = frame.max_chain if which else 0
            for group in range(groups):
                forward_draw(
                    z.after[level, p, which],
                    z.spare[3],
                    z.draw[level, p, kind, group],
                    z.stay,
                    frame,
                    group * block,
                    first,
                    last,
                )
                for v in range(first + 1):
                    for c in range(last + 1):
                        start = group * block + (v * (frame.second_max + 1) + c) * (1 << plain)
                        for row in range(start, start + (1 << plain)):
                            for lane in range(LANES):
                                z.after[level, p, which, row, lane] = z.spare[3, row, lane]
        if _may_hold(level, p, 0, z, frame):
            _lone_flows(level, p, z, frame, groups)
            worth = z.table[3]
            _lone_worth(level, p, worth, z, frame, groups)
            for a in range(num):
                for lane in range(LANES):
                    if (who >> (1 - p)) & 1:
                        state.lone[batch, p, a, lane] += step * worth[a, lane]
                    z.now_q[level, 1 - p, a, lane] -= worth[a, lane]
    for p in range(2):
        if (who >> p) & 1 and _may_hold(level, p, 0, z, frame):
            groups = hidden0.shape[0] if p == 0 else hidden1.shape[0]
            _lone_values(level, p, z.flow[level, 1 - p], z.now_chain[level, p, 0], z, frame, groups)


@kernel
def _settle(
    level: int,
    batch: int,
    step: np.float32,
    who: int,
    state: FinalState,
    z: FinalScratch,
    frame: Frame,
    groups0: int,
    groups1: int,
) -> None:
    """Values of a record once those of its sub-steps are in."""
    if frame.num_chain:
        _pull_all(level, who, z.now_chain, z, frame, groups0, groups1)
    for p in range(2):
        if (who >> p) & 1:
            _values(level, p, z, frame, groups0 if p == 0 else groups1)
            _grow_scale(batch, p, level, step, state, z, frame)


@kernel
def hedge_batch(
    batch: int,
    weight: float,
    heat: float,
    who: int,
    types: I64,
    hidden0: F32,
    hidden1: F32,
    joints: I64,
    links: I32,
    tables: FinalTables,
    state: FinalState,
    z: FinalScratch,
    frame: Frame,
) -> None:
    """One visit to a batch of final records: play, remember, return values.

    ``z.mass``, ``z.pool``, ``z.stock`` and ``z.held`` of level 0 are the input; ``z.value[0]`` holds both
    players' counterfactual values by support index afterwards. Sub-steps are visited depth first with an
    explicit stack.

    Parameters
    ----------
    weight : float
        Weight of this iteration in the averages.
    heat : float
        Steepness of the hedge.
    who : int
        Bit p: player p learns at this visit. Only his values are returned, and it is the other player's flow
        that is remembered: what one learns from is what one has met (accumulating one's own flow instead
        would anticipate the other side's next move, which converges markedly more slowly).
    hidden0, hidden1 : [G, T] float32
        Hidden items of each group, per player.
    """
    step = np.float32(weight)
    groups0, groups1 = hidden0.shape[0], hidden1.shape[0]
    block = (frame.first_max + 1) * (frame.second_max + 1) << frame.num_plain
    at, sub = 0, batch
    entering = True
    while True:
        if entering:
            z.batch[1, at] = sub
            z.link[1, at] = 0
            _play(at, sub, step, heat, who, types, hidden0, hidden1, joints, links, tables, state, z, frame)
            entering = False
        link = z.link[1, at]
        if frame.num_chain and link < MAX_LINKS:
            sub = links[z.batch[1, at], link]
            if sub < 0 or not _may_both(at, link, z, frame):
                z.link[1, at] += 1
                continue
            _descend(at, link, types, z, frame)
            for p in range(2):
                which = link // 2 if p == 0 else link % 2
                first, last = _caps_after(at, p, which, z, frame)
                for group in range(groups0 if p == 0 else groups1):
                    for v in range(first + 1):
                        for c in range(last + 1):
                            start = group * block + ((v * (frame.second_max + 1) + c) << frame.num_plain)
                            for row in range(start, start + (1 << frame.num_plain)):
                                for lane in range(LANES):
                                    z.mass[at + 1, p, row, lane] = z.after[at, p, which, row, lane]
            at += 1
            entering = True
            continue
        _settle(at, z.batch[1, at], step, who, state, z, frame, groups0, groups1)
        if at == 0:
            return
        at -= 1
        _add_link_values(at, z.link[1, at], z.now_chain, z, frame, groups0, groups1)
        z.link[1, at] += 1


@kernel
def _grow_scale(
    batch: int, player: int, level: int, step: np.float32, state: FinalState, z: FinalScratch, frame: Frame
) -> None:
    """Add the squared range of this iteration's action values."""
    low, high = z.table[1, 0], z.table[2, 0]
    for lane in range(LANES):
        low[lane] = np.float32(1e30)
        high[lane] = np.float32(-1e30)
    for a in range(frame.num_plain):
        for lane in range(LANES):
            if z.avail[level, player, a, lane] > _ZERO:
                low[lane] = min(low[lane], z.now_q[level, player, a, lane])
                high[lane] = max(high[lane], z.now_q[level, player, a, lane])
    for lane in range(LANES):
        spread = step * max(high[lane] - low[lane], _ZERO)
        state.scale[batch, player, lane] += spread * spread
