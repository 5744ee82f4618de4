"""Best responses to the average strategies of a merged tree, and how play of both ends, along every history.

The merged tree is walked as the un-merged one that it stands for: depth first, with the public pools and the
ranges as that history, and no other, leaves them. Strategies are looked up at the merged nodes and records;
what the deviator can get is computed by ``best_response`` as for any other tree. Nothing of it is stored, so
memory does not grow with the number of histories. Those that the other player hardly ever lets happen are not
followed, and count at the perfect-information bound, so what comes out is never too small.

Letters as in ``walk_memory`` and ``merging``; ``W`` batches of a *window*, those below one node.
"""

from __future__ import annotations

import numpy as np

from solver.hidden_hands.best_response import backward_response, forward_response
from solver.hidden_hands.decisions.forward import load_child, load_range
from solver.hidden_hands.final.response import RecordValues
from solver.hidden_hands.final.response_memory import ResponseScratch
from solver.hidden_hands.final.visits import Hedge
from solver.hidden_hands.jit import F32, F64, entry, kernel
from solver.hidden_hands.merged.perfect_information import PerfectInformation, bound_of_child
from solver.hidden_hands.merged.shipped import forward_average
from solver.hidden_hands.merged.window import (
    Follower,
    Window,
    descend,
    fill_window,
    in_window,
    play_both,
    play_last_steps,
    take_in_hand,
)
from solver.hidden_hands.merged_tree import MergedPlay, MergedTree
from solver.hidden_hands.spaces import MAX_ACTIONS, Spaces
from solver.hidden_hands.statistics import Tally, count_child
from solver.hidden_hands.tree import CHILD_NONE, CHILD_TERMINAL, Automaton, action_counts, public_type
from solver.hidden_hands.walk_memory import Problem, WalkScratch


@kernel
def _measure_loss(
    q: Problem, sp: Spaces, node: int, player: int, depth: int, w: WalkScratch, loss: F64
) -> None:
    """Keep the largest relative difference between a range and what its owner does with it."""
    level = q.tree.level[node, player]
    total = split = 0.0
    for s in range(sp.level_start[level + 1] - sp.level_start[level]):
        total += w.reach[depth, player, s]
    for action in range(action_counts(q.tree, node, q.types, q.stocks.shape[1])[player]):
        split += w.action_reach[depth, player, action]
    if total > 0.0:
        loss[0] = max(loss[0], abs(split - total) / total)


@entry
def respond_merged(
    f: Follower,
    shipped: MergedPlay,
    root: int,
    learner: int,
    rare: float,
    least: float,
    found: PerfectInformation,
    z: ResponseScratch,
    hedge: Hedge,
    record: RecordValues,
) -> None:
    """Best-response values of one player at a node: ``z.value[0, learner]``.

    Both ranges at ``f.walk.reach[0]`` are the input, as are the node's pools.

    ``rare``: reach up to which actions are dropped (``apply_threshold``); at least ``least``, or zero;
    ``least``: reach up to which a history is not followed; ``found``: what counts there.
    """
    q, room, w, end_reach = f.problem, f.room, f.walk, f.end_reach
    opp = 1 - learner
    sp = q.spaces0 if opp == 0 else q.spaces1
    own = q.spaces0 if learner == 0 else q.spaces1
    here = in_window(q, room)
    depth, node = 0, root
    entering = True
    while True:
        if entering:
            w.node[depth], w.slot[depth], w.weight[depth] = node, 0, 0.0
            forward_average(q, node, depth, opp, shipped, w, sp, least, rare)
            _measure_loss(q, sp, node, opp, depth, w, f.loss)
            take_in_hand(q, node, room)
            for b in range(MAX_ACTIONS):
                end_reach[opp * MAX_ACTIONS + b] = w.action_reach[depth, opp, b]
            _strike_out(q, node, learner, least, end_reach, room)
            if q.tree.batch_start[node] >= 0:
                fill_window(q, shipped.merged, shipped.memory, node, room, -1, opp)
                play_last_steps(here, depth, opp, -1, room, w, hedge)
            forward_response(here, 0, depth, end_reach, room.state, z, record)
            _credit(f, shipped.merged, node, depth, learner, found, z)
            entering = False
        node, slot = w.node[depth], w.slot[depth]
        n0, n1 = action_counts(q.tree, node, q.types, q.stocks.shape[1])
        if slot < n0 * n1:
            child = int(q.tree.child[q.tree.child_start[node] + slot])
            a, b = slot // n1, slot % n1
            theirs = b if learner == 0 else a
            if child < 0 or w.action_reach[depth, opp, theirs] <= least or not descend(q, node, child, a, b):
                w.slot[depth] += 1
                continue
            load_range(q, child, opp, theirs, w, depth, w, depth + 1)
            depth += 1
            node = child
            entering = True
            continue
        backward_response(q, node, depth, 1 << learner, z)
        if depth == 0:
            return
        depth -= 1
        slot = w.slot[depth]
        n0, n1 = action_counts(q.tree, w.node[depth], q.types, q.stocks.shape[1])
        ours = slot // n1 if learner == 0 else slot % n1
        level = q.tree.level[node, learner]
        for s in range(own.level_start[level + 1] - own.level_start[level]):
            z.back[depth, learner, ours, s] += z.value[depth + 1, learner, s]
        w.slot[depth] += 1


