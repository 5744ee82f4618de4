"""The perfect-information bound: the most that is left to who sees the other hand.

Somebody who sees that hand, and every item drawn into it, and who may place whatever is still in its own
stock, needs no further history: what it can win at a merged node depends on the node and on that hand alone.
So all of it is tabulated in one sweep, from the last generation to the first, and whoever stops following a
history adds up the range met there times these worths. Histories that share a node differ in their pools, so
each type is drawn with a probability between the least and the most of any history.

A final record counts at the most that its rows leave to be paid. Worths are stored as whole numbers from 0 to
255 between the least and the most of their node, rounded up. Letters as in ``walk_memory`` and ``merging``.
"""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from solver.hidden_hands.decisions.ranges import regret_matching
from solver.hidden_hands.jit import F32, I16, I64, ONE, ZERO, Flags, Halves, entry, kernel
from solver.hidden_hands.merged_tree import MergedTree, mirror_image
from solver.hidden_hands.spaces import Spaces
from solver.hidden_hands.tree import CHILD_NONE, CHILD_TERMINAL, action_counts, public_type
from solver.hidden_hands.walk_memory import Problem, WalkScratch, is_locked, keep_locked

Bytes: TypeAlias = NDArray[np.uint8]

_LOW = np.float32(-1e30)
"""The worth of what cannot be."""

_STEPS = np.float32(255.0)
"""Steps from the least to the most worth that a byte distinguishes."""

_MARGIN = np.float32(1e-4)
"""Part of a step that is added before rounding up, for single precision."""


class PerfectInformation(NamedTuple):
    """What a player gets at most who sees the hand it meets; first axis: that player, or only player 0.

    *Here*: that hand is about to decide; *ahead*: it still has to draw.
    """

    start: I64  # [2, n + 1] where a node's hands lie, if they are ever asked for
    ahead_start: I64  # [2, n + 1] and those with one item less, likewise
    base: F32  # [2 or 1, n] worth that 0 stands for
    unit: F32  # [2 or 1, n] worth of a step
    here: Bytes  # [2 or 1, *]
    ahead: Bytes  # [2 or 1, *]
    final_most: F32  # [2, u] by seat, whatever hand is met


class TableScratch(NamedTuple):
    """Work space of one thread."""

    here: F32  # [N]
    ahead: F32  # [N]
    chances: F32  # [2, T, C] least and most of a draw, by how many items of a type are out
    sums: F32  # [N]


def empty_tables(q: Problem, merged: MergedTree) -> PerfectInformation:
    """Allocate the tables."""
    learners = 1 if merged.quotient else 2
    nodes = q.tree.kind.size
    needs = np.zeros((2, 2, nodes), np.bool_)
    _mark_needs(q, needs)
    start, ahead = np.zeros((2, nodes + 1), np.int64), np.zeros((2, nodes + 1), np.int64)
    for learner in range(learners):
        sp = q.spaces1 if learner == 0 else q.spaces0
        level = q.tree.level[:, 1 - learner].astype(np.int64)
        sizes = np.diff(sp.level_start)
        before = np.maximum(level - (sp.num_hidden + 1), 0)
        start[learner, 1:] = np.cumsum(np.where(needs[0, learner], sizes[level], 0))
        ahead[learner, 1:] = np.cumsum(np.where(needs[1, learner], sizes[before], 0))
    return PerfectInformation(
        start,
        ahead,
        np.zeros((learners, nodes), np.float32),
        np.zeros((learners, nodes), np.float32),
        np.zeros((learners, int(start[:learners, -1].max())), np.uint8),
        np.zeros((learners, int(ahead[:learners, -1].max())), np.uint8),
        _largest_payoffs(q, merged),
    )


def _largest_payoffs(q: Problem, merged: MergedTree) -> F32:
    """``[2, u]`` the most that can be paid in the final step of each record, by seat: its rows are given."""
    tables, records = q.tables, merged.records
    if not records.place.size:
        return np.zeros((2, 0), np.float32)
    pay = tables.pay.reshape(tables.pay.shape[0], -1)
    by_pair = np.stack([pay.max(axis=1), -pay.min(axis=1)])
    if q.frame.num_chain:
        chained = np.flatnonzero(tables.top_slot >= 0)
        top = tables.top[tables.top_slot[chained]].reshape(chained.size, 2, -1)
        for p in range(2):
            most = np.maximum(top[:, p].max(axis=1), -top[:, 1 - p].min(axis=1))
            by_pair[p, chained] = np.maximum(by_pair[p, chained], most)
    known = records.row_pair >= 0
    most = np.where(known, by_pair[:, np.where(known, records.row_pair, 0)], by_pair.min())
    # What is nested in a batch has a larger number.
    for batch in range(records.link.shape[0] - 1 if q.frame.num_chain else -1, -1, -1):
        for nested in records.link[batch][records.link[batch] >= 0]:
            np.maximum(most[:, batch], most[:, nested], out=most[:, batch])
    # Indexing leaves columns beside each other; kernels are compiled for rows.
    found: F32 = np.ascontiguousarray(most.reshape(2, -1)[:, records.place], np.float32)
    return found


