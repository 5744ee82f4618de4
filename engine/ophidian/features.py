"""What a player sees of a match as a list of facts, for solvers that learn what positions are worth.

A fact is a number; `features` writes those that are true. Own facts come first, so that one set of weights
serves both seats; gladiators and cards go by their numbers in the rules, so that it serves all decks. Where
an answer is waited for, facts are those of the position in which nobody has answered: so they do not tell
whether the other side holds a response, and a move can be judged before anybody has answered it.
"""

from __future__ import annotations

import hashlib
from itertools import accumulate

from engine.jit import kernel_njit
from engine.ophidian import kernel, layout
from engine.ophidian.kernel_rules import KernelRules
from engine.ophidian.kernel_state import (
    ATTACK,
    LIFE,
    RAGE,
    SHIELD,
    Words,
    body_of,
    card_rules,
    fighter_at,
    is_gladiator,
    meets,
    number,
    points,
    pump_card,
    team_size,
    vital,
)
from engine.ophidian.reference_state import ACTION, Phase
from engine.ophidian.rules_schema import MAX_CARDS, MAX_GLADIATORS, MAX_LIFE
from engine.ophidian.trying import MOVE_AT, PENDING_AT, ROARED, STOOD_IN, TRIED_AT, WEIGHTS_AT, unanswered

_MOST_COUNT, _MOST_POINTS, _MOST_LEFT, _MOST_CHEER = 8, 24, 31, 15
_MOST_HELD, _MOST_HAND, _MOST_DECK, _MOST_WAVE = 3, 15, 20, 7
_MOST_LEAD = 12

SIDE_FACTS = {
    "life": MAX_GLADIATORS * (MAX_LIFE + 1),  # of a gladiator so much is left
    "level": MAX_GLADIATORS * (layout.NUM_LEVELS + 1),
    "status": MAX_GLADIATORS * 8,  # field, set, raging
    "minion": MAX_CARDS,
    "pump": 2 * MAX_CARDS,  # on this side's Characters, own ones and the other's
    "alive": _MOST_COUNT + 1,
    "standing": _MOST_COUNT + 1,  # unset
    "ready": _MOST_COUNT + 1,  # unset in the action field
    "strongest": MAX_LIFE + 1,  # attack of those
    "kills": _MOST_COUNT + 1,  # targets that one of those could destroy
    "prize": MAX_LIFE + 1,  # most points among these
    "points": _MOST_POINTS + 1,
    "cheer": _MOST_CHEER + 1,
    "resources": _MOST_LEFT + 1,
    "hand_size": _MOST_HAND + 1,
    "deck_size": _MOST_DECK + 1,  # in fours
    "momentum": _MOST_WAVE + 1,  # by wave
    "asked": 3,  # to act; to stand in; to roar
}
"""Facts about each side, oneself first, in the order in which they are numbered."""
COMMON_FACTS = {
    "hand": MAX_CARDS * _MOST_HELD,
    "playable": MAX_CARDS,
    "lead": 2 * _MOST_LEAD + 1,  # in points
    "ahead": 2 * _MOST_CHEER + 1,  # in cheer
    "phase": len(Phase),
    "over": 3,  # if nobody answers: lost, drawn, won
    "passes": 1,
}
"""Facts after those about sides."""


def _starts(sizes: dict[str, int]) -> list[int]:
    return [0, *accumulate(sizes.values())]


(
    _LIFE_LEFT,
    _LEVELS,
    _STATUS,
    _MINIONS,
    _ON,
    _ALIVE,
    _STANDING,
    _READY,
    _STRONGEST,
    _KILLS,
    _PRIZE,
    _SCORED,
    _CHEERS,
    _RESOURCES_LEFT,
    _HAND_CARDS,
    _DECK_CARDS,
    _BEGINS,
    _ASKED,
    A_SIDE,
) = _starts(SIDE_FACTS)
(_HELD, _PLAYABLE, _LEAD, _AHEAD, _PHASES, _ENDS, _PASSED, _COMMON) = _starts(COMMON_FACTS)
NUM_FEATURES = 2 * A_SIDE + _COMMON
MAX_ACTIVE = 2 * (layout.MAX_FIGHTERS * (3 + layout.CHANGES - layout.PUMPS) + 16) + 2 * MAX_CARDS + 8
"""Facts that are true at once at most."""