@kernel
def _is_possible(q: Problem, node: int, player: int, action: int) -> bool:
    """Whether this history leaves a player such an item: merged nodes have what any of theirs has."""
    if not (q.tree.acts[node] >> player) & 1:
        return True
    t = public_type(q.tree.kind[node], action, q.types, q.stocks.shape[1])
    return t < 0 or q.tree.pool[node, player, t] > 0


@kernel
def _strike_out(q: Problem, node: int, learner: int, least: float, end_reach: F32, room: Window) -> None:
    """Strike out children of the node in hand that are not followed, or not possible here."""
    tree, opp = room.tree, 1 - learner
    n0, n1 = action_counts(tree, 0, q.types, q.stocks.shape[1])
    for a in range(n0):
        for b in range(n1):
            theirs, ours = (b, a) if learner == 0 else (a, b)
            rare = end_reach[tree.reach_start[0, opp] + theirs] <= least
            if tree.child[a * n1 + b] != CHILD_TERMINAL and (
                rare or not _is_possible(q, node, learner, ours)
            ):
                tree.child[a * n1 + b] = CHILD_NONE


@kernel
def _credit(
    f: Follower,
    merged: MergedTree,
    node: int,
    depth: int,
    learner: int,
    found: PerfectInformation,
    z: ResponseScratch,
) -> None:
    """Count children that were struck out at the most that can be won there."""
    q, w, end_reach, tree, opp = f.problem, f.walk, f.end_reach, f.room.tree, 1 - learner
    n0, n1 = action_counts(tree, 0, q.types, q.stocks.shape[1])
    start = q.tree.child_start[node]
    ours, theirs = (n0, n1) if learner == 0 else (n1, n0)
    for b in range(theirs):
        met = np.float64(end_reach[tree.reach_start[0, opp] + b])
        if met <= 0.0:
            continue
        reach, rest = w.reach[depth, opp], w.rest[depth, opp, b]
        for a in range(ours):
            k = a * n1 + b if learner == 0 else b * n1 + a
            code = q.tree.child[start + k]
            if tree.child[k] != CHILD_NONE or code == CHILD_NONE or not _is_possible(q, node, learner, a):
                continue
            most = bound_of_child(q, merged, found, node, learner, start + k, b, reach, rest)
            z.flat[depth, learner, a] += most


@entry
def count_histories(
    f: Follower,
    g: Automaton,
    shipped: MergedPlay,
    root: int,
    rare: float,
    least: float,
    hedge: Hedge,
    counts: Tally,
) -> None:
    """Count how play of both averages goes on from a node; both ranges at ``f.walk.reach[0]`` are the input.

    ``rare``: see ``apply_threshold``; ``least``: joint probability up to which a history is not followed.
    """
    q, room, w = f.problem, f.room, f.walk
    here = in_window(q, room)
    depth, node = 0, root
    entering = True
    while True:
        if entering:
            w.node[depth], w.slot[depth], w.weight[depth] = node, 0, 0.0
            for p in range(2):
                sp = q.spaces0 if p == 0 else q.spaces1
                forward_average(q, node, depth, p, shipped, w, sp, 0.0, rare)
            take_in_hand(q, node, room)
            if q.tree.batch_start[node] >= 0:
                play_both(f, shipped.merged, shipped.memory, node, depth, -1, hedge)
            n0, n1 = action_counts(q.tree, node, q.types, q.stocks.shape[1])
            for a in range(n0):
                for b in range(n1):
                    f0, f1 = np.float64(w.action_reach[depth, 0, a]), np.float64(w.action_reach[depth, 1, b])
                    if room.tree.child[a * n1 + b] != CHILD_NONE and f0 * f1 > 0.0:
                        count_child(here, g, 0, a, b, f0, f1, room.played, 1.0, counts)
            entering = False
        node, slot = w.node[depth], w.slot[depth]
        n0, n1 = action_counts(q.tree, node, q.types, q.stocks.shape[1])
        if slot < n0 * n1:
            child = int(q.tree.child[q.tree.child_start[node] + slot])
            a, b = slot // n1, slot % n1
            joint = np.float64(w.action_reach[depth, 0, a]) * w.action_reach[depth, 1, b]
            if child < 0 or joint <= least or not descend(q, node, child, a, b):
                w.slot[depth] += 1
                continue
            load_child(q, child, a, b, w, depth, w, depth + 1)
            depth += 1
            node = child
            entering = True
            continue
        if depth == 0:
            return
        depth -= 1
        w.slot[depth] += 1
