"""The backward pass over a node: values for its parent, and regrets. Letters as in ``walk_memory``."""

from __future__ import annotations

import numpy as np

from solver.hidden_hands.decisions.ranges import draw_many_back, leads_inside
from solver.hidden_hands.final.draws import adjoint_draw
from solver.hidden_hands.jit import F32, ONE, U32, ZERO, Halves, entry, halved, inlined, kernel, whole
from solver.hidden_hands.spaces import PLACE, Spaces
from solver.hidden_hands.tree import LANES, action_counts
from solver.hidden_hands.walk_memory import (
    Problem,
    Step,
    WalkScratch,
    index_size,
    is_locked,
    locked_masses,
    stock_left,
)

_ALL = np.float32(1.0 - 1e-6)
"""Locked frequencies that leave nothing to choose, rounding aside."""


@entry
def store_child(
    q: Problem, node: int, child: int, a: int, b: int, who: int, values: F32, w: WalkScratch, depth: int
) -> None:
    """Add a child's values ``[2, N]`` to its parent's sums, for the players who learn.

    At a symmetric node all values count for player 0: those of player 1 at (a, b) are those of player 0 at
    the mirrored (b, a).
    """
    symmetric = q.tree.symmetric[node] == 1
    for p in range(2):
        if not (who >> p) & 1 or (symmetric and p == 1 and a == b):
            continue
        sp = q.spaces0 if p == 0 else q.spaces1
        action = a if p == 0 else b
        owner = 0 if symmetric else p
        level = q.tree.level[child, p]
        for s in range(sp.level_start[level + 1] - sp.level_start[level]):
            w.back[depth, owner, action, s] += values[p, s]


@kernel
def _learn_freely(
    q: Problem, node: int, depth: int, player: int, regret: Halves, step: Step, w: WalkScratch, sp: Spaces
) -> None:
    """Regrets where frequencies are locked: free actions against their own mean, locked ones not at all."""
    tree = q.tree
    level = tree.level[node, player]
    counts = action_counts(tree, node, q.types, q.stocks.shape[1])
    frequency, mass = q.locked[player, tree.step[node]], w.norm
    value, rest, sigma = w.value[depth, player], w.rest[depth, player], w.sigma[depth, player]
    locked_masses(sp, level, counts[player], frequency, mass)
    begin = sp.segment[PLACE, level, 0]
    # What free play is worth: all play less the locked actions' part.
    for s in range(sp.level_start[level + 1] - sp.level_start[level]):
        mass[1, s] = value[s]
    for a in range(counts[player]):
        if frequency[a] >= ZERO:
            for j in range(sp.segment[PLACE, level, a], sp.segment[PLACE, level, a + 1]):
                s = sp.pair_state[j]
                if mass[0, s] >= ZERO:
                    mass[1, s] -= sigma[j - begin] * rest[a, sp.pair_rest[j]]
    slot = tree.regret_start[node, player] - begin
    up, down = np.float32(step.keep_positive), np.float32(step.keep_negative)
    for a in range(counts[player]):
        for j in range(sp.segment[PLACE, level, a], sp.segment[PLACE, level, a + 1]):
            s = sp.pair_state[j]
            mean = mass[1, s]
            if mass[0, s] >= ZERO:
                if frequency[a] >= ZERO or mass[0, s] >= _ALL:
                    continue
                mean /= ONE - mass[0, s]
            r = whole(regret[slot + j])
            r = r * (up if r > ZERO else down) + rest[a, sp.pair_rest[j]] - mean
            regret[slot + j] = halved(r, slot + j, 2 * step.time + player)


@kernel
def _learn(
    regrets: Halves,
    states: U32,
    rests: U32,
    value: F32,
    worth: F32,
    up: np.float32,
    down: np.float32,
    place: int,
    salt: int,
) -> None:
    """Regrets of an action, in all hands that can take it.

    ``regrets`` ``[k] uint16``: modified in place; ``states``, ``rests`` ``[k] uint32``: each hand, and what
    is left of it; ``value``, ``worth`` ``[N] float32``: of hands, and of what is left of them; ``place``: of
    the first regret in its table.
    """
    for j in range(regrets.size):
        r = whole(regrets[j])
        r = r * (up if r > ZERO else down) + worth[rests[j]] - value[states[j]]
        regrets[j] = halved(r, place + j, salt)


