"""The whole game on words: the transition kernel."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engine.jit import kernel_njit
from engine.ophidian import layout
from engine.ophidian.kernel_effects import (
    ability_of_action,
    carry_out,
    cheer,
    clip,
    pay,
    strike,
)
from engine.ophidian.kernel_moves import (
    ABANDON,
    ADVANCE,
    ATTACK,
    DECLINE,
    INTERCEPT,
    PASS,
    PLACE,
    PLAY,
    PROMOTE,
    REINFORCE,
    REPLY,
    RETREAT,
    ROAR,
    STOP,
    TAKE,
    Move,
    maintained,
    may_reinforce,
    moves,
    responses,
    stand_ins,
)
from engine.ophidian.kernel_round import (
    ASK,
    CARRY_ON,
    CUT_DOWN,
    ENTER,
    MAINTAINING,
    NEXT_SHIFT,
    REFILL,
    STEP_DONE,
    UNDECIDED,
    WINDOW,
    abandon,
    acting,
    began,
    cut_down,
    drawing,
    ends,
    enter,
    maintaining,
    more_points,
    passed,
    refill,
    resolved,
    result,
    step_done,
)
from engine.ophidian.kernel_round import STOP as NOTHING
from engine.ophidian.kernel_rules import CARD_SIGNS, KernelRules
from engine.ophidian.kernel_state import (
    Words,
    add_fighter,
    card_rules,
    fighter_at,
    holds,
    is_alive,
    is_raging,
    team_size,
)
from engine.ophidian.reference_moves import IN_PLAY
from engine.ophidian.reference_state import ACTION, SUPPORT, Phase
from engine.ophidian.rules_schema import CARD_KINDS, MAX_CARDS
from engine.protocol import CHANCE, OVER

__all__ = ["CHANCE", "MAX_OUTCOMES", "NUM_WORDS", "OVER"]

NUM_WORDS = layout.NUM_WORDS
MAX_OUTCOMES = max(MAX_CARDS, 6)
"""Outcomes of a chance node at most."""

_PLAYER, _HAND, _HAND_SIZE, _DECK, _DECK_SIZE, _BOTTOM, _BOTTOM_SIZE = (
    layout.PLAYER_WORDS,
    layout.HAND,
    layout.HAND_SIZE,
    layout.DECK,
    layout.DECK_SIZE,
    layout.BOTTOM,
    layout.BOTTOM_SIZE,
)
_STACK, _STACK_SIZE, _RESOURCES = layout.STACK, layout.STACK_SIZE, layout.RESOURCES
_FIELD, _SET, _LEVEL, _WOUNDS, _PUMPS_SIZE, _PUMPS = (
    layout.FIELD,
    layout.SET,
    layout.LEVEL,
    layout.WOUNDS,
    layout.PUMPS_SIZE,
    layout.PUMPS,
)
_MOMENTUM, _TURN, _PASSES, _PHASE, _WAVE, _DECLINED, _LEFT, _BROKE = (
    layout.MOMENTUM,
    layout.TURN,
    layout.PASSES,
    layout.PHASE,
    layout.WAVE,
    layout.DECLINED,
    layout.LEFT,
    layout.BROKE,
)
_USED, _USED_SIZE, _USED_SHIFT = layout.USED, layout.USED_SIZE, layout.USED_SHIFT
_ANNOUNCED, _RESPONSE, _ACTION_WORDS = layout.ACTION, layout.RESPONSE, layout.ACTION_WORDS
_KIND, _ACTOR, _WHO, _TARGET, _ACTION_CARD, _SIDE, _POSITIVE, _VARIABLE = (
    layout.KIND,
    layout.ACTOR,
    layout.WHO,
    layout.TARGET,
    layout.ACTION_CARD,
    layout.SIDE,
    layout.POSITIVE,
    layout.VARIABLE,
)
_ENRAGED, _ROUSED, _HIT, _BY, _DONE, _DIE = (
    layout.ENRAGED,
    layout.ROUSED,
    layout.HIT,
    layout.BY,
    layout.DONE,
    layout.DIE,
)
_NUM_CARDS, _BASE, _HEALS = layout.RULE_CARDS, layout.RULE_RESOURCES, layout.RULE_HEALS
_SEAT, _SEAT_WORDS, _SEAT_TEAM, _SEAT_TEAM_SIZE, _SEAT_DECK, _SEAT_DECK_SIZE = (
    layout.RULE_SEAT,
    layout.SEAT_WORDS,
    layout.SEAT_TEAM,
    layout.SEAT_TEAM_SIZE,
    layout.SEAT_DECK,
    layout.SEAT_DECK_SIZE,
)
_SEAT_STACK, _SEAT_STACK_SIZE = layout.SEAT_STACK, layout.SEAT_STACK_SIZE
_CARD_SIGN, _TYPE = layout.CARD_SIGN, layout.CARD_TYPE
_SIGN, _COST_DISCARD, _COUNTS_AS_PASS, _NEEDS_DIE, _DO_COUNT, _POSITIVE_IF = (
    layout.SIGN,
    layout.COST_DISCARD,
    layout.COUNTS_AS_PASS,
    layout.NEEDS_DIE,
    layout.DO_COUNT,
    layout.POSITIVE_IF,
)
_MINION = CARD_KINDS.index("minion")
_PLUS, _VARIABLE_SIGN = CARD_SIGNS.index("+"), CARD_SIGNS.index("variable")
_ACTION_FIELD, _SUPPORT, _IN_PLAY = ACTION, SUPPORT, IN_PLAY
_ASK, _CARRY_ON, _WINDOW, _REFILL, _CUT_DOWN, _STEP_DONE, _ENTER, _MAINTAINING, _NOTHING = (
    ASK,
    CARRY_ON,
    WINDOW,
    REFILL,
    CUT_DOWN,
    STEP_DONE,
    ENTER,
    MAINTAINING,
    NOTHING,
)
_NEXT_SHIFT, _NEXT_MASK, _UNDECIDED = NEXT_SHIFT, (1 << NEXT_SHIFT) - 1, UNDECIDED
(
    _P_DIE,
    _P_PROMOTE,
    _P_PLACE,
    _P_ACT,
    _P_STAND_IN,
    _P_ROAR,
    _P_OVER,
    _P_RESPOND,
    _P_ROLL,
    _P_DRAW,
    _P_DISCARD,
    _P_UNDER,
    _P_MAINTAIN,
    _P_REINFORCE,
) = (int(each) for each in Phase)


@kernel_njit
def start(words: Words, rules: KernelRules) -> None:
    """The first state of a match. Modified in place: `words`."""
    for word in range(len(words)):
        words[word] = 0
    for player in range(2):
        base, seat = player * _PLAYER, _SEAT + player * _SEAT_WORDS
        for card in range(rules[_NUM_CARDS]):
            words[base + _DECK + card] = rules[seat + _SEAT_DECK + card]
        words[base + _DECK_SIZE] = rules[seat + _SEAT_DECK_SIZE]
        words[base + _STACK_SIZE] = rules[seat + _SEAT_STACK_SIZE]
        for place in range(rules[seat + _SEAT_STACK_SIZE]):
            words[base + _STACK + place] = rules[seat + _SEAT_STACK + place]
        words[base + _RESOURCES] = rules[_BASE] + 1
        for place in range(rules[seat + _SEAT_TEAM_SIZE]):
            add_fighter(words, player, int(rules[seat + _SEAT_TEAM + place]), -1, 0, _ACTION_FIELD)
    refill(words, rules)


@kernel_njit
def is_over(words: Words) -> bool:
    """Whether the match has ended."""
    return bool(words[_PHASE] == _P_OVER)


@kernel_njit
def decider(words: Words, rules: KernelRules) -> int:
    """Who decides: a player, `CHANCE` or `OVER`."""
    phase = words[_PHASE]
    if phase == _P_OVER:
        return OVER
    return CHANCE if phase in (_P_DIE, _P_ROLL, _P_DRAW) else int(words[_TURN])


@kernel_njit
def winner(words: Words, rules: KernelRules) -> int:
    """Who has won a finished match, -1 for a draw (W1-W4)."""
    found = result(words, rules)
    return more_points(words, rules) if found == _UNDECIDED else found


@kernel_njit
def payoffs(words: Words, rules: KernelRules, paid: NDArray[np.float64]) -> None:
    """What a finished match pays (W5). Modified in place: `paid`, `[2]`."""
    best = winner(words, rules)
    paid[0] = 0.0 if best < 0 else 1.0 - 2.0 * best
    paid[1] = -paid[0]


@kernel_njit
def chance_weights(words: Words, rules: KernelRules, weights: NDArray[np.int64]) -> int:
    """Weights of the outcomes of a chance node; returns their sum. Modified in place: `weights`."""
    phase = words[_PHASE]
    if phase != _P_DRAW:
        faces = 2 if phase == _P_DIE else 6
        for face in range(faces):
            weights[face] = 1
        return faces
    base, count = words[_TURN] * _PLAYER, 0
    if words[base + _DECK_SIZE] == 0:
        weights[0] = 1
        return 1
    for card in range(rules[_NUM_CARDS]):
        if words[base + _DECK + card]:
            weights[count] = words[base + _DECK + card]
            count += 1
    return int(words[base + _DECK_SIZE])


@kernel_njit
def _drawn_card(words: Words, rules: KernelRules, index: int) -> int:
    """The card of an outcome's number."""
    base = words[_TURN] * _PLAYER
    if words[base + _DECK_SIZE] == 0:
        return int(words[base + _BOTTOM])
    for card in range(rules[_NUM_CARDS]):
        if words[base + _DECK + card]:
            if index == 0:
                return int(card)
            index -= 1
    return -1


