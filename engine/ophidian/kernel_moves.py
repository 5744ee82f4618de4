"""What may be done, numbered as in the reference: actions, answers, responses, the steps of the breather."""

from __future__ import annotations

from engine.jit import kernel_njit
from engine.ophidian import layout
from engine.ophidian.abilities import REPLIES, WHENS
from engine.ophidian.kernel_plays import (
    ABANDON,
    ADVANCE,
    ATTACK,
    DECLINE,
    DISCARD,
    FOUND,
    INTERCEPT,
    MAINTAIN,
    PASS,
    PLACE,
    PLAY,
    PROMOTE,
    PROTECT,
    QUIET,
    REINFORCE,
    RETREAT,
    ROAR,
    STOP,
    TAKE,
    UNDER,
    Move,
    abilities,
    playable,
    put_move,
    responses,
    uses,
)
from engine.ophidian.kernel_rules import CARD_SIGNS, KernelRules
from engine.ophidian.kernel_state import (
    Words,
    body_of,
    card_rules,
    fighter_at,
    is_alive,
    is_gladiator,
    may_stand_in,
    pump_card,
    team_size,
)
from engine.ophidian.reference_state import ACTION, Phase
from engine.ophidian.rules_schema import NEVER

_ACTION_FIELD = ACTION
_RESPONSE_SIGN = CARD_SIGNS.index("response")
_WHEN_ACTION = WHENS.index("action")
_TO_ATTACKED, _TO_ATTACKS, _TO_POSITIVE, _TO_NEGATIVE = (
    REPLIES.index(word) for word in ("attacked", "attacks", "positive", "negative")
)
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
def moves(words: Words, rules: KernelRules, move: Move, wanted: int) -> int:
    """How many moves there are; or `FOUND`, and the wanted one is written down. Modified in place: `move`."""
    phase, turn = words[layout.PHASE], int(words[layout.TURN])
    if phase == _P_ACT:
        return _actions(words, rules, turn, move, wanted)
    if phase == _P_STAND_IN:
        return stand_ins(words, rules, move, wanted)
    if phase == _P_RESPOND:
        count = responses(words, rules, turn, move, wanted)
        if count == wanted:
            put_move(move, DECLINE, -1, -1, -1, -1, 0)
            return FOUND
        return count if count >= FOUND else count + 1
    if phase == _P_ROAR:
        if wanted >= 0:
            put_move(move, ROAR if wanted == 0 else QUIET, -1, -1, -1, -1, 0)
            return FOUND
        return 2
    if phase == _P_PLACE:
        return _placements(words, rules, turn, move, wanted)
    if phase == _P_PROMOTE:
        return _promotions(words, rules, turn, move, wanted)
    if phase == _P_DISCARD or phase == _P_UNDER:
        return _hand_cards(words, rules, turn, move, wanted)
    if phase == _P_MAINTAIN:
        cost = (maintained(words, rules, turn, int(words[layout.LEFT])) >> 9) - 1
        pays = int(cost != NEVER and cost <= words[turn * layout.PLAYER_WORDS + layout.RESOURCES])
        if wanted >= 0:
            put_move(move, MAINTAIN if wanted == 0 and pays else ABANDON, -1, -1, -1, -1, 0)
            return FOUND
        return 1 + pays
    return _reinforcements(words, turn, move, wanted)


@kernel_njit
def _actions(words: Words, rules: KernelRules, turn: int, move: Move, wanted: int) -> int:
    count = 0
    for who in range(team_size(words, turn)):
        fighter = fighter_at(turn, who)
        if words[fighter + layout.FIELD] != _ACTION_FIELD or words[fighter + layout.SET]:
            continue
        if not is_alive(words, rules, fighter):
            continue
        for target in range(team_size(words, 1 - turn)):
            if is_alive(words, rules, fighter_at(1 - turn, target)):
                if count == wanted:
                    put_move(move, ATTACK, who, target, -1, -1, 0)
                    return FOUND
                count += 1
    for who in range(team_size(words, turn)):
        fighter = fighter_at(turn, who)
        in_action = words[fighter + layout.FIELD] == _ACTION_FIELD
        if (not in_action and words[fighter + layout.SET]) or not is_alive(words, rules, fighter):
            continue
        if count == wanted:
            put_move(move, RETREAT if in_action else ADVANCE, who, -1, -1, -1, 0)
            return FOUND
        count += 1
    count = abilities(words, rules, turn, _WHEN_ACTION, move, wanted, count)
    if count >= FOUND:
        return count
    for card in range(rules[layout.RULE_CARDS]):
        if (
            words[turn * layout.PLAYER_WORDS + layout.HAND + card] == 0
            or rules[card_rules(card) + layout.CARD_SIGN] == _RESPONSE_SIGN
        ):
            continue
        if playable(words, rules, turn, card):
            count = uses(words, rules, turn, PLAY, card, move, wanted, count)
            if count >= FOUND:
                return count
    if count == wanted:
        put_move(move, PASS, -1, -1, -1, -1, 0)
        return FOUND
    return count + 1