@entry
def _mark_needs(q: Problem, needs: Flags) -> None:
    """Mark what is ever asked for, by learner: hands about to decide, hands that still have to draw."""
    for node in range(1, q.tree.kind.size):
        n0, n1 = action_counts(q.tree, node, q.types, q.stocks.shape[1])
        for k in range(n0 * n1):
            child = q.tree.child[q.tree.child_start[node] + k]
            for learner in range(2 if child >= 0 else 0):
                opp, action = 1 - learner, k % n1 if learner == 0 else k // n1
                sp = q.spaces0 if opp == 0 else q.spaces1
                level = q.tree.level[node, opp]
                if (q.tree.acts[node] >> opp) & 1:
                    level = sp.remainder_level[q.tree.kind[node], level, action]
                drawn = is_drawn(sp, level, q.tree.level[child, opp])
                needs[1 if drawn else 0, learner, child] = True


def table_scratch(q: Problem) -> TableScratch:
    """Allocate one thread's work space."""
    n = max(int(np.diff(sp.level_start).max()) for sp in (q.spaces0, q.spaces1))
    chances = np.zeros((2, q.stocks.shape[1], int(q.stocks.max()) + 1), np.float32)
    return TableScratch(np.zeros(n, np.float32), np.zeros(n, np.float32), chances, np.zeros(n, np.float32))


@kernel
def is_drawn(sp: Spaces, level: int, after: int) -> bool:
    """Whether remainders of a level become hands of another one by a draw."""
    return after == level + sp.num_hidden + 1


class Bounds(NamedTuple):
    """Least and most that any history of a node leaves of public pools."""

    pool: I16  # [n, 2, T, 2] items of a type not yet seen by everybody
    left: I16  # [n, 2, 2] of all types together


def bounds_of_pools(q: Problem, merged: MergedTree) -> Bounds:
    """Bound the public pools of all histories.

    Complexity: one pass over all child slots.
    """
    nodes, types = q.tree.kind.size, q.tree.pool.shape[2]

    def empty(*shape: int) -> I16:
        found = np.empty((*shape, 2), np.int16)
        found[..., 0], found[..., 1] = np.iinfo(np.int16).max, -1
        return found

    found = Bounds(empty(nodes, 2, types), empty(nodes, 2))
    found.pool[0] = q.stocks[..., None]
    found.left[0] = q.stocks.sum(axis=1)[:, None]
    for a, b in zip(*np.nonzero(merged.roots >= 0), strict=True):
        one, other = (public_type(q.tree.kind[0], x, q.types, types) for x in (a, b))
        _widen(found, int(merged.roots[a, b]), 0, one, other)
    _spread_bounds(q, found)
    return found


@entry
def _widen(found: Bounds, child: int, node: int, one: int, other: int) -> None:
    """Let a child's bounds contain what a node leaves once types ``one`` and ``other`` are public."""
    pool, left = found.pool, found.left
    for p in range(2):
        shown = one if p == 0 else other
        for t in range(pool.shape[2]):
            least, most = pool[node, p, t, 0], pool[node, p, t, 1]
            if t == shown:
                least, most = max(least, 1) - 1, most - 1
            pool[child, p, t, 0] = min(pool[child, p, t, 0], least)
            pool[child, p, t, 1] = max(pool[child, p, t, 1], most)
        gone = 1 if shown >= 0 else 0
        left[child, p, 0] = min(left[child, p, 0], left[node, p, 0] - gone)
        left[child, p, 1] = max(left[child, p, 1], left[node, p, 1] - gone)


@entry
def _spread_bounds(q: Problem, found: Bounds) -> None:
    """Hand bounds down: children come later."""
    tree = q.tree
    for node in range(1, tree.kind.size):
        n0, n1 = action_counts(tree, node, q.types, q.stocks.shape[1])
        start, acts, kind = tree.child_start[node], tree.acts[node], tree.kind[node]
        for a in range(n0):
            one = public_type(kind, a, q.types, q.stocks.shape[1]) if acts & 1 else -1
            if one >= 0 and found.pool[node, 0, one, 1] <= 0:
                continue
            for b in range(n1):
                other = public_type(kind, b, q.types, q.stocks.shape[1]) if acts & 2 else -1
                if other >= 0 and found.pool[node, 1, other, 1] <= 0:
                    continue
                child = tree.child[start + a * n1 + b]
                if child >= 0:
                    _widen(found, child, node, one, other)


