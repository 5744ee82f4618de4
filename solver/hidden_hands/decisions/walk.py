"""Full-width counterfactual regret minimisation over the un-merged public tree.

A visit to an interior node goes forward (regret matching, ranges of all children), to the children, and
back (values, discounted regrets). Ranges include the owner's chance probabilities, so values are
counterfactual for the other player's range. One player learns at a visit, the other one's play is remembered.

Lazy updates (Zhou et al. 2020): at some nodes a child is *active* while the joint reach of it is above a
threshold; the subtrees of the others are frozen but for every ``PERIOD``-th iteration. Meanwhile the
opponent's range into them is added up, weights included, and pushed through at the next *refresh*; so their
cumulative reach becomes exactly that of the average strategy. What a lazy child was worth to the learner at
the last refresh counts at every visit. Which children are active changes at a refresh only; certificates are
taken after an iteration in which everything is refreshed.

Letters as in ``walk_memory``; ``d`` lazy nodes, those that may put a child off.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from solver.hidden_hands.decisions.backward import backward_node, store_child
from solver.hidden_hands.decisions.forward import forward_node, load_child
from solver.hidden_hands.decisions.ranges import draw_back, draw_range, pool_after, remainders
from solver.hidden_hands.enumeration import remainder_counts
from solver.hidden_hands.final.visits import Hedge
from solver.hidden_hands.final_state import FinalState
from solver.hidden_hands.jit import F32, F64, I32, I64, ZERO, Flags, Halves, entry, kernel
from solver.hidden_hands.spaces import MAX_ACTIONS
from solver.hidden_hands.tree import action_counts
from solver.hidden_hands.walk_memory import Problem, Step, WalkScratch, stock_left


@kernel
def _is_reached(q: Problem, node: int, player: int, depth: int, w: WalkScratch) -> bool:
    """Whether any of a player's hands comes here."""
    sp = q.spaces0 if player == 0 else q.spaces1
    level = q.tree.level[node, player]
    for s in range(sp.level_start[level + 1] - sp.level_start[level]):
        if w.reach[depth, player, s] > ZERO:
            return True
    return False


@kernel
def _clear_value(q: Problem, node: int, player: int, depth: int, w: WalkScratch) -> None:
    """A node is worth nothing where the other player never comes."""
    sp = q.spaces0 if player == 0 else q.spaces1
    level = q.tree.level[node, player]
    for s in range(sp.level_start[level + 1] - sp.level_start[level]):
        w.value[depth, player, s] = ZERO


