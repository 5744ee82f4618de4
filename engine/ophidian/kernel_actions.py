"""Actions and responses on words: announced, paid for, answered, carried out."""

from __future__ import annotations

from engine.jit import kernel_njit
from engine.ophidian import layout
from engine.ophidian.kernel_effects import (
    ability_of_action,
    carry_out,
    clip,
    pay,
    strike,
)
from engine.ophidian.kernel_moves import stand_ins
from engine.ophidian.kernel_plays import (
    ADVANCE,
    ATTACK,
    DECLINE,
    INTERCEPT,
    PASS,
    PLAY,
    REPLY,
    RETREAT,
    TAKE,
    Move,
    responses,
)
from engine.ophidian.kernel_round import (
    ASK,
    CARRY_ON,
    NEXT_SHIFT,
    UNDECIDED,
    WINDOW,
    drawing,
    ends,
    passed,
    resolved,
    result,
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
)
from engine.ophidian.reference_moves import IN_PLAY
from engine.ophidian.reference_state import ACTION, SUPPORT, Phase
from engine.ophidian.rules_schema import CARD_KINDS, ROAR_WINDOWS

_FIELD, _SET, _PUMPS_SIZE, _PUMPS = layout.FIELD, layout.SET, layout.PUMPS_SIZE, layout.PUMPS
_MOMENTUM, _TURN, _PASSES, _PHASE = layout.MOMENTUM, layout.TURN, layout.PASSES, layout.PHASE
_DECLINED, _LEFT = layout.DECLINED, layout.LEFT
_USED, _USED_SIZE, _USED_SHIFT = layout.USED, layout.USED_SIZE, layout.USED_SHIFT
_ANNOUNCED, _RESPONSE, _ACTION_WORDS = layout.ACTION, layout.RESPONSE, layout.ACTION_WORDS
_KIND, _ACTOR, _WHO, _TARGET = layout.KIND, layout.ACTOR, layout.WHO, layout.TARGET
_ACTION_CARD, _SIDE, _POSITIVE, _VARIABLE = layout.ACTION_CARD, layout.SIDE, layout.POSITIVE, layout.VARIABLE
_ENRAGED, _ROUSED, _RESOLVED, _HIT = layout.ENRAGED, layout.ROUSED, layout.RESOLVED, layout.HIT
_BY, _DONE, _DIE = layout.BY, layout.DONE, layout.DIE
_CARD_SIGN, _TYPE = layout.CARD_SIGN, layout.CARD_TYPE
_SIGN, _COST_DISCARD, _COUNTS_AS_PASS = layout.SIGN, layout.COST_DISCARD, layout.COUNTS_AS_PASS
_NEEDS_DIE, _DO_COUNT, _POSITIVE_IF = layout.NEEDS_DIE, layout.DO_COUNT, layout.POSITIVE_IF
_MINION = CARD_KINDS.index("minion")
_PLUS, _VARIABLE_SIGN = CARD_SIGNS.index("+"), CARD_SIGNS.index("variable")
_ACTION_FIELD = ACTION
_CHEER, _ROAR_WINDOW, _ANSWERS_LATE = layout.CHEER, layout.RULE_ROAR_WINDOW, layout.RULE_ANSWERS_LATE
_LATE_ROAR = ROAR_WINDOWS.index("resolved")
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
def _announce(words: Words, action: int, player: int, move: Move) -> None:
    words[action + _KIND], words[action + _ACTOR] = move[0] + 1, player
    words[action + _WHO], words[action + _TARGET] = move[1] + 1, move[2] + 1
    words[action + _ACTION_CARD], words[action + _SIDE] = move[3] + 1, move[4] + 1
    words[action + _HIT], words[action + _BY], words[action + _DONE] = 0, TAKE, 1


