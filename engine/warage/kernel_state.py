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

_RED_SHIFT, _BLUE_SHIFT = (bits.offset for bits in layout.BRIEF[2:])
_SLOTS, _PART_MASK = layout.BRIEF[2].mask, (1 << layout.PART_BITS) - 1
_IS_FLASH = 1 << layout.BRIEF[0].offset
_READY_TRIGGER, _MODIFY = TRIGGERS.index("ready"), ACTIONS.index("modify")
_SELF, _OPPONENT = TARGETS.index("self"), TARGETS.index("opponent")
_NO_MODIFIERS = LAWS.index("no-race-modifiers")
_SPACES = SPACE
_FLOOR = FLOOR_HP
_DICE_STAT = layout.NUM_STATS - 1


@kernel_njit
def hp_of(words: Words, seat: int) -> int:
    """A hero's HP."""
    return int(words[seat * layout.HERO_WORDS + layout.HP]) - layout.HP_OFFSET


@kernel_njit
def is_beaten(words: Words, seat: int) -> bool:
    """Whether a hero is out."""
    return bool(words[seat * layout.HERO_WORDS + layout.BEATEN])


@kernel_njit
def guild(rules: KernelRules, seat: int) -> int:
    """A hero's guild."""
    return int(rules[layout.RULE_SEATS + seat * layout.SEAT_WORDS + layout.SEAT_GUILD])


@kernel_njit
def opposes(words: Words, rules: KernelRules, seat: int, other: int) -> bool:
    """Whether another hero is in and of another guild."""
    return not is_beaten(words, other) and guild(rules, seat) != guild(rules, other)


@kernel_njit
def num_alive(words: Words, rules: KernelRules) -> int:
    """Heroes that are in."""
    count = 0
    for seat in range(rules[layout.RULE_PLAYERS]):
        if not is_beaten(words, seat):
            count += 1
    return count


@kernel_njit
def next_seat(words: Words, rules: KernelRules, seat: int) -> int:
    """The next hero clockwise who is still in."""
    other = seat
    for _ in range(rules[layout.RULE_PLAYERS]):
        other = other + 1 if other + 1 < rules[layout.RULE_PLAYERS] else 0
        if not is_beaten(words, other):
            return other
    return seat


@kernel_njit
def change_hp(words: Words, rules: KernelRules, seat: int, amount: int) -> None:
    """Add to a hero's HP. Modified in place."""
    hp = min(hp_of(words, seat) + amount, int(rules[layout.RULE_CAP]))
    words[seat * layout.HERO_WORDS + layout.HP] = max(hp, _FLOOR) + layout.HP_OFFSET


@kernel_njit
def card_rules(number: int) -> int:
    """Where the rules of a card lie."""
    return layout.RULE_CARD + number * layout.CARD_WORDS


@kernel_njit
def piece_card(piece: int) -> int:
    """The card of a piece."""
    return piece >> layout.CARD_SHIFT


@kernel_njit
def task(words: Words, place: int) -> int:
    """A number of the next task."""
    return int(words[layout.AGENDA + (words[layout.AGENDA_SIZE] - 1) * layout.TASK_WORDS + place])


@kernel_njit
def set_task(words: Words, place: int, value: int) -> None:
    """Change a number of the next task. Modified in place."""
    words[layout.AGENDA + (words[layout.AGENDA_SIZE] - 1) * layout.TASK_WORDS + place] = value


@kernel_njit
def add_task(words: Words, do: int, a: int, b: int, c: int, d: int, e: int) -> None:
    """Something to be done next; `c` and `e` may be -1. Modified in place."""
    base = layout.AGENDA + words[layout.AGENDA_SIZE] * layout.TASK_WORDS
    words[base], words[base + 1], words[base + 2] = do, a, b
    words[base + 3], words[base + 4], words[base + 5] = c + 1, d, e + 1
    words[layout.AGENDA_SIZE] += 1


@kernel_njit
def drop_task(words: Words) -> None:
    """The next task is done. Modified in place."""
    words[layout.AGENDA_SIZE] -= 1
    base = layout.AGENDA + words[layout.AGENDA_SIZE] * layout.TASK_WORDS
    for place in range(layout.TASK_WORDS):
        words[base + place] = 0


@kernel_njit
def effect_at(effects: int, number: int) -> int:
    """Where one of some effects lies."""
    return effects + layout.EFFECTS_FIRST + number * layout.EFFECT_WORDS


