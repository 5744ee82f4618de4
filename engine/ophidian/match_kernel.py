"""A whole match without cards, of one or two gladiators a side, compiled: waves, and what lies between them.

Within a wave the actions are those of `engine.ophidian.wave_kernel`. A die after a full tie (B1) is no chance
here: the favoured player chooses instead. So with each of them favoured in turn two values enclose the true
one.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from engine.jit import kernel_njit
from engine.ophidian.match_layout import (
    ACT,
    CHEER,
    EXTRA_WAVES,
    FAVOURED,
    FIELD,
    HEALS,
    LEVEL,
    MATCH_TEAM,
    NUM_FIGHTERS,
    NUM_STATS,
    PASSES,
    PHASE,
    PLACE,
    PLACE_CODE,
    PROMOTE,
    PROMOTE_CODE,
    PROMOTIONS,
    SET,
    STARTER,
    STATS,
    TIE,
    TIE_CODE,
    WAVE,
    WAVES,
    WOUNDS,
)
from engine.ophidian.rules import NUM_LEVELS
from engine.ophidian.rules_schema import MAX_TEAM
from engine.ophidian.wave_kernel import expand_wave, more_points, packed_wave
from engine.ophidian.wave_layout import CHEER as WAVE_CHEER
from engine.ophidian.wave_layout import LIFE, LOWEST, PLACES, RESULT_WORTH, TABLE_WORDS
from engine.ophidian.wave_layout import WORK_WORDS as WAVE_WORK
from engine.ophidian.wave_layout import WOUNDS as WAVE_WOUNDS

IntArray = npt.NDArray[np.int64]

_PHASE_AT, _STARTER_AT, _PASSES_AT, _WAVE_AT = PHASE.offset, STARTER.offset, PASSES.offset, WAVE.offset
_WAVE_MASK, _CHEER_AT, _CHEER_MASK = WAVE.mask, CHEER.offset, (1 << 2 * CHEER.width) - 1
_AT, _STRIDE, _WOUND_MASK = WOUNDS.offset, WOUNDS.stride, WOUNDS.mask
_FIELD_BIT, _SET_BIT, _LEVEL_BIT = (each.offset - WOUNDS.offset for each in (FIELD, SET, LEVEL))
_BODY_MASK = (1 << LEVEL.offset - WOUNDS.offset) - 1
"""Of a fighter's bits those that a wave changes: the same as in a wave's word."""
_WAVE_CHEER_AT, _WAVE_FIRST, _WAVE_STRIDE = WAVE_CHEER.offset, WAVE_WOUNDS.offset, WAVE_WOUNDS.stride
# Scratch of the wave, then the level of each place, then the wave's numbers at these levels.
_W, _F, _S = 0, PLACES, 2 * PLACES
_LEVELS = WAVE_WORK
_NUMBERS = WAVE_WORK + PLACES


@kernel_njit
def _place_of(fighter: int) -> int:
    return fighter if fighter < MATCH_TEAM else fighter + MAX_TEAM - MATCH_TEAM


@kernel_njit
def _unpack_match(tables: IntArray, state: int, work: IntArray) -> None:
    """Fill in the scratch: bodies, levels, and the numbers at these levels."""
    for word in range(TABLE_WORDS):
        work[_NUMBERS + word] = tables[word]
    for place in range(PLACES):
        work[_W + place] = 0
        work[_F + place] = 0
        work[_S + place] = 0
        work[_LEVELS + place] = 0
    for fighter in range(NUM_FIGHTERS):
        place, bits = _place_of(fighter), state >> (_AT + _STRIDE * fighter)
        level = bits >> _LEVEL_BIT & 3
        work[_W + place] = bits & _WOUND_MASK
        work[_F + place] = bits >> _FIELD_BIT & 1
        work[_S + place] = bits >> _SET_BIT & 1
        work[_LEVELS + place] = level
        for stat in range(NUM_STATS):
            value = tables[STATS + (stat * PLACES + place) * NUM_LEVELS + level]
            work[_NUMBERS + LIFE + stat * PLACES + place] = value


@kernel_njit
def _packed_match(work: IntArray, phase: int, mover: int, starter: int, wave: int, cheer: int) -> int:
    state = mover | phase << _PHASE_AT | starter << _STARTER_AT | wave << _WAVE_AT | cheer << _CHEER_AT
    for fighter in range(NUM_FIGHTERS):
        place = _place_of(fighter)
        bits = work[_W + place] | work[_F + place] << _FIELD_BIT | work[_S + place] << _SET_BIT
        state |= (bits | work[_LEVELS + place] << _LEVEL_BIT) << (_AT + _STRIDE * fighter)
    return state


@kernel_njit
def _from_wave(work: IntArray, word: int, wave: int) -> int:
    """The match's word of a wave's, at the levels of the scratch."""
    state = (word & 1) | (word >> 1 & 1) << _PASSES_AT | wave << _WAVE_AT
    state |= (word >> _WAVE_CHEER_AT & _CHEER_MASK) << _CHEER_AT
    for fighter in range(NUM_FIGHTERS):
        place = _place_of(fighter)
        bits = word >> (_WAVE_FIRST + _WAVE_STRIDE * place) & _BODY_MASK
        state |= (bits | work[_LEVELS + place] << _LEVEL_BIT) << (_AT + _STRIDE * fighter)
    return state


@kernel_njit
def _is_alive(work: IntArray, place: int) -> bool:
    return bool(work[_W + place] < work[_NUMBERS + LIFE + place])


@kernel_njit
def _unset(work: IntArray) -> None:
    """All that are left are unset (B2)."""
    for place in range(PLACES):
        if _is_alive(work, place):
            work[_S + place] = 0


@kernel_njit
def _after_wave(tables: IntArray, work: IntArray, wave: int, cheer: int) -> int:
    """What follows the last pass: the end of the match (W3), or who begins the next wave (B1, B2)."""
    numbers = work[_NUMBERS:]
    ahead = more_points(numbers, work)
    last = tables[WAVES]
    if wave >= last and (ahead != 0 or wave >= last + tables[EXTRA_WAVES]):
        return int(tables[LOWEST] - 1 - ahead * tables[RESULT_WORTH])
    hurt_0, hurt_1 = 0, 0
    for place in range(PLACES):
        if place < MAX_TEAM:
            hurt_0 += work[_W + place]
        else:
            hurt_1 += work[_W + place]
    first = hurt_0 * 16 + (cheer & 15)
    second = hurt_1 * 16 + (cheer >> 4)
    if first == second:
        return _packed_match(work, TIE, tables[FAVOURED], 0, wave + 1, cheer)
    _unset(work)
    starter = int(second > first)
    return _packed_match(work, PROMOTE, starter, starter, wave + 1, cheer)


@kernel_njit
def _act(
    tables: IntArray, state: int, work: IntArray, starts: IntArray, targets: IntArray, codes: IntArray
) -> int:
    """The actions of a wave, and what they lead to in the match."""
    wave, passes = state >> _WAVE_AT & _WAVE_MASK, state >> _PASSES_AT & 1
    cheer = state >> _CHEER_AT & _CHEER_MASK
    word = packed_wave(work, state & 1, passes, cheer & 15, cheer >> 4)
    count = expand_wave(work[_NUMBERS:], word, work, starts, targets, codes)
    for outcome in range(starts[count]):
        if targets[outcome] >= 0:
            targets[outcome] = _from_wave(work, targets[outcome], wave)
    if passes:
        # The last action is the pass.
        targets[starts[count - 1]] = _after_wave(tables, work, wave, cheer)
    return count


@kernel_njit
def _prepare(
    tables: IntArray, state: int, work: IntArray, starts: IntArray, targets: IntArray, codes: IntArray
) -> int:
    """Promotions (B4) or placements (T5, B5) of whoever's turn it is."""
    mover, phase = state & 1, state >> _PHASE_AT & 3
    starter, wave = state >> _STARTER_AT & 1, state >> _WAVE_AT & _WAVE_MASK
    cheer = state >> _CHEER_AT & _CHEER_MASK
    own = MAX_TEAM * mover
    if mover == starter:
        next_mover, next_phase = 1 - mover, phase
    else:
        next_mover, next_phase = starter, PLACE if phase == PROMOTE else ACT
    count = 0
    for chosen in range((1 << MATCH_TEAM) - 1, -1, -1):
        possible, size = True, 0
        for index in range(MATCH_TEAM):
            if chosen >> index & 1:
                size += 1
                at_top = phase == PROMOTE and work[_LEVELS + own + index] == NUM_LEVELS - 1
                possible = possible and _is_alive(work, own + index) and not at_top
        if not possible or (phase == PROMOTE and size > tables[PROMOTIONS]):
            continue
        for index in range(MATCH_TEAM):
            place = own + index
            if phase == PLACE and _is_alive(work, place):
                work[_F + place] = chosen >> index & 1
            elif phase == PROMOTE and chosen >> index & 1:
                work[_LEVELS + place] += 1
                work[_W + place] = max(0, work[_W + place] - tables[HEALS])
        begins = 0 if next_phase == ACT else starter
        targets[count] = _packed_match(work, next_phase, next_mover, begins, wave, cheer)
        codes[count] = (PROMOTE_CODE if phase == PROMOTE else PLACE_CODE) + chosen
        count += 1
        starts[count] = count
        _unpack_match(tables, state, work)
    return count


