"""A wave without cards, compiled: the actions of a position, and what the opponent's answers make of each.

An attack is answered by who stands in, and then by a roar; a roar answers an advance as well. These answers
are outcomes of the action, so that positions are those at actions only. The rules are those of
`engine.ophidian.reference`.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from engine.jit import kernel_njit
from engine.ophidian.wave_layout import (
    ADVANCE_CODE,
    AGAIN,
    AGAIN_AT,
    ATTACK,
    ATTACK_CODE,
    CHEER,
    DEFENCE,
    FIELD,
    FIT_CHEER,
    FIT_PLACE,
    FIT_STARTER,
    FIT_WOUNDS,
    FITTED,
    GRID,
    LAST_WAVE,
    LIFE,
    LOWEST,
    PASS_CODE,
    PLACES,
    POINT_WORTH,
    POINTS,
    RAGE,
    RAGE_DAMAGE,
    RESULT_WORTH,
    RETREAT_CODE,
    RIOT,
    SET,
    SHIELD,
    STAND_IN_DEFENDS,
    WINNING_POINTS,
    WOUND_WORTH,
    WOUNDS,
)

IntArray = npt.NDArray[np.int64]

_TEAM = PLACES // 2
_CHEER_AT, _CHEER_STRIDE, _CHEER_MASK = CHEER.offset, CHEER.stride, CHEER.mask
_AT, _STRIDE, _WOUND_MASK = WOUNDS.offset, WOUNDS.stride, WOUNDS.mask
_FIELD_BIT, _SET_BIT = FIELD.offset - WOUNDS.offset, SET.offset - WOUNDS.offset

# Scratch: wounds, fields and set of the eight fighters.
_W, _F, _S = 0, PLACES, 2 * PLACES


@kernel_njit
def _unpack(state: int, work: IntArray) -> None:
    for place in range(PLACES):
        bits = state >> (_AT + _STRIDE * place)
        work[_W + place] = bits & _WOUND_MASK
        work[_F + place] = bits >> _FIELD_BIT & 1
        work[_S + place] = bits >> _SET_BIT & 1


@kernel_njit
def packed_wave(work: IntArray, mover: int, passes: int, cheer_0: int, cheer_1: int) -> int:
    """The word of the position in the scratch."""
    state = mover | passes << 1 | cheer_0 << _CHEER_AT | cheer_1 << (_CHEER_AT + _CHEER_STRIDE)
    for place in range(PLACES):
        bits = work[_W + place] | work[_F + place] << _FIELD_BIT | work[_S + place] << _SET_BIT
        state |= bits << (_AT + _STRIDE * place)
    return state


@kernel_njit
def _worth(tables: IntArray, work: IntArray, result: int) -> int:
    """An end as a target: the result, then the difference of points, then that of wounds (W5)."""
    points, wounds = 0, 0
    for place in range(PLACES):
        sign = 1 if place >= _TEAM else -1
        wounds += sign * work[_W + place]
        if work[_W + place] >= tables[LIFE + place]:
            points += sign * tables[POINTS + place]
    value = result * tables[RESULT_WORTH] + points * tables[POINT_WORTH] + wounds * tables[WOUND_WORTH]
    return int(tables[LOWEST] - 1 - value)


@kernel_njit
def _scored(tables: IntArray, work: IntArray, player: int) -> int:
    """Points that a player has for the opponent's destroyed fighters (R3)."""
    total = 0
    for place in range(_TEAM * (1 - player), _TEAM * (2 - player)):
        if work[_W + place] >= tables[LIFE + place]:
            total += tables[POINTS + place]
    return total


@kernel_njit
def more_points(tables: IntArray, work: IntArray) -> int:
    """1, 0 or -1: whether player 0 has more points, as many, or fewer."""
    mine, theirs = _scored(tables, work, 0), _scored(tables, work, 1)
    return int(mine > theirs) - int(mine < theirs)


