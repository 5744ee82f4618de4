"""Exact best responses to the average strategies of a merged tree, along every single history.

The merged tree is walked as the un-merged one that it stands for: depth first, with the public pools and the
range of one player as that history, and no other, leaves them. His strategies are looked up at the merged
nodes and records; what the deviator can get is computed by ``best_response`` as for any other tree. Nothing
of it is stored, so memory does not grow with the number of histories.

At final steps his strategy is settled for the ranges that both averages have in that very history
(``settling``).

Histories that the other player hardly ever lets happen are not followed: the deviator is credited with the
most that he could still win there if he saw the other hand (``foresight``), so what comes out is never too
small. So that there are few of them, rare play is concentrated (``concentrating``).

Letters as in ``walk_memory`` and ``merging``; ``W`` batches of a *window*, those below one node.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.hidden_hands.arrays import F32, F64, I64
from solver.hidden_hands.best_response import ResponseScratch, close_response, open_response
from solver.hidden_hands.decisions.opening import load_child, load_range, mix_actions, open_children
from solver.hidden_hands.decisions.ranges import index_size
from solver.hidden_hands.decisions.walk_memory import Problem, WalkScratch
from solver.hidden_hands.enumeration import empty_tree
from solver.hidden_hands.final.memory import FinalState, Frame, final_state, largest_nest
from solver.hidden_hands.final.response import RecordValues
from solver.hidden_hands.final.visits import Hedge
from solver.hidden_hands.halves import Halves
from solver.hidden_hands.jit import entry, kernel
from solver.hidden_hands.merged.concentrating import concentrate
from solver.hidden_hands.merged.foresight import (
    Foresight,
    foreseen,
    foreseen_actions,
    gather_supports,
    num_remainders,
)
from solver.hidden_hands.merged.merging import MergedTree
from solver.hidden_hands.merged.settling import Settling, settle_finals
from solver.hidden_hands.spaces import MAX_ACTIONS, Spaces
from solver.hidden_hands.statistics import TOPS, count_end, count_record
from solver.hidden_hands.tree import (
    CHILD_FINAL,
    CHILD_NONE,
    CHILD_TERMINAL,
    LANES,
    MAX_LINKS,
    Automaton,
    Tree,
    TreeSize,
    action_counts,
    public_type,
)

__all__ = [
    "Tally",
    "Window",
    "count_histories",
    "descend",
    "in_window",
    "look",
    "open_average",
    "open_window",
    "private_problem",
    "remembered",
    "respond_merged",
    "tally",
    "window",
]

_ZERO = np.float32(0.0)
_LOW = np.float32(-1e30)
_NEARLY = 0.5
"""Flow that may be more than the least one once it has been rounded on the way down, as a part of it."""


class Window(NamedTuple):
    """The node in hand as a tree of its own, with the final records below it."""

    tree: Tree
    state: FinalState
    unseen: FinalState  # the same, but for what nobody asks for
    unit: NDArray[np.float32]  # [2, L] see `settling`
    source: NDArray[np.int64]  # [W, L] batch of the merged records, -1 none
    lane: NDArray[np.int64]  # [L] lane there, of the main batch in hand
    swapped: NDArray[np.int64]  # [L] 1 where the seats are swapped there
    met: NDArray[np.float32]  # [Y] range met at a final record that is not followed
    scores: NDArray[np.float32]  # [P] what each action wins there
    best: NDArray[np.float32]  # [2**plain] the best of a support


class Tally(NamedTuple):
    """What play of both averages adds up to; see ``statistics``."""

    usage: NDArray[np.float64]  # [2, steps, P]
    ends: NDArray[np.float64]  # [4]
    means: NDArray[np.float64]  # [3]
    lone: NDArray[np.float64]  # [3]
    tops: NDArray[np.float64]
    top_ends: NDArray[np.int64]
    stack: NDArray[np.int64]


def window(merged: MergedTree, frame: Frame) -> Window:
    """Allocate room for any node and the records below it."""
    nest = largest_nest(merged.records.link)
    size = (MAX_ACTIONS * MAX_ACTIONS // LANES + 1) * nest
    one = TreeSize(1, MAX_ACTIONS * MAX_ACTIONS, size, 0, 0, 0, 0)
    tree = empty_tree(one, merged.tree.pool.shape[2], size)
    state = final_state(size, frame, settles=True)
    return Window(
        tree._replace(row_pair=tree.row_pair.astype(np.int32)),
        state,
        state._replace(met=np.zeros_like(state.met), met_lone=np.zeros_like(state.met_lone)),
        np.zeros((2, LANES), np.float32),
        np.full((size, LANES), -1, np.int64),
        np.zeros(LANES, np.int64),
        np.zeros(LANES, np.int64),
        np.zeros(num_remainders(frame), np.float32),
        np.zeros(frame.num_actions, np.float32),
        np.zeros(1 << frame.num_plain, np.float32),
    )


def tally(steps: int, num_actions: int) -> Tally:
    """Zeroed sums."""
    return Tally(
        np.zeros((2, steps, num_actions)),
        np.zeros(4),
        np.zeros(3),
        np.zeros(3),
        np.zeros((TOPS, 3)),
        np.zeros(TOPS, np.int64),
        np.zeros(64, np.int64),
    )


def private_problem(q: Problem) -> Problem:
    """The problem with a thread's own pools in the tree."""
    return q._replace(tree=q.tree._replace(pool=q.tree.pool.copy()))