def facts_hash() -> str:
    """Return what tells lists of facts apart."""
    listed = repr((sorted(SIDE_FACTS.items()), sorted(COMMON_FACTS.items())))
    return hashlib.sha256(listed.encode()).hexdigest()[:16]


_TWO_SIDES = 2 * A_SIDE
_PENDING = PENDING_AT
_ACTION_FIELD, _OVER = ACTION, int(Phase.OVER)
_MIGHT_STAND_IN, _MIGHT_ROAR, _CARDS = STOOD_IN, ROARED, MAX_CARDS
_A_LEVEL = layout.NUM_LEVELS + 1


@kernel_njit
def _bounded(number: int, most: int) -> int:
    """A number from -most to most as an index from 0."""
    return min(max(number, -most), most) + most


@kernel_njit
def _prey(words: Words, rules: KernelRules, side: int, strongest: int) -> int:
    """Targets of a side that so strong an attack destroys, and above the lowest byte the most points."""
    count, prize = 0, 0
    for index in range(team_size(words, 1 - side)):
        fighter = fighter_at(1 - side, index)
        left = vital(words, rules, fighter, LIFE) - words[fighter + layout.WOUNDS]
        if left <= 0:
            continue
        if strongest - number(words, rules, 1 - side, fighter, SHIELD) >= left:
            count += 1
            prize = max(prize, int(rules[body_of(words, fighter) + layout.BODY_POINTS]))
    return count | prize << 8