@kernel_njit
def _result(tables: IntArray, work: IntArray, cheer_0: int, cheer_1: int) -> int:
    """1, 0 or -1 if the match has ended (W1-W3) with player 0's win, a draw or a loss; 2 if it goes on."""
    alive_0, alive_1 = False, False
    for place in range(PLACES):
        if work[_W + place] < tables[LIFE + place]:
            if place < _TEAM:
                alive_0 = True
            else:
                alive_1 = True
    if not (alive_0 and alive_1):
        return int(alive_0) - int(alive_1) if alive_0 or alive_1 else more_points(tables, work)
    if cheer_0 >= tables[RIOT]:
        return 1
    if cheer_1 >= tables[RIOT]:
        return -1
    if max(_scored(tables, work, 0), _scored(tables, work, 1)) >= tables[WINNING_POINTS]:
        return more_points(tables, work)
    return 2


@kernel_njit
def _roars(work: IntArray, mover: int, cheer_0: int, cheer_1: int, count: int, targets: IntArray) -> int:
    """Write what follows a positive action, with a roar if there is cheer for one (M4); the new count."""
    against = cheer_0 if mover else cheer_1
    if against > 0:
        left_0, left_1 = cheer_0 - mover, cheer_1 - (1 - mover)
        targets[count] = packed_wave(work, 1 - mover, 0, left_0, left_1)
        count += 1
    targets[count] = packed_wave(work, mover, 0, cheer_0, cheer_1)
    return count + 1


@kernel_njit
def _wound(tables: IntArray, work: IntArray, place: int, damage: int) -> None:
    """Add wounds; who has as many as life is destroyed and stands nowhere (R3)."""
    life = tables[LIFE + place]
    work[_W + place] = min(life, work[_W + place] + damage)
    if work[_W + place] == life:
        work[_F + place] = 0
        work[_S + place] = 1


@kernel_njit
def _attack(
    tables: IntArray,
    state: int,
    work: IntArray,
    who: int,
    target: int,
    cheers: tuple[int, int],
    count: int,
    targets: IntArray,
) -> int:
    """Write all outcomes of an attack (A2-A6, R2), those with a stand-in first; returns the new count."""
    mover = state & 1
    raging = work[_W + target] >= tables[RAGE + target]
    target_field, target_set = work[_F + target], work[_S + target]
    base = _TEAM * (1 - mover)
    for step in range(_TEAM + 1):
        # Last comes the target itself.
        hit = base + step if step < _TEAM else target
        direct = step == _TEAM
        if not direct:
            standing = hit != target and work[_W + hit] < tables[LIFE + hit] and work[_S + hit] == 0
            if not standing or (work[_F + hit] != target_field and work[_F + hit] == 0):
                continue
        intercepts = not direct and work[_F + hit] == target_field
        back = tables[DEFENCE + hit] if direct or tables[STAND_IN_DEFENDS] else 0
        if direct and raging and target_set == 0:
            back += tables[RAGE_DAMAGE]
        work[_S + who] = 1
        if intercepts:
            work[_S + hit] = 1
        _wound(tables, work, hit, max(0, tables[ATTACK + who] - tables[SHIELD + hit]))
        _wound(tables, work, who, back)
        if direct and raging and target_set == 1 and work[_W + hit] < tables[LIFE + hit]:
            work[_S + hit] = 0
        cheerer = 1 - mover if intercepts else mover
        cheer_0, cheer_1 = cheers[0] + 1 - cheerer, cheers[1] + cheerer
        result = _result(tables, work, cheer_0, cheer_1)
        if result < 2:
            targets[count] = _worth(tables, work, result)
            count += 1
        else:
            count = _roars(work, mover, cheer_0, cheer_1, count, targets)
        _unpack(state, work)
    return count


