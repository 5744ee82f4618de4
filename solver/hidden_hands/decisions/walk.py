"""Full-width counterfactual regret minimisation over the un-merged public tree.

A visit to an interior node goes forward (regret matching, ranges of all children), visits the children, and
closes it (values, discounted regrets). Ranges include the owner's chance probabilities, so values are
counterfactual for the other player's range. One player learns at a visit, the other one's play is remembered.
"""

from __future__ import annotations

import numpy as np

from solver.hidden_hands.arrays import F32
from solver.hidden_hands.decisions.backward import backward_node, store_child
from solver.hidden_hands.decisions.forward import forward_node, load_child
from solver.hidden_hands.decisions.lazy_updates import (
    LazyUpdates,
    add_kept,
    begin_lazy_updates,
    keep_lazy_values,
    load_overdue,
)
from solver.hidden_hands.decisions.walk_memory import Problem, Step, WalkScratch
from solver.hidden_hands.final.state import FinalState
from solver.hidden_hands.final.visits import Hedge
from solver.hidden_hands.halves import Halves
from solver.hidden_hands.jit import entry, kernel
from solver.hidden_hands.spaces import MAX_ACTIONS
from solver.hidden_hands.tree import action_counts

__all__ = [
    "walk",
]

_ZERO = np.float32(0.0)


@kernel
def _is_reached(q: Problem, node: int, player: int, depth: int, w: WalkScratch) -> bool:
    """Whether any of a player's hands comes here."""
    sp = q.spaces0 if player == 0 else q.spaces1
    level = q.tree.level[node, player]
    for s in range(sp.level_start[level + 1] - sp.level_start[level]):
        if w.reach[depth, player, s] > _ZERO:
            return True
    return False


@kernel
def _clear_value(q: Problem, node: int, player: int, depth: int, w: WalkScratch) -> None:
    """A node is worth nothing where the other player never comes."""
    sp = q.spaces0 if player == 0 else q.spaces1
    level = q.tree.level[node, player]
    for s in range(sp.level_start[level + 1] - sp.level_start[level]):
        w.value[depth, player, s] = _ZERO


@entry
def walk(
    q: Problem,
    root: int,
    regret: Halves,
    flows: F32,
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
                forward_node(q, node, depth, regret, flows, state, step, w, hedge, lazy)
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