@kernel_njit
def _add_side(words: Words, rules: KernelRules, side: int, base: int, active: Words, used: int) -> int:
    """Write what everybody sees of a side; returns how many facts there are now."""
    alive, standing, ready, strongest = 0, 0, 0, 0
    minions, pumps, pumps_of_other = 0, 0, 0
    for index in range(team_size(words, side)):
        fighter = fighter_at(side, index)
        left = vital(words, rules, fighter, LIFE) - words[fighter + layout.WOUNDS]
        if left <= 0:
            continue
        is_set, field = words[fighter + layout.SET], words[fighter + layout.FIELD]
        if is_gladiator(words, fighter):
            gladiator = words[fighter + layout.GLADIATOR] - 1
            raging = int(words[fighter + layout.WOUNDS] >= vital(words, rules, fighter, RAGE))
            active[used] = base + _LIFE_LEFT + gladiator * (MAX_LIFE + 1) + min(left, MAX_LIFE)
            active[used + 1] = base + _LEVELS + gladiator * _A_LEVEL + words[fighter + layout.LEVEL]
            active[used + 2] = base + _STATUS + gladiator * 8 + field * 4 + is_set * 2 + raging
            used += 3
            alive += 1
        else:
            bit = 1 << (words[fighter + layout.CARD] - 1)
            if minions & bit == 0:
                minions |= bit
                active[used] = base + _MINIONS + words[fighter + layout.CARD] - 1
                used += 1
        for place in range(words[fighter + layout.PUMPS_SIZE]):
            pump = int(words[fighter + layout.PUMPS + place])
            card, others = pump_card(pump), int(pump & 1 != side)
            known = pumps_of_other if others else pumps
            if known >> card & 1 == 0:
                active[used] = base + _ON + others * _CARDS + card
                used += 1
                if others:
                    pumps_of_other |= 1 << card
                else:
                    pumps |= 1 << card
        if is_set == 0:
            standing += 1
            if field == _ACTION_FIELD:
                ready += 1
                strongest = max(strongest, number(words, rules, side, fighter, ATTACK))
    prey = _prey(words, rules, side, strongest) if ready else 0
    own = side * layout.PLAYER_WORDS
    deck = words[own + layout.DECK_SIZE] + words[own + layout.BOTTOM_SIZE]
    active[used] = base + _ALIVE + min(alive, _MOST_COUNT)
    active[used + 1] = base + _STANDING + min(standing, _MOST_COUNT)
    active[used + 2] = base + _READY + min(ready, _MOST_COUNT)
    active[used + 3] = base + _STRONGEST + min(strongest, MAX_LIFE)
    active[used + 4] = base + _KILLS + min(prey & 255, _MOST_COUNT)
    active[used + 5] = base + _PRIZE + min(prey >> 8, MAX_LIFE)
    active[used + 6] = base + _SCORED + min(points(words, rules, side), _MOST_POINTS)
    active[used + 7] = base + _CHEERS + min(words[layout.CHEER + side], _MOST_CHEER)
    active[used + 8] = base + _RESOURCES_LEFT + min(words[own + layout.RESOURCES], _MOST_LEFT)
    active[used + 9] = base + _HAND_CARDS + min(words[own + layout.HAND_SIZE], _MOST_HAND)
    active[used + 10] = base + _DECK_CARDS + min(deck // 4, _MOST_DECK)
    used += 11
    if words[layout.MOMENTUM] == side:
        active[used] = base + _BEGINS + min(words[layout.WAVE], _MOST_WAVE)
        used += 1
    return used


@kernel_njit
def features(tables: Words, state: Words, work: Words, player: int, active: Words) -> int:
    """Write the numbers of the facts that are true for a player, and return how many.

    Parameters
    ----------
    work : scratch, of which the result of `observe` is left.
    active : `[MAX_ACTIVE] int64`, modified in place.
    """
    words, move = work[TRIED_AT : TRIED_AT + layout.NUM_WORDS], work[MOVE_AT : MOVE_AT + layout.MOVE_WORDS]
    for word in range(layout.NUM_WORDS):
        words[word] = state[word]
    actor = words[layout.MOMENTUM]
    if state[_PENDING]:
        kernel.transition(words, tables, state[_PENDING] - 1, move, work[WEIGHTS_AT:TRIED_AT])
    passed_by = unanswered(words, tables, move)
    used = _add_side(words, tables, player, 0, active, 0)
    used = _add_side(words, tables, 1 - player, A_SIDE, active, used)
    # Who stands in or roars is whom the actor has against it.
    asked = 0 if actor != player else A_SIDE
    if passed_by & _MIGHT_STAND_IN:
        active[used] = asked + _ASKED + 1
        used += 1
    if passed_by & _MIGHT_ROAR:
        active[used] = asked + _ASKED + 2
        used += 1
    active[used] = (0 if words[layout.TURN] == player else A_SIDE) + _ASKED
    used += 1
    own = player * layout.PLAYER_WORDS
    for card in range(tables[layout.RULE_CARDS]):
        copies = words[own + layout.HAND + card]
        if copies:
            active[used] = _TWO_SIDES + _HELD + card * _MOST_HELD + min(copies, _MOST_HELD) - 1
            used += 1
            affordable = tables[card_rules(card) + layout.CARD_COST] <= words[own + layout.RESOURCES]
            if affordable and meets(words, tables, player, card):
                active[used] = _TWO_SIDES + _PLAYABLE + card
                used += 1
    lead = points(words, tables, player) - points(words, tables, 1 - player)
    ahead = words[layout.CHEER + player] - words[layout.CHEER + 1 - player]
    active[used] = _TWO_SIDES + _LEAD + _bounded(lead, _MOST_LEAD)
    active[used + 1] = _TWO_SIDES + _AHEAD + _bounded(ahead, _MOST_CHEER)
    active[used + 2] = _TWO_SIDES + _PHASES + words[layout.PHASE]
    used += 3
    if words[layout.PHASE] == _OVER:
        best = kernel.winner(words, tables)
        active[used] = _TWO_SIDES + _ENDS + (1 if best < 0 else 2 if best == player else 0)
        used += 1
    if words[layout.PASSES]:
        active[used] = _TWO_SIDES + _PASSED
        used += 1
    return used
