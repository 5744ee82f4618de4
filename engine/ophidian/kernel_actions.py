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

_MINION = CARD_KINDS.index("minion")
_PLUS, _VARIABLE_SIGN = CARD_SIGNS.index("+"), CARD_SIGNS.index("variable")
_ACTION_FIELD = ACTION
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
    words[action + layout.KIND], words[action + layout.ACTOR] = move[0] + 1, player
    words[action + layout.WHO], words[action + layout.TARGET] = move[1] + 1, move[2] + 1
    words[action + layout.ACTION_CARD], words[action + layout.SIDE] = move[3] + 1, move[4] + 1
    words[action + layout.HIT], words[action + layout.BY], words[action + layout.DONE] = 0, TAKE, 1


@kernel_njit
def act(words: Words, rules: KernelRules, player: int, move: Move) -> int:
    """Announce an action and pay for it (M1, M2)."""
    kind, who, target = int(move[0]), int(move[1]), int(move[2])
    if kind == PASS:
        return passed(words, rules)
    _announce(words, layout.ACTION, player, move)
    if kind == ATTACK:
        against = fighter_at(1 - player, target)
        if is_raging(words, rules, against):
            words[layout.ACTION + (layout.ROUSED if words[against + layout.SET] else layout.ENRAGED)] = 1
        words[layout.ACTION + layout.POSITIVE], words[layout.ACTION + layout.HIT] = 1, target + 1
        words[fighter_at(player, who) + layout.SET] = 1
        words[layout.TURN], words[layout.PHASE] = 1 - player, _P_STAND_IN
        if stand_ins(words, rules, move, -1) > 1:
            return NOTHING
        return defend(words, TAKE, -1)
    if kind == ADVANCE or kind == RETREAT:
        words[layout.ACTION + layout.POSITIVE] = int(kind == ADVANCE)
        return WINDOW
    if kind == PLAY:
        sign = rules[card_rules(int(move[3])) + layout.CARD_SIGN]
    else:
        sign = rules[ability_of_action(words, rules, layout.ACTION) + layout.SIGN]
    words[layout.ACTION + layout.POSITIVE] = int(sign == _PLUS)
    words[layout.ACTION + layout.VARIABLE] = int(sign == _VARIABLE_SIGN)
    return _paid(words, rules, layout.ACTION)


@kernel_njit
def defend(words: Words, kind: int, who: int) -> int:
    """Who takes an attack: the interceptor sets at once (A3)."""
    if kind == INTERCEPT:
        words[fighter_at(1 - int(words[layout.MOMENTUM]), who) + layout.SET] = 1
    words[layout.ACTION + layout.HIT] = words[layout.ACTION + layout.TARGET] if kind == TAKE else who + 1
    words[layout.ACTION + layout.BY] = kind
    return WINDOW


@kernel_njit
def _paid(words: Words, rules: KernelRules, action: int) -> int:
    """Pay what was announced costs; cards to discard are chosen before anything else happens."""
    pay(words, rules, action)
    ability = ability_of_action(words, rules, action)
    if ability >= 0 and rules[ability + layout.COST_DISCARD]:
        words[action + layout.DONE] = 0
        words[layout.PHASE], words[layout.TURN] = _P_DISCARD, words[action + layout.ACTOR]
        words[layout.LEFT] = rules[ability + layout.COST_DISCARD]
        return NOTHING
    return WINDOW if action == layout.ACTION else CARRY_ON


@kernel_njit
def window(words: Words, rules: KernelRules) -> int:
    """Whether the opponent may roar at once (M4); then both are asked for responses."""
    words[layout.DECLINED] = 0
    other = 1 - int(words[layout.ACTION + layout.ACTOR])
    early = rules[layout.RULE_ROAR_WINDOW] != _LATE_ROAR and words[layout.ACTION + layout.POSITIVE]
    if early and words[layout.ACTION + layout.VARIABLE] == 0 and words[layout.CHEER + other]:
        words[layout.TURN], words[layout.PHASE] = other, _P_ROAR
        return NOTHING
    return ask(words, rules, other)


@kernel_njit
def ask(words: Words, rules: KernelRules, player: int) -> int:
    """Whoever has nothing to respond declines."""
    while words[layout.DECLINED] < 2:
        if responses(words, rules, player, words, -1) > 0:
            words[layout.TURN], words[layout.PHASE] = player, _P_RESPOND
            return NOTHING
        words[layout.DECLINED] += 1
        player = 1 - player
    return CARRY_ON


@kernel_njit
def respond(words: Words, rules: KernelRules, player: int, move: Move) -> int:
    """Decline, or respond; each response resolves at once (M2)."""
    if move[0] == DECLINE:
        words[layout.DECLINED] += 1
        return ASK | (1 - player) << NEXT_SHIFT
    _announce(words, layout.RESPONSE, player, move)
    key = move[3] if move[0] == REPLY else IN_PLAY + 2 * move[1] + move[3]
    words[layout.USED + words[layout.USED_SIZE]] = player << layout.USED_SHIFT | key
    words[layout.USED_SIZE] += 1
    words[layout.DECLINED] = 0
    return _paid(words, rules, layout.RESPONSE)