@kernel
def in_window(q: Problem, room: Window) -> Problem:
    """The problem as if the node in hand were its whole tree, as node 0."""
    return Problem(
        room.tree,
        q.spaces0,
        q.spaces1,
        q.tables,
        q.frame,
        q.types,
        q.stocks,
        q.end_payoff,
        q.keep_groups,
        q.habits,
    )


@kernel
def look(q: Problem, node: int, room: Window) -> None:
    """Take a node in hand: it becomes node 0 of the window's tree, with flows of its own."""
    here, tree = room.tree, q.tree
    here.kind[0], here.acts[0], here.symmetric[0] = tree.kind[node], tree.acts[node], tree.symmetric[node]
    here.step[0], here.opens[0], here.defers[0] = tree.step[node], tree.opens[node], tree.defers[node]
    here.batch_start[0] = tree.batch_start[node]
    for p in range(2):
        here.level[0, p] = tree.level[node, p]
        here.regret_start[0, p] = tree.regret_start[node, p]
        here.flow_start[0, p] = p * MAX_ACTIONS
        for t in range(tree.pool.shape[2]):
            here.pool[0, p, t] = tree.pool[node, p, t]
    n0, n1 = action_counts(tree, node, q.types, q.stocks.shape[1])
    start = tree.child_start[node]
    for k in range(n0 * n1):
        here.child[k], here.child_end[k] = tree.child[start + k], tree.child_end[start + k]


def remembered(state: FinalState, shift: NDArray[np.float32]) -> NDArray[np.float32]:
    """What records' strategies are made of, close together: single lanes are asked for, in no order.

    Returns
    -------
    [b, L, 2, K] float32
        For each player: the scale and the shifts of his action values, then what he has learnt from, which is
        the other one's flow by action and worth of lone chains.
    """
    num_batches, _, num, _ = shift.shape
    plain = state.lone.shape[2] if state.lone.shape[0] == num_batches else 0
    found = np.zeros((num_batches, LANES, 2, 1 + 2 * num + plain), np.float32)
    found[..., 0] = state.scale.transpose(0, 2, 1)
    found[..., 1 : 1 + num] = shift.transpose(0, 3, 1, 2)
    found[..., 1 + num : 1 + 2 * num] = state.flow[:, ::-1].transpose(0, 3, 1, 2)
    if plain:
        found[..., 1 + 2 * num :] = state.lone[:, ::-1].transpose(0, 3, 1, 2)
    return found