@kernel_njit
def num_outcomes(words: Words, rules: KernelRules) -> int:
    """How many moves, or outcomes of chance, there are."""
    phase = words[_PHASE]
    if phase == _P_DIE:
        return 2
    if phase == _P_ROLL:
        return 6
    if phase != _P_DRAW:
        return moves(words, rules, words, -1)  # no move is wanted: the words stay as they are
    base, count = words[_TURN] * _PLAYER, 0
    if words[base + _DECK_SIZE] == 0:
        return 1
    for card in range(rules[_NUM_CARDS]):
        count += int(words[base + _DECK + card] > 0)
    return count


@kernel_njit
def get_move(words: Words, rules: KernelRules, index: int, move: Move) -> None:
    """Write down the decision of a number. Modified in place: `move`, `[MOVE_WORDS]`."""
    moves(words, rules, move, index)


@kernel_njit
def transition(words: Words, rules: KernelRules, index: int, move: Move, weights: NDArray[np.int64]) -> None:
    """Carry out the move or outcome of a number. Modified in place: `words`, and scratch."""
    if decider(words, rules) == CHANCE:
        following = _chance(words, rules, index)
    else:
        moves(words, rules, move, index)
        following = _decide(words, rules, move)
    _go_on(words, rules, following)


@kernel_njit
def carry_out_move(words: Words, rules: KernelRules, move: Move) -> None:
    """Carry out a move that is written down already. Modified in place: `words`."""
    _go_on(words, rules, _decide(words, rules, move))


