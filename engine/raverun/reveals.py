"""What a move brings to light that its owner did not know, held back until a chance node of one outcome.

A rule that says "then all uncover" makes one move of choosing and learning. A player who judges a
move by what can be seen after it would then see too much. So a sampled game stops between the two, at a
*reveal*: chance decides, there is one outcome, and everybody sees what was seen before and the move made.
Two moves have one: the last first choice (V3), and burying the top of a shuffled stack of another (6, 8).

The rules themselves know no such node; `kernel.transition` goes through without a stop.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engine.jit import kernel_njit
from engine.raverun import layout
from engine.raverun.card_sets import SET_MASK, count, lowest
from engine.raverun.places import position

Words = NDArray[np.int64]

_TOP, _CARD_MASK = layout.TOP.offset, layout.TOP.mask
_ACTING, _ACTED, _HIDDEN = layout.ACTING.offset, layout.ACTED.offset, layout.HIDDEN_ORDER.offset
_DRAWS, _DRAWS_MASK = layout.DRAWS.offset, layout.DRAWS.mask
_SHUFFLER = layout.SHUFFLER.offset
_PHASE_MASK = layout.PHASE.mask


@kernel_njit
def is_reveal(state: Words) -> bool:
    """Whether something is held back: chance decides, with nothing to draw and nothing to lay out."""
    flow = state[layout.FLOW]
    return bool(
        flow >> _ACTING & 3 == layout.CHANCE_ACTS
        and flow >> _DRAWS & _DRAWS_MASK == 0
        and flow >> _SHUFFLER & 3 == layout.NO_PLAYER
    )


@kernel_njit
def hold_back(tables: Words, state: Words, flow: int) -> bool:
    """Make a reveal of what the player to move in `flow` learns by the move that was just carried out.

    Modified in place; False, and nothing is changed, if it learns nothing. Not for moves of chance.
    """
    held = False
    player = flow >> _ACTING & 3
    if flow & _PHASE_MASK == layout.BID:
        held = (state[layout.FLOW] >> _ACTED & 3) == tables[layout.RULE_NUM_PLAYERS]
    else:
        for other in range(tables[layout.RULE_NUM_PLAYERS]):
            top = state[layout.PLAYER + other] >> _TOP & _CARD_MASK
            # The owner of a shuffled stack knows its order.
            if other != player and top != layout.NO_CARD and flow >> _HIDDEN + top & 1:
                state[layout.PLAYER + other] |= layout.NO_CARD << _TOP
                state[layout.FLOW] |= 1 << _HIDDEN + top
                held = True
    if held:
        state[layout.FLOW] |= layout.CHANCE_ACTS << _ACTING
    return held


@kernel_njit
def reveal(tables: Words, state: Words) -> None:
    """Show what was held back; `kernel.advance` is next. Modified in place."""
    for player in range(tables[layout.RULE_NUM_PLAYERS]):
        stack = state[layout.STACK + player] & SET_MASK
        if not stack or state[layout.PLAYER + player] >> _TOP & _CARD_MASK != layout.NO_CARD:
            continue
        highest = count(stack) - 1
        while position(state, lowest(stack)) != highest:
            stack &= stack - 1
        top = lowest(stack)
        state[layout.PLAYER + player] ^= (layout.NO_CARD ^ top) << _TOP
        state[layout.FLOW] &= ~(1 << _HIDDEN + top)
