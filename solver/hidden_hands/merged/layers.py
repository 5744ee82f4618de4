"""What passes between the generations of a merged tree, and who is updated in a pass.

Letters as in ``walk_memory`` and ``merging``.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from solver.hidden_hands.decisions.ranges import remainders
from solver.hidden_hands.jit import F32, F64, I8, I64, Flags, Halves, entry, kernel
from solver.hidden_hands.merged_tree import FINAL_TOP, PERIOD, TOP, MergedTree
from solver.hidden_hands.spaces import MAX_ACTIONS, Spaces
from solver.hidden_hands.tree import LANES, action_counts
from solver.hidden_hands.walk_memory import Problem


class Layers(NamedTuple):
    """What passes between generations, and what a pass leaves for the next one."""

    start: I64  # [2, n + 1] where a node's values lie, by learner
    values: Halves  # [2 or 1, *] values of each hand by learner, per unit of the other's range
    place: I64  # [n] where its range lies in this pass, -1 if not updated
    numbers: F32  # ranges of the learner's opponent
    joint: F64  # [n] joint reach of a node, as far as nodes above were updated
    own: F64  # [n] weight of the learner's own play towards a node
    mass: F32  # [n] the opponent's total range, per unit of `own`
    share: F32  # [n, 2, M] how likely each action was taken when it was last looked at
    length: I64  # [2, n] how many numbers a node hands on, by opponent
    out: I64  # [2, n + 1] how many all that are updated before a node hand on in this pass
    turn: I8  # [n] in which pass of each `PERIOD` it is updated, if not in all
    final_place: I64  # [m] where its ranges lie in this pass, -1 if not updated
    final_joint: F64  # [m]
    final_turn: I8  # [m]
    final_numbers: F32  # [1 or 2, *, L, X] ranges by support, in the order of ``frame.rows``
    final_values: Halves  # [2, m, L, X]
    final_own: F64  # [1 or 2, m, L] in symmetry quotients by seat of the learner
    final_range: Halves  # [2, m, X, L] accumulated ranges, by owner
    final_skips: I8  # [2, m] by learner, how many more visits leave deeply nested records out


@entry
def _count_out(q: Problem, length: I64, numbers: I64) -> None:
    """Count what nodes hand on, by opponent, and the states players may be in, the latter one place up."""
    rows = q.frame.rows.size
    for node in range(q.tree.kind.size):
        for p in range(2):
            sp = q.spaces0 if p == 0 else q.spaces1
            level = q.tree.level[node, p]
            numbers[p, node + 1] = sp.level_start[level + 1] - sp.level_start[level]
            total = 0
            for action in range(action_counts(q.tree, node, q.types, q.stocks.shape[1])[p]):
                total += length_after(q, sp, node, p, action)
                if q.tree.batch_start[node] >= 0:
                    total += rows
            length[p, node] = total


@kernel
def length_after(q: Problem, sp: Spaces, node: int, player: int, action: int) -> int:
    """How many states a player may be in once an action has been taken and its draw made."""
    kind, held = q.tree.kind[node], q.tree.level[node, player]
    if (q.tree.acts[node] >> player) & 1:
        # No hand can take the action: it may not even have a level of remainders.
        if sp.segment[kind, held, action] == sp.segment[kind, held, action + 1]:
            return 0
    level, drawn, length = remainders(q, sp, node, player, action)
    if drawn:
        level += sp.num_hidden + 1
        length = sp.level_start[level + 1] - sp.level_start[level]
    size: int = length
    return size


@entry
def _choose_turns(q: Problem, merged: MergedTree, always: int, turn: I8, final_turn: I8) -> None:
    """When nodes, and batches of final records, are updated if not always; -1 before that is known."""
    for node in range(q.tree.kind.size):
        if turn[node] < 0:
            turn[node] = node % PERIOD
        n0, n1 = action_counts(q.tree, node, q.types, q.stocks.shape[1])
        for slot in range(q.tree.child_start[node], q.tree.child_start[node] + n0 * n1):
            child, record = q.tree.child[slot], merged.record[slot]
            if child >= always and turn[child] < 0:
                # Below those that are always updated everybody has a turn of its own.
                turn[child] = turn[node] if node >= always else child % PERIOD
            elif record >= 0:
                batch = merged.records.place[record // 2] // LANES
                if final_turn[batch] < 0:
                    final_turn[batch] = turn[node]


def num_always_updated(merged: MergedTree) -> int:
    """How many nodes every pass updates, the first ones: what lies right below the root."""
    return int(merged.roots.max()) + 1


def build_layers(q: Problem, merged: MergedTree) -> Layers:
    """Allocate what a pass works on."""
    learners, seats = (1, 2) if merged.quotient else (2, 1)
    nodes = q.tree.kind.size
    length, start = np.zeros((2, nodes), np.int64), np.zeros((2, nodes + 1), np.int64)
    _count_out(q, length, start)
    start = np.cumsum(start, axis=1)
    mains = merged.records.hidden.shape[0]
    rows = q.frame.rows.size
    turn, final_turn = np.full(nodes, -1, np.int8), np.full(mains, -1, np.int8)
    _choose_turns(q, merged, num_always_updated(merged), turn, final_turn)
    return Layers(
        start,
        np.zeros((learners, int(start[:learners, -1].max())), np.uint16),
        np.zeros(nodes, np.int64),
        np.zeros(0, np.float32),
        np.zeros(nodes),
        np.zeros(nodes),
        np.zeros(nodes, np.float32),
        np.full((nodes, 2, MAX_ACTIONS), 1.0 / MAX_ACTIONS, np.float32),
        length,
        np.zeros((2, nodes + 1), np.int64),
        turn,
        np.zeros(mains, np.int64),
        np.zeros(mains),
        final_turn,
        np.zeros((seats, 0, LANES, rows), np.float32),
        np.zeros((2, mains, LANES, rows), np.uint16),
        np.zeros((seats, mains, LANES)),
        np.zeros((2, mains, rows, LANES), np.uint16),
        np.zeros((2, mains), np.int8),
    )


def without_ranges(layers: Layers) -> Layers:
    """Give the room of all ranges back until the next pass."""
    return with_ranges(layers, 0, 0)


def with_ranges(layers: Layers, numbers: int, batches: int) -> Layers:
    """Room for the ranges of a pass: so many numbers of nodes, and batches of final records."""
    rows = layers.final_values.shape[3]
    seats = layers.final_own.shape[0]
    final_numbers = np.zeros((seats, batches, LANES, rows), np.float32)
    return layers._replace(numbers=np.zeros(numbers, np.float32), final_numbers=final_numbers)


def without_values(layers: Layers) -> Layers:
    """Give all room back but that of accumulated ranges; no pass can follow."""
    layers = without_ranges(layers)
    values, final_values = layers.values[:, :0], layers.final_values[:, :0]
    return layers._replace(values=values.copy(), final_values=final_values.copy())


def choose_updated(
    layers: Layers, learner: int, time: int, always: int | None, images: I64 | None = None
) -> tuple[int, int]:
    """Choose who is updated in the next pass; return how many numbers, and batches of final records, they
    take.

    Says in ``layers`` where their ranges lie, and what they hand on.

    ``always``: the first so many nodes are always updated; None: all are; ``images`` ``[n] int64``: of a
    symmetry quotient. Its next pass goes by the images of where the last one went, half of all nodes.
    """
    joint, top = (layers.joint, TOP) if images is None else (layers.joint[images], TOP / 2.0)
    updated = _updated(joint, layers.turn, time, always, top)
    sizes = np.where(updated, np.diff(layers.start[1 - learner]), 0)
    ends = np.cumsum(sizes)
    layers.place[:] = np.where(updated, ends - sizes, -1)
    np.cumsum(np.where(updated, layers.length, 0), axis=1, out=layers.out[:, 1:])
    final_always = None if always is None else 0
    final_updated = _updated(layers.final_joint, layers.final_turn, time, final_always, FINAL_TOP)
    layers.final_place[:] = np.where(final_updated, np.cumsum(final_updated) - 1, -1)
    return int(ends[-1]), int(final_updated.sum())


def clear_pass(layers: Layers, part: int, parts: int) -> None:
    """Zero what a pass adds up, one of so many parts of it."""
    sums = (layers.joint, layers.own, layers.final_joint, layers.final_own)
    for array in (*sums, layers.numbers, layers.final_numbers):
        flat = array.reshape(-1)
        flat[flat.size * part // parts : flat.size * (part + 1) // parts] = 0.0


def _updated(joint: F64, turn: I8, time: int, always: int | None, top: float) -> Flags:
    if always is None or not joint.size:
        return np.ones(joint.size, np.bool_)
    threshold = np.quantile(joint, 1.0 - top)
    updated: Flags = (joint > threshold) | (turn == -time % PERIOD)
    updated[:always] = True
    return updated
