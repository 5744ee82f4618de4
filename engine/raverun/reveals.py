"""What a move brings to light that its owner did not know, held back until a chance node of one outcome.

A rule that says "then all uncover" makes one move of choosing and learning. Who judges a move by what he
sees after it would then see what he must not know yet. So a sampled game stops between the two, at a
*reveal*: chance decides, there is one outcome, and everybody sees what he saw before and the move made.
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

_PLAYER, _STACK, _FLOW = layout.PLAYER, layout.STACK, layout.FLOW
_TOP, _CARD_MASK, _NO_CARD = layout.TOP.offset, layout.TOP.mask, layout.NO_CARD
_ACTING, _ACTED, _HIDDEN = layout.ACTING.offset, layout.ACTED.offset, layout.HIDDEN_ORDER.offset
_DRAWS, _DRAWS_MASK = layout.DRAWS.offset, layout.DRAWS.mask
_SHUFFLER, _NO_PLAYER, _CHANCE_ACTS = layout.SHUFFLER.offset, layout.NO_PLAYER, layout.CHANCE_ACTS
_PHASE_MASK, _BID, _NUM_PLAYERS = layout.PHASE.mask, layout.BID, layout.RULE_NUM_PLAYERS


@kernel_njit
def is_reveal(state: Words) -> bool:
    """Whether something is held back: chance decides, with nothing to draw and nothing to lay out."""
    flow = state[_FLOW]
    return bool(
        flow >> _ACTING & 3 == _CHANCE_ACTS
        and flow >> _DRAWS & _DRAWS_MASK == 0
        and flow >> _SHUFFLER & 3 == _NO_PLAYER
    )


@kernel_njit
def hold_back(tables: Words, state: Words, flow: int) -> bool:
    """Make a reveal of what the player to move in `flow` learns by the move that was just carried out.

    Modified in place; False, and nothing is changed, if he learns nothing. Not for moves of chance.
    """
    held = False
    player = flow >> _ACTING & 3
    if flow & _PHASE_MASK == _BID:
        held = (state[_FLOW] >> _ACTED & 3) == tables[_NUM_PLAYERS]
    else:
        for other in range(tables[_NUM_PLAYERS]):
            top = state[_PLAYER + other] >> _TOP & _CARD_MASK
            # The owner of a shuffled stack knows its order.
            if other != player and top != _NO_CARD and flow >> _HIDDEN + top & 1:
                state[_PLAYER + other] |= _NO_CARD << _TOP
                state[_FLOW] |= 1 << _HIDDEN + top
                held = True
    if held:
        state[_FLOW] |= _CHANCE_ACTS << _ACTING
    return held


@kernel_njit
def reveal(tables: Words, state: Words) -> None:
    """Show what was held back; `kernel.advance` is next. Modified in place."""
    for player in range(tables[_NUM_PLAYERS]):
        stack = state[_STACK + player] & SET_MASK
        if not stack or state[_PLAYER + player] >> _TOP & _CARD_MASK != _NO_CARD:
            continue
        highest = count(stack) - 1
        while position(state, lowest(stack)) != highest:
            stack &= stack - 1
        top = lowest(stack)
        state[_PLAYER + player] ^= (_NO_CARD ^ top) << _TOP
        state[_FLOW] &= ~(1 << _HIDDEN + top)
