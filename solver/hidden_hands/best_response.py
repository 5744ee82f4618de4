"""Exact best responses on the un-merged public tree: the certificate.

Works from the game and from the cumulative reach of the average strategies alone (no regrets, no ranges):
what an action is worth to a deviator depends on the other side's reach into each outcome and on chance, so
values are pulled up the tree and the better action is taken hand by hand. Double precision throughout. Final
records are evaluated eight at a time by ``final.response``; ``audit`` checks the reach itself.

Letters as in ``walk``.
"""

from __future__ import annotations

import numpy as np

from solver.hidden_hands.final.response import RecordValues
from solver.hidden_hands.final.response_memory import ResponseScratch, Supports, draw_weights, pull_draw
from solver.hidden_hands.final_state import FinalGame, FinalState
from solver.hidden_hands.jit import F32, F64, I64, entry, kernel
from solver.hidden_hands.spaces import HIDE, PLACE, Spaces
from solver.hidden_hands.tree import CHILD_TERMINAL, LANES, action_counts, final_lanes, public_type
from solver.hidden_hands.walk_memory import Problem, is_locked

_LOW = -1e30


@kernel
def _public(q: Problem, sp: Spaces, node: int, player: int, action: int, pool: I64) -> tuple[int, int, int]:
    """Pool, stock and hand size once an action has been taken and its draw made, and the level reached."""
    tree = q.tree
    kind, level = tree.kind[node], tree.level[node, player]
    width = sp.num_hidden + 1
    held, hidden = level // width, level % width
    total = 0
    for t in range(pool.size):
        pool[t] = tree.pool[node, player, t]
        total += tree.pool[node, player, t]
    stock = total - held - hidden
    if (tree.acts[node] >> player) & 1:
        t = public_type(kind, action, q.types, q.stocks.shape[1])
        if t >= 0:
            # Merged nodes have actions that not every history leaves possible.
            pool[t] = max(pool[t] - 1, 0)
        level = sp.remainder_level[kind, level, action]
        if sp.draws[kind, tree.level[node, player], action]:
            held -= 1
            if stock > 0:
                stock -= 1
                held += 1
                level += width
    return stock, held, level


@kernel
def _chain_caps(q: Problem, node: int, player: int) -> tuple[int, int]:
    """Most items of both chain types a player may hold at a node."""
    frame = q.frame
    first = last = 0
    if frame.num_chain > 0:
        first = min(int(q.tree.pool[node, player, q.types[frame.num_plain]]), frame.first_max)
    if frame.num_chain > 1:
        last = min(int(q.tree.pool[node, player, q.types[frame.num_plain + 1]]), frame.second_max)
    return first, last


@kernel
def _record_groups(q: Problem, sp: Spaces, node: int, player: int) -> tuple[int, int]:
    """First and number of the hidden groups that the records right below a node distinguish."""
    if not q.keep_groups:
        # The first group of any level 0 hides nothing.
        return 0, 1
    level = q.tree.level[node, player]
    if q.tree.kind[node] == HIDE and (q.tree.acts[node] >> player) & 1:
        level = sp.remainder_level[HIDE, level, 0]
    first = sp.group_start[level]
    return first, sp.group_start[level + 1] - first


@kernel
def _clear_gains(
    gains: F64, groups: int, first: int, last: int, room: int, q: Problem, supports: Supports
) -> None:
    """Zero the rows a hand can have; counts and room as in ``pull_draw``."""
    plain = q.frame.num_plain
    second = q.frame.second_max + 1
    size = ((q.frame.first_max + 1) * second) << plain
    for group in range(groups):
        for v in range(min(first, room) + 1):
            for c in range(min(last, room - v) + 1):
                block = group * size + ((v * second + c) << plain)
                for k in range(supports.within[min(room - v - c, plain)]):
                    row = block + supports.order[k]
                    for lane in range(LANES):
                        gains[row, lane] = 0.0


