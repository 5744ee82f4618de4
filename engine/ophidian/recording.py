"""What match play notes of a match: waves, who is ahead when, how it ends, and cards that are played.

The words: `WAVE`, the wave it is; `ENDING`, 1 + an index of `ENDINGS`; `LEADS` + w, points of the first seat
less those of the second at the end of wave w. Who asks for `NUM_USES` words also gets how often each card was
played, `USES` + `MAX_CARDS` * seat + card, and how often each gladiator acted, `ACTED` + `MAX_GLADIATORS` *
seat + gladiator.
"""

from __future__ import annotations

from engine.jit import kernel_njit
from engine.ophidian import kernel, layout
from engine.ophidian.kernel_round import any_alive
from engine.ophidian.kernel_state import Words, fighter_at, points
from engine.ophidian.reference_state import Kind
from engine.ophidian.rules_schema import MAX_CARDS, MAX_GLADIATORS
from engine.ophidian.trying import MOVE_AT

WAVE, ENDING, LEADS = 0, 1, 2
MOST_WAVES = 8
"""Six and two further ones."""
NUM_NOTED = USES = LEADS + MOST_WAVES + 1
ACTED = USES + 2 * MAX_CARDS
NUM_USES = ACTED + 2 * MAX_GLADIATORS
ENDINGS = ("beaten", "riot", "points", "empty deck", "waves")

_BEATEN, _RIOTED, _SCORED, _BROKEN, _PLAYED_OUT = range(1, len(ENDINGS) + 1)

_NOTED = NUM_NOTED
_PLAY, _REPLY = int(Kind.PLAY), int(Kind.REPLY)
_ATTACK, _ABILITY, _REACT = int(Kind.ATTACK), int(Kind.ABILITY), int(Kind.REACT)


@kernel_njit
def _ended(tables: Words, state: Words) -> int:
    """How a match has ended (W1-W4)."""
    if not any_alive(state, tables, 0) or not any_alive(state, tables, 1):
        return _BEATEN
    if max(state[layout.CHEER], state[layout.CHEER + 1]) >= tables[layout.RULE_RIOT]:
        return _RIOTED
    if max(points(state, tables, 0), points(state, tables, 1)) >= tables[layout.RULE_WINNING_POINTS]:
        return _SCORED
    return _BROKEN if state[layout.BROKE] else _PLAYED_OUT


@kernel_njit
def record(tables: Words, state: Words, work: Words, decider: int, move: int, noted: Words) -> None:
    """Note what a move, outcome or end is to the match. Modified in place: `noted`, and scratch."""
    if state[layout.WAVE] != noted[WAVE]:
        if noted[WAVE] > 0:
            noted[LEADS + noted[WAVE]] = points(state, tables, 0) - points(state, tables, 1)
        noted[WAVE] = state[layout.WAVE]
    if move < 0:
        noted[ENDING] = _ended(tables, state)
    if decider < 0 or len(noted) <= _NOTED:
        return
    written = work[MOVE_AT : MOVE_AT + layout.MOVE_WORDS]
    kernel.get_move(state, tables, move, written)
    kind = written[layout.MOVE_KIND]
    if kind in (_PLAY, _REPLY):
        noted[USES + MAX_CARDS * decider + written[layout.MOVE_CARD]] += 1
    elif kind in (_ATTACK, _ABILITY, _REACT):
        gladiator = state[fighter_at(decider, written[layout.MOVE_WHO]) + layout.GLADIATOR] - 1
        if gladiator >= 0:
            noted[ACTED + MAX_GLADIATORS * decider + gladiator] += 1
