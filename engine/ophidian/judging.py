"""What a position looks like to be worth: an estimate, never more.

Points, life that is left, levels, cheer, cards. The weights are set by hand. To the facts of the end of a
wave (`WAVE_END_FACTS`) others are fitted elsewhere; a search by those played no better.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engine.jit import kernel_njit
from engine.ophidian import layout
from engine.ophidian.kernel import winner
from engine.ophidian.kernel_rules import KernelRules
from engine.ophidian.kernel_state import (
    ATTACK,
    LIFE,
    RAGE,
    Words,
    body_of,
    fighter_at,
    is_alive,
    is_gladiator,
    meets,
    number,
    points,
    team_size,
    vital,
)
from engine.ophidian.reference_state import ACTION, Phase

_ACTION_FIELD, _OVER = ACTION, int(Phase.OVER)
_DIE = int(Phase.DIE)
_SCALE = 12.0
WAVE_END_FACTS = (
    "points",
    "points_by_wave",
    "life",
    "levels",
    "raging",
    "cheer",
    "cheer_squared",
    "starter",
    "hand",
    "others",
)
"""What the fitted value of the end of a wave looks at: each is player 0's less player 1's.

Victory points; these times the number of the wave that has ended; points of gladiators times the share of
life they have left; levels and raging gladiators; cheer, and its square over that of a riot; who begins the
next wave; cards in hand; minions and own pumps.
"""
NUM_WEIGHTS = len(WAVE_END_FACTS)
_LIFE_WEIGHT, _LEVEL_WEIGHT, _MINION, _PUMP, _CHEER_WEIGHT, _CARD = 0.7, 0.5, 0.5, 0.5, 0.35, 0.3
_UNPLAYABLE = 0.1
_READY, _THREAT = 0.06, 0.12


@kernel_njit
def _side(words: Words, rules: KernelRules, player: int) -> float:
    """What a player has, in victory points or so."""
    total = 1.0 * points(words, rules, player)
    for index in range(team_size(words, player)):
        fighter = fighter_at(player, index)
        if not is_alive(words, rules, fighter):
            continue
        life = vital(words, rules, fighter, LIFE)
        left = (life - words[fighter + layout.WOUNDS]) / life
        if is_gladiator(words, fighter):
            worth = rules[body_of(words, fighter) + layout.BODY_POINTS]
            total += _LIFE_WEIGHT * worth * left + _LEVEL_WEIGHT * words[fighter + layout.LEVEL]
        else:
            total += _MINION * (0.5 + left)
        for place in range(words[fighter + layout.PUMPS_SIZE]):
            # Own pumps are good where they lie, the other's are theirs.
            total += _PUMP if words[fighter + layout.PUMPS + place] & 1 == player else -_PUMP
    cheer = words[layout.CHEER + player]
    total += _CHEER_WEIGHT * cheer * (1.0 + 4.0 * cheer / rules[layout.RULE_RIOT])
    return float(total)


@kernel_njit
def _hand(words: Words, rules: KernelRules, player: int) -> float:
    """What a player's own hand is worth."""
    total = 0.0
    for card in range(rules[layout.RULE_CARDS]):
        copies = words[player * layout.PLAYER_WORDS + layout.HAND + card]
        if copies:
            total += copies * (_CARD if meets(words, rules, player, card) else _UNPLAYABLE)
    return total


@kernel_njit
def _threat(words: Words, rules: KernelRules, player: int) -> float:
    """What a player could attack with at once, the strongest most, if it has momentum."""
    total, most = 0.0, 0.0
    for index in range(team_size(words, player)):
        fighter = fighter_at(player, index)
        if words[fighter + layout.SET] or not is_alive(words, rules, fighter):
            continue
        attack = 1.0 * number(words, rules, player, fighter, ATTACK)
        total += _READY * attack * (1.0 if words[fighter + layout.FIELD] == _ACTION_FIELD else 0.6)
        if words[fighter + layout.FIELD] == _ACTION_FIELD:
            most = max(most, attack)
    return total + (_THREAT * most if words[layout.MOMENTUM] == player else 0.0)


@kernel_njit
def _bounded(lead: float) -> float:
    """A lead as a value between -1 and 1."""
    share = lead / _SCALE
    return 0.95 * share / (1.0 + abs(share))


@kernel_njit
def wave_end_facts(words: Words, rules: KernelRules, facts: NDArray[np.float64]) -> None:
    """Write `WAVE_END_FACTS` as the next wave begins. Modified in place: `facts`, `[NUM_WEIGHTS]`."""
    for place in range(NUM_WEIGHTS):
        facts[place] = 0.0
    for side in range(2):
        sign = 1.0 - 2.0 * side
        scored = sign * points(words, rules, side)
        facts[0] += scored
        facts[1] += scored * (words[layout.WAVE] - 1)
        for index in range(team_size(words, side)):
            fighter = fighter_at(side, index)
            life = vital(words, rules, fighter, LIFE)
            if words[fighter + layout.WOUNDS] >= life:
                continue
            if is_gladiator(words, fighter):
                left = (life - words[fighter + layout.WOUNDS]) / life
                facts[2] += sign * left * rules[body_of(words, fighter) + layout.BODY_POINTS]
                facts[3] += sign * words[fighter + layout.LEVEL]
                if words[fighter + layout.WOUNDS] >= vital(words, rules, fighter, RAGE):
                    facts[4] += sign
            else:
                facts[9] += sign
            for place in range(words[fighter + layout.PUMPS_SIZE]):
                facts[9] += sign if words[fighter + layout.PUMPS + place] & 1 == side else -sign
        cheer = words[layout.CHEER + side]
        facts[5] += sign * cheer
        facts[6] += sign * cheer * cheer / rules[layout.RULE_RIOT]
        facts[8] += sign * words[side * layout.PLAYER_WORDS + layout.HAND_SIZE]
    if words[layout.PHASE] != _DIE:
        facts[7] = 1.0 - 2.0 * words[layout.MOMENTUM]


@kernel_njit
def judge(words: Words, rules: KernelRules) -> float:
    """What the end of a wave is taken to be worth for player 0, between -1 and 1."""
    return _bounded(_side(words, rules, 0) - _side(words, rules, 1))


@kernel_njit
def judged_by(words: Words, rules: KernelRules, player: int) -> float:
    """What a position within a wave is taken to be worth for a player who sees its own hand only."""
    if words[layout.PHASE] == _OVER:
        best = winner(words, rules)
        if best < 0:
            return 0.0
        return 100.0 if best == player else -100.0
    total = _side(words, rules, player) - _side(words, rules, 1 - player)
    total += _threat(words, rules, player) - _threat(words, rules, 1 - player)
    return total + _hand(words, rules, player)