@kernel_njit
def _go_on(words: Words, rules: KernelRules, following: int) -> None:
    """Until somebody decides, or chance does. Modified in place: `words`."""
    while following != _NOTHING:
        what = following & _NEXT_MASK
        if what == _ASK:
            following = _ask(words, rules, following >> _NEXT_SHIFT)
        elif what == _CARRY_ON:
            following = _carry_on(words, rules)
        elif what == _WINDOW:
            words[_DECLINED] = 0
            following = _ask(words, rules, 1 - int(words[_ANNOUNCED + _ACTOR]))
        elif what == _REFILL:
            following = refill(words, rules)
        elif what == _CUT_DOWN:
            following = cut_down(words, rules)
        elif what == _STEP_DONE:
            following = step_done(words, rules)
        elif what == _ENTER:
            following = enter(words, rules)
        else:
            following = maintaining(words, rules)


@kernel_njit
def _chance(words: Words, rules: KernelRules, index: int) -> int:
    phase = words[_PHASE]
    if phase == _P_DIE:
        return began(words, rules, index)
    if phase == _P_ROLL:
        action = _RESPONSE if words[_RESPONSE + _KIND] else _ANNOUNCED
        words[action + _DIE] = index + 1
        return _resume(words)
    card, base = _drawn_card(words, rules, index), words[_TURN] * _PLAYER
    if words[base + _DECK_SIZE]:
        words[base + _DECK + card] -= 1
        words[base + _DECK_SIZE] -= 1
    else:
        last = int(words[base + _BOTTOM_SIZE]) - 1
        for place in range(last):
            words[base + _BOTTOM + place] = words[base + _BOTTOM + place + 1]
        words[base + _BOTTOM + last] = 0
        words[base + _BOTTOM_SIZE] = last
    words[base + _HAND + card] += 1
    words[base + _HAND_SIZE] += 1
    words[_LEFT] -= 1
    drawing(words)
    if words[_LEFT]:
        return _NOTHING
    if words[_ANNOUNCED + _KIND]:
        return _resume(words)
    return _NOTHING if ends(words, rules) else _CUT_DOWN