@kernel_njit
def holds(words: Words, rules: KernelRules, seat: int, effect: int) -> bool:
    """Whether an effect's condition holds for a hero."""
    season = rules[effect + layout.EFFECT_IF_SEASON]
    if season >= 0 and words[layout.SEASON] != season + 1 and words[layout.SPECIAL] != season + 1:
        return False
    place = layout.RULE_SEATS + seat * layout.SEAT_WORDS
    race, hero_class = rules[effect + layout.EFFECT_IF_RACE], rules[effect + layout.EFFECT_IF_CLASS]
    if race >= 0 and race != rules[place + layout.SEAT_RACE]:
        return False
    if hero_class >= 0 and hero_class != rules[place + layout.SEAT_CLASS]:
        return False
    most = rules[effect + layout.EFFECT_IF_HP]
    return bool(most == 0 or hp_of(words, seat) <= most)


@kernel_njit
def law_in_force(words: Words, rules: KernelRules, law: int) -> bool:
    """Whether a season card with this law is in force."""
    special, season = words[layout.SPECIAL], words[layout.SEASON]
    if special and rules[layout.RULE_SEASON + (special - 1) * layout.SEASON_WORDS + layout.SEASON_LAW] == law:
        return True
    return bool(
        season and rules[layout.RULE_SEASON + (season - 1) * layout.SEASON_WORDS + layout.SEASON_LAW] == law
    )


@kernel_njit
def season_dice(words: Words, rules: KernelRules, seat: int) -> int:
    """What the season adds for a hero, or takes away (S2)."""
    season = words[layout.SEASON] - 1
    if season < 0 or law_in_force(words, rules, _NO_MODIFIERS):
        return 0
    place = layout.RULE_SEATS + seat * layout.SEAT_WORDS
    return int(season == rules[place + layout.SEAT_PLUS]) - int(season == rules[place + layout.SEAT_MINUS])


@kernel_njit
def modifiers(words: Words, rules: KernelRules, owner: int, effects: int, stat: int, target: int) -> int:
    """What ready effects add to a value."""
    if not rules[effects + layout.EFFECTS_TRIGGERS] >> _READY_TRIGGER & 1:
        return 0
    total = 0
    for number in range(rules[effects + layout.EFFECTS_COUNT]):
        effect = effect_at(effects, number)
        if (
            rules[effect + layout.EFFECT_TRIGGER] == _READY_TRIGGER
            and rules[effect + layout.EFFECT_ACTION] == _MODIFY
            and rules[effect + layout.EFFECT_STAT] == stat
            and rules[effect + layout.EFFECT_TARGET] == target
            and holds(words, rules, owner, effect)
        ):
            total += rules[effect + layout.EFFECT_AMOUNT]
    return int(total)


@inlined_njit
def pieces_add(words: Words, rules: KernelRules, owner: int, stat: int, target: int) -> int:
    """What a hero's ready pieces add to a value."""
    base = owner * layout.HERO_WORDS
    total = int(words[base + layout.ADDS + stat]) - layout.ADDS_OFFSET if target == _SELF else 0
    if words[base + layout.VARYING] == 0:
        return total
    for index in range(words[base + layout.PLAY_SIZE]):
        piece = words[base + layout.PLAY + index]
        if piece & layout.READY_BIT:
            card = card_rules(piece_card(piece))
            if rules[card + layout.CARD_VARIES]:
                total += modifiers(words, rules, owner, card + layout.CARD_EFFECTS, stat, target)
    return total


@kernel_njit
def added(words: Words, rules: KernelRules, seat: int, stat: int) -> int:
    """What cards in play, seasons and effects that last add to one of a hero's values."""
    base = seat * layout.HERO_WORDS
    total = (
        int(words[base + layout.ROUND_MODS + stat])
        + int(words[base + layout.OPENING_MODS + stat])
        - 2 * layout.MODS_OFFSET
    )
    special = words[layout.SPECIAL]
    if special:
        effects = layout.RULE_SEASON + (special - 1) * layout.SEASON_WORDS + layout.SEASON_EFFECTS
        total += modifiers(words, rules, seat, effects, stat, _SELF)
    total += pieces_add(words, rules, seat, stat, _SELF)
    for other in range(rules[layout.RULE_PLAYERS] if rules[layout.RULE_AGAINST] else 0):
        if opposes(words, rules, seat, other):
            total += pieces_add(words, rules, other, stat, _OPPONENT)
    return total


@kernel_njit
def number_of_dice(words: Words, rules: KernelRules, seat: int, more: int) -> int:
    """Dice of one of a hero's totals (S2)."""
    dice = int(rules[layout.RULE_DICE]) + added(words, rules, seat, _DICE_STAT) + more
    if not rules[layout.RULE_POINTS]:
        dice += season_dice(words, rules, seat)
    return min(max(dice, 0), MAX_DICE)


@kernel_njit
def has_room(words: Words, rules: KernelRules, seat: int, card: int) -> bool:
    """Whether a piece could be ready beside those that are (E2); `card` is where its rules lie."""
    part = rules[card + layout.CARD_PART]
    if part == 0:
        return True
    taken = words[seat * layout.HERO_WORDS + layout.PARTS] >> part * layout.PART_BITS & _PART_MASK
    return bool(taken + rules[card + layout.CARD_NEED] <= _SPACES[part])


