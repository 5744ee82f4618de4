"""How play of both averages of a merged tree ends, along every single history.

Letters as in ``merged.response``.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.hidden_hands.arrays import F32, F64, I64
from solver.hidden_hands.decisions.forward import load_child
from solver.hidden_hands.decisions.walk_memory import Problem, WalkScratch
from solver.hidden_hands.final.state import FinalState
from solver.hidden_hands.final.visits import Hedge
from solver.hidden_hands.halves import Halves
from solver.hidden_hands.jit import entry, kernel
from solver.hidden_hands.merged.merged_tree import MergedTree
from solver.hidden_hands.merged.shipped import forward_average
from solver.hidden_hands.merged.window import Window, descend, in_window, play_both, take_in_hand
from solver.hidden_hands.statistics import TOPS, count_end, count_record
from solver.hidden_hands.tree import (
    CHILD_FINAL,
    CHILD_NONE,
    CHILD_TERMINAL,
    LANES,
    Automaton,
    Tree,
    action_counts,
)

__all__ = [
    "Tally",
    "count_histories",
    "tally",
]


class Tally(NamedTuple):
    """What play of both averages adds up to; see ``statistics``."""

    usage: NDArray[np.float64]  # [2, steps, P]
    ends: NDArray[np.float64]  # [4]
    means: NDArray[np.float64]  # [3]
    lone: NDArray[np.float64]  # [3]
    tops: NDArray[np.float64]
    top_ends: NDArray[np.int64]
    stack: NDArray[np.int64]


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
    rare: float,
    least: float,
    points: F64,
    outcome: I64,
    w: WalkScratch,
    hedge: Hedge,
    counts: Tally,
) -> None:
    """Count how play of both averages goes on from a node; both ranges at ``w.reach[0]`` are the input.

    ``rare``: see ``apply_threshold``; ``least``: joint probability up to which a history is not followed.
    """
    here = in_window(q, room)
    depth, node = 0, root
    entering = True
    while True:
        if entering:
            w.node[depth], w.slot[depth], w.weight[depth] = node, 0, 0.0
            for p in range(2):
                sp = q.spaces0 if p == 0 else q.spaces1
                forward_average(q, node, depth, p, regret, average, w, sp, 0.0, rare)
            take_in_hand(q, node, room)
            if q.tree.batch_start[node] >= 0:
                play_both(q, merged, memory, node, depth, -1, room, w, hedge)
            _count_node(here, g, 0, depth, room.played, points, outcome, w, counts)
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
