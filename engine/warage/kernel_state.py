"""Reading and changing the words of a state: heroes, pieces, the queue, tasks; what cards add."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engine.jit import inlined_njit, kernel_njit
from engine.warage import layout
from engine.warage.kernel_rules import KernelRules
from engine.warage.reference_state import FLOOR_HP, MAX_DICE, SPACE
from engine.warage.rules_schema import ACTIONS, LAWS, TARGETS, TRIGGERS

Words = NDArray[np.int64]

_HERO, _SEATS, _SEAT = layout.HERO_WORDS, layout.RULE_SEATS, layout.SEAT_WORDS
_CARDS, _CARD, _CARD_EFFECTS = layout.RULE_CARD, layout.CARD_WORDS, layout.CARD_EFFECTS
_SEASONS, _SEASON_WORDS, _SEASON_EFFECTS = layout.RULE_SEASON, layout.SEASON_WORDS, layout.SEASON_EFFECTS
_HP, _BEATEN, _PLAY, _PLAY_SIZE = layout.HP, layout.BEATEN, layout.PLAY, layout.PLAY_SIZE
_HAND, _HAND_SIZE, _HP_OFFSET = layout.HAND, layout.HAND_SIZE, layout.HP_OFFSET
_ROUND, _OPENING, _MODS = layout.ROUND_MODS, layout.OPENING_MODS, layout.MODS_OFFSET
_READY, _SHIFT = layout.READY_BIT, layout.CARD_SHIFT
_QUEUE, _QUEUE_SIZE, _ITEM = layout.QUEUE, layout.QUEUE_SIZE, layout.ITEM_WORDS
_AGENDA, _AGENDA_SIZE, _TASK = layout.AGENDA, layout.AGENDA_SIZE, layout.TASK_WORDS
_EFFECT, _FIRST, _COUNT = layout.EFFECT_WORDS, layout.EFFECTS_FIRST, layout.EFFECTS_COUNT
_TRIGGERS = layout.EFFECTS_TRIGGERS
_TRIGGER, _ACTION, _STAT = layout.EFFECT_TRIGGER, layout.EFFECT_ACTION, layout.EFFECT_STAT
_AMOUNT, _TARGET = layout.EFFECT_AMOUNT, layout.EFFECT_TARGET
_IF_SEASON, _IF_RACE = layout.EFFECT_IF_SEASON, layout.EFFECT_IF_RACE
_IF_CLASS, _IF_HP = layout.EFFECT_IF_CLASS, layout.EFFECT_IF_HP
_SEASON, _SPECIAL = layout.SEASON, layout.SPECIAL
_ITEM_PIECE, _ITEM_HERO, _ITEM_OWNER = layout.ITEM_PIECE, layout.ITEM_HERO, layout.ITEM_OWNER
_ITEM_SOURCES, _ITEM_SOURCE = layout.ITEM_SOURCES, layout.ITEM_SOURCE
_SEAT_GUILD, _SEAT_PLUS, _SEAT_MINUS = layout.SEAT_GUILD, layout.SEAT_PLUS, layout.SEAT_MINUS
_SEAT_RACE, _SEAT_CLASS = layout.SEAT_RACE, layout.SEAT_CLASS
_LAW, _PLAYERS = layout.SEASON_LAW, layout.RULE_PLAYERS
_PART, _NEED = layout.CARD_PART, layout.CARD_NEED
_ADDS, _VARIES, _AGAINST = layout.CARD_ADDS, layout.CARD_VARIES, layout.RULE_AGAINST
_FLASHES, _USES, _VARYING, _SUMS = layout.FLASHES, layout.USES, layout.VARYING, layout.ADDS
_SLOTLESS, _RED, _BLUE, _PARTS = layout.SLOTLESS, layout.RED_TAKEN, layout.BLUE_TAKEN, layout.PARTS
_RED_SHIFT, _BLUE_SHIFT = (bits.offset for bits in layout.BRIEF[2:])
_SLOTS, _PART_BITS, _PART_MASK = layout.BRIEF[2].mask, layout.PART_BITS, (1 << layout.PART_BITS) - 1
_SUMS_OFFSET, _NUM_STATS = layout.ADDS_OFFSET, layout.NUM_STATS
_BRIEF, _CARD_PLAYS, _CARD_USES = layout.RULE_BRIEF, layout.RULE_PLAYS, layout.RULE_USES
_IS_FLASH = 1 << layout.BRIEF[0].offset
_POINTS, _DICE, _CAP = layout.RULE_POINTS, layout.RULE_DICE, layout.RULE_CAP
_READY_TRIGGER, _MODIFY = TRIGGERS.index("ready"), ACTIONS.index("modify")
_SELF, _OPPONENT = TARGETS.index("self"), TARGETS.index("opponent")
_NO_MODIFIERS = LAWS.index("no-race-modifiers")
_SPACES = SPACE
_FLOOR = FLOOR_HP
_DICE_STAT = layout.NUM_STATS - 1


@kernel_njit
def hp_of(words: Words, seat: int) -> int:
    """A hero's HP."""
    return int(words[seat * _HERO + _HP]) - _HP_OFFSET