@kernel_njit
def _decide(words: Words, rules: KernelRules, move: Move) -> int:
    phase, turn, kind = words[_PHASE], int(words[_TURN]), int(move[0])
    base = turn * _PLAYER
    if phase == _P_ACT:
        return _act(words, rules, turn, move)
    if phase == _P_STAND_IN:
        return _defend(words, kind, int(move[1]))
    if phase == _P_ROAR:
        if kind == ROAR:
            cheer(words, turn, -1)
            return acting(words, rules, turn)
        return acting(words, rules, int(words[_MOMENTUM]))
    if phase == _P_RESPOND:
        return _respond(words, rules, turn, move)
    if phase == _P_DISCARD:
        return _discard(words, rules, turn, kind, int(move[3]))
    if phase == _P_UNDER:
        words[base + _HAND + move[3]] -= 1
        words[base + _HAND_SIZE] -= 1
        words[base + _BOTTOM + words[base + _BOTTOM_SIZE]] = move[3]
        words[base + _BOTTOM_SIZE] += 1
        return _CUT_DOWN
    if phase == _P_MAINTAIN:
        place = maintained(words, rules, turn, int(words[_LEFT]))
        if kind == ABANDON:
            abandon(words, rules, place)
            return _NOTHING if ends(words, rules) else _MAINTAINING
        words[base + _RESOURCES] -= (place >> 9) - 1
        words[_LEFT] += 1
        return _MAINTAINING
    if phase == _P_REINFORCE:
        return _reinforce(words, rules, turn, kind, int(move[3]))
    for index in range(team_size(words, turn)):
        fighter = fighter_at(turn, index)
        chosen = move[5] >> index & 1
        if kind == PLACE and is_alive(words, rules, fighter):
            words[fighter + _FIELD] = chosen
        elif kind == PROMOTE and chosen:
            words[fighter + _LEVEL] += 1
            words[fighter + _WOUNDS] = max(0, words[fighter + _WOUNDS] - rules[_HEALS])
    return _STEP_DONE


@kernel_njit
def _discard(words: Words, rules: KernelRules, turn: int, kind: int, card: int) -> int:
    """A card leaves the hand; before drawing, any number of them (B2)."""
    if kind == STOP:
        return _REFILL
    base = turn * _PLAYER
    words[base + _HAND + card] -= 1
    words[base + _HAND_SIZE] -= 1
    if words[_ANNOUNCED + _KIND]:
        words[_LEFT] -= 1
        return _NOTHING if words[_LEFT] else _resume(words)
    words[_LEFT] = card
    for other in range(card, rules[_NUM_CARDS]):
        if words[base + _HAND + other]:
            return _NOTHING
    return _REFILL


@kernel_njit
def _reinforce(words: Words, rules: KernelRules, turn: int, kind: int, gladiator: int) -> int:
    """A reinforcement enters (B4); or no more of them."""
    if kind == REINFORCE:
        base, kept, later = turn * _PLAYER, 0, False
        size = int(words[base + _STACK_SIZE])
        for place in range(size):
            other = words[base + _STACK + place]
            if other != gladiator:
                words[base + _STACK + kept] = other
                kept += 1
                later = later or other >= gladiator
        words[base + _STACK + size - 1] = 0
        words[base + _STACK_SIZE] = kept
        add_fighter(words, turn, gladiator, -1, -1, _SUPPORT)
        words[_LEFT] = gladiator
        if later and may_reinforce(words, rules, turn):
            return _NOTHING
    return _STEP_DONE


# -- actions ------------------------------------------------------------------------------------------


