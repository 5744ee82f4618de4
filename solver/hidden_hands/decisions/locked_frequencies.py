"""Locked frequencies: a player takes an action with a fixed probability at a step, and chooses the rest
freely.

A lock binds hands that may take its action and a free one. Where a hand has nothing but locked actions left,
all are free: locks never make anybody play what he does not hold. Final records know no locks: in a step
that surely ends play everybody is free.

Letters as in ``walk_memory``.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from solver.hidden_hands.arrays import F32
from solver.hidden_hands.game import LockedFrequency
from solver.hidden_hands.jit import kernel
from solver.hidden_hands.spaces import MAX_ACTIONS, PLACE, Spaces
from solver.hidden_hands.tree import Tree

__all__ = ["is_locked", "keep_locked", "locked_masses", "locked_table"]

_FREE = np.float32(-1.0)
_ZERO = np.float32(0.0)
_ONE = np.float32(1.0)


def locked_table(
    locked: Sequence[LockedFrequency], types: NDArray[np.int64], steps: int
) -> NDArray[np.float32]:
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
    if locked.shape[1] == 0 or tree.kind[node] != PLACE or tree.opens[node] != 1:
        return False
    for a in range(locked.shape[2]):
        if locked[player, tree.step[node], a] >= _ZERO:
            return True
    return False


@kernel
def locked_masses(sp: Spaces, level: int, count: int, frequency: F32, mass: F32) -> None:
    """Probability that locked actions take from each hand; -1 where the hand has no free action.

    Modified in place: ``mass`` ``[2, N]``; the second row counts free actions.
    """
    size = sp.level_start[level + 1] - sp.level_start[level]
    for s in range(size):
        mass[0, s] = _ZERO
        mass[1, s] = _ZERO
    for a in range(count):
        for j in range(sp.segment[PLACE, level, a], sp.segment[PLACE, level, a + 1]):
            s = sp.pair_state[j]
            if frequency[a] >= _ZERO:
                mass[0, s] += frequency[a]
            else:
                mass[1, s] += _ONE
    for s in range(size):
        if mass[1, s] == _ZERO:
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
        mass[1, s] = _ZERO
    for a in range(count):
        if frequency[a] >= _ZERO:
            continue
        for j in range(sp.segment[PLACE, level, a], sp.segment[PLACE, level, a + 1]):
            mass[1, sp.pair_state[j]] += sigma[j - first]
    for a in range(count):
        for j in range(sp.segment[PLACE, level, a], sp.segment[PLACE, level, a + 1]):
            s = sp.pair_state[j]
            if mass[0, s] < _ZERO:
                continue
            if frequency[a] >= _ZERO:
                sigma[j - first] = frequency[a]
            else:
                sigma[j - first] *= (_ONE - mass[0, s]) / mass[1, s]