@kernel_njit
def is_beaten(words: Words, seat: int) -> bool:
    """Whether a hero is out."""
    return bool(words[seat * _HERO + _BEATEN])


@kernel_njit
def guild(rules: KernelRules, seat: int) -> int:
    """A hero's guild."""
    return int(rules[_SEATS + seat * _SEAT + _SEAT_GUILD])


@kernel_njit
def opposes(words: Words, rules: KernelRules, seat: int, other: int) -> bool:
    """Whether another hero is in and of another guild."""
    return not is_beaten(words, other) and guild(rules, seat) != guild(rules, other)


@kernel_njit
def num_alive(words: Words, rules: KernelRules) -> int:
    """Heroes that are in."""
    count = 0
    for seat in range(rules[_PLAYERS]):
        if not is_beaten(words, seat):
            count += 1
    return count


@kernel_njit
def next_seat(words: Words, rules: KernelRules, seat: int) -> int:
    """The next hero clockwise who is still in."""
    other = seat
    for _ in range(rules[_PLAYERS]):
        other = other + 1 if other + 1 < rules[_PLAYERS] else 0
        if not is_beaten(words, other):
            return other
    return seat


@kernel_njit
def change_hp(words: Words, rules: KernelRules, seat: int, amount: int) -> None:
    """Add to a hero's HP. Modified in place."""
    hp = min(hp_of(words, seat) + amount, int(rules[_CAP]))
    words[seat * _HERO + _HP] = max(hp, _FLOOR) + _HP_OFFSET


@kernel_njit
def card_rules(number: int) -> int:
    """Where the rules of a card lie."""
    return _CARDS + number * _CARD


@kernel_njit
def piece_card(piece: int) -> int:
    """The card of a piece."""
    return piece >> _SHIFT


@kernel_njit
def task(words: Words, place: int) -> int:
    """A number of the next task."""
    return int(words[_AGENDA + (words[_AGENDA_SIZE] - 1) * _TASK + place])


@kernel_njit
def set_task(words: Words, place: int, value: int) -> None:
    """Change a number of the next task. Modified in place."""
    words[_AGENDA + (words[_AGENDA_SIZE] - 1) * _TASK + place] = value


@kernel_njit
def add_task(words: Words, do: int, a: int, b: int, c: int, d: int, e: int) -> None:
    """Something to be done next; `c` and `e` may be -1. Modified in place."""
    base = _AGENDA + words[_AGENDA_SIZE] * _TASK
    words[base], words[base + 1], words[base + 2] = do, a, b
    words[base + 3], words[base + 4], words[base + 5] = c + 1, d, e + 1
    words[_AGENDA_SIZE] += 1


@kernel_njit
def drop_task(words: Words) -> None:
    """The next task is done. Modified in place."""
    words[_AGENDA_SIZE] -= 1
    base = _AGENDA + words[_AGENDA_SIZE] * _TASK
    for place in range(_TASK):
        words[base + place] = 0


@kernel_njit
def effect_at(effects: int, number: int) -> int:
    """Where one of some effects lies."""
    return effects + _FIRST + number * _EFFECT


