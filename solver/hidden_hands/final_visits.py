"""Visiting the final records below a node, a batch at a time. Letters as in ``walk_memory``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np

from solver.hidden_hands.final import hedge_batch
from solver.hidden_hands.final_memory import FinalScratch, FinalState
from solver.hidden_hands.jit import Pointer, kernel
from solver.hidden_hands.ranges import index_size, stock_left
from solver.hidden_hands.spaces import HIDE, Spaces
from solver.hidden_hands.tree import LANES, action_counts, public_type
from solver.hidden_hands.walk_memory import Problem, Step, WalkScratch

__all__ = [
    "Hedge",
    "pointer_to_hedge",
    "visit_finals",
]

_ZERO = np.float32(0.0)
_ONE = np.float32(1.0)
Hedge: TypeAlias = Callable[..., None]
"""``hedge_batch`` as a function pointer (see ``pointer_to_hedge``)."""


def pointer_to_hedge(q: Problem, state: FinalState, w: WalkScratch) -> Hedge:
    """Compile, or load, the visit to a batch of final records for arrays of these types."""
    hidden = q.spaces0.group_hidden[0:1]
    tree = q.tree
    pointer: Any = Pointer(
        hedge_batch,
        *(0, 1.0, 1.0, 1, q.types, hidden, hidden, tree.row_pair, tree.link),
        *(q.tables, state, w.final, q.frame),
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
    """Public counts of one lane after an action: what the final step starts from."""
    kind, level = q.tree.kind[node], q.tree.level[node, player]
    acting = (q.tree.acts[node] >> player) & 1
    held = level // (sp.num_hidden + 1)
    stock = stock_left(sp, q.tree, node, player)
    for t in range(q.tree.pool.shape[2]):
        z.pool[0, player, t, lane] = np.float32(q.tree.pool[node, player, t])
    if acting:
        t = public_type(kind, action, q.types, q.stocks.shape[1])
        if t >= 0:
            z.pool[0, player, t, lane] -= _ONE
        if sp.draws[kind, level, action]:
            if stock > 0:
                stock -= 1
            else:
                held -= 1
    z.stock[0, player, lane] = np.float32(stock)
    z.held[0, player, lane] = np.float32(held)


@kernel
def _place_of(acts: int, player: int, row: int, chunk: int) -> tuple[int, int]:
    """Where a player's range of a batch lies: chunk, and the lane all lanes share (-1: each has its own)."""
    if acts == 3 and player == 0:
        return row // LANES, row % LANES
    if (acts >> player) & 1:
        return chunk, -1
    return 0, 0


@kernel
def visit_finals(
    q: Problem, node: int, depth: int, state: FinalState, step: Step, w: WalkScratch, hedge: Hedge
) -> None:
    """Visit all final batches of a node."""
    tree, z = q.tree, w.final
    start = tree.batch_start[node]
    if start < 0:
        return
    acts = tree.acts[node]
    n0, n1 = action_counts(q.tree, node, q.types, q.stocks.shape[1])
    rows, columns = (n0, n1) if acts == 3 else (1, max(n0, n1))
    per_row = (columns + LANES - 1) // LANES
    learner = 0 if step.who == 1 else 1
    opp = 1 - learner
    size = index_size(q)
    if q.keep_groups:
        first0, groups0 = groups_after(q, q.spaces0, node, 0)
        first1, groups1 = groups_after(q, q.spaces1, node, 1)
        hidden0 = q.spaces0.group_hidden[first0 : first0 + groups0]
        hidden1 = q.spaces1.group_hidden[first1 : first1 + groups1]
    else:
        # The first group of any level 0 hides nothing.
        hidden0 = q.spaces0.group_hidden[0:1]
        hidden1 = q.spaces1.group_hidden[0:1]
    groups = hidden0.shape[0] if learner == 0 else hidden1.shape[0]
    opp_groups = hidden0.shape[0] if opp == 0 else hidden1.shape[0]
    for row in range(rows):
        for chunk in range(per_row):
            batch = start + row * per_row + chunk
            # Where both act, player 0's action is the row, player 1's the lane; else the actor's is the lane.
            opp_chunk, opp_lane = _place_of(acts, opp, row, chunk)
            used = False
            for lane in range(LANES):
                if tree.row_pair[batch, lane] >= 0:
                    at = opp_chunk * LANES + (lane if opp_lane < 0 else opp_lane)
                    used = used or w.flow[depth, opp, at] > _ZERO
            if not used:
                continue
            for lane in range(LANES):
                column = min(chunk * LANES + lane, columns - 1)
                a = row if acts == 3 else (column if acts & 1 else 0)
                b = column if acts & 2 else 0
                for p in range(2):
                    sp = q.spaces0 if p == 0 else q.spaces1
                    _lane_publics(q, sp, node, p, a if p == 0 else b, lane, z)
            for group in range(opp_groups):
                for k in range(q.frame.rows.size):
                    i = group * size + q.frame.rows[k]
                    for lane in range(LANES):
                        z.mass[0, i, lane] = w.columns[
                            depth, opp, opp_chunk, i, lane if opp_lane < 0 else opp_lane
                        ]
            for lane in range(LANES):
                if tree.row_pair[batch, lane] < 0:
                    for group in range(opp_groups):
                        for k in range(q.frame.rows.size):
                            z.mass[0, group * size + q.frame.rows[k], lane] = _ZERO
            hedge(
                batch,
                w.weight[depth],
                step.heat,
                learner,
                q.types,
                hidden0,
                hidden1,
                tree.row_pair,
                tree.link,
                q.tables,
                state,
                z,
                q.frame,
            )
            own_chunk, own_lane = _place_of(acts, learner, row, chunk)
            for lane in range(LANES):
                if tree.row_pair[batch, lane] < 0:
                    continue
                for group in range(groups):
                    for k in range(q.frame.rows.size):
                        i = group * size + q.frame.rows[k]
                        w.gains[depth, learner, own_chunk, i, lane if own_lane < 0 else own_lane] += z.value[
                            learner, i, lane
                        ]
