"""Ranges of hands at a decision: strategies, splitting by action, draws in the full space of hands.

Letters as in ``walk_memory``.
"""

from __future__ import annotations

import numpy as np

from solver.hidden_hands.jit import F32, I64, ONE, U32, ZERO, Halves, entry, kernel, whole
from solver.hidden_hands.spaces import EXCHANGE, Spaces
from solver.hidden_hands.tree import public_type
from solver.hidden_hands.walk_memory import SIDE_BY_SIDE, Problem, WalkScratch, stock_left

_LEAST = np.float32(1e-30)
"""Regrets that add up to less count as none: the inverse of such a sum may be no number."""
_FEW = 3
"""Fewer actions than this draw one after the other."""


@entry
def regret_matching(
    sp: Spaces, level: int, kind: int, num_actions: int, regret: Halves, start: int, sigma: F32, norm: F32
) -> None:
    """Strategy of a node. Modified in place: ``sigma`` ``[J]``; ``norm`` ``[2, N]`` is work space."""
    first, end = sp.segment[kind, level, 0], sp.segment[kind, level, num_actions]
    states, regrets = sp.pair_state[first:end], regret[start : start + end - first]
    size = sp.level_start[level + 1] - sp.level_start[level]
    # Who regrets nothing plays all that it can.
    total, evenly = norm[0], norm[1]
    even = sp.even[kind, sp.level_start[level] : sp.level_start[level] + size]
    for s in range(size):
        total[s] = ZERO
    # What needs no look-up by itself, because only such loops vectorise.
    for j in range(regrets.size):
        sigma[j] = max(whole(regrets[j]), ZERO)
    for a in range(num_actions):
        begin = sp.segment[kind, level, a] - first
        owners, positive = states[begin : sp.segment[kind, level, a + 1] - first], sigma[begin:]
        for j in range(owners.size):
            total[owners[j]] += positive[j]
    for s in range(size):
        regretted = total[s] > _LEAST
        # Dividing in any case leaves nothing to branch on.
        inverse = ONE / max(total[s], _LEAST)
        evenly[s] = ZERO if regretted else even[s]
        total[s] = inverse if regretted else ZERO
    for j in range(states.size):
        s = states[j]
        sigma[j] = sigma[j] * total[s] + evenly[s]


@kernel
def total_of(numbers: F32) -> np.float32:
    """Sum of an array, by four sums that do not wait for each other."""
    first = second = third = fourth = ZERO
    quarters = numbers.size // 4
    for i in range(quarters):
        first += numbers[4 * i]
        second += numbers[4 * i + 1]
        third += numbers[4 * i + 2]
        fourth += numbers[4 * i + 3]
    for i in range(4 * quarters, numbers.size):
        first += numbers[i]
    return (first + second) + (third + fourth)


@kernel
def split_range(
    sp: Spaces, level: int, kind: int, num_actions: int, sigma: F32, reach: F32, rest: F32, action_reach: F32
) -> None:
    """Range of every remainder under a strategy.

    Modified in place: ``rest`` ``[M, N]``, ``action_reach`` ``[M]`` (total range by action).
    """
    first = sp.segment[kind, level, 0]
    for a in range(num_actions):
        target = sp.remainder_level[kind, level, a]
        length = sp.level_start[target + 1] - sp.level_start[target]
        out = rest[a]
        for m in range(length):
            out[m] = ZERO
        begin, end = sp.segment[kind, level, a], sp.segment[kind, level, a + 1]
        states, rests, chosen = sp.pair_state[begin:end], sp.pair_rest[begin:end], sigma[begin - first :]
        for j in range(states.size):
            out[rests[j]] += chosen[j] * reach[states[j]]
        action_reach[a] = total_of(out[:length])


@kernel
def draw_range(sp: Spaces, source: F32, target: F32, source_level: int, pool: F32, stock: int) -> None:
    """Push a range over remainders through a draw in the full space."""
    level = source_level + sp.num_hidden + 1
    for s in range(sp.level_start[level + 1] - sp.level_start[level]):
        target[s] = ZERO
    _add_drawn(sp, level, pool, stock, source, sp.pair_rest, target, sp.pair_state)


