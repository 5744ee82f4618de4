"""Best responses at final records, eight public histories side by side.

The certificate's half of the final step: the other side's cumulative reach is fixed, every support index
takes the action that is worth most against it. Shares the game's tables, the tree and the stored reach with
the solver (``final``), but none of its loop; double precision throughout.

Only support indices that a hand can have are visited: chain items and types in the support together are at
most as many as there are items in hand. Rows of all other indices hold whatever an earlier record left there,
always finite, and are read only with weight zero.

All arrays have the eight lanes as their last axis; kernels loop over them innermost, so that the compiler
turns each such loop into vector instructions. Letters as in ``final``; ``E`` nesting levels of sub-steps.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

from solver.hidden_hands.final.response_memory import (
    RecordScratch,
    Supports,
    draw_weights,
    pull_draw,
    set_left,
    set_public,
)
from solver.hidden_hands.final_state import FinalGame, FinalState, Frame
from solver.hidden_hands.jit import F32, F64, I64, Pointer, kernel, pointed
from solver.hidden_hands.tree import LANES, MAX_LINKS
from solver.hidden_hands.walk_memory import Problem

_LOW = -1e30
"""Below every value, and finite: it may meet a weight of zero."""

RecordValues: TypeAlias = Callable[..., None]
"""``record_values`` as a function pointer (see ``pointer_to_records``)."""


def pointer_to_records(q: Problem, state: FinalState, supports: Supports, z: RecordScratch) -> RecordValues:
    """Compile, or load, the evaluation of a batch of final records for arrays of these types."""
    hidden = q.spaces0.group_hidden[0:1]
    tree = q.tree
    pointer: Any = Pointer(
        record_values,
        *(0, FinalGame(q.types, tree.row_pair, tree.link, q.tables, q.frame), (hidden, hidden)),
        *(state.reach, state.lone, supports, z),
    )
    typed: RecordValues = pointer
    return typed


@kernel
def _load(level: int, batch: int, g: FinalGame, reach: F32, lone: F32, z: RecordScratch) -> None:
    """Values of the actions at a record as far as play ends there or the other side goes on alone."""
    frame, joints, tables = g.frame, g.joints, g.tables
    num = frame.num_actions
    for p in range(2):
        most = 0.0
        for lane in range(LANES):
            most = max(most, z.held[level, p, lane])
        z.room[level, p] = int(most)
        for which in range(2):
            most = 0.0
            if which < frame.num_chain:
                for lane in range(LANES):
                    most = max(most, z.pool[level, p, g.types[frame.num_plain + which], lane])
            z.caps[level, p, which] = int(most)
            z.inner_live[level, p, which] = 0
        facing, scores = z.facing[level, p], z.scores[level, p]
        met = 0.0
        for a in range(num):
            for lane in range(LANES):
                facing[a, lane] = reach[batch, 1 - p, a, lane] if joints[batch, lane] >= 0 else 0.0
                met += abs(facing[a, lane])
                scores[a, lane] = 0.0
        if frame.num_chain:
            for a in range(frame.num_plain):
                for lane in range(LANES):
                    if joints[batch, lane] >= 0:
                        scores[a, lane] -= lone[batch, 1 - p, a, lane]
                    met += abs(scores[a, lane])
        z.live[level, p] = 1 if met > 0.0 else 0
    if z.live[level, 0]:
        for lane in range(LANES):
            joint = joints[batch, lane]
            if joint >= 0:
                for a in range(num):
                    score = 0.0
                    for b in range(num):
                        score += tables.pay[joint, a, b] * z.facing[level, 0, b, lane]
                    z.scores[level, 0, a, lane] += score
    if z.live[level, 1]:
        for lane in range(LANES):
            joint = joints[batch, lane]
            if joint >= 0:
                for b in range(num):
                    score = 0.0
                    for a in range(num):
                        score += tables.pay[joint, a, b] * z.facing[level, 1, a, lane]
                    z.scores[level, 1, b, lane] -= score


@kernel
def _best_of_support(scores: F64, best: F64, plain: int) -> None:
    """``best[S]``: the best score among the plain types of each support; nothing at all for ``best[0]``."""
    for lane in range(LANES):
        best[0, lane] = _LOW
    for i in range(plain):
        size = 1 << i
        for s in range(size):
            for lane in range(LANES):
                best[size + s, lane] = max(best[s, lane], scores[i, lane])


@kernel
def _add_top(
    facing: F64, tops: F64, best: F64, total: F64, supports: Supports, frame: Frame, count: int
) -> None:
    """Add what the best top is worth against one opposing action, by support.

    ``total[0]``: no item of the second chain type is held, ``total[1]``: it may be the top.
    """
    _best_of_support(tops, best, frame.num_plain)
    if frame.num_chain > 1:
        for k in range(count):
            s = supports.order[k]
            for lane in range(LANES):
                total[1, s, lane] += facing[lane] * max(best[s, lane], tops[frame.num_plain + 1, lane])
    for lane in range(LANES):
        best[0, lane] = 0.0
    for k in range(count):
        s = supports.order[k]
        for lane in range(LANES):
            total[0, s, lane] += facing[lane] * best[s, lane]


@kernel
def _go_on_alone(
    level: int, batch: int, player: int, g: FinalGame, hidden: F32, supports: Supports, z: RecordScratch
) -> None:
    """Values of going on alone after the first chain type, by support index after its draw.

    Sets ``inner`` if any reach is met that way. Longest chain first: with a chain item in hand a player
    always places it (checked when the tables are made).
    """
    frame, joints, tables = g.frame, g.joints, g.tables
    num, plain = frame.num_actions, frame.num_plain
    bits = 1 << plain
    second = frame.second_max + 1
    size = (frame.first_max + 1) * second * bits
    available = z.caps[level, player, 0]
    longest = min(frame.max_chain, available)
    last = min(z.caps[level, player, 1], frame.second_max)
    room = z.room[level, player]
    facing = z.facing[level, player]
    alone, tops, total, best = z.public[0], z.tops, z.total, z.best
    inner, work, pulled = z.inner[level, player, 0], z.work[0], z.work[1]
    count = supports.within[min(max(room, 0), plain)]
    for j in range(longest - 1, -1, -1):
        met = 0.0
        for s in range(bits):
            for lane in range(LANES):
                total[0, s, lane] = 0.0
                total[1, s, lane] = 0.0
        for b in range(num):
            weight = 0.0
            for lane in range(LANES):
                joint = joints[batch, lane]
                alone[lane] = 0.0
                if joint >= 0 and tables.alone[joint, player, b]:
                    alone[lane] = facing[b, lane]
                weight += abs(alone[lane])
            if weight == 0.0:
                continue
            met += weight
            for lane in range(LANES):
                if alone[lane] != 0.0:
                    slot = tables.top_slot[joints[batch, lane]]
                    for x in range(num):
                        tops[x, lane] = tables.top[slot, player, j, b, x]
                else:
                    for x in range(num):
                        tops[x, lane] = 0.0
            _add_top(alone, tops, best, total, supports, frame, count)
        if met == 0.0:
            return
        first = min(available - j - 1, frame.first_max)
        for group in range(hidden.shape[0]):
            base = group * size
            out = work if j > 0 else inner
            for v in range(min(first, room) + 1):
                for c in range(min(last, room - v) + 1):
                    block = base + (v * second + c) * bits
                    for k in range(supports.within[min(room - v - c, plain)]):
                        s = supports.order[k]
                        if v > 0:
                            # What is held is placed: `pulled` are the values before the draw after that.
                            for lane in range(LANES):
                                out[block + s, lane] = pulled[block + s - second * bits, lane]
                        else:
                            for lane in range(LANES):
                                out[block + s, lane] = total[1 if c > 0 else 0, s, lane]
            if j > 0:
                set_public(z.public, z.held[level, player], z.stock[level, player], j + 1)
                set_left(z.left, z.pool[level, player], hidden[group])
                draw_weights(z.weights, z.left, g.types, frame, j + 1, 0, z.public[0], z.public[1])
                pull_draw(work, pulled, z.weights, supports, frame, base, first, last, room - 1)
    z.inner_live[level, player, 0] = 1 if longest > 0 else 0


@kernel
def _descend(level: int, link: int, types: I64, frame: Frame, z: RecordScratch) -> None:
    """Public counts of the sub-step after both placed chain types."""
    for p in range(2):
        which = link // 2 if p == 0 else link % 2
        for t in range(z.pool.shape[2]):
            for lane in range(LANES):
                z.pool[level + 1, p, t, lane] = z.pool[level, p, t, lane]
        for lane in range(LANES):
            z.pool[level + 1, p, types[frame.num_plain + which], lane] -= 1.0
            stock = z.stock[level, p, lane]
            z.stock[level + 1, p, lane] = max(stock - 1.0, 0.0)
            z.held[level + 1, p, lane] = z.held[level, p, lane] - (0.0 if stock > 0.0 else 1.0)


@kernel
def _add_below(
    level: int, link: int, groups0: int, groups1: int, frame: Frame, sp: Supports, z: RecordScratch
) -> None:
    """Add the values of the sub-step of the next level to those after the chain items that led there."""
    plain = frame.num_plain
    bits = 1 << plain
    second = frame.second_max + 1
    size = (frame.first_max + 1) * second * bits
    for p in range(2):
        if not z.live[level + 1, p]:
            continue
        which = link // 2 if p == 0 else link % 2
        fresh = z.inner_live[level, p, which] == 0
        first = min(z.caps[level + 1, p, 0], frame.first_max)
        last = min(z.caps[level + 1, p, 1], frame.second_max)
        room = z.room[level + 1, p]
        value, inner = z.value[level + 1, p], z.inner[level, p, which]
        for group in range(groups0 if p == 0 else groups1):
            for v in range(min(first, room) + 1):
                for c in range(min(last, room - v) + 1):
                    block = group * size + (v * second + c) * bits
                    for k in range(sp.within[min(room - v - c, plain)]):
                        row = block + sp.order[k]
                        if fresh:
                            for lane in range(LANES):
                                inner[row, lane] = value[row, lane]
                        else:
                            for lane in range(LANES):
                                inner[row, lane] += value[row, lane]
        z.inner_live[level, p, which] = 1
        z.live[level, p] = 1


@kernel
def _raise(
    value: F64,
    pulled: F64,
    score: F64,
    shift: int,
    adds: bool,
    supports: Supports,
    frame: Frame,
    base: int,
    first: int,
    last: int,
    room: int,
) -> None:
    """Let a chain item be chosen where it is worth more.

    It is worth ``score``, and if ``adds``, ``pulled`` of the remainder on top (``shift`` rows before).
    Counts and room as in ``pull_draw``.
    """
    plain = frame.num_plain
    second = frame.second_max + 1
    for v in range(min(first, room) + 1):
        for c in range(min(last, room - v) + 1):
            block = base + ((v * second + c) << plain)
            for k in range(supports.within[min(room - v - c, plain)]):
                row = block + supports.order[k]
                if adds:
                    for lane in range(LANES):
                        value[row + shift, lane] = max(
                            value[row + shift, lane], score[lane] + pulled[row, lane]
                        )
                else:
                    for lane in range(LANES):
                        value[row + shift, lane] = max(value[row + shift, lane], score[lane])


@kernel
def _close(
    level: int, player: int, types: I64, hidden: F32, frame: Frame, supports: Supports, z: RecordScratch
) -> None:
    """Best-response values of a record once its sub-steps are in: ``value[level, player]``."""
    num, plain = frame.num_actions, frame.num_plain
    bits = 1 << plain
    second = frame.second_max + 1
    size = (frame.first_max + 1) * second * bits
    scores, value, best = z.scores[level, player], z.value[level, player], z.best
    room = z.room[level, player]
    caps = z.caps[level, player]
    first, last = min(caps[0], frame.first_max), min(caps[1], frame.second_max)
    _best_of_support(scores, best, plain)
    for group in range(hidden.shape[0]):
        base = group * size
        for v in range(min(first, room) + 1):
            for c in range(min(last, room - v) + 1):
                block = base + (v * second + c) * bits
                for k in range(supports.within[min(room - v - c, plain)]):
                    s = supports.order[k]
                    for lane in range(LANES):
                        value[block + s, lane] = best[s, lane]
        for lane in range(LANES):
            value[base, lane] = scores[num - 1, lane] if frame.has_nothing else 0.0
        for which in range(frame.num_chain):
            if caps[which] <= 0:
                continue
            adds = z.inner_live[level, player, which] == 1
            shift = bits if which else second * bits
            if adds:
                set_public(z.public, z.held[level, player], z.stock[level, player], 1)
                set_left(z.left, z.pool[level, player], hidden[group])
                draw_weights(z.weights, z.left, types, frame, 1 - which, which, z.public[0], z.public[1])
                # The draw may bring as many chain items as the pool has left.
                v, c = min(caps[0] - 1 + which, frame.first_max), min(caps[1] - which, frame.second_max)
                inner = z.inner[level, player, which]
                pull_draw(inner, z.work[1], z.weights, supports, frame, base, v, c, room - 1)
            score, pulled = scores[plain + which], z.work[1]
            v = min(caps[0], frame.first_max) if which else min(caps[0] - 1, frame.first_max - 1)
            c = min(caps[1] - 1, frame.second_max - 1) if which else min(caps[1], frame.second_max)
            _raise(value, pulled, score, shift, adds, supports, frame, base, v, c, room - 1)


@pointed
def record_values(
    batch: int,
    g: FinalGame,
    hidden: tuple[F32, F32],
    reach: F32,
    lone: F32,
    supports: Supports,
    z: RecordScratch,
) -> None:
    """Best-response values of both players at a batch of final records: ``z.value[0]``.

    ``z.pool[0]``, ``z.stock[0]`` and ``z.held[0]``, public counts when the decision is made, are the input.
    Where ``z.live[0, p]`` is 0, player p meets no reach, and its values are not written. Sub-steps are
    visited depth first with an explicit stack.

    ``hidden`` two of [G, T] float32: hidden items of each group, per player; ``reach``, ``lone`` ``[b, 2, P,
    L] float32``: cumulative reach by own action, and worths of lone chains by opposing action (see
    ``FinalState``).
    """
    frame = g.frame
    at, sub = 0, batch
    entering = True
    while True:
        if entering:
            z.batch[at] = sub
            z.link[at] = 0
            _load(at, sub, g, reach, lone, z)
            for p in range(2):
                if frame.num_chain and z.live[at, p] and z.caps[at, p, 0] > 0:
                    _go_on_alone(at, sub, p, g, hidden[p], supports, z)
            entering = False
        link = z.link[at]
        if frame.num_chain and link < MAX_LINKS:
            sub = int(g.links[z.batch[at], link])
            # The tree keeps upper bounds of what the players may still hold.
            if sub < 0 or z.caps[at, 0, link // 2] <= 0 or z.caps[at, 1, link % 2] <= 0:
                z.link[at] += 1
                continue
            _descend(at, link, g.types, frame, z)
            at += 1
            entering = True
            continue
        for p in range(2):
            if z.live[at, p]:
                _close(at, p, g.types, hidden[p], frame, supports, z)
        if at == 0:
            return
        at -= 1
        _add_below(at, z.link[at], hidden[0].shape[0], hidden[1].shape[0], frame, supports, z)
        z.link[at] += 1