@kernel
def after_draw(least: int, most: int, away: np.float32, few: int, many: int) -> tuple[np.float32, np.float32]:
    """Least and most probability of drawing a type of which ``away`` items are out of the stock."""
    low = max(np.float32(least) - away, ZERO) / np.float32(many)
    high = max(np.float32(most) - away, ZERO) / np.float32(few)
    return low, min(high, ONE)


@kernel
def _stored(worth: np.float32, base: np.float32, unit: np.float32) -> np.uint8:
    """The step that is no less than a worth."""
    if unit <= ZERO:
        return np.uint8(0)
    return np.uint8(min(max(np.ceil((worth - base) / unit + _MARGIN), ZERO), _STEPS))


@kernel
def _look_ahead(sp: Spaces, level: int, pool: I16, left: I16, here: F32, chances: F32, ahead: F32) -> None:
    """Worths of hands with one item less, before their draw: at most the mean over any history's draw.

    For whatever ``c``, a mean is ``c + sum_t p_t (worth_t - c)``; each term is bounded for itself.

    ``pool`` ``[T, 2] int16``; ``left`` ``[2] int16``; ``here`` ``[N] float32``: worths of hands of the level;
    ``chances`` ``[2, T, C] float32``: work space; ``ahead`` ``[N] float32``: modified in place: those of the
    level with one item less.
    """
    width = sp.num_hidden + 1
    before = level - width
    hand, hidden = level // width, level % width
    few, many = max(left[0] - (hand - 1) - hidden, 1), max(left[1] - (hand - 1) - hidden, 1)
    low, high = chances[0], chances[1]
    for t in range(pool.shape[0]):
        for out in range(low.shape[1]):
            low[t, out], high[t, out] = after_draw(pool[t, 0], pool[t, 1], np.float32(out), few, many)
    first = sp.level_start[before]
    for m in range(sp.level_start[before + 1] - first):
        targets, away = sp.draw_target[first + m], sp.away[first + m]
        weights = mean = ZERO
        top = _LOW
        for t in range(pool.shape[0]):
            s, out = targets[t], int(away[t])
            if s >= 0 and high[t, out] > ZERO:
                weight = low[t, out] + high[t, out]
                weights += weight
                mean += weight * here[s]
                top = max(top, here[s])
        if weights <= ZERO:
            ahead[m] = ZERO
            continue
        mean /= weights
        worth = mean
        for t in range(pool.shape[0]):
            s, out = targets[t], int(away[t])
            if s >= 0 and high[t, out] > ZERO:
                more = here[s] - mean
                worth += more * (high[t, out] if more > ZERO else low[t, out])
        ahead[m] = min(worth, top)


@kernel
def _may_take(q: Problem, node: int, player: int, action: int, pool: I16) -> bool:
    """Whether any history leaves a player such an item."""
    if not (q.tree.acts[node] >> player) & 1:
        return True
    t = public_type(q.tree.kind[node], action, q.types, q.stocks.shape[1])
    return t < 0 or pool[node, player, t, 1] > 0


@entry
def tabulate_nodes(
    q: Problem,
    merged: MergedTree,
    first: int,
    last: int,
    learner: int,
    regret: Halves,
    average: Halves,
    bounds: Bounds,
    found: PerfectInformation,
    w: WalkScratch,
    z: TableScratch,
) -> None:
    """Tabulate nodes ``first`` to ``last`` (exclusive) for who sees, when all their children are done.

    ``learner``: who sees the other one's hand; ``regret``, ``average`` ``[*] uint16``: tables of the merged
    nodes; ``found``: modified in place.
    """
    opp = 1 - learner
    sp = q.spaces0 if opp == 0 else q.spaces1
    for node in range(first, last):
        level = q.tree.level[node, opp]
        size = sp.level_start[level + 1] - sp.level_start[level]
        n0, n1 = action_counts(q.tree, node, q.types, q.stocks.shape[1])
        ours, theirs = (n0, n1) if learner == 0 else (n1, n0)
        if (q.tree.acts[node] >> opp) & 1:
            kind, start = q.tree.kind[node], q.tree.regret_start[node, opp]
            table = average if start < average.size else regret
            regret_matching(sp, level, kind, theirs, table, start, w.sigma[0, opp], w.norm)
            if is_locked(q.locked, q.tree, node, opp):
                keep_locked(sp, level, theirs, q.locked[opp, q.tree.step[node]], w.sigma[0, opp], w.norm)
        for s in range(size):
            z.here[s] = _LOW
        for a in range(ours):
            if not _may_take(q, node, learner, a, bounds.pool):
                continue
            _add_up(q, merged, node, learner, a, theirs, n1, found, w.sigma[0, opp], z.sums)
            for s in range(size):
                z.here[s] = max(z.here[s], z.sums[s])
        least, most = -_LOW, _LOW
        for s in range(size):
            if z.here[s] == _LOW:
                z.here[s] = ZERO
            least, most = min(least, z.here[s]), max(most, z.here[s])
        unit = (most - least) / _STEPS
        found.base[learner, node], found.unit[learner, node] = least, unit
        at = found.start[learner, node]
        for s in range(size if found.start[learner, node + 1] > at else 0):
            found.here[learner, at + s] = _stored(z.here[s], least, unit)
        at = found.ahead_start[learner, node]
        length = found.ahead_start[learner, node + 1] - at
        if length == 0:
            continue
        _look_ahead(sp, level, bounds.pool[node, opp], bounds.left[node, opp], z.here, z.chances, z.ahead)
        for m in range(length):
            found.ahead[learner, at + m] = _stored(z.ahead[m], least, unit)


