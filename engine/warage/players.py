"""Rule-based players: what they do is written down here in full, and a few numbers set how.

They attack whenever they may, the weakest opponent first; buy what adds most to what their hero lives by; put
cards into the life pile when they are low; answer an attack, and help their own, where a card brings more
HP than it costs. They look at their own hand and at what lies open, and at nothing else.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engine.jit import inlined_njit, kernel_njit
from engine.warage import layout
from engine.warage.kernel_moves import (
    ABILITY,
    ATTACK,
    BUY,
    CAST,
    FLASH,
    MOVE_WORDS,
    PASS,
    SELL,
    TO_LIFE,
    USE,
    Move,
    side_of,
    the_attack,
)
from engine.warage.kernel_round import attack_total, defence_total
from engine.warage.kernel_rules import KernelRules
from engine.warage.kernel_state import (
    Words,
    added,
    card_rules,
    effect_at,
    has_room,
    hp_of,
    item_at,
    number_of_dice,
    opposes,
    piece_card,
    season_dice,
    task,
)
from engine.warage.reference_state import Do, Kind
from engine.warage.rules_schema import ACTIONS, KINDS, STATS, TARGETS, TRIGGERS
from engine.warage.styles import GREEDY, RULE_BASED, Style

__all__ = ["GREEDY", "RULE_BASED", "Style", "choose", "style_of"]


NUM_STYLE = len(Style._fields)
_LIFE_BELOW, _RESERVE, _HORIZON, _GAIN, _HEAL_BELOW = range(NUM_STYLE)
_NO_FLASHES = 200

_DO_REDRAW, _DO_DRAW = int(Do.REDRAW), int(Do.DRAW)
_FLASH_CARD = KINDS.index("flash")
_FLASH_ITEM, _USE_ITEM, _ABILITY_ITEM = int(Kind.FLASH), int(Kind.USE), int(Kind.ABILITY)
_A, _D, _M, _DICE = (STATS.index(stat) for stat in ("A", "D", "M", "dice"))
_MODIFY, _GAIN_HP, _LOSE, _DRAW, _DISCARD, _DESTROY, _NEGATE, _PREVENT, _SET_SEASON = (
    ACTIONS.index(word)
    for word in ("modify", "gain", "lose", "draw", "discard", "destroy", "negate", "prevent", "season")
)
_DRAIN = ACTIONS.index("drain")
_READY_TRIGGER, _OPENING, _CLOSING, _PLAY_TRIGGER, _USE_TRIGGER = (
    TRIGGERS.index(word) for word in ("ready", "opening", "closing", "play", "use")
)
_SELF, _THIS_ATTACK = TARGETS.index("self"), TARGETS.index("this-attack")
_DRAWN = 3
"""Half HP that a card in hand is taken to be worth."""
_DECK_LOW = 12
"""With fewer cards left than these, drawing brings the end closer."""
_NOTHING = -(1 << 20)


def style_of(style: Style) -> NDArray[np.int64]:
    """A style as kernels take it."""
    return np.array(style, np.int64)


@inlined_njit
def choose(words: Words, rules: KernelRules, style: NDArray[np.int64], count: int, moves: Move) -> int:
    """The number of the move that a player makes.

    `moves` holds all `count` of them where priority is held, `MOVE_WORDS` numbers each.
    """
    do = task(words, 0)
    if do == _DO_REDRAW:
        return _redraw(words, rules)
    if do == _DO_DRAW:
        seat = task(words, 1)
        low = hp_of(words, seat) < style[_LIFE_BELOW]
        return 1 if low and count > 1 else 0
    best, number = 0, 0
    for index in range(1, count):
        score = _score(words, rules, style, moves[index * MOVE_WORDS : (index + 1) * MOVE_WORDS])
        if score > best:
            best, number = score, index
    return number


@kernel_njit
def _redraw(words: Words, rules: KernelRules) -> int:
    """A hand without anything to put into play is drawn anew."""
    base = task(words, 1) * layout.HERO_WORDS
    for place in range(words[base + layout.HAND_SIZE]):
        if rules[card_rules(int(words[base + layout.HAND + place])) + layout.CARD_KIND] != _FLASH_CARD:
            return 0
    return 1


@inlined_njit
def _score(words: Words, rules: KernelRules, style: NDArray[np.int64], move: Move) -> int:
    """How good a move is, in half HP; passing is 0."""
    kind, seat = move[0], int(words[layout.PRIORITY])
    if kind == BUY:
        card = card_rules(int(move[2]))
        cost = int(rules[card + layout.CARD_COST])
        if hp_of(words, seat) - cost < style[_RESERVE] or not has_room(words, rules, seat, card):
            return _NOTHING
        return _worth(words, rules, seat, card, int(style[_HORIZON])) - 2 * cost
    if kind == ATTACK:
        return _target(words, int(move[2]), int(move[3]))
    if kind == CAST:
        return _cast(words, rules, seat, move)
    if kind == FLASH:
        if style[_GAIN] > _NO_FLASHES:
            return _NOTHING
        card = card_rules(int(move[2]))
        worth = _effects(words, rules, style, seat, card + layout.CARD_EFFECTS, _PLAY_TRIGGER, move, 3)
        return worth - 2 * int(rules[card + layout.CARD_COST]) - int(style[_GAIN]) + 1
    if kind == USE:
        effects = (
            card_rules(piece_card(words[seat * layout.HERO_WORDS + layout.PLAY + int(move[2])]))
            + layout.CARD_EFFECTS
        )
        worth = _effects(words, rules, style, seat, effects, _USE_TRIGGER, move, 3)
        return worth - 2 * int(rules[effects + layout.EFFECTS_USE_COST])
    if kind == ABILITY:
        effects = layout.RULE_SEATS + seat * layout.SEAT_WORDS + layout.SEAT_EFFECTS
        worth = _effects(words, rules, style, seat, effects, _USE_TRIGGER, move, 2)
        return worth - 2 * int(rules[effects + layout.EFFECTS_USE_COST])
    return _NOTHING


@kernel_njit
def _target(words: Words, hero: int, piece: int) -> int:
    """Heroes rather than helpers, the one with the fewest HP."""
    return _NOTHING if piece >= 0 else 5000 - hp_of(words, hero)


@kernel_njit
def _cast(words: Words, rules: KernelRules, seat: int, move: Move) -> int:
    """Spells go apart where the base beats the defence, else together."""
    spell, copies, hero = int(move[2]), int(move[3]), int(move[4])
    base = int(rules[layout.RULE_SEATS + seat * layout.SEAT_WORDS + layout.SEAT_MAGIC]) + added(
        words, rules, seat, _M
    )
    defence = int(rules[layout.RULE_SEATS + hero * layout.SEAT_WORDS + layout.SEAT_DEFENCE]) + added(
        words, rules, hero, _D
    )
    bonus = int(rules[card_rules(spell) + layout.CARD_MAGIC])
    apart = base >= defence
    score = _target(words, hero, int(move[5])) + bonus
    return score - 20 * copies if apart else score + 20 * copies


@kernel_njit
def _weight(rules: KernelRules, seat: int, stat: int) -> int:
    """How much a point of a value counts for a hero, in quarters."""
    place = layout.RULE_SEATS + seat * layout.SEAT_WORDS
    if stat == _M:
        return 4 if rules[place + layout.SEAT_BLUE] > 0 and rules[place + layout.SEAT_MAGIC] > 0 else 0
    if stat == _A:
        return 4 if rules[place + layout.SEAT_ATTACK] >= rules[place + layout.SEAT_MAGIC] else 1
    return 4 if stat == _D else 12


@kernel_njit
def _worth(words: Words, rules: KernelRules, seat: int, card: int, horizon: int) -> int:
    """What a card in play is taken to be worth, in half HP."""
    if rules[card + layout.CARD_ATTACK_SPELL]:
        return 2 * horizon * int(rules[card + layout.CARD_MAGIC]) + 20
    total, effects = 0, card + layout.CARD_EFFECTS
    for number in range(rules[effects + layout.EFFECTS_COUNT]):
        effect = effect_at(effects, number)
        trigger, action, amount = (
            rules[effect + layout.EFFECT_TRIGGER],
            rules[effect + layout.EFFECT_ACTION],
            int(rules[effect + layout.EFFECT_AMOUNT]),
        )
        if trigger == _READY_TRIGGER and action == _MODIFY:
            sign = 1 if rules[effect + layout.EFFECT_TARGET] == _SELF else -1
            total += (
                sign * amount * horizon * _weight(rules, seat, int(rules[effect + layout.EFFECT_STAT])) // 2
            )
        elif trigger in (_OPENING, _CLOSING):
            if action == _GAIN_HP:
                total += 2 * horizon * amount
            elif action == _DRAW:
                total += (
                    horizon * amount
                    if words[seat * layout.HERO_WORDS + layout.DECK_SIZE] > 2 * _DECK_LOW
                    else 0
                )
            elif action == _DRAIN:
                total += 4 * horizon * amount
            elif action == _LOSE:
                total += (-2 if rules[effect + layout.EFFECT_TARGET] == _SELF else 2) * horizon * amount
        elif trigger == _USE_TRIGGER and (action in (_GAIN_HP, _PREVENT)):
            total += horizon * amount
        elif trigger == _USE_TRIGGER:
            total += 2 * horizon
    return total


@kernel_njit
def _margin(words: Words, rules: KernelRules, attack: int) -> int:
    """What an attack has ahead on average, in half points, with what lies on it already."""
    owner, hero = int(words[attack + layout.ITEM_OWNER]), int(words[attack + layout.ITEM_HERO]) - 1
    margin = 2 * (attack_total(words, rules, attack) - defence_total(words, rules, attack))
    own = number_of_dice(words, rules, owner, int(words[attack + layout.ITEM_DICE]) - layout.DICE_OFFSET)
    other = number_of_dice(words, rules, hero, int(words[attack + layout.ITEM_DICE + 1]) - layout.DICE_OFFSET)
    margin += 7 * (own - other) - 2 * int(words[attack + layout.ITEM_PREVENT])
    for position in range(1, words[layout.QUEUE_SIZE]):
        margin += pending(words, rules, attack, item_at(position))
    return margin


@kernel_njit
def pending(words: Words, rules: KernelRules, attack: int, item: int) -> int:
    """What a reply that lies on the queue will change, in half points."""
    kind = words[item + layout.ITEM_KIND]
    if kind not in (_FLASH_ITEM, _USE_ITEM, _ABILITY_ITEM) or words[item + layout.ITEM_NEGATED]:
        return 0
    effects = layout.RULE_SEATS + words[item + layout.ITEM_OWNER] * layout.SEAT_WORDS + layout.SEAT_EFFECTS
    if kind != _ABILITY_ITEM:
        effects = card_rules(int(words[item + layout.ITEM_CARD]) - 1) + layout.CARD_EFFECTS
    attacks = words[item + layout.ITEM_OWNER] == words[attack + layout.ITEM_OWNER]
    total = 0
    for number in range(rules[effects + layout.EFFECTS_COUNT]):
        effect = effect_at(effects, number)
        if rules[effect + layout.EFFECT_TARGET] != _THIS_ATTACK:
            continue
        amount = 2 * int(rules[effect + layout.EFFECT_AMOUNT])
        if rules[effect + layout.EFFECT_ACTION] == _PREVENT:
            total -= amount
        elif rules[effect + layout.EFFECT_ACTION] == _MODIFY:
            total += amount if attacks else -amount
    return total


@kernel_njit
def _effects(
    words: Words,
    rules: KernelRules,
    style: NDArray[np.int64],
    seat: int,
    effects: int,
    trigger: int,
    move: Move,
    at: int,
) -> int:
    """What effects bring, in half HP; `at` is where the targets stand in the move."""
    total = 0
    for number in range(rules[effects + layout.EFFECTS_COUNT]):
        effect = effect_at(effects, number)
        if rules[effect + layout.EFFECT_TRIGGER] != trigger:
            continue
        action, amount, target = (
            rules[effect + layout.EFFECT_ACTION],
            int(rules[effect + layout.EFFECT_AMOUNT]),
            rules[effect + layout.EFFECT_TARGET],
        )
        if target == _THIS_ATTACK:
            total += _on_attack(
                words, rules, seat, int(action), int(rules[effect + layout.EFFECT_STAT]), amount
            )
        elif action == _GAIN_HP:
            total += 2 * amount if hp_of(words, seat) < style[_HEAL_BELOW] and _at_rest(words, seat) else 0
        elif action == _LOSE:
            total += -2 * amount if target == _SELF else 2 * amount
        elif action == _DRAIN:
            total += 4 * amount
        elif action == _DRAW:
            rich = (
                words[seat * layout.HERO_WORDS + layout.DECK_SIZE] > _DECK_LOW
                and hp_of(words, seat) > style[_RESERVE]
            )
            total += _DRAWN * amount if rich and _at_rest(words, seat) else -4
        elif action == _DISCARD:
            total += -_DRAWN * amount if target == _SELF else _DRAWN * amount
        elif action == _DESTROY:
            piece = words[int(move[at]) * layout.HERO_WORDS + layout.PLAY + int(move[at + 1])]
            card = card_rules(piece_card(piece))
            total += _worth(words, rules, int(move[at]), card, int(style[_HORIZON])) // 2
        elif action == _NEGATE:
            total += _negated(words, rules, seat, item_at(int(move[at + 2])))
        elif action == _SET_SEASON:
            total += _season(words, rules, seat)
        elif action == _MODIFY:
            total += amount if _at_rest(words, seat) else 0
    return total


@kernel_njit
def _at_rest(words: Words, seat: int) -> bool:
    """Whether nothing is on the queue and the round is its own: the time for what does not press."""
    return bool(words[layout.QUEUE_SIZE] == 0 and words[layout.ACTIVE] == seat)


@kernel_njit
def _on_attack(words: Words, rules: KernelRules, seat: int, action: int, stat: int, amount: int) -> int:
    """What an effect on this attack brings, in half HP of damage more or less."""
    attack, side = the_attack(words), side_of(words, seat)
    if side < 0 or words[attack + layout.ITEM_PIECE] != 1:
        return 0
    margin = _margin(words, rules, attack)
    if action == _MODIFY and stat == _DICE:
        amount *= 3
    elif action not in (_MODIFY, _PREVENT):
        amount = 2
    change = 2 * amount if side == 0 else -2 * amount
    gained = max(margin + change, 0) - max(margin, 0)
    return gained if side == 0 else -gained


@kernel_njit
def _negated(words: Words, rules: KernelRules, seat: int, item: int) -> int:
    """What negating an item brings: a little more than it cost, if it is an opponent's."""
    if not opposes(words, rules, seat, int(words[item + layout.ITEM_OWNER])):
        return _NOTHING
    if words[item + layout.ITEM_CARD] == 0:
        return 6
    card = card_rules(int(words[item + layout.ITEM_CARD]) - 1)
    change = abs(pending(words, rules, item_at(0), item)) if the_attack(words) >= 0 else 0
    return max(2 * int(rules[card + layout.CARD_COST]) + 2, change)


@kernel_njit
def _season(words: Words, rules: KernelRules, seat: int) -> int:
    """Another season is worth something in one that is worse for it than for the others."""
    worse = 0
    for other in range(rules[layout.RULE_PLAYERS]):
        if opposes(words, rules, seat, other):
            worse = max(worse, season_dice(words, rules, other) - season_dice(words, rules, seat))
    return 8 * worse if _at_rest(words, seat) else 0


assert (PASS, SELL, TO_LIFE) == (5, 14, 3)
assert MOVE_WORDS == 6