@kernel_njit
def _announce(words: Words, action: int, player: int, move: Move) -> None:
    words[action + _KIND], words[action + _ACTOR] = move[0] + 1, player
    words[action + _WHO], words[action + _TARGET] = move[1] + 1, move[2] + 1
    words[action + _ACTION_CARD], words[action + _SIDE] = move[3] + 1, move[4] + 1
    words[action + _HIT], words[action + _BY], words[action + _DONE] = 0, TAKE, 1


@kernel_njit
def _act(words: Words, rules: KernelRules, player: int, move: Move) -> int:
    """Announce an action and pay for it (M1, M2)."""
    kind, who, target = int(move[0]), int(move[1]), int(move[2])
    if kind == PASS:
        return passed(words, rules)
    _announce(words, _ANNOUNCED, player, move)
    if kind == ATTACK:
        against = fighter_at(1 - player, target)
        if is_raging(words, rules, against):
            words[_ANNOUNCED + (_ROUSED if words[against + _SET] else _ENRAGED)] = 1
        words[_ANNOUNCED + _POSITIVE], words[_ANNOUNCED + _HIT] = 1, target + 1
        words[fighter_at(player, who) + _SET] = 1
        words[_TURN], words[_PHASE] = 1 - player, _P_STAND_IN
        if stand_ins(words, rules, move, -1) > 1:
            return _NOTHING
        return _defend(words, TAKE, -1)
    if kind == ADVANCE or kind == RETREAT:
        words[_ANNOUNCED + _POSITIVE] = int(kind == ADVANCE)
        return _WINDOW
    if kind == PLAY:
        sign = rules[card_rules(int(move[3])) + _CARD_SIGN]
    else:
        sign = rules[ability_of_action(words, rules, _ANNOUNCED) + _SIGN]
    words[_ANNOUNCED + _POSITIVE] = int(sign == _PLUS)
    words[_ANNOUNCED + _VARIABLE] = int(sign == _VARIABLE_SIGN)
    return _paid(words, rules, _ANNOUNCED)


@kernel_njit
def _defend(words: Words, kind: int, who: int) -> int:
    """Who takes an attack: the interceptor sets at once (A3)."""
    if kind == INTERCEPT:
        words[fighter_at(1 - int(words[_MOMENTUM]), who) + _SET] = 1
    words[_ANNOUNCED + _HIT] = words[_ANNOUNCED + _TARGET] if kind == TAKE else who + 1
    words[_ANNOUNCED + _BY] = kind
    return _WINDOW


@kernel_njit
def _paid(words: Words, rules: KernelRules, action: int) -> int:
    """Pay what was announced costs; cards to discard are chosen before anything else happens."""
    pay(words, rules, action)
    ability = ability_of_action(words, rules, action)
    if ability >= 0 and rules[ability + _COST_DISCARD]:
        words[action + _DONE] = 0
        words[_PHASE], words[_TURN] = _P_DISCARD, words[action + _ACTOR]
        words[_LEFT] = rules[ability + _COST_DISCARD]
        return _NOTHING
    return _WINDOW if action == _ANNOUNCED else _CARRY_ON


@kernel_njit
def _ask(words: Words, rules: KernelRules, player: int) -> int:
    """Whoever has nothing to respond declines."""
    while words[_DECLINED] < 2:
        if responses(words, rules, player, words, -1) > 0:
            words[_TURN], words[_PHASE] = player, _P_RESPOND
            return _NOTHING
        words[_DECLINED] += 1
        player = 1 - player
    return _CARRY_ON


@kernel_njit
def _respond(words: Words, rules: KernelRules, player: int, move: Move) -> int:
    """Decline, or respond; each response resolves at once (M2)."""
    if move[0] == DECLINE:
        words[_DECLINED] += 1
        return _ASK | (1 - player) << _NEXT_SHIFT
    _announce(words, _RESPONSE, player, move)
    key = move[3] if move[0] == REPLY else _IN_PLAY + 2 * move[1] + move[3]
    words[_USED + words[_USED_SIZE]] = player << _USED_SHIFT | key
    words[_USED_SIZE] += 1
    words[_DECLINED] = 0
    return _paid(words, rules, _RESPONSE)


