"""What match play notes of a game: how many rounds it has, and which cards are played and used.

The first word is the number of rounds. Who asks for `NUM_USES` words also gets how often each card was played
to the battlefield, `PLAYED` + `MAX_CARDS` * seat + card, how often its action was used, `USED` likewise, and
each hand as it was dealt, `DEALT` + seat, a bit for each card.
"""

from __future__ import annotations

from engine.jit import kernel_njit
from engine.raverun import kernel, layout
from engine.raverun.card_sets import SET_MASK
from engine.raverun.kernel import Words
from engine.raverun.rules_schema import MAX_CARDS

ROUNDS = 0
NUM_NOTED = PLAYED = 1
USED = PLAYED + layout.MAX_PLAYERS * MAX_CARDS
DEALT = USED + layout.MAX_PLAYERS * MAX_CARDS
NUM_USES = DEALT + layout.MAX_PLAYERS

_NOTED = NUM_NOTED
_PHASE_MASK = layout.PHASE.mask
_OFFERED, _CARD_MASK = layout.OFFERED.offset, layout.OFFERED.mask
_GOING = layout.GOING.offset


@kernel_njit
def record(tables: Words, state: Words, work: Words, decider: int, move: int, noted: Words) -> None:
    """Note what a move is to the game. Modified in place: `noted`."""
    if decider < 0:
        return
    stage = state[layout.FLOW] & _PHASE_MASK
    if stage == layout.ORDERING:
        noted[ROUNDS] += 1
    elif len(noted) > _NOTED and stage == layout.BID:
        noted[DEALT + decider] = state[layout.PLAYER + decider] & SET_MASK
    elif len(noted) > _NOTED:
        card, target = kernel.move_parts(state, tables, move)
        if stage == layout.PLAY:
            noted[PLAYED + MAX_CARDS * decider + card] += 1
        elif (card >= 0 or target >= 0) and state[layout.DECK] >> _GOING == 0:
            # Further cards that go under the deck belong to the same use (2).
            noted[USED + MAX_CARDS * decider + (state[layout.FLOW] >> _OFFERED & _CARD_MASK)] += 1