@kernel_njit
def resume(words: Words) -> int:
    """Go on after cards and dice."""
    if words[layout.RESPONSE + layout.KIND]:
        words[layout.RESPONSE + layout.DONE] = max(1, words[layout.RESPONSE + layout.DONE])
        return CARRY_ON
    if words[layout.ACTION + layout.DONE] > 0:
        return CARRY_ON
    words[layout.ACTION + layout.DONE] = 1
    return WINDOW


@kernel_njit
def _do_all(words: Words, rules: KernelRules, action: int, ability: int, phase: int) -> bool:
    """Do what is left to do; False if it has to wait for cards or a die."""
    if rules[ability + layout.NEEDS_DIE] and words[action + layout.DIE] == 0:
        words[layout.PHASE], words[layout.TURN] = _P_ROLL, words[action + layout.ACTOR]
        return False
    while words[action + layout.DONE] <= rules[ability + layout.DO_COUNT]:
        place = int(words[action + layout.DONE]) - 1
        words[action + layout.DONE] += 1
        words[layout.PHASE] = phase
        carry_out(words, rules, action, ability, place)
        if words[layout.PHASE] == _P_DRAW:
            drawing(words)
        if words[layout.PHASE] in (_P_DRAW, _P_DISCARD) and words[layout.LEFT]:
            return False
    return True


@kernel_njit
def carry_on(words: Words, rules: KernelRules) -> int:
    """Do what is left to do of the response, or of the action."""
    if words[layout.RESPONSE + layout.KIND] == 0:
        return _resolve(words, rules)
    ability = ability_of_action(words, rules, layout.RESPONSE)
    if not _do_all(words, rules, layout.RESPONSE, ability, _P_RESPOND):
        return NOTHING
    player = int(words[layout.RESPONSE + layout.ACTOR])
    for word in range(layout.RESPONSE, layout.RESPONSE + layout.ACTION_WORDS):
        words[word] = 0
    words[layout.LEFT] = 0
    return NOTHING if ends(words, rules) else ASK | (1 - player) << NEXT_SHIFT


@kernel_njit
def _resolve(words: Words, rules: KernelRules) -> int:
    """Carry out an action that nobody responds to any more."""
    kind, player = int(words[layout.ACTION + layout.KIND]) - 1, int(words[layout.ACTION + layout.ACTOR])
    ability = ability_of_action(words, rules, layout.ACTION)
    positive = int(words[layout.ACTION + layout.POSITIVE])
    if words[layout.ACTION + layout.RESOLVED]:
        passes = int(rules[ability + layout.COUNTS_AS_PASS]) if ability >= 0 else 0
        return resolved(words, rules, positive, passes)
    counts = ability >= 0 and rules[ability + layout.COUNTS_AS_PASS] and not positive
    if not counts:
        words[layout.PASSES] = 0
    who = fighter_at(player, int(words[layout.ACTION + layout.WHO]) - 1)
    if kind == ATTACK:
        strike(words, rules)
        return _after(words, rules, positive, 0)
    if kind == ADVANCE:
        words[who + layout.FIELD] = _ACTION_FIELD
        return _after(words, rules, positive, 0)
    if kind == RETREAT:
        words[who + layout.FIELD], words[who + layout.SET] = SUPPORT, 1
        return _after(words, rules, positive, 0)
    if ability < 0:
        _put(words, rules, player)
        return _after(words, rules, positive, 0)
    if not _do_all(words, rules, layout.ACTION, ability, _P_ACT):
        return NOTHING
    if words[layout.ACTION + layout.VARIABLE]:
        source = -1 if kind == PLAY else who
        die = int(words[layout.ACTION + layout.DIE])
        positive = int(holds(words, rules, player, source, ability + layout.POSITIVE_IF, die))
    return _after(words, rules, positive, int(rules[ability + layout.COUNTS_AS_PASS]))


@kernel_njit
def _after(words: Words, rules: KernelRules, positive: int, passes: int) -> int:
    """Ask for responses to what has resolved, unless that has ended the match (M2)."""
    if rules[layout.RULE_ANSWERS_LATE] and result(words, rules) == UNDECIDED:
        words[layout.ACTION + layout.POSITIVE], words[layout.ACTION + layout.RESOLVED] = positive, 1
        player = int(words[layout.ACTION + layout.ACTOR])
        for who in range(2):
            if responses(words, rules, who, words, -1) > 0:
                words[layout.DECLINED], words[layout.LEFT] = 0, 0
                return ASK | (1 - player) << NEXT_SHIFT
    return resolved(words, rules, positive, passes)


@kernel_njit
def _put(words: Words, rules: KernelRules, player: int) -> None:
    """A minion enters; a pump is put on a Character that is still there (P3). Modified in place: `words`."""
    card = int(words[layout.ACTION + layout.ACTION_CARD]) - 1
    if rules[card_rules(card) + layout.CARD_TYPE] == _MINION:
        add_fighter(words, player, -1, card, 0, SUPPORT)
        return
    fighter = fighter_at(
        int(words[layout.ACTION + layout.SIDE]) - 1, int(words[layout.ACTION + layout.TARGET]) - 1
    )
    if is_alive(words, rules, fighter):
        words[fighter + layout.PUMPS + words[fighter + layout.PUMPS_SIZE]] = player | card << 1
        words[fighter + layout.PUMPS_SIZE] += 1
        clip(words, rules, fighter)