@kernel_njit
def fitted_value(tables: IntArray, work: IntArray, cheer_0: int, cheer_1: int) -> int:
    """What the end of the wave in the scratch is estimated to be worth, in parts of a win (`GRID`)."""
    score, hurt_0, hurt_1 = tables[FIT_CHEER + cheer_0] - tables[FIT_CHEER + cheer_1], 0, 0
    for place in range(PLACES):
        score += tables[FIT_PLACE + place * FIT_WOUNDS + work[_W + place]]
        if place < _TEAM:
            hurt_0 += work[_W + place]
        else:
            hurt_1 += work[_W + place]
    # Who is hurt more begins the next wave, then who has more cheer (B1).
    first, second = hurt_0 * 16 + cheer_0, hurt_1 * 16 + cheer_1
    if first != second:
        score += tables[FIT_STARTER] if first > second else -tables[FIT_STARTER]
    value = int(np.rint(GRID * np.tanh(score / 2000.0)))
    return min(max(value, 1 - GRID), GRID - 1)


@kernel_njit
def expand_wave(
    tables: IntArray, state: int, work: IntArray, starts: IntArray, targets: IntArray, codes: IntArray
) -> int:
    """Write the actions of a position and their outcomes; returns how many actions there are.

    Parameters
    ----------
    tables : [TABLE_WORDS] int64
        See `engine.ophidian.wave_layout`.
    state : the position.
    work : [WORK_WORDS] int64
        Scratch.
    starts : [MAX_ACTIONS + 1] int64, targets : [MAX_OUTCOMES] int64, codes : [MAX_ACTIONS] int64
        Modified in place. Action a has the outcomes `starts[a] .. starts[a + 1] - 1`: a position, or below 0
        an end, `tables[LOWEST] - 1 - value`.
    """
    mover, passes = state & 1, state >> 1 & 1
    cheer_0 = state >> _CHEER_AT & _CHEER_MASK
    cheer_1 = state >> (_CHEER_AT + _CHEER_STRIDE) & _CHEER_MASK
    _unpack(state, work)
    own, other = _TEAM * mover, _TEAM * (1 - mover)
    actions, count = 0, 0
    starts[0] = 0
    for who in range(own, own + _TEAM):
        if work[_W + who] >= tables[LIFE + who] or work[_F + who] == 0 or work[_S + who] == 1:
            continue
        for target in range(other, other + _TEAM):
            if work[_W + target] >= tables[LIFE + target]:
                continue
            count = _attack(tables, state, work, who, target, (cheer_0, cheer_1), count, targets)
            codes[actions] = ATTACK_CODE + _TEAM * (who - own) + target - other
            actions += 1
            starts[actions] = count
    for who in range(own, own + _TEAM):
        if work[_W + who] >= tables[LIFE + who]:
            continue
        if work[_F + who] == 0 and work[_S + who] == 0:
            work[_F + who] = 1
            count = _roars(work, mover, cheer_0, cheer_1, count, targets)
            work[_F + who] = 0
            codes[actions] = ADVANCE_CODE + who - own
        elif work[_F + who] == 1:
            was_set = work[_S + who]
            work[_F + who] = 0
            work[_S + who] = 1
            targets[count] = packed_wave(work, 1 - mover, 0, cheer_0, cheer_1)
            count += 1
            work[_F + who] = 1
            work[_S + who] = was_set
            codes[actions] = RETREAT_CODE + who - own
        else:
            continue
        actions += 1
        starts[actions] = count
    if passes or tables[AGAIN]:
        result = more_points(tables, work) if tables[LAST_WAVE] else 0
        if tables[FITTED] and result == 0:
            end = tables[LOWEST] - 1 - fitted_value(tables, work, cheer_0, cheer_1)
        else:
            end = _worth(tables, work, result)
        targets[count] = end
        if tables[AGAIN]:
            work[AGAIN_AT] = end
    if not passes:
        targets[count] = packed_wave(work, 1 - mover, 1, cheer_0, cheer_1)
    codes[actions] = PASS_CODE
    starts[actions + 1] = count + 1
    return actions + 1
