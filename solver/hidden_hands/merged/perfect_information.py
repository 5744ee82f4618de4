"""The perfect-information bound: the most that is left to who sees the other hand.

Somebody who sees that hand, and every item drawn into it, and who may place whatever is still in his own
stock, needs no further history: what he can win at a merged node depends on the node and on that hand alone.
So all of it is tabulated in one sweep, from the last generation to the first, and whoever stops following a
history adds up the range met there times these worths. Histories that share a node differ in their pools, so
each type is drawn with a probability between the least and the most of any history.

Worths are stored as whole numbers from 0 to 255 between the least and the most of their node, rounded up.
Letters as in ``walk_memory`` and ``merging``; ``X`` supports in the order of ``frame.rows``, ``Y`` those of
them that a hand with one item less may have, in the same order.
"""

from __future__ import annotations

import numpy as np

from solver.hidden_hands.decisions.ranges import regret_matching
from solver.hidden_hands.decisions.walk_memory import Problem, WalkScratch, is_locked, keep_locked
from solver.hidden_hands.jit import F32, I16, ZERO, Halves, entry, kernel
from solver.hidden_hands.merged.merged_tree import MergedTree
from solver.hidden_hands.merged.perfect_information_tables import (
    Bounds,
    PerfectInformation,
    TableScratch,
    after_draw,
    is_drawn,
)
from solver.hidden_hands.spaces import Spaces
from solver.hidden_hands.tree import CHILD_NONE, CHILD_TERMINAL, action_counts, public_type

LOW = np.float32(-1e30)
"""The worth of what cannot be."""

STEPS = np.float32(255.0)
"""Steps from the least to the most worth that a byte distinguishes."""

MARGIN = np.float32(1e-4)
"""Part of a step that is added before rounding up, for single precision."""


@kernel
def stored(worth: np.float32, base: np.float32, unit: np.float32) -> np.uint8:
    """The step that is no less than a worth."""
    if unit <= ZERO:
        return np.uint8(0)
    return np.uint8(min(max(np.ceil((worth - base) / unit + MARGIN), ZERO), STEPS))


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
        top = LOW
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
def _is_open(q: Problem, node: int, player: int, action: int, pool: I16) -> bool:
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
            z.here[s] = LOW
        for a in range(ours):
            if not _is_open(q, node, learner, a, bounds.pool):
                continue
            _add_up(q, merged, node, learner, a, theirs, n1, found, w.sigma[0, opp], z.sums)
            for s in range(size):
                z.here[s] = max(z.here[s], z.sums[s])
        least, most = -LOW, LOW
        for s in range(size):
            if z.here[s] == LOW:
                z.here[s] = ZERO
            least, most = min(least, z.here[s]), max(most, z.here[s])
        unit = (most - least) / STEPS
        found.base[learner, node], found.unit[learner, node] = least, unit
        at = found.start[learner, node]
        for s in range(size if found.start[learner, node + 1] > at else 0):
            found.here[learner, at + s] = stored(z.here[s], least, unit)
        at = found.ahead_start[learner, node]
        length = found.ahead_start[learner, node + 1] - at
        if length == 0:
            continue
        _look_ahead(sp, level, bounds.pool[node, opp], bounds.left[node, opp], z.here, z.chances, z.ahead)
        for m in range(length):
            found.ahead[learner, at + m] = stored(z.ahead[m], least, unit)


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
        if code == CHILD_TERMINAL:
            pay = q.end_payoff[q.tree.child_end[slot]]
            worth = pay if learner == 0 else -pay
            for j in range(begin, end):
                if acts:
                    sums[sp.pair_state[j]] += sigma[j - offset] * worth
                else:
                    sums[j] += worth
            continue
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
        record = merged.record[slot]
        seat, number = learner ^ (record % 2), record // 2
        base, unit = found.final_base[seat, number], found.final_unit[seat, number]
        first = sp.level_start[target]
        draws = 1 if acts and sp.draws[kind, level, b] == 1 else 0
        rows = found.final_ahead[seat, number] if draws else found.final_here[seat, number]
        for j in range(begin, end):
            at = found.places[draws, sp.index[first + (sp.pair_rest[j] if acts else j)]]
            worth = base + unit * np.float32(rows[at])
            if acts:
                sums[sp.pair_state[j]] += sigma[j - offset] * worth
            else:
                sums[j] += worth