@kernel
def draw_back(sp: Spaces, values: F32, source_level: int, pool: F32, stock: int, out: F32) -> None:
    """Add expected values over the draw in the full space to those of remainders, ``out``."""
    level = source_level + sp.num_hidden + 1
    _add_drawn(sp, level, pool, stock, values, sp.pair_state, out, sp.pair_rest)


@kernel
def _add_drawn(
    sp: Spaces, level: int, pool: F32, stock: int, source: F32, origin: U32, target: F32, goal: U32
) -> None:
    """Add numbers to others, weighted with how likely the draw leads from a remainder to a hand of the level.

    ``origin``, ``goal``: the one and the other of every pair, or the other way round. What leaves a hand is
    what a draw brings, so pairs are those of an exchange.
    """
    unit = np.float32(1.0 / stock)
    for t in range(pool.size):
        first, end = sp.segment[EXCHANGE, level, t], sp.segment[EXCHANGE, level, t + 1]
        origins, goals, away = origin[first:end], goal[first:end], sp.pair_away[first:end]
        left = pool[t] + ONE
        for j in range(away.size):
            target[goals[j]] += source[origins[j]] * (max(left - away[j], ZERO) * unit)


@kernel
def draw_many(
    q: Problem,
    sp: Spaces,
    node: int,
    player: int,
    kind: int,
    count: int,
    source_level: int,
    stock: int,
    sources: F32,
    targets: F32,
    w: WalkScratch,
) -> None:
    """Push the ranges after several actions through the draws that follow; see ``draw_range``.

    The same numbers in a third of the time: where they go is looked up once for eight actions.

    ``picked``, ``count``: actions, and how many there are; their remainders are all of ``source_level``;
    ``sources``, ``targets`` ``[M, N] float32``: ranges by action before and after; the latter modified in
    place.
    """
    picked, strips, left, pool = w.picked, w.strips, w.left, w.pool
    level = source_level + sp.num_hidden + 1
    before = sp.level_start[source_level + 1] - sp.level_start[source_level]
    after = sp.level_start[level + 1] - sp.level_start[level]
    if count < _FEW:
        for k in range(count):
            a = picked[k]
            pool_after(q, node, player, kind, a, pool)
            draw_range(sp, sources[a], targets[a], source_level, pool, stock)
        return
    for begin in range(0, count, SIDE_BY_SIDE):
        end = min(begin + SIDE_BY_SIDE, count)
        _lay_side_by_side(sources, picked, begin, end, before, strips[0])
        target = strips[1]
        for s in range(after):
            for lane in range(SIDE_BY_SIDE):
                target[s, lane] = ZERO
        _set_left(q, node, player, kind, picked, begin, end, left)
        _add_drawn_many(sp, level, left, stock, strips[0], sp.pair_rest, target, sp.pair_state)
        _take_apart(target, picked, begin, end, after, targets)


@kernel
def draw_many_back(
    q: Problem,
    sp: Spaces,
    node: int,
    player: int,
    kind: int,
    count: int,
    source_level: int,
    stock: int,
    values: F32,
    outs: F32,
    w: WalkScratch,
) -> None:
    """Add expected values over the draws after several actions to those of remainders.

    See ``draw_back`` and ``draw_many``; ``outs`` ``[M, N]`` is modified in place.
    """
    picked, strips, left, pool = w.picked, w.strips, w.left, w.pool
    level = source_level + sp.num_hidden + 1
    before = sp.level_start[source_level + 1] - sp.level_start[source_level]
    after = sp.level_start[level + 1] - sp.level_start[level]
    if count < _FEW:
        for k in range(count):
            a = picked[k]
            pool_after(q, node, player, kind, a, pool)
            draw_back(sp, values[a], source_level, pool, stock, outs[a])
        return
    for begin in range(0, count, SIDE_BY_SIDE):
        end = min(begin + SIDE_BY_SIDE, count)
        _lay_side_by_side(values, picked, begin, end, after, strips[0])
        _lay_side_by_side(outs, picked, begin, end, before, strips[1])
        _set_left(q, node, player, kind, picked, begin, end, left)
        _add_drawn_many(sp, level, left, stock, strips[0], sp.pair_state, strips[1], sp.pair_rest)
        _take_apart(strips[1], picked, begin, end, before, outs)


