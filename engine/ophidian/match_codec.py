"""Between matches of the reference and the words and arrays of the match's kernel."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from engine.bits import put
from engine.ophidian.match_layout import (
    ACT,
    CHEER,
    EXTRA_WAVES,
    FAVOURED,
    FIELD,
    HEALS,
    LAST_WAVE_NUMBER,
    LEVEL,
    MATCH_TEAM,
    MATCH_WORDS,
    MOVER,
    PASSES,
    PHASE,
    PLACE,
    PROMOTE,
    PROMOTIONS,
    SET,
    STARTER,
    STATS,
    TIE,
    WAVE,
    WAVES,
    WOUNDS,
)
from engine.ophidian.reference import Fighter, Phase, State
from engine.ophidian.rules import NUM_LEVELS, Rules
from engine.ophidian.rules_schema import MAX_TEAM
from engine.ophidian.wave_codec import IntArray, Objective, wave_tables
from engine.ophidian.wave_layout import LAST_WAVE, PLACES

PHASES = {Phase.ACT: ACT, Phase.DIE: TIE, Phase.PROMOTE: PROMOTE, Phase.PLACE: PLACE}


def match_tables(rules: Rules, teams: Sequence[Sequence[int]], favoured: int) -> IntArray:
    """Return what the kernel has to know of a match, [MATCH_WORDS] int64; `favoured` chooses after full ties.

    Raises ValueError for teams or matches that do not fit.
    """
    if max(map(len, teams)) > MATCH_TEAM:
        raise ValueError(f"whole matches have at most {MATCH_TEAM} gladiators a side")
    if rules.match.waves + rules.match.extra_waves > LAST_WAVE_NUMBER:
        raise ValueError(f"whole matches have at most {LAST_WAVE_NUMBER} waves")
    first, second = (tuple(map(Fighter, team)) for team in teams)
    tables = np.zeros(MATCH_WORDS, np.int64)
    wave = wave_tables(State(rules, (first, second)), Objective.RESULT)
    tables[: len(wave)] = wave
    tables[LAST_WAVE] = 0
    for player, team in enumerate(teams):
        for index, gladiator in enumerate(team):
            rule = rules.gladiators[gladiator]
            for stat, values in enumerate((rule.life, rule.rage, rule.attack, rule.defence, rule.shield)):
                begin = STATS + (stat * PLACES + MAX_TEAM * player + index) * NUM_LEVELS
                tables[begin : begin + NUM_LEVELS] = values
    tables[WAVES], tables[EXTRA_WAVES] = rules.match.waves, rules.match.extra_waves
    tables[PROMOTIONS], tables[HEALS] = rules.match.promotions, rules.match.promotion_heals
    tables[FAVOURED] = favoured
    return tables


def encode_match(state: State, favoured: int) -> int:
    """Return the word of a position at an action, a die, promotions or placements."""
    mover = favoured if state.phase == Phase.DIE else state.turn
    word = put(MOVER, mover) | put(PHASE, PHASES[state.phase]) | put(WAVE, state.wave)
    if state.phase == Phase.ACT:
        word |= put(PASSES, state.passes)
    elif state.phase != Phase.DIE:
        word |= put(STARTER, state.momentum)
    for player, team in enumerate(state.teams):
        word |= put(CHEER, state.cheer[player], player)
        for index, fighter in enumerate(team):
            place = MATCH_TEAM * player + index
            word |= put(WOUNDS, fighter.wounds, place) | put(LEVEL, fighter.level, place)
            word |= put(FIELD, fighter.field, place) | put(SET, int(fighter.is_set), place)
    return word