@kernel
def _add_up(
    q: Problem,
    merged: MergedTree,
    node: int,
    learner: int,
    action: int,
    theirs: int,
    n1: int,
    found: PerfectInformation,
    sigma: F32,
    sums: F32,
) -> None:
    """Worths of all hands met if the one who sees takes an action. Modified in place: ``sums`` ``[N]``."""
    opp = 1 - learner
    sp = q.spaces0 if opp == 0 else q.spaces1
    kind, level = q.tree.kind[node], q.tree.level[node, opp]
    acts = (q.tree.acts[node] >> opp) & 1
    for s in range(sp.level_start[level + 1] - sp.level_start[level]):
        sums[s] = ZERO
    for b in range(theirs):
        slot = q.tree.child_start[node] + (action * n1 + b if learner == 0 else b * n1 + action)
        code = q.tree.child[slot]
        if code == CHILD_NONE:
            continue
        target = sp.remainder_level[kind, level, b] if acts else level
        if not acts:
            begin, end = 0, sp.level_start[level + 1] - sp.level_start[level]
            offset = 0
        else:
            begin, end = sp.segment[kind, level, b], sp.segment[kind, level, b + 1]
            offset = sp.segment[kind, level, 0]
        if code >= 0:
            drawn = is_drawn(sp, target, q.tree.level[code, opp])
            stored = found.ahead[learner] if drawn else found.here[learner]
            at = found.ahead_start[learner, code] if drawn else found.start[learner, code]
            base, unit = found.base[learner, code], found.unit[learner, code]
            for j in range(begin, end):
                if acts:
                    worth = base + unit * np.float32(stored[at + sp.pair_rest[j]])
                    sums[sp.pair_state[j]] += sigma[j - offset] * worth
                else:
                    sums[j] += base + unit * np.float32(stored[at + j])
            continue
        if code == CHILD_TERMINAL:
            pay = q.end_payoff[q.tree.child_end[slot]]
            worth = pay if learner == 0 else -pay
        else:
            record = merged.record[slot]
            worth = found.final_most[learner ^ (record % 2), record // 2]
        for j in range(begin, end):
            if acts:
                sums[sp.pair_state[j]] += sigma[j - offset] * worth
            else:
                sums[j] += worth


@kernel
def bound_of_child(
    q: Problem,
    merged: MergedTree,
    found: PerfectInformation,
    node: int,
    learner: int,
    slot: int,
    action: int,
    reach: F32,
    rest: F32,
) -> float:
    """What who sees gets at most in a child: its worths times the range met there.

    ``slot``: of the child; ``action``: the other side's; ``reach``, ``rest`` ``[N] float32``: the other
    side's range at the node, and after the action, before the draw.
    """
    opp = 1 - learner
    sp = q.spaces0 if opp == 0 else q.spaces1
    level = q.tree.level[node, opp]
    acts = (q.tree.acts[node] >> opp) & 1
    target = sp.remainder_level[q.tree.kind[node], level, action] if acts else level
    first, end = sp.level_start[target], sp.level_start[target + 1]
    code = q.tree.child[slot]
    met = total = 0.0
    if code >= 0:
        seat, number = learner, code
        if merged.quotient and learner == 1:
            seat, number = 0, mirror_image(merged, code)
        drawn = is_drawn(sp, target, q.tree.level[code, opp])
        stored = found.ahead[seat] if drawn else found.here[seat]
        at = found.ahead_start[seat, number] if drawn else found.start[seat, number]
        for m in range(end - first):
            mass = np.float64(rest[m] if acts else reach[m])
            met += mass
            total += mass * np.float64(stored[at + m])
        inside: float = met * found.base[seat, number] + total * found.unit[seat, number]
        return inside
    record = merged.record[slot]
    for m in range(end - first):
        met += np.float64(rest[m] if acts else reach[m])
    worth: float = met * found.final_most[learner ^ (record % 2), record // 2]
    return worth