@kernel
def _fetch(
    merged: MergedTree, memory: F32, row_pair: I64, room: Window, batch: int, frame: Frame, who: int
) -> None:
    """Bring what the records of a window's batch remember into it, lane by lane; forget flows of ``who``."""
    state, num = room.state, frame.num_actions
    plain = frame.num_plain if frame.num_chain else 0
    for lane in range(LANES):
        source, there, swapped = room.source[batch, lane], room.lane[lane], room.swapped[lane]
        pair = merged.records.row_pair[source, there] if source >= 0 else -1
        row_pair[batch, lane] = merged.records.mirror[pair] if pair >= 0 and swapped else pair
        for p in range(2):
            if (who >> p) & 1:
                for a in range(num):
                    state.met[batch, p, a, lane] = _ZERO
                for a in range(plain):
                    state.met_lone[batch, p, a, lane] = _ZERO
            seat = p ^ swapped
            known = source >= 0
            state.scale[batch, p, lane] = memory[source, there, seat, 0] if known else _ZERO
            for a in range(num):
                state.shift[batch, p, a, lane] = memory[source, there, seat, 1 + a] if known else _ZERO
                met = memory[source, there, seat, 1 + num + a] if known else _ZERO
                state.flow[batch, 1 - p, a, lane] = met
            for a in range(plain):
                met = memory[source, there, seat, 1 + 2 * num + a] if known else _ZERO
                state.lone[batch, 1 - p, a, lane] = met