@kernel
def _add_gains(
    value: F64,
    gains: F64,
    actions: I64,
    used: int,
    groups: int,
    first: int,
    last: int,
    room: int,
    q: Problem,
    supports: Supports,
) -> None:
    """Add the values of a batch: each lane to the column of its owner's action."""
    plain = q.frame.num_plain
    second = q.frame.second_max + 1
    size = ((q.frame.first_max + 1) * second) << plain
    for group in range(groups):
        for v in range(min(first, room) + 1):
            for c in range(min(last, room - v) + 1):
                block = group * size + ((v * second + c) << plain)
                for k in range(supports.within[min(room - v - c, plain)]):
                    row = block + supports.order[k]
                    for lane in range(used):
                        action = actions[lane]
                        gains[action // LANES, row, action % LANES] += value[row, lane]


@kernel
def _visit_batches(
    q: Problem, node: int, depth: int, state: FinalState, z: ResponseScratch, record: RecordValues
) -> None:
    """Values of all final records right below a node: ``z.gains[depth]``."""
    tree, r = q.tree, z.record
    n0, n1 = action_counts(tree, node, q.types, q.stocks.shape[1])
    first0, groups0 = _record_groups(q, q.spaces0, node, 0)
    first1, groups1 = _record_groups(q, q.spaces1, node, 1)
    hidden0 = q.spaces0.group_hidden[first0 : first0 + groups0]
    hidden1 = q.spaces1.group_hidden[first1 : first1 + groups1]
    for p in range(2):
        sp = q.spaces0 if p == 0 else q.spaces1
        first, last = _chain_caps(q, node, p)
        room = tree.level[node, p] // (sp.num_hidden + 1)
        own = n0 if p == 0 else n1
        for chunk in range((own + LANES - 1) // LANES):
            gains = z.gains[depth, p, chunk]
            _clear_gains(gains, groups0 if p == 0 else groups1, first, last, room, q, z.supports)
    number = 0
    while True:
        used = final_lanes(tree, node, n0, n1, number, z.actions)
        if used == 0:
            return
        batch = tree.batch_start[node] + number
        number += 1
        for p in range(2):
            sp = q.spaces0 if p == 0 else q.spaces1
            for lane in range(LANES):
                stock, held, _ = _public(q, sp, node, p, z.actions[p, lane], z.pool)
                r.stock[0, p, lane] = stock
                r.held[0, p, lane] = held
                for t in range(z.pool.size):
                    r.pool[0, p, t, lane] = z.pool[t]
        game = FinalGame(q.types, tree.row_pair, tree.link, q.tables, q.frame)
        record(batch, game, (hidden0, hidden1), state.reach, state.lone, z.supports, r)
        for p in range(2):
            if not r.live[0, p]:
                continue
            groups = groups0 if p == 0 else groups1
            first, last = min(r.caps[0, p, 0], q.frame.first_max), min(r.caps[0, p, 1], q.frame.second_max)
            value, gains = r.value[0, p], z.gains[depth, p]
            _add_gains(value, gains, z.actions[p], used, groups, first, last, r.room[0, p], q, z.supports)


@entry
def forward_response(
    q: Problem,
    node: int,
    depth: int,
    end_reach: F32,
    state: FinalState,
    z: ResponseScratch,
    record: RecordValues,
) -> None:
    """Values of everything directly below a node: terminal children and final records.

    Final records of who meets no reach there are left out.
    """
    tree = q.tree
    n0, n1 = action_counts(tree, node, q.types, q.stocks.shape[1])
    symmetric = tree.symmetric[node] == 1
    start = tree.child_start[node]
    for p in range(2):
        for a in range(n0 if p == 0 else n1):
            z.flat[depth, p, a] = 0.0
            z.inside[depth, p, a] = 0
    for a in range(n0):
        for b in range(n1):
            code = tree.child[start + a * n1 + b]
            if code >= 0:
                for p in range(2):
                    z.inside[depth, p, a if p == 0 else b] = 1
                    if symmetric:
                        z.inside[depth, p, b if p == 0 else a] = 1
            elif code == CHILD_TERMINAL:
                pay = np.float64(q.end_payoff[tree.child_end[start + a * n1 + b]])
                f0, f1 = end_reach[tree.reach_start[node, 0] + a], end_reach[tree.reach_start[node, 1] + b]
                z.flat[depth, 0, a] += pay * f1
                z.flat[depth, 1, b] -= pay * f0
                if symmetric and a != b:
                    z.flat[depth, 0, b] -= pay * f0
                    z.flat[depth, 1, a] += pay * f1
    for p in range(2):
        sp = q.spaces0 if p == 0 else q.spaces1
        for a in range(n0 if p == 0 else n1):
            if z.inside[depth, p, a]:
                _, _, level = _public(q, sp, node, p, a, z.pool)
                for s in range(sp.level_start[level + 1] - sp.level_start[level]):
                    z.back[depth, p, a, s] = 0.0
    if tree.batch_start[node] >= 0:
        _visit_batches(q, node, depth, state, z, record)


@kernel
def _rest_of_batches(q: Problem, sp: Spaces, node: int, depth: int, player: int, z: ResponseScratch) -> None:
    """Add the final records' part to the values of remainders: expected over the draw after the action."""
    tree = q.tree
    kind, level = tree.kind[node], tree.level[node, player]
    n0, n1 = action_counts(tree, node, q.types, q.stocks.shape[1])
    count = n0 if player == 0 else n1
    width = sp.num_hidden + 1
    size = ((q.frame.first_max + 1) * (q.frame.second_max + 1)) << q.frame.num_plain
    first, last = _chain_caps(q, node, player)
    for chunk in range((count + LANES - 1) // LANES):
        stop = min(count, (chunk + 1) * LANES)
        groups, room = 0, 0
        for a in range(chunk * LANES, stop):
            target = sp.remainder_level[kind, level, a]
            groups = max(groups, sp.group_start[target + 1] - sp.group_start[target])
            room = max(room, target // width)
        for group in range(groups):
            for lane in range(LANES):
                a = min(chunk * LANES + lane, count - 1)
                target = sp.remainder_level[kind, level, a]
                stock, _, after = _public(q, sp, node, player, a, z.pool)
                z.public[0, lane] = target // width
                z.public[1, lane] = stock + 1 if after != target else 0
                number = sp.group_start[target] + group
                number = min(number, sp.group_start[target + 1] - 1)
                for t in range(z.pool.size):
                    z.left[t, lane] = z.pool[t] - sp.group_hidden[number, t]
            draw_weights(z.weights, z.left, q.types, q.frame, 0, 0, z.public[0], z.public[1])
            base = group * size if q.keep_groups else 0
            gains = z.gains[depth, player, chunk, base : base + size]
            pull_draw(gains, z.pulled, z.weights, z.supports, q.frame, 0, first, last, room)
            for a in range(chunk * LANES, stop):
                target = sp.remainder_level[kind, level, a]
                number = sp.group_start[target] + group
                if number >= sp.group_start[target + 1]:
                    continue
                begin = sp.level_start[target]
                for m in range(sp.group_first[number], sp.group_first[number + 1]):
                    z.rest_value[player, a, m - begin] += z.pulled[sp.index[m], a - chunk * LANES]


@kernel
def _rest_of_nodes(
    q: Problem, sp: Spaces, node: int, depth: int, player: int, action: int, z: ResponseScratch
) -> None:
    """Add the nodes' part to the values of remainders after an action."""
    target = sp.remainder_level[q.tree.kind[node], q.tree.level[node, player], action]
    stock, _, after = _public(q, sp, node, player, action, z.pool)
    begin, end = sp.level_start[target], sp.level_start[target + 1]
    back, rest = z.back[depth, player, action], z.rest_value[player, action]
    if after == target:
        for m in range(end - begin):
            rest[m] += back[m]
        return
    for m in range(begin, end):
        total = 0.0
        for t in range(z.pool.size):
            s = sp.draw_target[m, t]
            if s >= 0 and z.pool[t] > sp.away[m, t]:
                total += (z.pool[t] - sp.away[m, t]) * back[s]
        rest[m - begin] += total / (stock + 1)


@kernel
def _best_within_locks(
    q: Problem, sp: Spaces, node: int, player: int, value: F64, z: ResponseScratch
) -> None:
    """Best-response values of a player whose locked actions take their part first."""
    level = q.tree.level[node, player]
    size = sp.level_start[level + 1] - sp.level_start[level]
    frequency = q.locked[player, q.tree.step[node]]
    count = action_counts(q.tree, node, q.types, q.stocks.shape[1])[player]
    taken, locked_worth = z.lock[0], z.lock[1]
    for s in range(size):
        value[s], taken[s], locked_worth[s] = _LOW, 0.0, 0.0
    for a in range(count):
        rest = z.rest_value[player, a]
        for j in range(sp.segment[PLACE, level, a], sp.segment[PLACE, level, a + 1]):
            s, worth = sp.pair_state[j], rest[sp.pair_rest[j]]
            if frequency[a] < 0.0:
                value[s] = max(value[s], worth)
            else:
                taken[s] += frequency[a]
                locked_worth[s] += frequency[a] * worth
    # Hands without a free action choose among the bound ones.
    for s in range(size):
        if value[s] == _LOW:
            taken[s] = -1.0
    for a in range(count):
        rest = z.rest_value[player, a]
        for j in range(sp.segment[PLACE, level, a], sp.segment[PLACE, level, a + 1]):
            s = sp.pair_state[j]
            if taken[s] < 0.0:
                value[s] = max(value[s], rest[sp.pair_rest[j]])
    for s in range(size):
        if value[s] == _LOW:
            value[s] = 0.0
        elif taken[s] >= 0.0:
            value[s] = locked_worth[s] + (1.0 - taken[s]) * value[s]


@entry
def backward_response(q: Problem, node: int, depth: int, seats: int, z: ResponseScratch) -> None:
    """Best-response values of a node from those of its children: ``z.value[depth]``.

    ``seats``: bit p, whether those of player p are wanted.
    """
    tree = q.tree
    kind = tree.kind[node]
    n0, n1 = action_counts(tree, node, q.types, q.stocks.shape[1])
    has_batches = tree.batch_start[node] >= 0
    size = ((q.frame.first_max + 1) * (q.frame.second_max + 1)) << q.frame.num_plain
    for p in range(2):
        if not (seats >> p) & 1:
            continue
        sp = q.spaces0 if p == 0 else q.spaces1
        level = tree.level[node, p]
        start, end = sp.level_start[level], sp.level_start[level + 1]
        value = z.value[depth, p]
        if not (tree.acts[node] >> p) & 1:
            for s in range(end - start):
                value[s] = z.flat[depth, p, 0]
            if z.inside[depth, p, 0]:
                for s in range(end - start):
                    value[s] += z.back[depth, p, 0, s]
            if has_batches:
                first = sp.group_start[level]
                for group in range(sp.group_start[level + 1] - first):
                    base = group * size if q.keep_groups else 0
                    for s in range(sp.group_first[first + group], sp.group_first[first + group + 1]):
                        value[s - start] += z.gains[depth, p, 0, base + sp.index[s], 0]
            continue
        count = n0 if p == 0 else n1
        for a in range(count):
            target = sp.remainder_level[kind, level, a]
            for m in range(sp.level_start[target + 1] - sp.level_start[target]):
                z.rest_value[p, a, m] = z.flat[depth, p, a]
            if z.inside[depth, p, a]:
                _rest_of_nodes(q, sp, node, depth, p, a, z)
        if has_batches:
            _rest_of_batches(q, sp, node, depth, p, z)
        if is_locked(q.locked, tree, node, p):
            _best_within_locks(q, sp, node, p, value, z)
            continue
        for s in range(end - start):
            value[s] = _LOW
        for a in range(count):
            rest = z.rest_value[p, a]
            for j in range(sp.segment[kind, level, a], sp.segment[kind, level, a + 1]):
                s = sp.pair_state[j]
                value[s] = max(value[s], rest[sp.pair_rest[j]])
        for s in range(end - start):
            if value[s] == _LOW:
                value[s] = 0.0


@entry
def store_response(
    q: Problem, node: int, child: int, a: int, b: int, values: F64, z: ResponseScratch, depth: int
) -> None:
    """Add a child's values ``[2, N]`` to its parent's sums."""
    symmetric = q.tree.symmetric[node] == 1
    for p in range(2):
        sp = q.spaces0 if p == 0 else q.spaces1
        level = q.tree.level[child, p]
        length = sp.level_start[level + 1] - sp.level_start[level]
        own = z.back[depth, p, a if p == 0 else b]
        for s in range(length):
            own[s] += values[p, s]
        if symmetric and a != b:
            # The mirrored child (b, a) is left out of the tree: the players swap seats in it.
            mirrored = z.back[depth, 1 - p, a if p == 0 else b]
            for s in range(length):
                mirrored[s] += values[p, s]


@entry
def respond(
    q: Problem, root: int, end_reach: F32, state: FinalState, z: ResponseScratch, record: RecordValues
) -> None:
    """Best-response values of both players at a node: ``z.value[0]`` ``[2, N]``.

    In units of cumulative reach. Depth first with an explicit stack. Complexity: one pass over the subtree.
    """
    depth, node = 0, root
    entering = True
    while True:
        if entering:
            z.node[depth] = node
            z.slot[depth] = 0
            forward_response(q, node, depth, end_reach, state, z, record)
            entering = False
        node, slot = z.node[depth], z.slot[depth]
        n0, n1 = action_counts(q.tree, node, q.types, q.stocks.shape[1])
        if slot < n0 * n1:
            child = int(q.tree.child[q.tree.child_start[node] + slot])
            if child < 0:
                z.slot[depth] += 1
                continue
            depth += 1
            node = child
            entering = True
            continue
        backward_response(q, node, depth, 3, z)
        if depth == 0:
            return
        depth -= 1
        n0, n1 = action_counts(q.tree, z.node[depth], q.types, q.stocks.shape[1])
        slot = z.slot[depth]
        store_response(q, z.node[depth], node, slot // n1, slot % n1, z.value[depth + 1], z, depth)
        z.slot[depth] += 1
