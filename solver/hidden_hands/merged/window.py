"""The node in hand as a tree of its own, with the final records below it as one history leaves them.

Letters as in ``merged.response``.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from solver.hidden_hands.decisions.ranges import remainders
from solver.hidden_hands.enumeration import empty_tree
from solver.hidden_hands.final.visits import Hedge, hidden_items, load_counts, load_mass, play_batch
from solver.hidden_hands.final_state import FinalState, Frame, final_state, largest_nest
from solver.hidden_hands.jit import F32, F64, I64, ZERO, kernel
from solver.hidden_hands.merged_tree import MergedTree
from solver.hidden_hands.profile import FirstStep, Profile
from solver.hidden_hands.spaces import MAX_ACTIONS, after_draw
from solver.hidden_hands.tree import (
    CHILD_FINAL,
    LANES,
    MAX_LINKS,
    Tree,
    TreeSize,
    action_counts,
    final_lanes,
    public_type,
)
from solver.hidden_hands.walk_memory import Problem, WalkScratch
from solver.hidden_hands.workers import Workers


class Window(NamedTuple):
    """The node in hand as a tree of its own, with the final records below it."""

    tree: Tree
    state: FinalState  # what a player who is to play remembers, and then how it has played
    played: FinalState  # how both have played, if that was asked for
    source: I64  # [W, L] batch of the merged records, -1 none
    lane: I64  # [L] lane there, of the main batch in hand
    swapped: I64  # [L] 1 where the seats are swapped there


def window(merged: MergedTree, frame: Frame) -> Window:
    """Allocate room for any node and the records below it."""
    nest = largest_nest(merged.records.link)
    size = (MAX_ACTIONS * MAX_ACTIONS // LANES + 1) * nest
    one = TreeSize(1, MAX_ACTIONS * MAX_ACTIONS, size, 0, 0, 0, 0)
    tree = empty_tree(one, merged.tree.pool.shape[2], size)
    state = final_state(size, frame, shifts=True)
    return Window(
        tree._replace(row_pair=tree.row_pair.astype(np.int32)),
        state,
        final_state(size, frame, shifts=True),
        np.full((size, LANES), -1, np.int64),
        np.zeros(LANES, np.int64),
        np.zeros(LANES, np.int64),
    )


class Follower(NamedTuple):
    """What one thread needs to walk along single histories."""

    problem: Problem  # with public pools of its own
    room: Window
    walk: WalkScratch
    end_reach: F32  # [2M]
    loss: F64  # [1] largest relative rounding of a decision


def new_followers(profile: Profile, workers: Workers) -> list[Follower]:
    """Allocate one for each thread."""
    assert profile.merged is not None
    found, problem, merged = [], profile.problem, profile.merged.merged
    for walk in workers.walks:
        own = problem._replace(tree=problem.tree._replace(pool=problem.tree.pool.copy()))
        room, ends = window(merged, problem.frame), np.zeros(2 * MAX_ACTIONS, np.float32)
        found.append(Follower(own, room, walk, ends, np.zeros(1)))
    return found


def ranges_below_root(first: FirstStep) -> list[list[F32]]:
    """Both players' cumulative ranges after each root action and its draw."""
    problem, found = first.problem, []
    for p, spaces in enumerate(first.spaces):
        ranges = []
        for a, pairs in enumerate(first.pairs(p)):
            below, drawn, length = remainders(problem, spaces, 0, p, a)
            rest = np.zeros(length)
            np.add.at(rest, spaces.pair_rest[pairs], first.average[p][spaces.pair_state[pairs], a])
            if drawn:
                pool = problem.stocks[p].copy()
                if problem.types[a] >= 0:
                    pool[problem.types[a]] -= 1
                rest = after_draw(spaces, rest, int(below), pool)
                rest /= pool.sum() - below // (spaces.num_hidden + 1)
            ranges.append(rest.astype(np.float32))
        found.append(ranges)
    return found


def enter(follower: Follower, below: list[list[F32]], job: tuple[int, int, int]) -> None:
    """Set the ranges and public pools of a root child; ``below``: of ``ranges_below_root``."""
    problem, child = follower.problem, job[2]
    for p in range(2):
        problem.tree.pool[child, p] = problem.stocks[p]
        if problem.types[job[p]] >= 0:
            problem.tree.pool[child, p, problem.types[job[p]]] -= 1
        ranges = below[p][job[p]]
        follower.walk.reach[0, p, : ranges.size] = ranges


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
        q.locked,
    )


@kernel
def take_in_hand(q: Problem, node: int, room: Window) -> None:
    """Take a node in hand: it becomes node 0 of the window's tree, with a reach of its own."""
    here, tree = room.tree, q.tree
    here.kind[0], here.acts[0], here.symmetric[0] = tree.kind[node], tree.acts[node], tree.symmetric[node]
    here.step[0], here.begins_step[0], here.lazy[0] = tree.step[node], tree.begins_step[node], tree.lazy[node]
    here.batch_start[0] = tree.batch_start[node]
    for p in range(2):
        here.level[0, p] = tree.level[node, p]
        here.regret_start[0, p] = tree.regret_start[node, p]
        here.reach_start[0, p] = p * MAX_ACTIONS
        for t in range(tree.pool.shape[2]):
            here.pool[0, p, t] = tree.pool[node, p, t]
    n0, n1 = action_counts(tree, node, q.types, q.stocks.shape[1])
    start = tree.child_start[node]
    for k in range(n0 * n1):
        here.child[k], here.child_end[k] = tree.child[start + k], tree.child_end[start + k]


