"""What a walk over the tree works on: the game, the numbers of an iteration, a thread's work space.

Shapes: ``D`` depth, ``N`` largest level, ``J`` largest number of pairs, ``M = MAX_ACTIONS``, ``K`` chunks of
eight action columns; other letters as in ``final.state`` and ``spaces``.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.hidden_hands.final.state import FinalScratch, Frame, final_scratch, largest_nest
from solver.hidden_hands.final.tables import FinalTables
from solver.hidden_hands.spaces import MAX_ACTIONS, Spaces
from solver.hidden_hands.tree import LANES, Tree

__all__ = [
    "SIDE_BY_SIDE",
    "Problem",
    "Step",
    "WalkScratch",
    "walk_scratch",
]

SIDE_BY_SIDE = 8
"""Actions whose draws are made side by side: eight single-precision numbers fill one 256-bit register."""

NUM_CHUNKS = (MAX_ACTIONS + LANES - 1) // LANES


class Problem(NamedTuple):
    """Everything about the game that stays as it is while solving."""

    tree: Tree
    spaces0: Spaces
    spaces1: Spaces
    tables: FinalTables
    frame: Frame
    types: NDArray[np.int64]  # [P] type of each local action, -1 nothing
    stocks: NDArray[np.int64]  # [2, T]
    end_payoff: NDArray[np.float32]  # [C * C] payoff to player 0 by pair of terminal classes
    keep_groups: bool  # chains are possible, so final steps must distinguish hidden items
    locked: NDArray[
        np.float32
    ]  # [2, steps, M] frequency of an action at a step, -1 free; see `locked_frequencies`


class Step(NamedTuple):
    """Numbers of one iteration."""

    keep_positive: float  # factor on positive regrets
    keep_negative: float  # factor on negative regrets
    who: int  # bit p: player p learns at this visit
    time: int  # number of the iteration
    everything: bool  # refresh all lazy children, too
    threshold: float  # joint probability from which on a child is visited every time


class WalkScratch(NamedTuple):
    """Work space of one thread."""

    reach: NDArray[np.float32]  # [D, 2, N]
    value: NDArray[np.float32]  # [D, 2, N]
    sigma: NDArray[np.float32]  # [D, 2, J]
    rest: NDArray[np.float32]  # [D, 2, M, N] range of remainders by action
    onward: NDArray[np.float32]  # [D, 2, M, N] range after the draw
    back: NDArray[np.float32]  # [D, 2, M, N] summed child values
    flat: NDArray[np.float32]  # [D, 2, M] values that do not depend on the hand
    flow: NDArray[np.float32]  # [D, 2, M]
    columns: NDArray[np.float32]  # [D, 2, K, G*I, L] final-step ranges, actions as lanes
    gains: NDArray[np.float32]  # [D, 2, K, G*I, L] final-step values
    draw: NDArray[np.float32]  # [D, 2, K, X, plain+4, L] draw weights by hidden group of the remainder
    norm: NDArray[np.float32]  # [2, N or X, whatever is more]
    mixed: NDArray[np.float32]  # [J] strategy before rare actions are dropped
    pulled: NDArray[np.float32]  # [2, G*I, L]
    pool: NDArray[np.float32]  # [T]
    actions: NDArray[np.int64]  # [2, L] both players' actions by lane of a batch
    picked: NDArray[np.int64]  # [M] actions whose draws are made side by side, like the next two
    strips: NDArray[np.float32]  # [2, N, SIDE_BY_SIDE]
    left: NDArray[np.float32]  # [T, SIDE_BY_SIDE]
    waited: NDArray[np.float32]  # [D, M, N] waiting range after the draw
    extra: NDArray[np.float32]  # [M, N] values kept for the node in its backward pass
    was: NDArray[np.bool_]  # [D, M * M] children that were active before a refresh
    weight: NDArray[np.float64]  # [D] weight of the visit in the averages
    overdue: NDArray[np.float64]  # [D] weight of the waiting range
    refresh: NDArray[np.bool_]  # [D] whether all lazy children below are visited, too
    phase: NDArray[np.int64]  # [D] 0 while lazy children are visited, 1 for the active ones, 2 skipped
    node: NDArray[np.int64]  # [D] node in progress at each depth
    slot: NDArray[np.int64]  # [D] its child in progress
    final: FinalScratch


def walk_scratch(problem: Problem, depth: int, lazy: bool) -> WalkScratch:
    """Allocate one thread's work space; its size grows with the depth and the largest level."""
    spaces = (problem.spaces0, problem.spaces1)
    n = max(int(np.diff(s.level_start).max()) for s in spaces)
    j = max(int((s.segment[..., MAX_ACTIONS] - s.segment[..., 0]).max()) for s in spaces)
    x = max(int(np.diff(s.group_start).max()) for s in spaces)
    frame = problem.frame
    groups = x if problem.keep_groups else 1
    bits = 1 << frame.num_plain
    index = (frame.first_max + 1) * (frame.second_max + 1) * bits
    slots = largest_nest(problem.tree.link)

    def array(*shape: int) -> NDArray[np.float32]:
        return np.zeros(shape, np.float32)

    return WalkScratch(
        array(depth, 2, n),
        array(depth, 2, n),
        array(depth, 2, j),
        array(depth, 2, MAX_ACTIONS, n),
        array(depth, 2, MAX_ACTIONS, n),
        array(depth, 2, MAX_ACTIONS, n),
        array(depth, 2, MAX_ACTIONS),
        array(depth, 2, MAX_ACTIONS),
        array(depth, 2, NUM_CHUNKS, groups * index, LANES),
        array(depth, 2, NUM_CHUNKS, groups * index, LANES),
        array(depth, 2, NUM_CHUNKS, x, frame.num_plain + 4, LANES),
        array(2, max(n, frame.rows.size)),
        array(j),
        array(2, index * max(x, 1), LANES),
        np.zeros(problem.stocks.shape[1], np.float32),
        np.zeros((2, LANES), np.int64),
        np.zeros(MAX_ACTIONS, np.int64),
        array(2, n, SIDE_BY_SIDE),
        array(problem.stocks.shape[1], SIDE_BY_SIDE),
        array(depth if lazy else 1, MAX_ACTIONS, n),
        array(MAX_ACTIONS, n),
        np.zeros((depth, MAX_ACTIONS * MAX_ACTIONS), np.bool_),
        np.zeros(depth),
        np.zeros(depth),
        np.zeros(depth, np.bool_),
        np.zeros(depth, np.int64),
        np.zeros(depth, np.int64),
        np.zeros(depth, np.int64),
        final_scratch(frame, groups, problem.stocks.shape[1], slots),
    )