@kernel_njit
def act(words: Words, rules: KernelRules, player: int, move: Move) -> int:
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
            return NOTHING
        return defend(words, TAKE, -1)
    if kind == ADVANCE or kind == RETREAT:
        words[_ANNOUNCED + _POSITIVE] = int(kind == ADVANCE)
        return WINDOW
    if kind == PLAY:
        sign = rules[card_rules(int(move[3])) + _CARD_SIGN]
    else:
        sign = rules[ability_of_action(words, rules, _ANNOUNCED) + _SIGN]
    words[_ANNOUNCED + _POSITIVE] = int(sign == _PLUS)
    words[_ANNOUNCED + _VARIABLE] = int(sign == _VARIABLE_SIGN)
    return _paid(words, rules, _ANNOUNCED)


@kernel_njit
def defend(words: Words, kind: int, who: int) -> int:
    """Who takes an attack: the interceptor sets at once (A3)."""
    if kind == INTERCEPT:
        words[fighter_at(1 - int(words[_MOMENTUM]), who) + _SET] = 1
    words[_ANNOUNCED + _HIT] = words[_ANNOUNCED + _TARGET] if kind == TAKE else who + 1
    words[_ANNOUNCED + _BY] = kind
    return WINDOW


@kernel_njit
def _paid(words: Words, rules: KernelRules, action: int) -> int:
    """Pay what was announced costs; cards to discard are chosen before anything else happens."""
    pay(words, rules, action)
    ability = ability_of_action(words, rules, action)
    if ability >= 0 and rules[ability + _COST_DISCARD]:
        words[action + _DONE] = 0
        words[_PHASE], words[_TURN] = _P_DISCARD, words[action + _ACTOR]
        words[_LEFT] = rules[ability + _COST_DISCARD]
        return NOTHING
    return WINDOW if action == _ANNOUNCED else CARRY_ON


@kernel_njit
def window(words: Words, rules: KernelRules) -> int:
    """Whether the opponent may roar at once (M4); then both are asked for responses."""
    words[_DECLINED] = 0
    other = 1 - int(words[_ANNOUNCED + _ACTOR])
    early = rules[_ROAR_WINDOW] != _LATE_ROAR and words[_ANNOUNCED + _POSITIVE]
    if early and words[_ANNOUNCED + _VARIABLE] == 0 and words[_CHEER + other]:
        words[_TURN], words[_PHASE] = other, _P_ROAR
        return NOTHING
    return ask(words, rules, other)


@kernel_njit
def ask(words: Words, rules: KernelRules, player: int) -> int:
    """Whoever has nothing to respond declines."""
    while words[_DECLINED] < 2:
        if responses(words, rules, player, words, -1) > 0:
            words[_TURN], words[_PHASE] = player, _P_RESPOND
            return NOTHING
        words[_DECLINED] += 1
        player = 1 - player
    return CARRY_ON


@kernel_njit
def respond(words: Words, rules: KernelRules, player: int, move: Move) -> int:
    """Decline, or respond; each response resolves at once (M2)."""
    if move[0] == DECLINE:
        words[_DECLINED] += 1
        return ASK | (1 - player) << NEXT_SHIFT
    _announce(words, _RESPONSE, player, move)
    key = move[3] if move[0] == REPLY else IN_PLAY + 2 * move[1] + move[3]
    words[_USED + words[_USED_SIZE]] = player << _USED_SHIFT | key
    words[_USED_SIZE] += 1
    words[_DECLINED] = 0
    return _paid(words, rules, _RESPONSE)