def remembered(state: FinalState, shift: F32) -> F32:
    """What records' strategies are made of, close together: single lanes are asked for, in no order.

    ``[b, L, 2, K] float32``, for each player: the scale and the shifts of its action values, then what it has
    learnt from, which is the other one's reach by action and worth of lone chains.
    """
    num_batches, _, num, _ = shift.shape
    plain = state.lone.shape[2] if state.lone.shape[0] == num_batches else 0
    found = np.zeros((num_batches, LANES, 2, 1 + 2 * num + plain), np.float32)
    found[..., 0] = state.scale.transpose(0, 2, 1)
    found[..., 1 : 1 + num] = shift.transpose(0, 3, 1, 2)
    found[..., 1 + num : 1 + 2 * num] = state.reach[:, ::-1].transpose(0, 3, 1, 2)
    if plain:
        found[..., 1 + 2 * num :] = state.lone[:, ::-1].transpose(0, 3, 1, 2)
    return found


@kernel
def _fetch(
    merged: MergedTree, memory: F32, row_pair: I64, room: Window, batch: int, frame: Frame, player: int
) -> None:
    """Bring what a player remembers at the records of a window's batch into it, lane by lane."""
    state, num = room.state, frame.num_actions
    plain = frame.num_plain if frame.num_chain else 0
    for lane in range(LANES):
        source, there, swapped = room.source[batch, lane], room.lane[lane], room.swapped[lane]
        pair = merged.records.row_pair[source, there] if source >= 0 else -1
        row_pair[batch, lane] = merged.records.mirror[pair] if pair >= 0 and swapped else pair
        seat, other = player ^ swapped, 1 - player
        known = source >= 0
        state.scale[batch, player, lane] = memory[source, there, seat, 0] if known else ZERO
        for a in range(num):
            state.shift[batch, player, a, lane] = memory[source, there, seat, 1 + a] if known else ZERO
            met = memory[source, there, seat, 1 + num + a] if known else ZERO
            state.reach[batch, other, a, lane] = met
            state.reach[batch, player, a, lane] = ZERO
        for a in range(plain):
            met = memory[source, there, seat, 1 + 2 * num + a] if known else ZERO
            state.lone[batch, other, a, lane] = met
            state.lone[batch, player, a, lane] = ZERO


@kernel
def fill_window(
    q: Problem, merged: MergedTree, memory: F32, node: int, room: Window, only: int, player: int
) -> None:
    """Gather the records below the node in hand, for a player who is to play: main batches first, in the
    order of its final children.

    Children that were struck out of the window's tree are left out, and the others numbered anew.

    ``only``: the one main batch that is wanted, or -1 for all.
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
            _fetch(merged, memory, tree.row_pair, room, batch, q.frame, player)
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
def play_last_steps(
    q: Problem, depth: int, player: int, only: int, room: Window, w: WalkScratch, hedge: Hedge
) -> None:
    """Let a player play the final records below the node in hand, with the range it has in this history.

    Input as ``fill_window`` left it for that player; reach comes out in ``room.state``. ``only``: as there.
    """
    n0, n1 = action_counts(q.tree, 0, q.types, q.stocks.shape[1])
    hidden = hidden_items(q, 0)
    number = max(only, 0)
    while only < 0 or number == only:
        used = final_lanes(q.tree, 0, n0, n1, number, w.actions)
        if used == 0:
            break
        batch = q.tree.batch_start[0] + number
        number += 1
        comes = False
        for lane in range(LANES):
            comes = comes or (lane < used and w.action_reach[depth, player, w.actions[player, lane]] > ZERO)
        if not comes:
            continue
        load_counts(q, 0, w)
        load_mass(q, depth, player, hidden[player].shape[0], used, w)
        play_batch(q, batch, 1.0, 1 - player, hidden, room.state, w, hedge, False, 1)
    # What was remembered is spent: nobody is to take it for play.
    reach, lone = room.state.reach, room.state.lone
    for batch in range(reach.shape[0]):
        for lane in range(LANES):
            for a in range(reach.shape[2]):
                reach[batch, 1 - player, a, lane] = ZERO
            for a in range(lone.shape[2] if batch < lone.shape[0] else 0):
                lone[batch, 1 - player, a, lane] = ZERO


@kernel
def play_both(
    f: Follower, merged: MergedTree, memory: F32, node: int, depth: int, only: int, hedge: Hedge
) -> None:
    """Let both players play the final records below the node in hand; their reach comes out in ``played``."""
    room = f.room
    state, played = room.state, room.played
    here = in_window(f.problem, room)
    for p in range(2):
        fill_window(f.problem, merged, memory, node, room, only, p)
        play_last_steps(here, depth, p, only, room, f.walk, hedge)
        for batch in range(state.reach.shape[0]):
            for lane in range(LANES):
                for a in range(state.reach.shape[2]):
                    played.reach[batch, p, a, lane] = state.reach[batch, p, a, lane]
                for a in range(state.lone.shape[2] if batch < state.lone.shape[0] else 0):
                    played.lone[batch, p, a, lane] = state.lone[batch, p, a, lane]


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