@kernel
def _lay_side_by_side(numbers: F32, picked: I64, begin: int, end: int, length: int, strip: F32) -> None:
    """Copy rows of an array into columns; columns without one become zero."""
    for lane in range(SIDE_BY_SIDE):
        if begin + lane < end:
            row = numbers[picked[begin + lane]]
            for s in range(length):
                strip[s, lane] = row[s]
        else:
            for s in range(length):
                strip[s, lane] = ZERO


@kernel
def _take_apart(strip: F32, picked: I64, begin: int, end: int, length: int, numbers: F32) -> None:
    """Copy columns back into rows."""
    for lane in range(end - begin):
        row = numbers[picked[begin + lane]]
        for s in range(length):
            row[s] = strip[s, lane]


@kernel
def _set_left(
    q: Problem, node: int, player: int, kind: int, picked: I64, begin: int, end: int, left: F32
) -> None:
    """Items of each type before the draw, those hands have included, as in ``_add_drawn``."""
    for t in range(left.shape[0]):
        for lane in range(SIDE_BY_SIDE):
            left[t, lane] = np.float32(q.tree.pool[node, player, t]) + ONE
    for lane in range(end - begin):
        t = public_type(kind, picked[begin + lane], q.types, q.stocks.shape[1])
        if t >= 0:
            left[t, lane] -= ONE


@kernel
def _add_drawn_many(
    sp: Spaces, level: int, left: F32, stock: int, source: F32, origin: U32, target: F32, goal: U32
) -> None:
    """``_add_drawn`` for columns of ``source`` and ``target``."""
    unit = np.float32(1.0 / stock)
    for t in range(left.shape[0]):
        first, end = sp.segment[EXCHANGE, level, t], sp.segment[EXCHANGE, level, t + 1]
        origins, goals, away = origin[first:end], goal[first:end], sp.pair_away[first:end]
        most = left[t]
        for j in range(away.size):
            here, there, less = origins[j], goals[j], away[j]
            for lane in range(SIDE_BY_SIDE):
                target[there, lane] += source[here, lane] * (max(most[lane] - less, ZERO) * unit)


@kernel
def pool_after(q: Problem, node: int, player: int, kind: int, action: int, pool: F32) -> None:
    """Public pool after an action. Modified in place: ``pool`` ``[T]`` float32."""
    for t in range(pool.size):
        pool[t] = np.float32(q.tree.pool[node, player, t])
    t = public_type(kind, action, q.types, q.stocks.shape[1])
    if t >= 0:
        pool[t] -= ONE


@kernel
def leads_inside(q: Problem, node: int, player: int, action: int, n0: int, n1: int) -> bool:
    """Whether an action may lead to a child that is a node."""
    start = q.tree.child_start[node]
    symmetric = q.tree.symmetric[node]
    for other in range(n1 if player == 0 else n0):
        a, b = (action, other) if player == 0 else (other, action)
        if q.tree.child[start + a * n1 + b] >= 0:
            return True
        if symmetric and q.tree.child[start + b * n1 + a] >= 0:
            return True
    return False


@entry
def remainders(q: Problem, sp: Spaces, node: int, player: int, action: int) -> tuple[int, bool, int]:
    """Level of an action's remainders, whether a draw follows, and how many remainders there are."""
    kind, level = q.tree.kind[node], q.tree.level[node, player]
    drawn = False
    if (q.tree.acts[node] >> player) & 1:
        drawn = sp.draws[kind, level, action] == 1 and stock_left(sp, q.tree, node, player) > 0
        level = sp.remainder_level[kind, level, action]
    return level, drawn, sp.level_start[level + 1] - sp.level_start[level]
