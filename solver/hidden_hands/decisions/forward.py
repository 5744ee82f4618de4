"""The forward pass over a node: strategies, and all ranges below it. Letters as in ``walk_memory``."""

from __future__ import annotations

import numpy as np

from solver.hidden_hands.decisions.ranges import (
    draw_many,
    leads_inside,
    pool_after,
    regret_matching,
    split_range,
    total_of,
)
from solver.hidden_hands.final.draws import forward_draw, set_draw_weights
from solver.hidden_hands.final.visits import Hedge, visit_finals
from solver.hidden_hands.final_state import FinalState
from solver.hidden_hands.jit import F32, ZERO, Halves, entry, inlined, kernel
from solver.hidden_hands.spaces import HIDE, Spaces
from solver.hidden_hands.tree import CHILD_TERMINAL, LANES, action_counts
from solver.hidden_hands.walk_memory import (
    Problem,
    Step,
    WalkScratch,
    index_size,
    is_locked,
    keep_locked,
    stock_left,
)


@inlined
def forward_player(
    q: Problem,
    node: int,
    depth: int,
    player: int,
    regret: Halves,
    w: WalkScratch,
    sp: Spaces,
    learns: bool,
    passes_on: bool,
    least: float,
) -> None:
    """Forward pass over a node for one player: its strategy, then everything below (`forward_children`)."""
    if (q.tree.acts[node] >> player) & 1:
        mix_actions(q, node, depth, player, regret, w, sp, passes_on)
    forward_children(q, node, depth, player, w, sp, learns, passes_on, least)


@kernel
def mix_actions(
    q: Problem,
    node: int,
    depth: int,
    player: int,
    regret: Halves,
    w: WalkScratch,
    sp: Spaces,
    passes_on: bool,
) -> None:
    """Strategy of a player who acts: ``w.sigma``; if it ``passes_on``, ranges and reach by action, too."""
    tree = q.tree
    kind, level = tree.kind[node], tree.level[node, player]
    count = action_counts(tree, node, q.types, q.stocks.shape[1])[player]
    sigma = w.sigma[depth, player]
    regret_matching(sp, level, kind, count, regret, tree.regret_start[node, player], sigma, w.norm)
    if is_locked(q.locked, tree, node, player):
        keep_locked(sp, level, count, q.locked[player, tree.step[node]], sigma, w.norm)
    if passes_on:
        reach, rest = w.reach[depth, player], w.rest[depth, player]
        split_range(sp, level, kind, count, sigma, reach, rest, w.action_reach[depth, player])