@kernel_njit
def holds(words: Words, rules: KernelRules, seat: int, effect: int) -> bool:
    """Whether an effect's condition holds for a hero."""
    season = rules[effect + _IF_SEASON]
    if season >= 0 and words[_SEASON] != season + 1 and words[_SPECIAL] != season + 1:
        return False
    place = _SEATS + seat * _SEAT
    race, hero_class = rules[effect + _IF_RACE], rules[effect + _IF_CLASS]
    if race >= 0 and race != rules[place + _SEAT_RACE]:
        return False
    if hero_class >= 0 and hero_class != rules[place + _SEAT_CLASS]:
        return False
    most = rules[effect + _IF_HP]
    return bool(most == 0 or hp_of(words, seat) <= most)


@kernel_njit
def law_in_force(words: Words, rules: KernelRules, law: int) -> bool:
    """Whether a season card with this law is in force."""
    special, season = words[_SPECIAL], words[_SEASON]
    if special and rules[_SEASONS + (special - 1) * _SEASON_WORDS + _LAW] == law:
        return True
    return bool(season and rules[_SEASONS + (season - 1) * _SEASON_WORDS + _LAW] == law)


@kernel_njit
def season_dice(words: Words, rules: KernelRules, seat: int) -> int:
    """What the season adds for a hero, or takes away (S2)."""
    season = words[_SEASON] - 1
    if season < 0 or law_in_force(words, rules, _NO_MODIFIERS):
        return 0
    place = _SEATS + seat * _SEAT
    return int(season == rules[place + _SEAT_PLUS]) - int(season == rules[place + _SEAT_MINUS])


@kernel_njit
def modifiers(words: Words, rules: KernelRules, owner: int, effects: int, stat: int, target: int) -> int:
    """What ready effects add to a value."""
    if not rules[effects + _TRIGGERS] >> _READY_TRIGGER & 1:
        return 0
    total = 0
    for number in range(rules[effects + _COUNT]):
        effect = effect_at(effects, number)
        if (
            rules[effect + _TRIGGER] == _READY_TRIGGER
            and rules[effect + _ACTION] == _MODIFY
            and rules[effect + _STAT] == stat
            and rules[effect + _TARGET] == target
            and holds(words, rules, owner, effect)
        ):
            total += rules[effect + _AMOUNT]
    return int(total)


@inlined_njit
def pieces_add(words: Words, rules: KernelRules, owner: int, stat: int, target: int) -> int:
    """What a hero's ready pieces add to a value."""
    base = owner * _HERO
    total = int(words[base + _SUMS + stat]) - _SUMS_OFFSET if target == _SELF else 0
    if words[base + _VARYING] == 0:
        return total
    for index in range(words[base + _PLAY_SIZE]):
        piece = words[base + _PLAY + index]
        if piece & _READY:
            card = card_rules(piece_card(piece))
            if rules[card + _VARIES]:
                total += modifiers(words, rules, owner, card + _CARD_EFFECTS, stat, target)
    return total


@kernel_njit
def added(words: Words, rules: KernelRules, seat: int, stat: int) -> int:
    """What cards in play, seasons and effects that last add to one of a hero's values."""
    base = seat * _HERO
    total = int(words[base + _ROUND + stat]) + int(words[base + _OPENING + stat]) - 2 * _MODS
    special = words[_SPECIAL]
    if special:
        effects = _SEASONS + (special - 1) * _SEASON_WORDS + _SEASON_EFFECTS
        total += modifiers(words, rules, seat, effects, stat, _SELF)
    total += pieces_add(words, rules, seat, stat, _SELF)
    for other in range(rules[_PLAYERS] if rules[_AGAINST] else 0):
        if opposes(words, rules, seat, other):
            total += pieces_add(words, rules, other, stat, _OPPONENT)
    return total


@kernel_njit
def number_of_dice(words: Words, rules: KernelRules, seat: int, more: int) -> int:
    """Dice of one of a hero's totals (S2)."""
    dice = int(rules[_DICE]) + added(words, rules, seat, _DICE_STAT) + more
    if not rules[_POINTS]:
        dice += season_dice(words, rules, seat)
    return min(max(dice, 0), MAX_DICE)


@kernel_njit
def has_room(words: Words, rules: KernelRules, seat: int, card: int) -> bool:
    """Whether a piece could be ready beside those that are (E2); `card` is where its rules lie."""
    part = rules[card + _PART]
    if part == 0:
        return True
    taken = words[seat * _HERO + _PARTS] >> part * _PART_BITS & _PART_MASK
    return bool(taken + rules[card + _NEED] <= _SPACES[part])


