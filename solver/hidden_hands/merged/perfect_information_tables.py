"""The tables of what a player gets at most who sees the hand he meets, and what filling them works on.

Letters as in ``perfect_information``.
"""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from solver.hidden_hands.arrays import Flags
from solver.hidden_hands.decisions.walk_memory import Problem
from solver.hidden_hands.final.state import Frame
from solver.hidden_hands.jit import entry, kernel
from solver.hidden_hands.merged.merged_tree import MergedTree
from solver.hidden_hands.spaces import Spaces
from solver.hidden_hands.tree import (
    MAX_LINKS,
    action_counts,
)

__all__ = [
    "Bytes",
    "PerfectInformation",
    "TableScratch",
    "empty_tables",
    "is_drawn",
    "table_scratch",
]

Bytes: TypeAlias = NDArray[np.uint8]


class PerfectInformation(NamedTuple):
    """What a player gets at most who sees the hand he meets; first axis: that player, or only player 0.

    *Here*: that hand is about to decide; *ahead*: it still has to draw.
    """

    start: NDArray[np.int64]  # [2, n + 1] where a node's hands lie, if they are ever asked for
    ahead_start: NDArray[np.int64]  # [2, n + 1] and those with one item less, likewise
    base: NDArray[np.float32]  # [2 or 1, n] worth that 0 stands for
    unit: NDArray[np.float32]  # [2 or 1, n] worth of a step
    here: Bytes  # [2 or 1, *]
    ahead: Bytes  # [2 or 1, *]
    final_base: NDArray[np.float32]  # [2, u] by seat
    final_unit: NDArray[np.float32]  # [2, u]
    final_here: Bytes  # [2, u, X]
    final_ahead: Bytes  # [2, u, Y]
    places: NDArray[np.int64]  # [2, I] place of each support index among X, and among Y; -1 none


class TableScratch(NamedTuple):
    """Work space of one thread.

    ``E`` records, a final one and those nested in it; ``S`` supports.
    """

    here: NDArray[np.float32]  # [N]
    ahead: NDArray[np.float32]  # [N]
    chances: NDArray[np.float32]  # [2, T, C] least and most of a draw, by how many items of a type are out
    sums: NDArray[np.float32]  # [N]
    shares: NDArray[np.float32]  # [plain + 2, S] each plain action's share; best value, sum of weights
    pays: NDArray[np.float32]  # [P] of an action, by that of who is seen
    tops: NDArray[np.float32]  # [S] the best top he has
    plain: NDArray[np.float32]  # [S] worth when he places a plain item
    chained: NDArray[np.float32]  # [2, S] when he goes on alone, the second chain type at hand or not
    draw: NDArray[np.float32]  # [2, P, C] least and most of a draw, by how many items of a type are in hand
    final_here: NDArray[np.float32]  # [X]
    final_ahead: NDArray[np.float32]  # [E, Y]
    batch: NDArray[np.int64]  # [E]
    placed: NDArray[np.int64]  # [E, 2, 2] items of both chain types that led there
    nested: NDArray[np.int64]  # [E, MAX_LINKS] -1 none
    places: NDArray[np.int64]  # [2, I]
    rests: NDArray[np.int64]  # [Y] support indices


def empty_tables(q: Problem, merged: MergedTree) -> PerfectInformation:
    """Allocate the tables."""
    learners = 1 if merged.quotient else 2
    nodes, records = q.tree.kind.size, merged.records.place.size
    needs = np.zeros((2, 2, nodes), np.bool_)
    _mark_needs(q, needs)
    start, ahead = np.zeros((2, nodes + 1), np.int64), np.zeros((2, nodes + 1), np.int64)
    for learner in range(learners):
        sp = q.spaces1 if learner == 0 else q.spaces0
        level = q.tree.level[:, 1 - learner].astype(np.int64)
        sizes = np.diff(sp.level_start)
        before = np.maximum(level - (sp.num_hidden + 1), 0)
        start[learner, 1:] = np.cumsum(np.where(needs[0, learner], sizes[level], 0))
        ahead[learner, 1:] = np.cumsum(np.where(needs[1, learner], sizes[before], 0))
    places, rests = _places(q.frame)
    return PerfectInformation(
        start,
        ahead,
        np.zeros((learners, nodes), np.float32),
        np.zeros((learners, nodes), np.float32),
        np.zeros((learners, int(start[:learners, -1].max())), np.uint8),
        np.zeros((learners, int(ahead[:learners, -1].max())), np.uint8),
        np.zeros((2, records), np.float32),
        np.zeros((2, records), np.float32),
        np.zeros((2, records, q.frame.rows.size), np.uint8),
        np.zeros((2, records, rests.size), np.uint8),
        places,
    )


@entry
def _mark_needs(q: Problem, needs: Flags) -> None:
    """Mark what is ever asked for, by learner: hands about to decide, hands that still have to draw."""
    for node in range(1, q.tree.kind.size):
        n0, n1 = action_counts(q.tree, node, q.types, q.stocks.shape[1])
        for k in range(n0 * n1):
            child = q.tree.child[q.tree.child_start[node] + k]
            for learner in range(2 if child >= 0 else 0):
                opp, action = 1 - learner, k % n1 if learner == 0 else k // n1
                sp = q.spaces0 if opp == 0 else q.spaces1
                level = q.tree.level[node, opp]
                if (q.tree.acts[node] >> opp) & 1:
                    level = sp.remainder_level[q.tree.kind[node], level, action]
                drawn = is_drawn(sp, level, q.tree.level[child, opp])
                needs[1 if drawn else 0, learner, child] = True


def _places(frame: Frame) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Place of each support index among those of hands and of remainders; the latter."""
    plain, second = frame.num_plain, frame.second_max + 1
    chains = frame.rows >> plain
    items = (
        np.array([int(s).bit_count() for s in frame.rows & ((1 << plain) - 1)])
        + chains // second
        + chains % second
    )
    rests = frame.rows[items < items.max()].astype(np.int64)
    places = np.full((2, (frame.first_max + 1) * second << plain), -1)
    places[0, frame.rows] = np.arange(frame.rows.size)
    places[1, rests] = np.arange(rests.size)
    return places, rests


def table_scratch(q: Problem, nest: int) -> TableScratch:
    """Allocate one thread's work space; ``nest``: most records nested in one final step, itself included."""
    n = max(int(np.diff(sp.level_start).max()) for sp in (q.spaces0, q.spaces1))
    frame, p, plain = q.frame, q.types.size, q.frame.num_plain
    bits = 1 << plain
    places, rests = _places(frame)

    def array(*shape: int) -> NDArray[np.float32]:
        return np.zeros(shape, np.float32)

    return TableScratch(
        array(n),
        array(n),
        array(2, q.stocks.shape[1], int(q.stocks.max()) + 1),
        array(n),
        array(plain + 2, bits),
        array(p),
        array(bits),
        array(bits),
        array(2, bits),
        array(2, p, max(frame.first_max, frame.second_max) + 1),
        array(frame.rows.size),
        array(nest, rests.size),
        np.zeros(nest, np.int64),
        np.zeros((nest, 2, 2), np.int64),
        np.zeros((nest, MAX_LINKS), np.int64),
        places,
        rests,
    )


@kernel
def is_drawn(sp: Spaces, level: int, after: int) -> bool:
    """Whether remainders of a level become hands of another one by a draw."""
    return after == level + sp.num_hidden + 1