@kernel_njit
def item_at(position: int) -> int:
    """Where an item of the queue lies."""
    return layout.QUEUE + position * layout.ITEM_WORDS


@kernel_njit
def count_ready(words: Words, rules: KernelRules, seat: int, card: int, sign: int) -> None:
    """A ready piece more, or less; `card` is where its rules lie. Modified in place."""
    base = seat * layout.HERO_WORDS
    words[base + layout.VARYING] += sign * rules[card + layout.CARD_VARIES]
    words[base + layout.PARTS] += sign * (
        rules[card + layout.CARD_NEED] << rules[card + layout.CARD_PART] * layout.PART_BITS
    )
    for stat in range(layout.NUM_STATS):
        words[base + layout.ADDS + stat] += sign * rules[card + layout.CARD_ADDS + stat]


@kernel_njit
def count_piece(words: Words, rules: KernelRules, seat: int, piece: int, sign: int) -> None:
    """A piece in play more, or less. Modified in place."""
    brief = rules[layout.RULE_BRIEF + piece_card(piece)]
    words[seat * layout.HERO_WORDS + layout.RED_TAKEN] += sign * (brief >> _RED_SHIFT & _SLOTS)
    words[seat * layout.HERO_WORDS + layout.BLUE_TAKEN] += sign * (brief >> _BLUE_SHIFT & _SLOTS)
    words[seat * layout.HERO_WORDS + layout.USES] += sign * rules[layout.RULE_USES + piece_card(piece)]
    if piece & layout.READY_BIT:
        count_ready(words, rules, seat, card_rules(piece_card(piece)), sign)


@kernel_njit
def count_in_hand(words: Words, rules: KernelRules, seat: int, number: int, sign: int) -> None:
    """A card in hand more, or less. Modified in place."""
    brief = rules[layout.RULE_BRIEF + number]
    if brief & _IS_FLASH:
        words[seat * layout.HERO_WORDS + layout.FLASHES] += sign * rules[layout.RULE_PLAYS + number]
    elif brief >> _RED_SHIFT == 0:  # blue slots lie above the red ones
        words[seat * layout.HERO_WORDS + layout.SLOTLESS] += sign


@kernel_njit
def without_piece(words: Words, rules: KernelRules, seat: int, index: int) -> None:
    """Take a piece out of play; what pointed at it points nowhere (E7, Q4). Modified in place."""
    base = seat * layout.HERO_WORDS
    count_piece(words, rules, seat, int(words[base + layout.PLAY + index]), -1)
    words[base + layout.PLAY_SIZE] -= 1
    size = words[base + layout.PLAY_SIZE]
    for place in range(index, size):
        words[base + layout.PLAY + place] = words[base + layout.PLAY + place + 1]
    words[base + layout.PLAY + size] = 0
    for position in range(words[layout.QUEUE_SIZE]):
        item = item_at(position)
        piece = words[item + layout.ITEM_PIECE] - 2
        if words[item + layout.ITEM_HERO] - 1 == seat and piece >= index:
            words[item + layout.ITEM_PIECE] = 0 if piece == index else piece + 1
        if words[item + layout.ITEM_OWNER] == seat:
            for number in range(words[item + layout.ITEM_SOURCES]):
                source = words[item + layout.ITEM_SOURCE + number] - 2
                if source >= index:
                    words[item + layout.ITEM_SOURCE + number] = 0 if source == index else source + 1


@kernel_njit
def add_to_hand(words: Words, rules: KernelRules, seat: int, card: int) -> None:
    """A card into a hand, which stays ascending. Modified in place."""
    count_in_hand(words, rules, seat, card, 1)
    base = seat * layout.HERO_WORDS
    place = int(words[base + layout.HAND_SIZE])
    while place > 0 and words[base + layout.HAND + place - 1] > card:
        words[base + layout.HAND + place] = words[base + layout.HAND + place - 1]
        place -= 1
    words[base + layout.HAND + place] = card
    words[base + layout.HAND_SIZE] += 1


@inlined_njit
def take_from_hand(words: Words, rules: KernelRules, seat: int, card: int) -> None:
    """A card out of a hand. Modified in place."""
    count_in_hand(words, rules, seat, card, -1)
    base = seat * layout.HERO_WORDS
    size = int(words[base + layout.HAND_SIZE])
    place = 0
    while words[base + layout.HAND + place] != card:
        place += 1
    for index in range(place, size - 1):
        words[base + layout.HAND + index] = words[base + layout.HAND + index + 1]
    words[base + layout.HAND + size - 1] = 0
    words[base + layout.HAND_SIZE] = size - 1