@kernel_njit
def item_at(position: int) -> int:
    """Where an item of the queue lies."""
    return _QUEUE + position * _ITEM


@kernel_njit
def count_ready(words: Words, rules: KernelRules, seat: int, card: int, sign: int) -> None:
    """A ready piece more, or less; `card` is where its rules lie. Modified in place."""
    base = seat * _HERO
    words[base + _VARYING] += sign * rules[card + _VARIES]
    words[base + _PARTS] += sign * (rules[card + _NEED] << rules[card + _PART] * _PART_BITS)
    for stat in range(_NUM_STATS):
        words[base + _SUMS + stat] += sign * rules[card + _ADDS + stat]


@kernel_njit
def count_piece(words: Words, rules: KernelRules, seat: int, piece: int, sign: int) -> None:
    """A piece in play more, or less. Modified in place."""
    brief = rules[_BRIEF + piece_card(piece)]
    words[seat * _HERO + _RED] += sign * (brief >> _RED_SHIFT & _SLOTS)
    words[seat * _HERO + _BLUE] += sign * (brief >> _BLUE_SHIFT & _SLOTS)
    words[seat * _HERO + _USES] += sign * rules[_CARD_USES + piece_card(piece)]
    if piece & _READY:
        count_ready(words, rules, seat, card_rules(piece_card(piece)), sign)


@kernel_njit
def count_in_hand(words: Words, rules: KernelRules, seat: int, number: int, sign: int) -> None:
    """A card in hand more, or less. Modified in place."""
    brief = rules[_BRIEF + number]
    if brief & _IS_FLASH:
        words[seat * _HERO + _FLASHES] += sign * rules[_CARD_PLAYS + number]
    elif brief >> _RED_SHIFT == 0:  # blue slots lie above the red ones
        words[seat * _HERO + _SLOTLESS] += sign


@kernel_njit
def without_piece(words: Words, rules: KernelRules, seat: int, index: int) -> None:
    """Take a piece out of play; what pointed at it points nowhere (E7, Q4). Modified in place."""
    base = seat * _HERO
    count_piece(words, rules, seat, int(words[base + _PLAY + index]), -1)
    words[base + _PLAY_SIZE] -= 1
    size = words[base + _PLAY_SIZE]
    for place in range(index, size):
        words[base + _PLAY + place] = words[base + _PLAY + place + 1]
    words[base + _PLAY + size] = 0
    for position in range(words[_QUEUE_SIZE]):
        item = item_at(position)
        piece = words[item + _ITEM_PIECE] - 2
        if words[item + _ITEM_HERO] - 1 == seat and piece >= index:
            words[item + _ITEM_PIECE] = 0 if piece == index else piece + 1
        if words[item + _ITEM_OWNER] == seat:
            for number in range(words[item + _ITEM_SOURCES]):
                source = words[item + _ITEM_SOURCE + number] - 2
                if source >= index:
                    words[item + _ITEM_SOURCE + number] = 0 if source == index else source + 1


@kernel_njit
def add_to_hand(words: Words, rules: KernelRules, seat: int, card: int) -> None:
    """A card into a hand, which stays ascending. Modified in place."""
    count_in_hand(words, rules, seat, card, 1)
    base = seat * _HERO
    place = int(words[base + _HAND_SIZE])
    while place > 0 and words[base + _HAND + place - 1] > card:
        words[base + _HAND + place] = words[base + _HAND + place - 1]
        place -= 1
    words[base + _HAND + place] = card
    words[base + _HAND_SIZE] += 1


@inlined_njit
def take_from_hand(words: Words, rules: KernelRules, seat: int, card: int) -> None:
    """A card out of a hand. Modified in place."""
    count_in_hand(words, rules, seat, card, -1)
    base = seat * _HERO
    size = int(words[base + _HAND_SIZE])
    place = 0
    while words[base + _HAND + place] != card:
        place += 1
    for index in range(place, size - 1):
        words[base + _HAND + index] = words[base + _HAND + index + 1]
    words[base + _HAND + size - 1] = 0
    words[base + _HAND_SIZE] = size - 1
