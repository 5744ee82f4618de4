"""Trying a move: what of the scratch of sampling calls it uses, and how play goes on if nobody answers."""

from __future__ import annotations

from engine.jit import kernel_njit
from engine.ophidian import kernel, layout
from engine.ophidian.kernel_plays import DECLINE, QUIET, TAKE, put_move
from engine.ophidian.kernel_state import Words
from engine.ophidian.reference_state import Phase

MOVE_AT, WEIGHTS_AT = 2, 2 + layout.MOVE_WORDS
"""In the scratch: what `observe` left, a move, weights of chance, and a state to try moves in."""
TRIED_AT = WEIGHTS_AT + kernel.MAX_OUTCOMES
WORK_WORDS = TRIED_AT + layout.NUM_WORDS

PENDING_AT = layout.NUM_WORDS + 1
"""In a state of a game that waits: a move that is made and not carried out yet, one higher; else 0."""
STOOD_IN, ROARED = 1, 2
"""Bits of what `unanswered` passes by: somebody might have stood in, or roared."""

_STAND_IN, _RESPOND, _ROAR = int(Phase.STAND_IN), int(Phase.RESPOND), int(Phase.ROAR)
_MIGHT_STAND_IN, _MIGHT_ROAR = STOOD_IN, ROARED


@kernel_njit
def unanswered(words: Words, tables: Words, move: Words) -> int:
    """Nobody stands in, responds or roars; returns which of the first and the last there was a chance for.

    Modified in place: all but `tables`.
    """
    passed_by = 0
    while True:
        phase = words[layout.PHASE]
        if phase == _STAND_IN:
            passed_by |= _MIGHT_STAND_IN
            put_move(move, TAKE, -1, -1, -1, -1, 0)
        elif phase == _RESPOND:
            put_move(move, DECLINE, -1, -1, -1, -1, 0)
        elif phase == _ROAR:
            passed_by |= _MIGHT_ROAR
            put_move(move, QUIET, -1, -1, -1, -1, 0)
        else:
            return passed_by
        kernel.carry_out_move(words, tables, move)
