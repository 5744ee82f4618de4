"""Between positions of the reference and the words and arrays of the wave's kernel."""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum

import numpy as np
import numpy.typing as npt

from engine.bits import get, put
from engine.ophidian.judging import WAVE_END_FACTS
from engine.ophidian.reference import Fighter, Kind, Move, Phase, State
from engine.ophidian.rules_schema import MAX_TEAM
from engine.ophidian.wave_layout import (
    ADVANCE_CODE,
    ATTACK,
    CHEER,
    DEFENCE,
    FIELD,
    FIT_CHEER,
    FIT_CHEERS,
    FIT_PLACE,
    FIT_STARTER,
    FIT_WOUNDS,
    FITTED,
    GRID,
    LAST_WAVE,
    LIFE,
    LOWEST,
    MOVER,
    PASS_CODE,
    PASSES,
    POINT_WORTH,
    POINTS,
    RAGE,
    RAGE_DAMAGE,
    RESULT_WORTH,
    RETREAT_CODE,
    RIOT,
    SET,
    SHIELD,
    SPAN,
    STAND_IN_DEFENDS,
    TABLE_WORDS,
    WINNING_POINTS,
    WOUND_WORTH,
    WOUNDS,
)

IntArray = npt.NDArray[np.int64]
_THOUSANDTHS = 1000


class Objective(IntEnum):
    """What is made large: each adds to the ones before what decides between equals (W5)."""

    RESULT = 0
    POINTS = 1
    WOUNDS = 2
    MATCH = 3
    """The fitted chance to win the match, in parts of a win (`GRID`); it stands alone."""


def scales(objective: Objective) -> tuple[int, ...]:
    """What a win, a point and a wound count; only those that the objective looks at."""
    if objective == Objective.MATCH:
        return (1,)
    return tuple(SPAN**power for power in range(objective, -1, -1))


def lowest_value(objective: Objective) -> int:
    """Below this no value lies."""
    if objective == Objective.MATCH:
        return -GRID
    result, *others = scales(objective)
    return -result - SPAN // 2 * sum(others)


def highest_value(objective: Objective) -> int:
    """Above this no value lies."""
    if objective == Objective.MATCH:
        return GRID
    result, *others = scales(objective)
    return result + (SPAN // 2 - 1) * sum(others)


def wave_tables(state: State, objective: Objective, weights: Sequence[float] | None = None) -> IntArray:
    """Return what the kernel has to know of the teams of a position, [TABLE_WORDS] int64.

    `weights` of `judging.WAVE_END_FACTS` are for the objective `MATCH`, and only for it.
    """
    rules, tables = state.rules, np.zeros(TABLE_WORDS, np.int64)
    for player, team in enumerate(state.teams):
        for index, fighter in enumerate(team):
            rule, place = rules.gladiators[fighter.gladiator], MAX_TEAM * player + index
            tables[POINTS + place] = rule.points
            for offset, values in (
                (LIFE, rule.life),
                (RAGE, rule.rage),
                (ATTACK, rule.attack),
                (DEFENCE, rule.defence),
                (SHIELD, rule.shield),
            ):
                tables[offset + place] = values[fighter.level]
    tables[STAND_IN_DEFENDS] = rules.combat.stand_in_defends
    tables[RAGE_DAMAGE] = rules.combat.rage_damage
    tables[RIOT] = rules.match.riot
    tables[WINNING_POINTS] = rules.match.winning_points
    tables[LAST_WAVE] = state.wave >= rules.match.waves
    tables[LOWEST] = lowest_value(objective)
    if weights is not None:
        _put_fitted(tables, state, weights)
        return tables
    for column, worth in zip((RESULT_WORTH, POINT_WORTH, WOUND_WORTH), scales(objective), strict=False):
        tables[column] = worth
    return tables


def _put_fitted(tables: IntArray, state: State, weights: Sequence[float]) -> None:
    """Write what each end of the wave is estimated to be worth. Modified in place: `tables`."""
    rules = state.rules
    weight = dict(zip(WAVE_END_FACTS, weights, strict=True))
    tables[RESULT_WORTH] = GRID
    # After the last wave of all the match is over, whoever is ahead.
    tables[FITTED] = state.wave < rules.match.waves + rules.match.extra_waves
    for player, team in enumerate(state.teams):
        sign = 1 - 2 * player
        for index, fighter in enumerate(team):
            rule, place = rules.gladiators[fighter.gladiator], MAX_TEAM * player + index
            life, rage = rule.life[fighter.level], rule.rage[fighter.level]
            for wounds in range(life):
                worth = weight["life"] * rule.points * (life - wounds) / life
                worth += weight["levels"] * (fighter.level + 1) + weight["raging"] * (wounds >= rage)
                tables[FIT_PLACE + place * FIT_WOUNDS + wounds] = round(sign * worth * _THOUSANDTHS)
            lost = rule.points * (weight["points"] + weight["points_by_wave"] * state.wave)
            tables[FIT_PLACE + place * FIT_WOUNDS + life] = round(-sign * lost * _THOUSANDTHS)
    for cheer in range(FIT_CHEERS):
        worth = weight["cheer"] * cheer + weight["cheer_squared"] * cheer**2 / rules.match.riot
        tables[FIT_CHEER + cheer] = round(worth * _THOUSANDTHS)
    tables[FIT_STARTER] = round(weight["starter"] * _THOUSANDTHS)


def encode(state: State) -> int:
    """Return the word of a position at an action."""
    assert state.phase == Phase.ACT
    word = put(MOVER, state.turn) | put(PASSES, state.passes)
    for player, team in enumerate(state.teams):
        word |= put(CHEER, state.cheer[player], player)
        for index, fighter in enumerate(team):
            place = MAX_TEAM * player + index
            word |= put(WOUNDS, fighter.wounds, place)
            word |= put(FIELD, fighter.field, place) | put(SET, int(fighter.is_set), place)
    return word


def decode(word: int, like: State) -> State:
    """Return the position of a word, in a wave and with teams like those of another position."""
    mover, passes = get(word, MOVER), get(word, PASSES)

    def fighter(old: Fighter, place: int) -> Fighter:
        wounds, field = get(word, WOUNDS, place), get(word, FIELD, place)
        return Fighter(old.gladiator, old.level, wounds, field, bool(get(word, SET, place)))

    first, second = (
        tuple(fighter(old, MAX_TEAM * player + index) for index, old in enumerate(team))
        for player, team in enumerate(like.teams)
    )
    cheer = get(word, CHEER, 0), get(word, CHEER, 1)
    return State(like.rules, (first, second), cheer, mover, mover, passes, like.wave, Phase.ACT)


def action_of(code: int) -> Move:
    """Return the action that a code stands for."""
    if code == PASS_CODE:
        return Move(Kind.PASS)
    if code >= RETREAT_CODE:
        return Move(Kind.RETREAT, code - RETREAT_CODE)
    if code >= ADVANCE_CODE:
        return Move(Kind.ADVANCE, code - ADVANCE_CODE)
    return Move(Kind.ATTACK, *divmod(code, MAX_TEAM))