@kernel_njit
def stand_ins(words: Words, rules: KernelRules, move: Move, wanted: int) -> int:
    """Whoever may take the attack for its target, and nobody (A3). Modified in place: `move`."""
    other = 1 - int(words[layout.MOMENTUM])
    target = int(words[layout.ACTION + layout.TARGET]) - 1
    field, count = words[fighter_at(other, target) + layout.FIELD], 0
    for who in range(team_size(words, other)):
        fighter = fighter_at(other, who)
        if who == target or words[fighter + layout.SET] or not may_stand_in(words, rules, fighter):
            continue
        same = words[fighter + layout.FIELD] == field
        if not (same or words[fighter + layout.FIELD] == _ACTION_FIELD) or not is_alive(
            words, rules, fighter
        ):
            continue
        if count == wanted:
            put_move(move, INTERCEPT if same else PROTECT, who, -1, -1, -1, 0)
            return FOUND
        count += 1
    if count == wanted:
        put_move(move, TAKE, -1, -1, -1, -1, 0)
        return FOUND
    return count + 1


# -- the breather -------------------------------------------------------------------------------------


@kernel_njit
def _placements(words: Words, rules: KernelRules, turn: int, move: Move, wanted: int) -> int:
    """All in the action field first, the last Character's field changing fastest."""
    alive = 0
    for index in range(team_size(words, turn)):
        alive += int(is_alive(words, rules, fighter_at(turn, index)))
    if wanted < 0:
        return 1 << alive
    many = 0
    for index in range(team_size(words, turn)):
        if is_alive(words, rules, fighter_at(turn, index)):
            alive -= 1
            if not wanted >> alive & 1:
                many |= 1 << index
    put_move(move, PLACE, -1, -1, -1, -1, many)
    return FOUND


@kernel_njit
def _promotions(words: Words, rules: KernelRules, turn: int, move: Move, wanted: int) -> int:
    """As many as may first; of as many, the first ones first."""
    rising, places = 0, 0
    for index in range(team_size(words, turn)):
        fighter = fighter_at(turn, index)
        if not is_gladiator(words, fighter) or words[fighter + layout.LEVEL] >= layout.NUM_LEVELS:
            continue
        if is_alive(words, rules, fighter):
            places |= index << 4 * rising
            rising += 1
    count = 0
    for size in range(min(int(rules[layout.RULE_PROMOTIONS]), rising), -1, -1):
        for mask in range((1 << rising) - 1, -1, -1):
            many, chosen = 0, 0
            for place in range(rising):
                if mask >> (rising - 1 - place) & 1:
                    many |= 1 << (places >> 4 * place & 15)
                    chosen += 1
            if chosen != size:
                continue
            if count == wanted:
                put_move(move, PROMOTE, -1, -1, -1, -1, many)
                return FOUND
            count += 1
    return count


@kernel_njit
def _hand_cards(words: Words, rules: KernelRules, turn: int, move: Move, wanted: int) -> int:
    """A card to discard or to put under the deck; where discards are free, also none."""
    under = words[layout.PHASE] == _P_UNDER
    free, count = not under and words[layout.ACTION] == 0, 0
    for card in range(int(words[layout.LEFT]) if free else 0, rules[layout.RULE_CARDS]):
        if words[turn * layout.PLAYER_WORDS + layout.HAND + card]:
            if count == wanted:
                put_move(move, UNDER if under else DISCARD, -1, -1, card, -1, 0)
                return FOUND
            count += 1
    if not free:
        return count
    if count == wanted:
        put_move(move, STOP, -1, -1, -1, -1, 0)
        return FOUND
    return count + 1


@kernel_njit
def maintained(words: Words, rules: KernelRules, player: int, wanted: int) -> int:
    """Where the next card lies that has to be maintained, and its cost; -1 if there is none (B3).

    From the lowest bit: side (1), place of the Character (4), place of the pump and 1 (4), cost and 1.
    """
    count = 0
    for side in range(2):
        for index in range(team_size(words, side)):
            fighter = fighter_at(side, index)
            if not is_alive(words, rules, fighter):
                continue
            cost = int(rules[body_of(words, fighter) + layout.BODY_MAINTAIN])
            if side == player and cost:
                if count == wanted:
                    return side | index << 1 | (cost + 1) << 9
                count += 1
            for number in range(words[fighter + layout.PUMPS_SIZE]):
                pump = int(words[fighter + layout.PUMPS + number])
                cost = int(rules[card_rules(pump_card(pump)) + layout.BODY_MAINTAIN])
                if pump & 1 == player and cost:
                    if count == wanted:
                        return side | index << 1 | (number + 1) << 5 | (cost + 1) << 9
                    count += 1
    return -1


@kernel_njit
def may_reinforce(words: Words, rules: KernelRules, player: int) -> bool:
    """Whether a reinforcement may replace one that has fallen (B4)."""
    own, alive, entered = 0, 0, 0
    for index in range(team_size(words, player)):
        fighter = fighter_at(player, index)
        if is_gladiator(words, fighter):
            own += 1
            alive += int(is_alive(words, rules, fighter))
            entered += int(rules[body_of(words, fighter) + layout.GLADIATOR_REINFORCEMENT])
    some = words[player * layout.PLAYER_WORDS + layout.STACK_SIZE] > 0
    return bool(entered < own - alive and alive < rules[layout.RULE_TEAM_SIZE] and some)


@kernel_njit
def _reinforcements(words: Words, turn: int, move: Move, wanted: int) -> int:
    base, count = turn * layout.PLAYER_WORDS, 0
    for place in range(words[base + layout.STACK_SIZE]):
        gladiator = words[base + layout.STACK + place]
        if gladiator >= words[layout.LEFT]:
            if count == wanted:
                put_move(move, REINFORCE, -1, -1, int(gladiator), -1, 0)
                return FOUND
            count += 1
    if count == wanted:
        put_move(move, STOP, -1, -1, -1, -1, 0)
        return FOUND
    return count + 1