@kernel_njit
def resume(words: Words) -> int:
    """Go on after cards and dice."""
    if words[_RESPONSE + _KIND]:
        words[_RESPONSE + _DONE] = max(1, words[_RESPONSE + _DONE])
        return CARRY_ON
    if words[_ANNOUNCED + _DONE] > 0:
        return CARRY_ON
    words[_ANNOUNCED + _DONE] = 1
    return WINDOW


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
def carry_on(words: Words, rules: KernelRules) -> int:
    """Do what is left to do of the response, or of the action."""
    if words[_RESPONSE + _KIND] == 0:
        return _resolve(words, rules)
    ability = ability_of_action(words, rules, _RESPONSE)
    if not _do_all(words, rules, _RESPONSE, ability, _P_RESPOND):
        return NOTHING
    player = int(words[_RESPONSE + _ACTOR])
    for word in range(_RESPONSE, _RESPONSE + _ACTION_WORDS):
        words[word] = 0
    words[_LEFT] = 0
    return NOTHING if ends(words, rules) else ASK | (1 - player) << NEXT_SHIFT


@kernel_njit
def _resolve(words: Words, rules: KernelRules) -> int:
    """Carry out an action that nobody responds to any more."""
    kind, player = int(words[_ANNOUNCED + _KIND]) - 1, int(words[_ANNOUNCED + _ACTOR])
    ability = ability_of_action(words, rules, _ANNOUNCED)
    positive = int(words[_ANNOUNCED + _POSITIVE])
    if words[_ANNOUNCED + _RESOLVED]:
        passes = int(rules[ability + _COUNTS_AS_PASS]) if ability >= 0 else 0
        return resolved(words, rules, positive, passes)
    counts = ability >= 0 and rules[ability + _COUNTS_AS_PASS] and not positive
    if not counts:
        words[_PASSES] = 0
    who = fighter_at(player, int(words[_ANNOUNCED + _WHO]) - 1)
    if kind == ATTACK:
        strike(words, rules)
        return _after(words, rules, positive, 0)
    if kind == ADVANCE:
        words[who + _FIELD] = _ACTION_FIELD
        return _after(words, rules, positive, 0)
    if kind == RETREAT:
        words[who + _FIELD], words[who + _SET] = SUPPORT, 1
        return _after(words, rules, positive, 0)
    if ability < 0:
        _put(words, rules, player)
        return _after(words, rules, positive, 0)
    if not _do_all(words, rules, _ANNOUNCED, ability, _P_ACT):
        return NOTHING
    if words[_ANNOUNCED + _VARIABLE]:
        source = -1 if kind == PLAY else who
        die = int(words[_ANNOUNCED + _DIE])
        positive = int(holds(words, rules, player, source, ability + _POSITIVE_IF, die))
    return _after(words, rules, positive, int(rules[ability + _COUNTS_AS_PASS]))


@kernel_njit
def _after(words: Words, rules: KernelRules, positive: int, passes: int) -> int:
    """Ask for responses to what has resolved, unless that has ended the match (M2)."""
    if rules[_ANSWERS_LATE] and result(words, rules) == UNDECIDED:
        words[_ANNOUNCED + _POSITIVE], words[_ANNOUNCED + _RESOLVED] = positive, 1
        player = int(words[_ANNOUNCED + _ACTOR])
        for who in range(2):
            if responses(words, rules, who, words, -1) > 0:
                words[_DECLINED], words[_LEFT] = 0, 0
                return ASK | (1 - player) << NEXT_SHIFT
    return resolved(words, rules, positive, passes)


@kernel_njit
def _put(words: Words, rules: KernelRules, player: int) -> None:
    """A minion enters; a pump is put on a Character that is still there (P3). Modified in place: `words`."""
    card = int(words[_ANNOUNCED + _ACTION_CARD]) - 1
    if rules[card_rules(card) + _TYPE] == _MINION:
        add_fighter(words, player, -1, card, 0, SUPPORT)
        return
    fighter = fighter_at(int(words[_ANNOUNCED + _SIDE]) - 1, int(words[_ANNOUNCED + _TARGET]) - 1)
    if is_alive(words, rules, fighter):
        words[fighter + _PUMPS + words[fighter + _PUMPS_SIZE]] = player | card << 1
        words[fighter + _PUMPS_SIZE] += 1
        clip(words, rules, fighter)
