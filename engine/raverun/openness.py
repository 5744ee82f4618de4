"""When nothing hidden matters any more, so that the rest of a game can be solved."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engine.jit import kernel_njit
from engine.raverun import layout
from engine.raverun.card_sets import SET_MASK, lowest
from engine.raverun.reveals import is_reveal
from engine.raverun.rules import BURY, DRAW, EXCHANGE, SHUFFLE, SWAP

Words = NDArray[np.int64]

_BATTLE, _HIDDEN, _THRESHOLD = layout.BATTLEFIELD.offset, layout.HIDDEN_ORDER.offset, layout.THRESHOLD.offset
_PHASE_MASK, _CARD_MASK = layout.PHASE.mask, layout.TOP.mask


@kernel_njit
def is_open(tables: Words, state: Words, work: Words) -> int:
    """Whether the rest of the game depends on nothing that is hidden from anybody: 1 or 0.

    So it is in the last phase (P5) if no card that may still act uses hands or the deck (1, 2, 3) or buries
    from a stack whose order is hidden by then (6, 8). Once 1, it stays 1.
    """
    flow = state[layout.FLOW]
    if flow & _PHASE_MASK != layout.LAST or is_reveal(state):
        return 0
    lying, stacks = 0, 0
    for player in range(tables[layout.RULE_NUM_PLAYERS]):
        lying |= state[layout.PLAYER + player] >> _BATTLE & SET_MASK
        stacks |= state[layout.STACK + player] & SET_MASK
    hidden = flow >> _HIDDEN & stacks != 0
    acting = lying & tables[layout.RULE_LAST_CARDS] & -1 << (flow >> _THRESHOLD & _CARD_MASK)
    while acting:
        action = tables[layout.RULE_ACTIONS + lowest(acting)]
        if action in (SWAP, EXCHANGE, DRAW) or (action == BURY and hidden):
            return 0
        hidden = hidden or action == SHUFFLE
        acting &= acting - 1
    return 1
