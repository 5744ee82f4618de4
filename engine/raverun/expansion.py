"""The children of a node of the tree of a game, all at once: for explicit trees.

The game is that of `sampling` with perfect recall. Nodes at which there is one way only are passed through.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engine.jit import kernel_njit
from engine.raverun import kernel
from engine.raverun.sampling import apply, observe, remember

Words = NDArray[np.int64]

DECIDER, COUNT, KEY, PAYOFF = range(4)
"""Columns of what is told of a node: who decides (`kernel.CHANCE`, `kernel.OVER`), the number of ways, the
infoset key at decisions, and at the end what player 0 gets."""
NUM_FACTS = 4
CARD, TARGET = range(2)
"""Columns of what is told of a way: see `kernel.move_parts`."""


@kernel_njit
def settle(tables: Words, state: Words, work: Words, whole: int, facts: Words) -> None:
    """Go on to where there is a choice, unless `whole`, and write the facts of that node.

    `state` and `facts` `[NUM_FACTS] int64` are modified in place.
    """
    while True:
        decider = observe(tables, state, work)
        facts[DECIDER] = decider
        if decider == kernel.OVER:
            best = kernel.winner(state, tables)
            facts[COUNT] = 0
            facts[PAYOFF] = 0 if best < 0 else (1 if best == 0 else -1)
            return
        if work[0] > 1 or (whole and decider >= 0):
            facts[COUNT] = work[0]
            facts[KEY] = work[1]
            return
        apply(tables, state, work, 0)


@kernel_njit
def begin(tables: Words, state: Words, work: Words, whole: int, facts: Words) -> None:
    """Make a state with both hands dealt the beginning of what players remember; `settle` it."""
    remember(tables, state)
    settle(tables, state, work, whole, facts)


@kernel_njit
def expand(
    tables: Words,
    state: Words,
    work: Words,
    whole: int,
    children: NDArray[np.int64],
    facts: NDArray[np.int64],
    ways: NDArray[np.int64],
) -> int:
    """Write the children of a node and return how many.

    Parameters
    ----------
    children : `[M, STATE_WORDS] int64`, facts `[M, NUM_FACTS]`, ways `[M, 2]`, modified in place.
    """
    observe(tables, state, work)
    count = work[0]
    for index in range(count):
        card, target = kernel.move_parts(state, tables, index)
        ways[index, CARD] = card
        ways[index, TARGET] = target
        for word in range(state.shape[0]):
            children[index, word] = state[word]
        apply(tables, children[index], work, index)
        settle(tables, children[index], work, whole, facts[index])
    return int(count)