@inlined
def backward_player(
    q: Problem,
    node: int,
    depth: int,
    player: int,
    regret: Halves,
    step: Step,
    w: WalkScratch,
    sp: Spaces,
    lazy: bool,
) -> None:
    """Values of a node for one player, and its regrets.

    ``lazy``: ``w.extra`` holds what its remainders are worth at lazy children.
    """
    tree = q.tree
    kind, level = tree.kind[node], tree.level[node, player]
    n0, n1 = action_counts(q.tree, node, q.types, q.stocks.shape[1])
    count = n0 if player == 0 else n1
    acting = (tree.acts[node] >> player) & 1
    size = index_size(q)
    stock = stock_left(sp, tree, node, player)
    has_batches = tree.batch_start[node] >= 0
    value = w.value[depth, player]
    start = sp.level_start[level]
    if not acting:
        for s in range(sp.level_start[level + 1] - start):
            value[s] = w.back[depth, player, 0, s] + w.flat[depth, player, 0]
            if lazy:
                value[s] += w.extra[0, s]
        if has_batches:
            first = sp.group_start[level]
            for group in range(sp.group_start[level + 1] - first):
                base = group * size if q.keep_groups else 0
                for state in range(sp.group_first[first + group], sp.group_first[first + group + 1]):
                    value[state - start] += w.gains[depth, player, 0, base + sp.index[state], 0]
        return
    # Values of remainders: final-step part first (pulled back through the draw for each hidden group).
    rest = w.rest[depth, player]
    for a in range(count):
        target = sp.remainder_level[kind, level, a]
        for m in range(sp.level_start[target + 1] - sp.level_start[target]):
            rest[a, m] = w.flat[depth, player, a] + (w.extra[a, m] if lazy else ZERO)
    if has_batches:
        for chunk in range((count + LANES - 1) // LANES):
            groups = 1
            for a in range(chunk * LANES, min(count, (chunk + 1) * LANES)):
                target = sp.remainder_level[kind, level, a]
                groups = max(groups, sp.group_start[target + 1] - sp.group_start[target])
            for group in range(groups):
                base = group * size if q.keep_groups else 0
                gains, weights = w.gains[depth, player, chunk], w.draw[depth, player, chunk, group]
                gains = gains[base : base + size]
                adjoint_draw(gains, w.pulled[0], weights, q.frame, 0, q.frame.first_max, q.frame.second_max)
                for a in range(chunk * LANES, min(count, (chunk + 1) * LANES)):
                    target = sp.remainder_level[kind, level, a]
                    first = sp.group_start[target]
                    if group >= sp.group_start[target + 1] - first:
                        continue
                    begin, lane = sp.group_first[first + group], a - chunk * LANES
                    index = sp.index[begin : sp.group_first[first + group + 1]]
                    worth, pulled = rest[a, begin - sp.level_start[target] :], w.pulled[0]
                    for m in range(index.size):
                        worth[m] += pulled[index[m], lane]
    picked = drawn_from = 0
    for a in range(count):
        target = sp.remainder_level[kind, level, a]
        if leads_inside(q, node, player, a, n0, n1):
            if sp.draws[kind, level, a] == 1 and stock > 0:
                # Whatever of one decision is followed by a draw leaves as many items.
                drawn_from = target
                w.picked[picked] = a
                picked += 1
            else:
                for m in range(sp.level_start[target + 1] - sp.level_start[target]):
                    rest[a, m] += w.back[depth, player, a, m]
    draw_many_back(*(q, sp, node, player, kind, picked, drawn_from, stock), *(w.back[depth, player], rest, w))
    for s in range(sp.level_start[level + 1] - start):
        value[s] = ZERO
    begin = sp.segment[kind, level, 0]
    sigma = w.sigma[depth, player]
    for a in range(count):
        first, end = sp.segment[kind, level, a], sp.segment[kind, level, a + 1]
        states, rests = sp.pair_state[first:end], sp.pair_rest[first:end]
        chosen, worth = sigma[first - begin : end - begin], rest[a]
        for j in range(states.size):
            value[states[j]] += chosen[j] * worth[rests[j]]
    slot = tree.regret_start[node, player] - begin
    up, down = np.float32(step.keep_positive), np.float32(step.keep_negative)
    if is_locked(q.locked, tree, node, player):
        _learn_freely(q, node, depth, player, regret, step, w, sp)
        return
    for a in range(count):
        first, end = sp.segment[kind, level, a], sp.segment[kind, level, a + 1]
        states, rests = sp.pair_state[first:end], sp.pair_rest[first:end]
        salt = 2 * step.time + player
        _learn(regret[slot + first : slot + end], states, rests, value, rest[a], up, down, slot + first, salt)


@entry
def backward_node(
    q: Problem, node: int, depth: int, regret: Halves, step: Step, w: WalkScratch, lazy: bool
) -> None:
    """Values for the parent and new regrets."""
    for p in range(2):
        if (step.who >> p) & 1:
            sp = q.spaces0 if p == 0 else q.spaces1
            backward_player(q, node, depth, p, regret, step, w, sp, lazy)
