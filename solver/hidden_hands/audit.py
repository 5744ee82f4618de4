"""Does the stored reach add up? A bound on what rounding (or a defect) in it can hide.

The certificate takes the other side's cumulative reach at its word. Whatever a deviator does, the reach it
meets at the ends of play must add up to the total weight of all iterations. How far it can miss is bounded
here, from the public tree alone.

Why public histories are enough: fix what one player does, hand by hand. At a history of given public actions,
the reach it meets below is

- at a final record or an end of play, the other side's stored reach, whatever its own hand;
- where it acts, the sum over the other side's actions of what it meets below its own action, which is one of
  those that are publicly possible;
- where only the other side acts, the sum over the other side's actions;
- over a draw of its own, or an exchange, a mean of what it meets afterwards.

A mean is at most the largest and at least the smallest of its terms. So, by induction from the ends upwards,
no hand and no strategy meets more than the *most* that publicly possible actions lead to, or less than the
*least*. Both may well be missed by any single hand: the bound is looser than one taken hand by hand, and
takes a small part of its time.

Inside a final step, an action after which both go on is met in its sub-record instead. Who goes on alone
changes nothing about the reach met: it is what the other side's action was taken with.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from solver.hidden_hands.final_state import Frame
from solver.hidden_hands.jit import F32, F64, I32, I64, Flags, entry, kernel
from solver.hidden_hands.spaces import MAX_ACTIONS
from solver.hidden_hands.tree import (
    CHILD_NONE,
    CHILD_TERMINAL,
    LANES,
    MAX_LINKS,
    Tree,
    action_counts,
    final_lanes,
    public_type,
)


class AuditScratch(NamedTuple):
    """Work space: ``D`` depth, ``E`` nesting levels of chain sub-steps.

    The axis of length two before the last ones is: the most and the least reach met.
    """

    met: F64  # [D, 2, 2] by player
    below: F64  # [D, 2, 2, M] by own action, summed over the other side's actions
    possible: Flags  # [D, 2, M]
    record: F64  # [E, 2, 2, L] of a batch of final records
    after: F64  # [E, 2, 2, 2, L] what each own chain type adds to the reach of the record
    chain: I64  # [E, 2, 2, L] items of each chain type not yet public
    actions: I64  # [2, L] both players' actions by lane
    batch: I64  # [E]
    link: I64  # [E]
    node: I64  # [D]
    slot: I64  # [D]


def audit_scratch(frame: Frame, depth: int) -> AuditScratch:
    """Allocate the work space of one pass."""
    levels = frame.num_levels
    return AuditScratch(
        np.zeros((depth, 2, 2)),
        np.zeros((depth, 2, 2, MAX_ACTIONS)),
        np.zeros((depth, 2, MAX_ACTIONS), np.bool_),
        np.zeros((levels, 2, 2, LANES)),
        np.zeros((levels, 2, 2, 2, LANES)),
        np.zeros((levels, 2, 2, LANES), np.int64),
        np.zeros((2, LANES), np.int64),
        np.zeros(levels, np.int64),
        np.zeros(levels, np.int64),
        np.zeros(depth, np.int64),
        np.zeros(depth, np.int64),
    )


@kernel
def _sum_batch(batch: int, joints: I64, links: I32, finals: F32, frame: Frame, z: AuditScratch) -> None:
    """Most and least reach met in a batch of final records: ``z.record[0]``; ``z.chain[0]`` is the input.

    Sub-records are visited depth first with an explicit stack.
    """
    plain = frame.num_plain
    at, sub = 0, batch
    entering = True
    while True:
        if entering:
            z.batch[at] = sub
            z.link[at] = 0
            z.after[at] = 0.0
            entering = False
        link = z.link[at]
        if frame.num_chain and link < MAX_LINKS:
            sub = int(links[z.batch[at], link])
            if sub < 0 or at + 1 == z.batch.size:
                z.link[at] += 1
                continue
            for p in range(2):
                which = link // 2 if p == 0 else link % 2
                for lane in range(LANES):
                    z.chain[at + 1, p, 0, lane] = z.chain[at, p, 0, lane]
                    z.chain[at + 1, p, 1, lane] = z.chain[at, p, 1, lane]
                    z.chain[at + 1, p, which, lane] -= 1
            at += 1
            entering = True
            continue
        for p in range(2):
            for lane in range(LANES):
                total = 0.0
                if joints[z.batch[at], lane] >= 0:
                    for b in range(frame.num_actions):
                        total += finals[z.batch[at], 1 - p, b, lane]
                most = least = 0.0
                for which in range(frame.num_chain):
                    if z.chain[at, p, which, lane] > 0:
                        most = max(most, z.after[at, p, 0, which, lane])
                        least = min(least, z.after[at, p, 1, which, lane])
                z.record[at, p, 0, lane] = total + most
                z.record[at, p, 1, lane] = total + least
        if at == 0:
            return
        at -= 1
        link = z.link[at]
        for p in range(2):
            own, opp = (link // 2, link % 2) if p == 0 else (link % 2, link // 2)
            for lane in range(LANES):
                if joints[z.batch[at + 1], lane] >= 0:
                    # The reach that goes on is met in the sub-record.
                    gone = finals[z.batch[at], 1 - p, plain + opp, lane]
                    for k in range(2):
                        z.after[at, p, k, own, lane] += z.record[at + 1, p, k, lane] - gone
        z.link[at] += 1


@kernel
def _chain_left(tree: Tree, types: I64, frame: Frame, node: int, player: int, action: int, which: int) -> int:
    """Items of a chain type that are not yet public once an action has been taken."""
    item = types[frame.num_plain + which]
    left = int(tree.pool[node, player, item])
    if (tree.acts[node] >> player) & 1:
        shown = public_type(tree.kind[node], action, types, tree.pool.shape[2])
        left -= 1 if shown == item else 0
    return left


@kernel
def _forward(
    tree: Tree, types: I64, frame: Frame, node: int, depth: int, ends: F32, finals: F32, z: AuditScratch
) -> None:
    """Reach met right below a node, at ends of play and final records, by own action."""
    n0, n1 = action_counts(tree, node, types, tree.pool.shape[2])
    start = tree.child_start[node]
    symmetric = tree.symmetric[node] == 1
    z.below[depth] = 0.0
    z.possible[depth] = False
    for a in range(n0):
        for b in range(n1):
            code = tree.child[start + a * n1 + b]
            if code == CHILD_NONE:
                continue
            z.possible[depth, 0, a] = True
            z.possible[depth, 1, b] = True
            if symmetric:
                z.possible[depth, 0, b] = True
                z.possible[depth, 1, a] = True
            if code == CHILD_TERMINAL:
                f0 = np.float64(ends[tree.reach_start[node, 0] + a])
                f1 = np.float64(ends[tree.reach_start[node, 1] + b])
                _add_below(z.below[depth], symmetric, a, b, 0, f1, f1)
                _add_below(z.below[depth], symmetric, a, b, 1, f0, f0)
    if tree.batch_start[node] < 0:
        return
    number = 0
    while True:
        used = final_lanes(tree, node, n0, n1, number, z.actions)
        if used == 0:
            return
        batch = tree.batch_start[node] + number
        for lane in range(LANES):
            for p in range(2):
                for which in range(frame.num_chain):
                    left = _chain_left(tree, types, frame, node, p, z.actions[p, lane], which)
                    z.chain[0, p, which, lane] = left
        _sum_batch(batch, tree.row_pair, tree.link, finals, frame, z)
        for lane in range(used):
            a, b = z.actions[0, lane], z.actions[1, lane]
            for p in range(2):
                most, least = z.record[0, p, 0, lane], z.record[0, p, 1, lane]
                _add_below(z.below[depth], symmetric, a, b, p, most, least)
        number += 1


@kernel
def _add_below(below: F64, symmetric: bool, a: int, b: int, player: int, most: float, least: float) -> None:
    """Add what a player meets in the child of a pair of actions ``(a, b)``, and in its mirror image."""
    own = a if player == 0 else b
    below[player, 0, own] += most
    below[player, 1, own] += least
    if symmetric and a != b:
        # The mirrored child (b, a) is left out of the tree: the players swap seats in it.
        below[1 - player, 0, own] += most
        below[1 - player, 1, own] += least


@kernel
def _backward(depth: int, z: AuditScratch) -> None:
    """Most and least reach each player can meet at a node: ``z.met[depth]``."""
    for p in range(2):
        most, least = -np.inf, np.inf
        for a in range(MAX_ACTIONS):
            if z.possible[depth, p, a]:
                most = max(most, z.below[depth, p, 0, a])
                least = min(least, z.below[depth, p, 1, a])
        z.met[depth, p, 0] = most
        z.met[depth, p, 1] = least


@entry
def bound_reach(tree: Tree, types: I64, frame: Frame, ends: F32, finals: F32, z: AuditScratch) -> None:
    """Most and least of the other side's reach that each player can meet: ``z.met[0]`` ``[2, 2]``.

    Depth first with an explicit stack. Complexity: one pass over the public tree, without hands.

    ``types`` ``[P] int64``: type of each local action; ``ends`` ``[*] float32``: cumulative reach where play
    ends at an ordinary decision; ``finals`` ``[b, 2, P, L] float32``: that of final records.
    """
    depth = node = 0
    entering = True
    while True:
        if entering:
            z.node[depth] = node
            z.slot[depth] = 0
            _forward(tree, types, frame, node, depth, ends, finals, z)
            entering = False
        node, slot = z.node[depth], z.slot[depth]
        n0, n1 = action_counts(tree, node, types, tree.pool.shape[2])
        if slot < n0 * n1:
            child = int(tree.child[tree.child_start[node] + slot])
            if child < 0:
                z.slot[depth] += 1
                continue
            depth += 1
            node = child
            entering = True
            continue
        _backward(depth, z)
        if depth == 0:
            return
        depth -= 1
        n0, n1 = action_counts(tree, z.node[depth], types, tree.pool.shape[2])
        slot = z.slot[depth]
        symmetric = tree.symmetric[z.node[depth]] == 1
        for p in range(2):
            most, least = z.met[depth + 1, p, 0], z.met[depth + 1, p, 1]
            _add_below(z.below[depth], symmetric, slot // n1, slot % n1, p, most, least)
        z.slot[depth] += 1