@kernel_njit
def _resume(words: Words) -> int:
    """Go on after cards and dice."""
    if words[_RESPONSE + _KIND]:
        words[_RESPONSE + _DONE] = max(1, words[_RESPONSE + _DONE])
        return _CARRY_ON
    if words[_ANNOUNCED + _DONE] > 0:
        return _CARRY_ON
    words[_ANNOUNCED + _DONE] = 1
    return _WINDOW


@kernel_njit
def _do_all(words: Words, rules: KernelRules, action: int, ability: int, phase: int) -> bool:
    """Do what is left to do; False if it has to wait for cards or a die."""
    if rules[ability + _NEEDS_DIE] and words[action + _DIE] == 0:
        words[_PHASE], words[_TURN] = _P_ROLL, words[action + _ACTOR]
        return False
    while words[action + _DONE] <= rules[ability + _DO_COUNT]:
        place = int(words[action + _DONE]) - 1
        words[action + _DONE] += 1
        words[_PHASE] = phase
        carry_out(words, rules, action, ability, place)
        if words[_PHASE] == _P_DRAW:
            drawing(words)
        if words[_PHASE] in (_P_DRAW, _P_DISCARD) and words[_LEFT]:
            return False
    return True


@kernel_njit
def _carry_on(words: Words, rules: KernelRules) -> int:
    """Do what is left to do of the response, or of the action."""
    if words[_RESPONSE + _KIND] == 0:
        return _resolve(words, rules)
    ability = ability_of_action(words, rules, _RESPONSE)
    if not _do_all(words, rules, _RESPONSE, ability, _P_RESPOND):
        return _NOTHING
    player = int(words[_RESPONSE + _ACTOR])
    for word in range(_RESPONSE, _RESPONSE + _ACTION_WORDS):
        words[word] = 0
    words[_LEFT] = 0
    return _NOTHING if ends(words, rules) else _ASK | (1 - player) << _NEXT_SHIFT


@kernel_njit
def _resolve(words: Words, rules: KernelRules) -> int:
    """Carry out an action that nobody responds to any more."""
    kind, player = int(words[_ANNOUNCED + _KIND]) - 1, int(words[_ANNOUNCED + _ACTOR])
    ability = ability_of_action(words, rules, _ANNOUNCED)
    positive = int(words[_ANNOUNCED + _POSITIVE])
    counts = ability >= 0 and rules[ability + _COUNTS_AS_PASS] and not positive
    if not counts:
        words[_PASSES] = 0
    who = fighter_at(player, int(words[_ANNOUNCED + _WHO]) - 1)
    if kind == ATTACK:
        strike(words, rules)
        return resolved(words, rules, positive, 0)
    if kind == ADVANCE:
        words[who + _FIELD] = _ACTION_FIELD
        return resolved(words, rules, positive, 0)
    if kind == RETREAT:
        words[who + _FIELD], words[who + _SET] = _SUPPORT, 1
        return resolved(words, rules, positive, 0)
    if ability < 0:
        _put(words, rules, player)
        return resolved(words, rules, positive, 0)
    if not _do_all(words, rules, _ANNOUNCED, ability, _P_ACT):
        return _NOTHING
    if words[_ANNOUNCED + _VARIABLE]:
        source = -1 if kind == PLAY else who
        die = int(words[_ANNOUNCED + _DIE])
        positive = int(holds(words, rules, player, source, ability + _POSITIVE_IF, die))
    return resolved(words, rules, positive, int(rules[ability + _COUNTS_AS_PASS]))


@kernel_njit
def _put(words: Words, rules: KernelRules, player: int) -> None:
    """A minion enters; a pump is put on a Character that is still there (P3). Modified in place: `words`."""
    card = int(words[_ANNOUNCED + _ACTION_CARD]) - 1
    if rules[card_rules(card) + _TYPE] == _MINION:
        add_fighter(words, player, -1, card, 0, _SUPPORT)
        return
    fighter = fighter_at(int(words[_ANNOUNCED + _SIDE]) - 1, int(words[_ANNOUNCED + _TARGET]) - 1)
    if is_alive(words, rules, fighter):
        words[fighter + _PUMPS + words[fighter + _PUMPS_SIZE]] = player | card << 1
        words[fighter + _PUMPS_SIZE] += 1
        clip(words, rules, fighter)
