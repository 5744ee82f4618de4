"""What a walk over the tree works on: the game, the numbers of an iteration, a thread's work space.

Shapes: ``D`` depth, ``N`` largest level, ``J`` largest number of pairs, ``M = MAX_ACTIONS``, ``K`` chunks of
eight action columns; other letters as in ``final_state`` and ``spaces``.

Also locked frequencies: a player takes an action with a fixed probability at a step, and chooses the rest
freely. A lock binds hands that may take its action and a free one; where a hand has nothing but locked
actions left, all are free. Final records know no locks.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from solver.hidden_hands.final_state import FinalScratch, FinalTables, Frame, final_scratch, largest_nest
from solver.hidden_hands.game import LockedFrequency
from solver.hidden_hands.jit import F32, F64, I64, ONE, ZERO, Flags, kernel
from solver.hidden_hands.spaces import MAX_ACTIONS, PLACE, Spaces
from solver.hidden_hands.tree import LANES, Tree

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
    types: I64  # [P] type of each local action, -1 nothing
    stocks: I64  # [2, T]
    end_payoff: F32  # [C * C] payoff to player 0 by pair of terminal classes
    keep_groups: bool  # chains are possible, so final steps must distinguish hidden items
    locked: F32  # [2, steps, M] frequency of an action at a step, -1 free; see `locked_table`


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

    reach: F32  # [D, 2, N]
    value: F32  # [D, 2, N]
    sigma: F32  # [D, 2, J]
    rest: F32  # [D, 2, M, N] range of remainders by action
    onward: F32  # [D, 2, M, N] range after the draw
    back: F32  # [D, 2, M, N] summed child values
    flat: F32  # [D, 2, M] values that do not depend on the hand
    action_reach: F32  # [D, 2, M] total range by action
    columns: F32  # [D, 2, K, G*I, L] final-step ranges, actions as lanes
    gains: F32  # [D, 2, K, G*I, L] final-step values
    draw: F32  # [D, 2, K, X, plain+4, L] draw weights by hidden group of the remainder
    norm: F32  # [2, N or X, whatever is more]
    pulled: F32  # [2, G*I, L]
    pool: F32  # [T]
    actions: I64  # [2, L] both players' actions by lane of a batch
    picked: I64  # [M] actions whose draws are made side by side, like the next two
    strips: F32  # [2, N, SIDE_BY_SIDE]
    left: F32  # [T, SIDE_BY_SIDE]
    waited: F32  # [D, M, N] waiting range after the draw
    extra: F32  # [M, N] values kept for the node in its backward pass
    was: Flags  # [D, M * M] children that were active before a refresh
    weight: F64  # [D] weight of the visit in the averages
    overdue: F64  # [D] weight of the waiting range
    refresh: Flags  # [D] whether all lazy children below are visited, too
    phase: I64  # [D] 0 while lazy children are visited, 1 for the active ones, 2 skipped
    node: I64  # [D] node in progress at each depth
    slot: I64  # [D] its child in progress
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

    def array(*shape: int) -> F32:
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


_FREE = np.float32(-1.0)


def locked_table(locked: Sequence[LockedFrequency], types: I64, steps: int) -> F32:
    """Frequencies by player, step and local action, -1 where free: ``[2, steps, M]``, no steps if none is
    locked.

    Raises
    ------
    ValueError
        For frequencies that are no probabilities, or add up to more than one at a step.
    """
    table = np.full((2, steps if locked else 0, MAX_ACTIONS), _FREE, np.float32)
    for lock in locked:
        if not 0.0 <= lock.frequency <= 1.0:
            raise ValueError(f"a frequency lies between 0 and 1, not at {lock.frequency}")
        if not 0 <= lock.step < steps:
            raise ValueError(f"there is no step {lock.step + 1} of {steps}")
        table[lock.player, lock.step, np.flatnonzero(types == lock.item)] = lock.frequency
    if locked and np.where(table >= 0.0, table, 0.0).sum(axis=2).max() > 1.0 + 1e-6:
        raise ValueError("the frequencies of a step add up to more than one")
    return table


@kernel
def is_locked(locked: F32, tree: Tree, node: int, player: int) -> bool:
    """Whether a player may have a locked action at a node."""
    if locked.shape[1] == 0 or tree.kind[node] != PLACE or tree.begins_step[node] != 1:
        return False
    for a in range(locked.shape[2]):
        if locked[player, tree.step[node], a] >= ZERO:
            return True
    return False


@kernel
def locked_masses(sp: Spaces, level: int, count: int, frequency: F32, mass: F32) -> None:
    """Probability that locked actions take from each hand; -1 where the hand has no free action.

    Modified in place: ``mass`` ``[2, N]``; the second row counts free actions.
    """
    size = sp.level_start[level + 1] - sp.level_start[level]
    for s in range(size):
        mass[0, s] = ZERO
        mass[1, s] = ZERO
    for a in range(count):
        for j in range(sp.segment[PLACE, level, a], sp.segment[PLACE, level, a + 1]):
            s = sp.pair_state[j]
            if frequency[a] >= ZERO:
                mass[0, s] += frequency[a]
            else:
                mass[1, s] += ONE
    for s in range(size):
        if mass[1, s] == ZERO:
            mass[0, s] = _FREE


@kernel
def keep_locked(sp: Spaces, level: int, count: int, frequency: F32, sigma: F32, mass: F32) -> None:
    """Bend a strategy to the locked frequencies. Modified in place: ``sigma`` ``[J]``; ``mass`` ``[2, N]`` is
    work space.

    Regrets of bound actions stay zero, so that they never crowd out free ones.
    """
    locked_masses(sp, level, count, frequency, mass)
    first = sp.segment[PLACE, level, 0]
    for s in range(sp.level_start[level + 1] - sp.level_start[level]):
        mass[1, s] = ZERO
    for a in range(count):
        if frequency[a] >= ZERO:
            continue
        for j in range(sp.segment[PLACE, level, a], sp.segment[PLACE, level, a + 1]):
            mass[1, sp.pair_state[j]] += sigma[j - first]
    for a in range(count):
        for j in range(sp.segment[PLACE, level, a], sp.segment[PLACE, level, a + 1]):
            s = sp.pair_state[j]
            if mass[0, s] < ZERO:
                continue
            if frequency[a] >= ZERO:
                sigma[j - first] = frequency[a]
            else:
                sigma[j - first] *= (ONE - mass[0, s]) / mass[1, s]


@kernel
def stock_left(sp: Spaces, tree: Tree, node: int, player: int) -> int:
    """Items a player can still draw at a node."""
    level = tree.level[node, player]
    hand, hidden = level // (sp.num_hidden + 1), level % (sp.num_hidden + 1)
    total = 0
    for t in range(tree.pool.shape[2]):
        total += tree.pool[node, player, t]
    left: int = total - hand - hidden
    return left


@kernel
def index_size(q: Problem) -> int:
    return (q.frame.first_max + 1) * (q.frame.second_max + 1) << q.frame.num_plain