@kernel
def open_window(
    q: Problem, merged: MergedTree, memory: F32, node: int, room: Window, only: int, who: int
) -> None:
    """Gather the records below the node in hand: main batches first, in the order of its final children.

    Children that were struck out of the window's tree are left out, and the others numbered anew.

    ``only``: the one main batch that is wanted, or -1 for all; ``who``: bit p, whether player p has not
    played yet.
    """
    tree, records = room.tree, merged.records
    n0, n1 = action_counts(tree, 0, q.types, q.stocks.shape[1])
    first_slot = q.tree.child_start[node]
    finals = 0
    for k in range(n0 * n1):
        if tree.child[k] <= CHILD_FINAL:
            tree.child[k] = CHILD_FINAL - finals
            finals += 1
    mains = (finals + LANES - 1) // LANES
    free = mains
    k = 0
    for main in range(mains):
        for lane in range(LANES):
            room.source[main, lane] = -1
            room.lane[lane] = 0
            room.swapped[lane] = 0
        lane = 0
        while lane < LANES and k < n0 * n1:
            if tree.child[k] <= CHILD_FINAL:
                record = merged.record[first_slot + k]
                place = records.place[record // 2]
                room.source[main, lane] = place // LANES
                room.lane[lane] = place % LANES
                room.swapped[lane] = record % 2
                lane += 1
            k += 1
        if only >= 0 and main != only:
            continue
        first = free
        batch = main
        while True:
            _fetch(merged, memory, tree.row_pair, room, batch, q.frame, who)
            for link in range(MAX_LINKS):
                tree.link[batch, link] = -1
                found = False
                for lane in range(LANES):
                    source = room.source[batch, lane]
                    # Two links per chain type of player 0, one for each of player 1.
                    there = link // 2 + link % 2 * 2 if room.swapped[lane] else link
                    below = records.link[source, there] if source >= 0 and q.frame.num_chain else -1
                    if below >= 0 and records.row_pair[below, room.lane[lane]] < 0:
                        below = -1
                    room.source[free, lane] = below
                    found = found or below >= 0
                if found:
                    tree.link[batch, link] = free
                    free += 1
            batch = first if batch == main else batch + 1
            if batch >= free:
                break


@kernel
def descend(q: Problem, node: int, child: int, a: int, b: int) -> bool:
    """Set the pools of a child; False where this history leaves no such action."""
    for p in range(2):
        for t in range(q.tree.pool.shape[2]):
            q.tree.pool[child, p, t] = q.tree.pool[node, p, t]
        if (q.tree.acts[node] >> p) & 1:
            t = public_type(q.tree.kind[node], a if p == 0 else b, q.types, q.stocks.shape[1])
            if t >= 0:
                if q.tree.pool[node, p, t] <= 0:
                    return False
                q.tree.pool[child, p, t] -= 1
    return True


@kernel
def open_average(
    q: Problem,
    node: int,
    depth: int,
    player: int,
    regret: Halves,
    average: Halves,
    w: WalkScratch,
    sp: Spaces,
    least: float,
    rare: float,
) -> None:
    """Open a node for the strategy as shipped: the average where there is one, the latest one elsewhere, and
    rare play concentrated (``concentrating``).

    ``least``: flow up to which the range after an action is not needed; ``rare``: see ``concentrate``.

    Where a player decides alone, or hardly any play comes by, the latest play is about as good (measured on
    three slots: .424 GP instead of .413).
    """
    if (q.tree.acts[node] >> player) & 1:
        table = average if q.tree.regret_start[node, player] < average.size else regret
        mix_actions(q, node, depth, player, table, w, sp, True)
        concentrate(q, node, depth, player, regret, rare, w, sp)
    open_children(q, node, depth, player, w, sp, False, True, least)


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
        split += w.flow[depth, player, action]
    if total > 0.0:
        loss[0] = max(loss[0], abs(split - total) / total)


@entry
def respond_merged(
    q: Problem,
    merged: MergedTree,
    root: int,
    learner: int,
    regret: Halves,
    average: Halves,
    memory: F32,
    room: Window,
    how: Settling,
    rare: float,
    flows: F32,
    least: float,
    found: Foresight,
    w: WalkScratch,
    z: ResponseScratch,
    hedge: Hedge,
    record: RecordValues,
    loss: F64,
) -> None:
    """Best-response values of one player at a node: ``z.value[0, learner]``; both ranges at ``w.reach[0]``
    are the input, as are the node's pools.

    Parameters
    ----------
    q : Problem
        Of this thread alone (``private_problem``).
    regret, average : [*] uint16
        Tables of the merged nodes.
    memory : [b, L, 2, K] float32
        Of the merged records, calibrated (``remembered``).
    flows : [2M] float32
        Work space, zero.
    how : Settling
        Its least flow must be at least ``least``: where nobody looks, what merged records allow is credited.
    rare : float
        Flow up to which actions are dropped (``concentrating``); at least ``least``, too, or zero.
    least : float
        Flow up to which a history is not followed.
    found : Foresight
        What counts there.
    loss : [2] float64
        Largest relative rounding of a decision, and the flow that was not followed. Modified in place.
    """
    opp = 1 - learner
    sp = q.spaces0 if opp == 0 else q.spaces1
    own = q.spaces0 if learner == 0 else q.spaces1
    state = room.state
    met = FinalState(
        state.met, state.scale, state.met_lone, state.met, state.met_lone, state.shift, state.mean
    )
    here = in_window(q, room)
    depth, node = 0, root
    entering = True
    while True:
        if entering:
            w.node[depth], w.slot[depth], w.weight[depth] = node, 0, 0.0
            open_average(q, node, depth, opp, regret, average, w, sp, least, rare)
            _measure_loss(q, sp, node, opp, depth, w, loss)
            if _may_settle(q, node, depth, opp, how, w):
                # What the other side would expect of the deviator: final steps are settled for that.
                open_average(q, node, depth, learner, regret, average, w, own, -1.0, rare)
            look(q, node, room)
            for b in range(MAX_ACTIONS):
                flows[opp * MAX_ACTIONS + b] = w.flow[depth, opp, b]
            _strike_out(q, node, learner, least, flows, room)
            if q.tree.batch_start[node] >= 0:
                open_window(q, merged, memory, node, room, -1, 3)
                settle_finals(
                    *(here, depth, opp, -1, how, state, room.unseen, room.unit, w, hedge),
                )
            open_response(here, 0, depth, flows, met, z, record)
            _credit(q, merged, node, depth, learner, flows, found, room, w, z, loss)
            entering = False
        node, slot = w.node[depth], w.slot[depth]
        n0, n1 = action_counts(q.tree, node, q.types, q.stocks.shape[1])
        if slot < n0 * n1:
            child = int(q.tree.child[q.tree.child_start[node] + slot])
            a, b = slot // n1, slot % n1
            ours, theirs = (a, b) if learner == 0 else (b, a)
            if child < 0 or w.flow[depth, opp, theirs] <= least or not descend(q, node, child, a, b):
                w.slot[depth] += 1
                continue
            load_range(q, child, opp, theirs, w, depth, w, depth + 1)
            if w.flow[depth, opp, theirs] > _NEARLY * how.least:
                load_range(q, child, learner, ours, w, depth, w, depth + 1)
            depth += 1
            node = child
            entering = True
            continue
        close_response(q, node, depth, 1 << learner, z)
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
def _may_settle(q: Problem, node: int, depth: int, player: int, how: Settling, w: WalkScratch) -> bool:
    """Whether final steps may be settled below an opened node, for a player."""
    for action in range(action_counts(q.tree, node, q.types, q.stocks.shape[1])[player]):
        if w.flow[depth, player, action] > _NEARLY * how.least:
            return True
    return False


@kernel
def _is_possible(q: Problem, node: int, player: int, action: int) -> bool:
    """Whether this history leaves a player such an item: merged nodes have what any of theirs has."""
    if not (q.tree.acts[node] >> player) & 1:
        return True
    t = public_type(q.tree.kind[node], action, q.types, q.stocks.shape[1])
    return t < 0 or q.tree.pool[node, player, t] > 0


@kernel
def _strike_out(q: Problem, node: int, learner: int, least: float, flows: F32, room: Window) -> None:
    """Strike out children of the node in hand that are not followed, or not possible here."""
    tree, opp = room.tree, 1 - learner
    n0, n1 = action_counts(tree, 0, q.types, q.stocks.shape[1])
    for a in range(n0):
        for b in range(n1):
            theirs, ours = (b, a) if learner == 0 else (a, b)
            rare = flows[tree.flow_start[0, opp] + theirs] <= least
            if tree.child[a * n1 + b] != CHILD_TERMINAL and (
                rare or not _is_possible(q, node, learner, ours)
            ):
                tree.child[a * n1 + b] = CHILD_NONE


@kernel
def _credit(
    q: Problem,
    merged: MergedTree,
    node: int,
    depth: int,
    learner: int,
    flows: F32,
    found: Foresight,
    room: Window,
    w: WalkScratch,
    z: ResponseScratch,
    loss: F64,
) -> None:
    """Count children that were struck out at the most that can be won there."""
    tree, opp = room.tree, 1 - learner
    sp = q.spaces0 if opp == 0 else q.spaces1
    kind, level = q.tree.kind[node], q.tree.level[node, opp]
    n0, n1 = action_counts(tree, 0, q.types, q.stocks.shape[1])
    start = q.tree.child_start[node]
    ours, theirs = (n0, n1) if learner == 0 else (n1, n0)
    for b in range(theirs):
        flow = np.float64(flows[tree.flow_start[0, opp] + b])
        if flow <= 0.0:
            continue
        reach, rest = w.reach[depth, opp], w.rest[depth, opp, b]
        draws = (q.tree.acts[node] >> opp) & 1 and sp.draws[kind, level, b] == 1
        gathered = False
        for a in range(ours):
            k = a * n1 + b if learner == 0 else b * n1 + a
            code, record = q.tree.child[start + k], merged.record[start + k]
            if tree.child[k] != CHILD_NONE or code == CHILD_NONE or not _is_possible(q, node, learner, a):
                continue
            loss[1] += flow
            if code <= CHILD_FINAL and draws:
                if not gathered:
                    gather_supports(sp, sp.remainder_level[kind, level, b], rest, found, room.met)
                    gathered = True
                foreseen_actions(found, learner ^ (record % 2), record // 2, room.met, room.scores)
                _credit_hands(q, node, depth, learner, a, room, z)
                continue
            most = foreseen(q, merged, found, node, learner, start + k, b, reach, rest)
            z.flat[depth, learner, a] += most


@kernel
def _credit_hands(
    q: Problem, node: int, depth: int, learner: int, action: int, room: Window, z: ResponseScratch
) -> None:
    """Credit a final step after an action: every hand takes the best of ``room.scores`` that it holds."""
    sp = q.spaces0 if learner == 0 else q.spaces1
    frame, best, scores = q.frame, room.best, room.scores
    plain, second = frame.num_plain, frame.second_max + 1
    for i in range(plain):
        half = 1 << i
        best[half] = scores[i]
        for s in range(1, half):
            best[half + s] = max(best[s], scores[i])
    level = q.tree.level[node, learner]
    if (q.tree.acts[node] >> learner) & 1:
        level = sp.remainder_level[q.tree.kind[node], level, action]
    groups = sp.group_start[level + 1] - sp.group_start[level] if q.keep_groups else 1
    gains = z.gains[depth, learner, action // LANES]
    lane = action % LANES
    for k in range(frame.rows.size):
        row = frame.rows[k]
        s, chains = row & ((1 << plain) - 1), row >> plain
        worth = best[s] if s > 0 else _LOW
        if chains // second > 0:
            worth = max(worth, scores[plain])
        if chains % second > 0:
            worth = max(worth, scores[plain + 1])
        if row == 0:
            worth = scores[frame.num_actions - 1] if frame.has_nothing else _ZERO
        for group in range(groups):
            gains[group * index_size(q) + row, lane] += np.float64(worth)


@entry
def count_histories(
    q: Problem,
    g: Automaton,
    merged: MergedTree,
    root: int,
    regret: Halves,
    average: Halves,
    memory: F32,
    room: Window,
    how: Settling,
    rare: float,
    least: float,
    points: F64,
    outcome: I64,
    w: WalkScratch,
    hedge: Hedge,
    counts: Tally,
) -> None:
    """Count how play of both averages goes on from a node; both ranges at ``w.reach[0]`` are the input.

    ``rare``: see ``concentrate``; ``least``: joint probability up to which a history is not followed.
    """
    state = room.state
    met = FinalState(
        state.met, state.scale, state.met_lone, state.met, state.met_lone, state.shift, state.mean
    )
    here = in_window(q, room)
    depth, node = 0, root
    entering = True
    while True:
        if entering:
            w.node[depth], w.slot[depth], w.weight[depth] = node, 0, 0.0
            for p in range(2):
                sp = q.spaces0 if p == 0 else q.spaces1
                open_average(q, node, depth, p, regret, average, w, sp, 0.0, rare)
            look(q, node, room)
            if q.tree.batch_start[node] >= 0:
                # Settling takes what was remembered.
                for p in range(2):
                    open_window(q, merged, memory, node, room, -1, 3 if p == 0 else 2)
                    settle_finals(
                        *(here, depth, p, -1, how, state, room.unseen, room.unit, w, hedge),
                    )
            _count_node(here, g, 0, depth, met, points, outcome, w, counts)
            entering = False
        node, slot = w.node[depth], w.slot[depth]
        n0, n1 = action_counts(q.tree, node, q.types, q.stocks.shape[1])
        if slot < n0 * n1:
            child = int(q.tree.child[q.tree.child_start[node] + slot])
            a, b = slot // n1, slot % n1
            joint = np.float64(w.flow[depth, 0, a]) * w.flow[depth, 1, b]
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


@kernel
def _count_node(
    q: Problem,
    g: Automaton,
    node: int,
    depth: int,
    state: FinalState,
    points: F64,
    outcome: I64,
    w: WalkScratch,
    counts: Tally,
) -> None:
    """Count what can happen at one node."""
    tree: Tree = q.tree
    n0, n1 = action_counts(tree, node, q.types, q.stocks.shape[1])
    start, step = tree.child_start[node], tree.step[node]
    num_classes = points.shape[0]
    usage = counts.usage
    for a in range(n0):
        for b in range(n1):
            code = tree.child[start + a * n1 + b]
            f0, f1 = np.float64(w.flow[depth, 0, a]), np.float64(w.flow[depth, 1, b])
            if code == CHILD_NONE or f0 * f1 == 0.0:
                continue
            if tree.opens[node]:
                usage[0, step, a] += f0 * f1
                usage[1, step, b] += f0 * f1
            if code == CHILD_TERMINAL:
                end = tree.child_end[start + a * n1 + b]
                c0, c1 = end // num_classes, end % num_classes
                count_end(c0, c1, f0 * f1, points, outcome, counts.ends, counts.means)
            elif code <= CHILD_FINAL:
                rank = CHILD_FINAL - code
                batch, lane = rank // LANES, rank % LANES
                for x in range(q.types.size):
                    usage[0, step + 1, x] += state.flow[batch, 0, x, lane] * f1
                    usage[1, step + 1, x] += state.flow[batch, 1, x, lane] * f0
                count_record(
                    *(q, g, batch, lane, state, 1.0, points, outcome),
                    *(counts.ends, counts.means, counts.lone, counts.tops, counts.top_ends, counts.stack),
                )
