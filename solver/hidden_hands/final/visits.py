"""Visiting the final records below a node, a batch at a time. Letters as in ``walk_memory``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np

from solver.hidden_hands.final.steps import hedge_batch
from solver.hidden_hands.final_state import FinalGame, FinalScratch, FinalState
from solver.hidden_hands.jit import F32, ONE, ZERO, Pointer, inlined, kernel
from solver.hidden_hands.spaces import HIDE, Spaces
from solver.hidden_hands.tree import LANES, action_counts, final_lanes, public_type
from solver.hidden_hands.walk_memory import Problem, Step, WalkScratch, index_size, stock_left

Hedge: TypeAlias = Callable[..., None]
"""``hedge_batch`` as a function pointer (see ``pointer_to_hedge``)."""


def pointer_to_hedge(q: Problem, state: FinalState, w: WalkScratch) -> Hedge:
    """Compile, or load, the visit to a batch of final records for arrays of these types."""
    hidden = q.spaces0.group_hidden[0:1]
    tree = q.tree
    pointer: Any = Pointer(
        hedge_batch,
        *(0, 1.0, 1, FinalGame(q.types, tree.row_pair, tree.link, q.tables, q.frame)),
        *((hidden, hidden), state, w.final, True, 1),
    )
    typed: Hedge = pointer
    return typed


@kernel
def groups_after(q: Problem, sp: Spaces, node: int, player: int) -> tuple[int, int]:
    """First and number of hidden groups a player may be in once a node's action has been taken."""
    level = q.tree.level[node, player]
    if q.tree.kind[node] == HIDE and (q.tree.acts[node] >> player) & 1:
        level = sp.remainder_level[HIDE, level, 0]
    first = sp.group_start[level]
    return first, sp.group_start[level + 1] - first


@kernel
def _lane_publics(
    q: Problem, sp: Spaces, node: int, player: int, action: int, lane: int, z: FinalScratch
) -> None:
    """Public counts of one lane after an action."""
    kind, level = q.tree.kind[node], q.tree.level[node, player]
    acting = (q.tree.acts[node] >> player) & 1
    held = level // (sp.num_hidden + 1)
    stock = stock_left(sp, q.tree, node, player)
    for t in range(q.tree.pool.shape[2]):
        z.pool[0, player, t, lane] = np.float32(q.tree.pool[node, player, t])
    if acting:
        t = public_type(kind, action, q.types, q.stocks.shape[1])
        if t >= 0:
            # Merged nodes have actions that not every history leaves possible.
            z.pool[0, player, t, lane] = max(z.pool[0, player, t, lane] - ONE, ZERO)
        if sp.draws[kind, level, action]:
            if stock > 0:
                stock -= 1
            else:
                held -= 1
    z.stock[0, player, lane] = np.float32(stock)
    z.held[0, player, lane] = np.float32(held)


@kernel
def hidden_items(q: Problem, node: int) -> tuple[F32, F32]:
    """Both players' hidden items, group by group, as far as final steps below a node distinguish them."""
    if not q.keep_groups:
        # The first group of any level 0 hides nothing.
        return q.spaces0.group_hidden[0:1], q.spaces1.group_hidden[0:1]
    first0, groups0 = groups_after(q, q.spaces0, node, 0)
    first1, groups1 = groups_after(q, q.spaces1, node, 1)
    return (
        q.spaces0.group_hidden[first0 : first0 + groups0],
        q.spaces1.group_hidden[first1 : first1 + groups1],
    )


@kernel
def load_counts(q: Problem, node: int, w: WalkScratch) -> None:
    """Public counts of all lanes after their actions: what the final step starts from."""
    for p in range(2):
        sp = q.spaces0 if p == 0 else q.spaces1
        for lane in range(LANES):
            _lane_publics(q, sp, node, p, w.actions[p, lane], lane, w.final)


@kernel
def load_mass(q: Problem, depth: int, player: int, groups: int, used: int, w: WalkScratch) -> None:
    """A player's range after its action in each lane: ``w.final.mass[0]``; nothing in lanes not ``used``."""
    size, rows, actions = index_size(q), q.frame.rows, w.actions[player]
    unit, line = w.final.bottom, w.final.line  # free between visits
    for lane in range(LANES):
        unit[lane] = ONE if lane < used else ZERO
    mass, columns = w.final.mass[0], w.columns[depth, player]
    for group in range(groups):
        base = np.uint32(group * size)
        for k in range(rows.size):
            row = base + rows[k]
            # By way of `line`: row by row, eight numbers are stored at once.
            for lane in range(LANES):
                line[lane] = unit[lane] * columns[actions[lane] // LANES, row, actions[lane] % LANES]
            for lane in range(LANES):
                mass[row, lane] = line[lane]


@kernel
def final_game(q: Problem) -> FinalGame:
    """What of a problem its final records need."""
    return FinalGame(q.types, q.tree.row_pair, q.tree.link, q.tables, q.frame)


@inlined
def play_batch(
    q: Problem,
    batch: int,
    weight: float,
    learner: int,
    hidden: tuple[F32, F32],
    state: FinalState,
    w: WalkScratch,
    hedge: Hedge,
    learns: bool,
    deep: int,
) -> None:
    """Play a batch whose publics and range are loaded; see ``hedge_batch``."""
    hedge(batch, weight, learner, final_game(q), hidden, state, w.final, learns, deep)


@inlined
def visit_finals(
    q: Problem,
    node: int,
    depth: int,
    state: FinalState,
    step: Step,
    w: WalkScratch,
    hedge: Hedge,
    learns: bool,
) -> None:
    """Visit all final batches of a node; the learner's values are added up if it ``learns``."""
    if q.tree.batch_start[node] < 0:
        return
    number = 0
    while _visit_batch(q, node, depth, number, state, step, w, hedge, learns):
        number += 1


@inlined
def _visit_batch(
    q: Problem,
    node: int,
    depth: int,
    number: int,
    state: FinalState,
    step: Step,
    w: WalkScratch,
    hedge: Hedge,
    learns: bool,
) -> bool:
    """Visit one of a node's final batches, as ``visit_finals`` does all; False if there is no such batch."""
    tree, z = q.tree, w.final
    n0, n1 = action_counts(q.tree, node, q.types, q.stocks.shape[1])
    learner = 0 if step.who == 1 else 1
    opp = 1 - learner
    own_actions, opp_actions = w.actions[learner], w.actions[opp]
    used = final_lanes(tree, node, n0, n1, number, w.actions)
    if used == 0:
        return False
    reached = False
    for lane in range(used):
        reached = reached or w.action_reach[depth, opp, opp_actions[lane]] > ZERO
    if not reached:
        return True
    size = index_size(q)
    hidden = hidden_items(q, node)
    groups, opp_groups = hidden[learner].shape[0], hidden[opp].shape[0]
    load_counts(q, node, w)
    load_mass(q, depth, opp, opp_groups, used, w)
    batch = tree.batch_start[node] + number
    play_batch(q, batch, w.weight[depth], learner, hidden, state, w, hedge, learns, 1)
    rows = q.frame.rows
    for group in range(groups if learns else 0):
        here = slice(group * size, (group + 1) * size)
        value = z.value[learner, here]
        for lane in range(used):
            action = own_actions[lane]
            gains, column = w.gains[depth, learner, action // LANES, here], np.uint32(action % LANES)
            for k in range(rows.size):
                gains[rows[k], column] += value[rows[k], lane]
    return True
