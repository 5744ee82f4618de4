"""Cards and abilities that may be used, as actions or as responses, numbered as in the reference."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engine.jit import kernel_njit
from engine.ophidian import layout
from engine.ophidian.abilities import REPLIES, WHENS
from engine.ophidian.kernel_rules import CARD_SIGNS, KernelRules
from engine.ophidian.kernel_state import (
    Words,
    ability_at,
    body_of,
    card_rules,
    fighter_at,
    fits,
    holds,
    is_alive,
    is_gladiator,
    meets,
    team_size,
)
from engine.ophidian.reference_moves import IN_PLAY
from engine.ophidian.reference_state import Kind
from engine.ophidian.rules_schema import CARD_KINDS, MAX_MINIONS, MAX_PUMPS, MAX_RESPONSES

Move = NDArray[np.int64]
"""`[MOVE_WORDS]`"""

FOUND = 1 << 30
"""More moves than there are: the wanted one has been written down."""

_MINION, _PUMP = CARD_KINDS.index("minion"), CARD_KINDS.index("pump")
_RESPONSE_SIGN = CARD_SIGNS.index("response")
_WHEN_ACTION, _WHEN_ANNOUNCED, _WHEN_RESOLVED = (
    WHENS.index(word) for word in ("action", "announced", "resolved")
)
_TO_ATTACKED, _TO_ATTACKS, _TO_POSITIVE, _TO_NEGATIVE = (
    REPLIES.index(word) for word in ("attacked", "attacks", "positive", "negative")
)
(
    ATTACK,
    ADVANCE,
    RETREAT,
    PASS,
    TAKE,
    INTERCEPT,
    PROTECT,
    QUIET,
    ROAR,
    PROMOTE,
    PLACE,
    PLAY,
    ABILITY,
    REPLY,
    REACT,
    DECLINE,
    DISCARD,
    STOP,
    UNDER,
    MAINTAIN,
    ABANDON,
    REINFORCE,
) = (int(each) for each in Kind)


@kernel_njit
def put_move(move: Move, kind: int, who: int, target: int, card: int, side: int, many: int) -> None:
    """Write down a move. Modified in place: `move`."""
    move[0], move[1], move[2], move[3], move[4], move[5] = kind, who, target, card, side, many


@kernel_njit
def responses(words: Words, rules: KernelRules, player: int, move: Move, wanted: int) -> int:
    """What a player may respond to an action (M2, M3). Modified in place: `move`."""
    count = 0
    when = _WHEN_RESOLVED if words[layout.ACTION + layout.RESOLVED] else _WHEN_ANNOUNCED
    if words[layout.USED_SIZE] >= MAX_RESPONSES:
        return count
    for card in range(rules[layout.RULE_CARDS]):
        base = card_rules(card)
        if (
            words[player * layout.PLAYER_WORDS + layout.HAND + card] == 0
            or rules[base + layout.CARD_SIGN] != _RESPONSE_SIGN
        ):
            continue
        ability = ability_at(base, 0)
        if rules[ability + layout.WHEN] != when:
            continue
        if _times_used(words, player, card) >= rules[ability + layout.REPEATABLE]:
            continue
        if not _answers(words, rules, player, ability, -1) or not playable(words, rules, player, card):
            continue
        if holds(
            words, rules, player, _subject(words, rules, player, ability), ability + layout.ABILITY_IF, 0
        ):
            count = uses(words, rules, player, REPLY, card, move, wanted, count)
            if count >= FOUND:
                return count
    return abilities(words, rules, player, when, move, wanted, count)


@kernel_njit
def _times_used(words: Words, player: int, key: int) -> int:
    total, used = 0, player << layout.USED_SHIFT | key
    for place in range(words[layout.USED_SIZE]):
        total += int(words[layout.USED + place] == used)
    return total


@kernel_njit
def playable(words: Words, rules: KernelRules, player: int, card: int) -> bool:
    """Whether a card can be paid for, and its requirements are met (P1, P2, P5)."""
    base = card_rules(card)
    if rules[base + layout.CARD_COST] > words[player * layout.PLAYER_WORDS + layout.RESOURCES]:
        return False
    if rules[base + layout.CARD_UNIQUE] and _in_play(words, rules, 1 - player, card):
        return False
    return meets(words, rules, player, card)


@kernel_njit
def _in_play(words: Words, rules: KernelRules, player: int, card: int) -> bool:
    for index in range(team_size(words, player)):
        fighter = fighter_at(player, index)
        if words[fighter + layout.CARD] == card + 1 and is_alive(words, rules, fighter):
            return True
    for side in range(2):
        for index in range(team_size(words, side)):
            fighter = fighter_at(side, index)
            for place in range(words[fighter + layout.PUMPS_SIZE]):
                if words[fighter + layout.PUMPS + place] == (player | card << 1):
                    return True
    return False


@kernel_njit
def num_minions(words: Words, rules: KernelRules, player: int) -> int:
    """Minions of a player in play."""
    total = 0
    for index in range(team_size(words, player)):
        fighter = fighter_at(player, index)
        if not is_gladiator(words, fighter) and is_alive(words, rules, fighter):
            total += 1
    return total


@kernel_njit
def uses(
    words: Words, rules: KernelRules, player: int, kind: int, card: int, move: Move, wanted: int, count: int
) -> int:
    """The ways to play a card from hand: who pays in wounds, and its target."""
    base = card_rules(card)
    if rules[base + layout.CARD_TYPE] == _MINION:
        if num_minions(words, rules, player) < MAX_MINIONS:
            if count == wanted:
                put_move(move, kind, -1, -1, card, -1, 0)
                return FOUND
            count += 1
        return count
    if rules[base + layout.CARD_TYPE] == _PUMP:
        return _targets(
            words, rules, player, kind, -1, card, base + layout.CARD_PUT_ON, MAX_PUMPS, move, wanted, count
        )
    ability = ability_at(base, 0)
    if not _can_pay(words, rules, player, ability, int(rules[base + layout.CARD_COST]), 1):
        return count
    wanted_filter = ability + layout.ABILITY_TARGET if rules[ability + layout.HAS_TARGET] else -1
    if rules[ability + layout.COST_WOUND] == 0:
        return _targets(words, rules, player, kind, -1, card, wanted_filter, 0, move, wanted, count)
    for who in range(team_size(words, player)):
        fighter = fighter_at(player, who)
        if is_gladiator(words, fighter) and is_alive(words, rules, fighter):
            count = _targets(words, rules, player, kind, who, card, wanted_filter, 0, move, wanted, count)
            if count >= FOUND:
                return count
    return count


@kernel_njit
def abilities(
    words: Words, rules: KernelRules, player: int, when: int, move: Move, wanted: int, count: int
) -> int:
    """Abilities of own cards in play, as actions or responses."""
    for who in range(team_size(words, player)):
        fighter = fighter_at(player, who)
        body = body_of(words, fighter)
        for place in range(rules[body + layout.BODY_ABILITIES]):
            ability = ability_at(body, place)
            if rules[ability + layout.WHEN] != when or (
                rules[ability + layout.COST_SET] and words[fighter + layout.SET]
            ):
                continue
            if not is_alive(words, rules, fighter):
                continue
            if when != _WHEN_ACTION:
                used = _times_used(words, player, IN_PLAY + 2 * who + place)
                if used >= rules[ability + layout.REPEATABLE]:
                    continue
                if not _answers(words, rules, player, ability, who):
                    continue
            if not holds(words, rules, player, fighter, ability + layout.ABILITY_IF, 0):
                continue
            if not _can_pay(words, rules, player, ability, 0, 0):
                continue
            wanted_filter = ability + layout.ABILITY_TARGET if rules[ability + layout.HAS_TARGET] else -1
            kind = ABILITY if when == _WHEN_ACTION else REACT
            count = _targets(words, rules, player, kind, who, place, wanted_filter, 0, move, wanted, count)
            if count >= FOUND:
                return count
    return count


@kernel_njit
def _can_pay(words: Words, rules: KernelRules, player: int, ability: int, resources: int, cards: int) -> bool:
    base = player * layout.PLAYER_WORDS
    return bool(
        words[base + layout.RESOURCES] >= rules[ability + layout.COST_RESOURCES] + resources
        and words[layout.CHEER + player] >= rules[ability + layout.COST_CHEER]
        and words[base + layout.HAND_SIZE] >= rules[ability + layout.COST_DISCARD] + cards
    )


@kernel_njit
def _targets(
    words: Words,
    rules: KernelRules,
    player: int,
    kind: int,
    who: int,
    card: int,
    wanted_filter: int,
    max_pumps: int,
    move: Move,
    wanted: int,
    count: int,
) -> int:
    """One move for each Character that is meant, own ones first; one where nobody is asked for."""
    if wanted_filter < 0:
        if count == wanted:
            put_move(move, kind, who, -1, card, -1, 0)
            return FOUND
        return count + 1
    for step in range(2):
        side = player if step == 0 else 1 - player
        for index in range(team_size(words, side)):
            fighter = fighter_at(side, index)
            if max_pumps and words[fighter + layout.PUMPS_SIZE] >= max_pumps:
                continue
            if fits(words, rules, player, side, fighter, wanted_filter):
                if count == wanted:
                    put_move(move, kind, who, index, card, side, 0)
                    return FOUND
                count += 1
    return count


@kernel_njit
def _answers(words: Words, rules: KernelRules, player: int, ability: int, source: int) -> bool:
    """Whether a response answers an action; `source` is the own card in play, -1 for one in hand."""
    to, action = rules[ability + layout.TO], layout.ACTION
    if to in (_TO_POSITIVE, _TO_NEGATIVE):
        return bool(
            words[action + layout.VARIABLE] == 0
            and words[action + layout.POSITIVE] == int(to == _TO_POSITIVE)
        )
    if words[action + layout.KIND] != ATTACK + 1:
        return False
    actor = int(words[action + layout.ACTOR])
    attacker, defender = int(words[action + layout.WHO]) - 1, int(words[action + layout.HIT]) - 1
    if (player == actor) != (to == _TO_ATTACKS):
        return False
    if source >= 0 and source != (defender if to == _TO_ATTACKED else attacker):
        return False
    if not is_alive(words, rules, fighter_at(actor, attacker)):
        return False
    return is_alive(words, rules, fighter_at(1 - actor, defender))


@kernel_njit
def _subject(words: Words, rules: KernelRules, player: int, ability: int) -> int:
    """The own Character that a response in hand is about, -1 for none."""
    to = rules[ability + layout.TO]
    if to == _TO_ATTACKED:
        return fighter_at(player, int(words[layout.ACTION + layout.HIT]) - 1)
    if to == _TO_ATTACKS:
        return fighter_at(player, int(words[layout.ACTION + layout.WHO]) - 1)
    return -1
