"""What match play notes of a match: the turn it is, and which cards are played.

The first word is the turn. Who asks for `NUM_USES` words also gets how often each hero has played each card,
`USES` + `MAX_CARDS` * seat + card.
"""

from __future__ import annotations

from engine.jit import kernel_njit
from engine.warage import layout
from engine.warage.kernel_moves import BUY, FLASH, MOVE_WORDS
from engine.warage.kernel_state import Words
from engine.warage.rules_schema import MAX_CARDS, MAX_PLAYERS

TURN = 0
NUM_NOTED = USES = 1
NUM_USES = USES + MAX_PLAYERS * MAX_CARDS
_MOVES = layout.NUM_WORDS + 1
"""The moves of a state of `sampling`, which this module cannot import."""
_NOTED = NUM_NOTED


@kernel_njit
def record(tables: Words, state: Words, work: Words, decider: int, move: int, noted: Words) -> None:
    """Note the turn, and a card that leaves the hand for the table. Modified in place: `noted`."""
    noted[TURN] = state[layout.TURN]
    if len(noted) > _NOTED and decider >= 0 and state[layout.NUM_WORDS] > 0:
        first = _MOVES + move * MOVE_WORDS
        if state[first] == BUY or state[first] == FLASH:
            noted[USES + MAX_CARDS * decider + state[first + 2]] += 1