@kernel_njit
def expand_match(
    tables: IntArray, state: int, work: IntArray, starts: IntArray, targets: IntArray, codes: IntArray
) -> int:
    """Write what can be done in a position and what comes of it; returns how many actions there are.

    Parameters
    ----------
    tables : [MATCH_WORDS] int64
        See `engine.ophidian.match_layout`.
    state : the position.
    work : [WORK_WORDS] int64
        Scratch.
    starts : [MAX_ACTIONS + 1] int64, targets : [MAX_OUTCOMES] int64, codes : [MAX_ACTIONS] int64
        Modified in place, as by `expand_wave`; an end is worth 1, 0 or -1.
    """
    _unpack_match(tables, state, work)
    starts[0] = 0
    phase = state >> _PHASE_AT & 3
    if phase == ACT:
        return _act(tables, state, work, starts, targets, codes)
    if phase != TIE:
        return _prepare(tables, state, work, starts, targets, codes)
    wave, cheer = state >> _WAVE_AT & _WAVE_MASK, state >> _CHEER_AT & _CHEER_MASK
    _unset(work)
    for player in range(2):
        following = PLACE if wave == 1 else PROMOTE
        targets[player] = _packed_match(work, following, player, player, wave, cheer)
        codes[player] = TIE_CODE + player
        starts[player + 1] = player + 1
    return 2