@entry
def walk(
    q: Problem,
    root: int,
    regret: Halves,
    end_reach: F32,
    state: FinalState,
    updates: LazyUpdates,
    step: Step,
    w: WalkScratch,
    hedge: Hedge,
) -> None:
    """Visit a node and everything below it: ``w.reach[0]`` and ``w.weight[0]`` in, ``w.value[0]`` out.

    Depth first with an explicit stack; one player learns. Complexity: one pass over the subtree at most.
    """
    learner = 0 if step.who == 1 else 1
    depth, node = 0, root
    w.refresh[0] = step.everything
    entering = True
    while True:
        if entering:
            w.node[depth] = node
            w.slot[depth] = 0
            w.phase[depth] = 1
            w.overdue[depth] = 0.0
            lazy = updates.row[node] >= 0
            if not lazy and not _is_reached(q, node, 1 - learner, depth, w):
                # Nothing to learn and nothing to remember; only lazy nodes may have something waiting.
                _clear_value(q, node, learner, depth, w)
                w.slot[depth] = MAX_ACTIONS * MAX_ACTIONS
                w.phase[depth] = 2
            else:
                forward_node(q, node, depth, regret, end_reach, state, step, w, hedge, lazy)
                if lazy:
                    begin_lazy_updates(q, node, depth, learner, step, updates, w)
            entering = False
        node = w.node[depth]
        row = updates.row[node]
        n0, n1 = action_counts(q.tree, node, q.types, q.stocks.shape[1])
        slot = w.slot[depth]
        if slot < n0 * n1:
            child = q.tree.child[q.tree.child_start[node] + slot]
            # Lazy children are visited in phase 0, active ones in phase 1.
            if child < 0 or (row >= 0 and updates.active[row, learner, slot] != (w.phase[depth] == 1)):
                w.slot[depth] += 1
                continue
            load_child(q, child, slot // n1, slot % n1, w, depth, w, depth + 1)
            w.weight[depth + 1] = w.weight[depth]
            # A node that is visited now and then only must not in turn wait for its own iteration to come up.
            w.refresh[depth + 1] = w.refresh[depth] or w.phase[depth] == 0
            if w.overdue[depth] > 0.0 and not w.was[depth, slot]:
                action = slot % n1 if learner == 0 else slot // n1
                load_overdue(q, child, action, 1 - learner, depth, w)
                w.weight[depth + 1] = w.overdue[depth]
            depth += 1
            node = child
            entering = True
            continue
        if w.phase[depth] == 0:
            keep_lazy_values(q, node, depth, learner, updates, w)
            w.phase[depth] = 1
            w.slot[depth] = 0
            continue
        if w.phase[depth] == 1:
            if row >= 0:
                add_kept(q, node, depth, learner, updates, w)
            backward_node(q, node, depth, regret, step, w, row >= 0)
        if depth == 0:
            return
        depth -= 1
        parent, slot = w.node[depth], w.slot[depth]
        n0, n1 = action_counts(q.tree, parent, q.types, q.stocks.shape[1])
        store_child(q, parent, node, slot // n1, slot % n1, step.who, w.value[depth + 1], w, depth)
        w.slot[depth] += 1


PERIOD = 4
"""Iterations from one refresh of a node to the next."""
THRESHOLD = 1e-6
"""Joint probability from which on a child is visited every time."""


class LazyUpdates(NamedTuple):
    """What waits at lazy nodes."""

    row: I32  # [n] number of a lazy node, -1 for the others
    start: I64  # [d, 2] where a player's remainders lie in the next two arrays, action by action
    waiting: F32  # accumulated range of the player, met by the other one as learner
    kept: F32  # the player's values of remainders below lazy children
    weight: F64  # [d, 2] sum of the weights of what waits, by learner
    active: Flags  # [d, 2, MAX_ACTIONS**2] by learner and child slot


def build_lazy_updates(q: Problem) -> LazyUpdates:
    """Allocate what the lazy nodes of a tree need; everything starts out inactive and unvisited."""
    tree = q.tree
    nodes = np.flatnonzero(tree.lazy)
    row = np.full(tree.kind.size, -1, np.int32)
    row[nodes] = np.arange(nodes.size, dtype=np.int32)
    counts = remainder_counts((q.spaces0, q.spaces1))
    sizes = np.zeros((nodes.size, 2), np.int64)
    for p in range(2):
        kind = np.where((tree.acts[nodes] >> p) & 1, tree.kind[nodes], 3)
        sizes[:, p] = counts[p, kind, tree.level[nodes, p]]
    start = np.concatenate([[0], np.cumsum(sizes.reshape(-1))])
    total = int(start[-1])
    return LazyUpdates(
        row,
        start[:-1].reshape(nodes.size, 2).copy(),
        np.zeros(total, np.float32),
        np.zeros(total, np.float32),
        np.zeros((nodes.size, 2)),
        np.zeros((nodes.size, 2, MAX_ACTIONS * MAX_ACTIONS), np.bool_),
    )


@kernel
def begin_lazy_updates(
    q: Problem, node: int, depth: int, learner: int, step: Step, updates: LazyUpdates, w: WalkScratch
) -> None:
    """Add the opponent's range to what waits at a node; at a refresh, take it out and choose anew.

    Sets ``w.phase`` of the depth: 0 at a refresh, 1 else; ``w.overdue`` is the weight of what was taken out.
    """
    opp = 1 - learner
    row = updates.row[node]
    sp = q.spaces0 if opp == 0 else q.spaces1
    counts = action_counts(q.tree, node, q.types, q.stocks.shape[1])
    count = counts[opp]
    acting = (q.tree.acts[node] >> opp) & 1
    weight = np.float32(w.weight[depth])
    at = updates.start[row, opp]
    for a in range(count):
        _, _, length = remainders(q, sp, node, opp, a)
        source = w.rest[depth, opp, a] if acting else w.reach[depth, opp]
        for m in range(length):
            updates.waiting[at + m] += weight * source[m]
        at += length
    updates.weight[row, learner] += w.weight[depth]
    w.overdue[depth] = 0.0
    w.phase[depth] = 1
    if not w.refresh[depth] and (step.time + row) % PERIOD != 0:
        return
    w.phase[depth] = 0
    w.overdue[depth] = updates.weight[row, learner]
    updates.weight[row, learner] = 0.0
    unit = np.float32(1.0 / w.overdue[depth])
    at = updates.start[row, opp]
    pool = w.pool
    for a in range(count):
        level, drawn, length = remainders(q, sp, node, opp, a)
        rest = w.norm[0]
        for m in range(length):
            rest[m] = updates.waiting[at + m] * unit
            updates.waiting[at + m] = ZERO
        at += length
        if drawn:
            pool_after(q, node, opp, q.tree.kind[node], a, pool)
            draw_range(sp, rest, w.waited[depth, a], level, pool, stock_left(sp, q.tree, node, opp))
        else:
            for m in range(length):
                w.waited[depth, a, m] = rest[m]
    for a in range(counts[0]):
        for b in range(counts[1]):
            slot = a * counts[1] + b
            w.was[depth, slot] = updates.active[row, learner, slot]
            joint = w.action_reach[depth, 0, a] * w.action_reach[depth, 1, b]
            updates.active[row, learner, slot] = joint > step.threshold


@kernel
def load_overdue(q: Problem, child: int, action: int, player: int, depth: int, w: WalkScratch) -> None:
    """Replace the range of the learner's opponent at a child by what has waited for it."""
    sp = q.spaces0 if player == 0 else q.spaces1
    level = q.tree.level[child, player]
    for s in range(sp.level_start[level + 1] - sp.level_start[level]):
        w.reach[depth + 1, player, s] = w.waited[depth, action, s]


@kernel
def keep_lazy_values(
    q: Problem, node: int, depth: int, learner: int, updates: LazyUpdates, w: WalkScratch
) -> None:
    """Keep what the lazy children were worth to the learner, pulled back to its remainders."""
    sp = q.spaces0 if learner == 0 else q.spaces1
    count = action_counts(q.tree, node, q.types, q.stocks.shape[1])[learner]
    at = updates.start[updates.row[node], learner]
    pool = w.pool
    for a in range(count):
        level, drawn, length = remainders(q, sp, node, learner, a)
        back = w.back[depth, learner, a]
        if drawn:
            pool_after(q, node, learner, q.tree.kind[node], a, pool)
            kept = updates.kept[at : at + length]
            for m in range(length):
                kept[m] = ZERO
            draw_back(sp, back, level, pool, stock_left(sp, q.tree, node, learner), kept)
            above = level + sp.num_hidden + 1
            for s in range(sp.level_start[above + 1] - sp.level_start[above]):
                back[s] = ZERO
        else:
            for m in range(length):
                updates.kept[at + m] = back[m]
                back[m] = ZERO
        at += length


@kernel
def add_kept(q: Problem, node: int, depth: int, learner: int, updates: LazyUpdates, w: WalkScratch) -> None:
    """Count what was kept, as values of remainders (of hands, for who does not act)."""
    sp = q.spaces0 if learner == 0 else q.spaces1
    count = action_counts(q.tree, node, q.types, q.stocks.shape[1])[learner]
    at = updates.start[updates.row[node], learner]
    for a in range(count):
        _, _, length = remainders(q, sp, node, learner, a)
        for m in range(length):
            w.extra[a, m] = updates.kept[at + m]
        at += length