@inlined
def forward_children(
    q: Problem,
    node: int,
    depth: int,
    player: int,
    w: WalkScratch,
    sp: Spaces,
    learns: bool,
    passes_on: bool,
    least: float,
) -> None:
    """Forward pass for one player who has mixed its actions: ranges of all children, final-step columns.

    ``learns``: its range is not needed at final steps; ``passes_on``: it is needed at interior children after
    actions with a reach of more than ``least``.
    """
    tree = q.tree
    kind, level = tree.kind[node], tree.level[node, player]
    n0, n1 = action_counts(q.tree, node, q.types, q.stocks.shape[1])
    count = n0 if player == 0 else n1
    acting = (tree.acts[node] >> player) & 1
    size = index_size(q)
    stock = stock_left(sp, tree, node, player)
    has_batches = tree.batch_start[node] >= 0
    pool = w.pool
    if has_batches:
        groups = sp.group_start[level + 1] - sp.group_start[level] if q.keep_groups else 1
        if acting and kind == HIDE:
            groups = sp.group_start[level + 2] - sp.group_start[level + 1] if q.keep_groups else 1
        added_up = w.gains[depth, player] if learns else w.columns[depth, player]
        for chunk in range((count + LANES - 1) // LANES):
            for group in range(groups):
                sums = added_up[chunk, group * size : (group + 1) * size]
                for k in range(q.frame.rows.size):
                    row = q.frame.rows[k]
                    for lane in range(LANES):
                        sums[row, lane] = ZERO
    if not acting:
        w.flat[depth, player, 0] = ZERO
        start = sp.level_start[level]
        size_here = sp.level_start[level + 1] - start
        for s in range(size_here):
            w.back[depth, player, 0, s] = ZERO
            w.onward[depth, player, 0, s] = w.reach[depth, player, s]
        w.action_reach[depth, player, 0] = total_of(w.reach[depth, player, :size_here])
        if has_batches and not learns:
            first = sp.group_start[level]
            for group in range(sp.group_start[level + 1] - first):
                base = group * size if q.keep_groups else 0
                for state in range(sp.group_first[first + group], sp.group_first[first + group + 1]):
                    mass = w.reach[depth, player, state - start]
                    row = base + sp.index[state]
                    for lane in range(LANES):
                        w.columns[depth, player, 0, row, lane] += mass
        return
    plain_types = q.types[: q.frame.num_plain]
    chain_types = q.types[q.frame.num_plain : q.frame.num_plain + q.frame.num_chain]
    picked = drawn_from = 0
    for a in range(count):
        w.flat[depth, player, a] = ZERO
        target = sp.remainder_level[kind, level, a]
        moved = sp.draws[kind, level, a]
        interior = leads_inside(q, node, player, a, n0, n1)
        pool_after(q, node, player, kind, a, pool)
        drawn = moved == 1 and stock > 0
        onward = target + sp.num_hidden + 1 if drawn else target
        for s in range(sp.level_start[onward + 1] - sp.level_start[onward]):
            w.back[depth, player, a, s] = ZERO
        if interior and passes_on and w.action_reach[depth, player, a] > least:
            if drawn:
                # Whatever of one decision is followed by a draw leaves as many items.
                drawn_from = target
                w.picked[picked] = a
                picked += 1
            else:
                for s in range(sp.level_start[onward + 1] - sp.level_start[onward]):
                    w.onward[depth, player, a, s] = w.rest[depth, player, a, s]
        if has_batches:
            chunk, lane = a // LANES, a % LANES
            first = sp.group_start[target]
            held = target // (sp.num_hidden + 1)
            for group in range(sp.group_start[target + 1] - first):
                weights, hidden = w.draw[depth, player, chunk, group], sp.group_hidden[first + group]
                left = stock if moved == 1 else 0
                set_draw_weights(weights, lane, plain_types, chain_types, pool, hidden, held, left)
    draw_many(
        *(q, sp, node, player, kind, picked, drawn_from, stock),
        *(w.rest[depth, player], w.onward[depth, player], w),
    )
    if not has_batches or learns:
        return
    for chunk in range((count + LANES - 1) // LANES):
        # All actions of a chunk share the number of groups unless "nothing hidden" is among them.
        groups = 1
        for a in range(chunk * LANES, min(count, (chunk + 1) * LANES)):
            target = sp.remainder_level[kind, level, a]
            groups = max(groups, sp.group_start[target + 1] - sp.group_start[target])
        for group in range(groups):
            source, drawn_range = w.pulled[0], w.pulled[1]
            for k in range(q.frame.rows.size):
                for lane in range(LANES):
                    source[q.frame.rows[k], lane] = ZERO
            for a in range(chunk * LANES, min(count, (chunk + 1) * LANES)):
                target = sp.remainder_level[kind, level, a]
                first = sp.group_start[target]
                if group >= sp.group_start[target + 1] - first:
                    continue
                lane = a - chunk * LANES
                start, begin = sp.level_start[target], sp.group_first[first + group]
                index = sp.index[begin : sp.group_first[first + group + 1]]
                ranges = w.rest[depth, player, a, begin - start :]
                for m in range(index.size):
                    source[index[m], lane] += ranges[m]
            weights = w.draw[depth, player, chunk, group]
            forward_draw(source, drawn_range, weights, q.frame, 0, q.frame.first_max, q.frame.second_max)
            base = group * size if q.keep_groups else 0
            columns = w.columns[depth, player, chunk, base : base + size]
            for k in range(q.frame.rows.size):
                row = q.frame.rows[k]
                for lane in range(LANES):
                    columns[row, lane] += drawn_range[row, lane]


@kernel
def end_values(q: Problem, node: int, depth: int, w: WalkScratch) -> None:
    """Values of children at which play ends."""
    tree = q.tree
    n0, n1 = action_counts(q.tree, node, q.types, q.stocks.shape[1])
    start = tree.child_start[node]
    symmetric = tree.symmetric[node] == 1
    for a in range(n0):
        for b in range(n1):
            if tree.child[start + a * n1 + b] != CHILD_TERMINAL:
                continue
            pay = q.end_payoff[tree.child_end[start + a * n1 + b]]
            w.flat[depth, 0, a] += pay * w.action_reach[depth, 1, b]
            if symmetric:
                if a != b:
                    w.flat[depth, 0, b] -= pay * w.action_reach[depth, 0, a]
            else:
                w.flat[depth, 1, b] -= pay * w.action_reach[depth, 0, a]


@entry
def forward_node(
    q: Problem,
    node: int,
    depth: int,
    regret: Halves,
    end_reach: F32,
    state: FinalState,
    step: Step,
    w: WalkScratch,
    hedge: Hedge,
    lazy: bool,
) -> None:
    """Strategies, ranges of the children, and everything below that needs no further visit."""
    for p in range(2):
        sp = q.spaces0 if p == 0 else q.spaces1
        learns = (step.who >> p) & 1 == 1
        # The learner's range matters only for what to put off, and at the root.
        forward_player(q, node, depth, p, regret, w, sp, learns, not learns or lazy, -1.0)
    if q.tree.reach_start[node, 0] >= 0:
        end_values(q, node, depth, w)
        n0, n1 = action_counts(q.tree, node, q.types, q.stocks.shape[1])
        weight = np.float32(w.weight[depth])
        for a in range(n0 if step.who & 2 else 0):
            end_reach[q.tree.reach_start[node, 0] + a] += weight * w.action_reach[depth, 0, a]
        if q.tree.symmetric[node] == 0 and step.who & 1:
            for b in range(n1):
                end_reach[q.tree.reach_start[node, 1] + b] += weight * w.action_reach[depth, 1, b]
    visit_finals(q, node, depth, state, step, w, hedge, True)


@entry
def load_child(
    q: Problem,
    child: int,
    a: int,
    b: int,
    source: WalkScratch,
    depth: int,
    target: WalkScratch,
    child_depth: int,
) -> None:
    """Copy the ranges of a child into its own depth (possibly of another work space)."""
    for p in range(2):
        load_range(q, child, p, a if p == 0 else b, source, depth, target, child_depth)


@kernel
def load_range(
    q: Problem,
    child: int,
    player: int,
    action: int,
    source: WalkScratch,
    depth: int,
    target: WalkScratch,
    child_depth: int,
) -> None:
    """Copy one player's range; see ``load_child``."""
    sp = q.spaces0 if player == 0 else q.spaces1
    level = q.tree.level[child, player]
    for s in range(sp.level_start[level + 1] - sp.level_start[level]):
        target.reach[child_depth, player, s] = source.onward[depth, player, action, s]
