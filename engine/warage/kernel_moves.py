"""What the holder of priority may do, in the order of the reference.

One walk serves all: it counts moves up to a limit, and writes down the one of a given number.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engine.jit import inlined_njit, kernel_njit
from engine.warage import layout
from engine.warage.kernel_rules import KernelRules
from engine.warage.kernel_state import (
    Words,
    card_rules,
    effect_at,
    has_room,
    holds,
    hp_of,
    item_at,
    opposes,
    piece_card,
)
from engine.warage.reference_state import Kind, Phase
from engine.warage.rules_schema import ACTIONS, KINDS, MAX_QUEUE, TARGETS, TRIGGERS

MOVE_WORDS = 6
"""A move: its kind, how many values it has, and they; cards, pieces and targets as in the reference."""
KEEP, REDRAW, TO_HAND, TO_LIFE, STOP, PASS, BUY, READY, UNREADY, ATTACK, CAST, FLASH, USE, ABILITY, SELL = (
    range(15)
)
MOVE_KINDS = (
    "keep",
    "redraw",
    "hand",
    "life",
    "stop",
    "pass",
    "buy",
    "ready",
    "unready",
    "attack",
    "cast",
    "flash",
    "use",
    "ability",
    "sell",
)
Move = NDArray[np.int64]
EVERY, EVERY_BUT_SALES, NO_REARRANGEMENT = -2, -3, -4
"""Instead of a number: all moves one after the other, as many as there is room for; or all but sales; or all
but sales, purchases without room to be ready, and pieces made ready or unready."""

_COUNT_MASK = (1 << layout.COUNT_BITS) - 1
_IS_FLASH, _SELLS = (1 << bits.offset for bits in layout.BRIEF[:2])
_RED_SHIFT, _BLUE_SHIFT = (bits.offset for bits in layout.BRIEF[2:])
_SLOTS = layout.BRIEF[2].mask
_FIRST_EQUIPMENT, _SECOND_EQUIPMENT = int(Phase.FIRST_EQUIPMENT), int(Phase.SECOND_EQUIPMENT)
_MELEE_PHASE, _MAGIC_PHASE = int(Phase.MELEE), int(Phase.MAGIC)
_MELEE, _MAGIC, _SALE = int(Kind.MELEE), int(Kind.MAGIC), int(Kind.SALE)
_ITEM_FLASH = int(Kind.FLASH)
_AMULET, _HELPER = KINDS.index("amulet"), KINDS.index("helper")
_PLAY_TRIGGER, _USE_TRIGGER = TRIGGERS.index("play"), TRIGGERS.index("use")
_READY_TRIGGER = TRIGGERS.index("ready")
_DRAW, _EXTRA = ACTIONS.index("draw"), ACTIONS.index("extra-amulet")
_CHOSEN_HERO, _CHOSEN_CARD, _QUEUE_ITEM = (
    TARGETS.index(word) for word in ("chosen-hero", "chosen-card", "queue-item")
)


@kernel_njit
def the_attack(words: Words) -> int:
    """Where the attack that is still on lies; -1 if there is none."""
    if words[layout.QUEUE_SIZE] == 0:
        return -1
    item = item_at(0)
    if words[item + layout.ITEM_KIND] > _MAGIC or words[item + layout.ITEM_NEGATED]:
        return -1
    return item


@kernel_njit
def side_of(words: Words, seat: int) -> int:
    """0 for who attacks, 1 for the hero attacked, -1 for all others and where there is no attack."""
    attack = the_attack(words)
    if attack < 0:
        return -1
    if words[attack + layout.ITEM_OWNER] == seat:
        return 0
    return (
        1 if words[attack + layout.ITEM_HERO] - 1 == seat and words[attack + layout.ITEM_PIECE] == 1 else -1
    )


@kernel_njit
def situation(words: Words, seat: int) -> int:
    """How a hero stands to what is on the queue: one of `layout.SITUATIONS`."""
    if words[layout.QUEUE_SIZE] == 0:
        return layout.AT_REST
    side = side_of(words, seat)
    if side < 0:
        return layout.LOOKING_ON
    if side == 1:
        return layout.UNDER_ATTACK
    return layout.IN_MELEE if words[the_attack(words) + layout.ITEM_KIND] == _MELEE else layout.IN_MAGIC


@kernel_njit
def bears_on(words: Words, rules: KernelRules, seat: int, effect: int) -> bool:
    """Whether an effect on this attack does anything for a hero."""
    return bool(rules[effect + layout.EFFECT_BEARS] >> situation(words, seat) & 1)


@kernel_njit
def payable(words: Words, rules: KernelRules, seat: int, cost: int) -> bool:
    """Whether a hero may choose to pay so much (H4)."""
    return bool(cost == 0 or rules[layout.RULE_PAY_TO_DEATH] or cost < hp_of(words, seat))


@kernel_njit
def same_aim(words: Words, seat: int, one: int, other: int) -> bool:
    """Whether the same items aim at two pieces of a hero, or come from them."""
    for position in range(words[layout.QUEUE_SIZE]):
        item = item_at(position)
        aimed = 0
        if words[item + layout.ITEM_HERO] - 1 == seat:
            piece = words[item + layout.ITEM_PIECE] - 2
            aimed = int(piece == one) | int(piece == other) << 1
        if words[item + layout.ITEM_OWNER] == seat:
            for number in range(words[item + layout.ITEM_SOURCES]):
                source = words[item + layout.ITEM_SOURCE + number] - 2
                aimed |= int(source == one) | int(source == other) << 1
        if aimed in (1, 2):
            return False
    return True


@kernel_njit
def is_first(words: Words, seat: int, index: int) -> bool:
    """Whether a piece is the first of those that are equal to it."""
    base = seat * layout.HERO_WORDS + layout.PLAY
    piece = words[base + index]
    for before in range(index):
        if words[base + before] == piece and same_aim(words, seat, before, index):
            return False
    return True


@kernel_njit
def amulets_allowed(words: Words, rules: KernelRules, seat: int) -> int:
    """Amulets that may be put into play in this round (E1)."""
    total = int(rules[layout.RULE_AMULETS])
    base = seat * layout.HERO_WORDS
    for index in range(words[base + layout.PLAY_SIZE]):
        piece = words[base + layout.PLAY + index]
        effects = card_rules(piece_card(piece)) + layout.CARD_EFFECTS
        if piece & layout.READY_BIT and rules[effects + layout.EFFECTS_TRIGGERS] >> _READY_TRIGGER & 1:
            for number in range(rules[effects + layout.EFFECTS_COUNT]):
                effect = effect_at(effects, number)
                if rules[effect + layout.EFFECT_ACTION] == _EXTRA and holds(words, rules, seat, effect):
                    total += int(rules[effect + layout.EFFECT_AMOUNT])
    return total


@kernel_njit
def note(
    move: Move, count: int, wanted: int, kind: int, size: int, one: int, two: int, three: int, four: int
) -> int:
    """Count a move; write it down if it, or every one there is room for, is wanted. In place: `move`."""
    base = -1
    if count == wanted:
        base = 0
    elif wanted <= EVERY and (count + 1) * MOVE_WORDS <= len(move):
        base = count * MOVE_WORDS
    if base >= 0:
        move[base], move[base + 1] = kind, size
        move[base + 2], move[base + 3], move[base + 4], move[base + 5] = one, two, three, four
    return count + 1


@kernel_njit
def note_targeted(
    move: Move, count: int, wanted: int, kind: int, first: int, hero: int, piece: int, item: int
) -> int:
    """The same for a move with a target: abilities have no first value. Modified in place: `move`."""
    if kind == ABILITY:
        return note(move, count, wanted, kind, 3, hero, piece, item, 0)
    return note(move, count, wanted, kind, 4, first, hero, piece, item)


@kernel_njit
def targeted(
    words: Words,
    rules: KernelRules,
    seat: int,
    effects: int,
    trigger: int,
    kind: int,
    first: int,
    move: Move,
    count: int,
    wanted: int,
) -> int:
    """Ways to declare the effects of one trigger, which can do something in this situation.

    Modified in place: `move`; returns the count so far.
    """
    chosen = -1
    for number in range(rules[effects + layout.EFFECTS_COUNT]):
        effect = effect_at(effects, number)
        if rules[effect + layout.EFFECT_TRIGGER] != trigger:
            continue
        if not holds(words, rules, seat, effect):
            return count
        if (
            rules[effect + layout.EFFECT_ACTION] == _DRAW
            and words[seat * layout.HERO_WORDS + layout.DECK_SIZE] < rules[effect + layout.EFFECT_AMOUNT]
        ):
            return count
        target = rules[effect + layout.EFFECT_TARGET]
        if chosen < 0 and (target == _CHOSEN_HERO or target == _CHOSEN_CARD or target == _QUEUE_ITEM):
            chosen = effect
    if chosen < 0:
        return note_targeted(move, count, wanted, kind, first, -1, -1, -1)
    target, kinds = rules[chosen + layout.EFFECT_TARGET], rules[chosen + layout.EFFECT_KINDS]
    if target == _QUEUE_ITEM:
        for position in range(words[layout.QUEUE_SIZE]):
            item = item_at(position)
            what = words[item + layout.ITEM_KIND]
            if words[item + layout.ITEM_NEGATED] or what == _SALE:
                continue
            bit = 3 if what <= _MAGIC else what - _ITEM_FLASH
            if kinds >> bit & 1:
                count = note_targeted(move, count, wanted, kind, first, -1, -1, position)
        return count
    for other in range(rules[layout.RULE_PLAYERS]):
        if not opposes(words, rules, seat, other):
            continue
        if target == _CHOSEN_HERO:
            count = note_targeted(move, count, wanted, kind, first, other, -1, -1)
            continue
        for index in range(words[other * layout.HERO_WORDS + layout.PLAY_SIZE]):
            card = card_rules(piece_card(words[other * layout.HERO_WORDS + layout.PLAY + index]))
            if kinds >> rules[card + layout.CARD_KIND] & 1 and is_first(words, other, index):
                count = note_targeted(move, count, wanted, kind, first, other, index, -1)
    return count


@inlined_njit
def _equipment(words: Words, rules: KernelRules, seat: int, move: Move, count: int, wanted: int) -> int:
    """Purchases, and rearrangement in the first of the two phases (E1, E3). Modified in place: `move`."""
    base = seat * layout.HERO_WORDS
    red = rules[layout.RULE_SEATS + seat * layout.SEAT_WORDS + layout.SEAT_RED]
    blue = rules[layout.RULE_SEATS + seat * layout.SEAT_WORDS + layout.SEAT_BLUE]
    red -= words[base + layout.RED_TAKEN]
    blue -= words[base + layout.BLUE_TAKEN]
    some = red > 0 or blue > 0 or words[base + layout.SLOTLESS] > 0
    for place in range(words[base + layout.HAND_SIZE] if some else 0):
        number = words[base + layout.HAND + place]
        if place > 0 and words[base + layout.HAND + place - 1] == number:
            continue
        brief = rules[layout.RULE_BRIEF + number]
        if brief & _IS_FLASH or brief >> _RED_SHIFT & _SLOTS > red or brief >> _BLUE_SHIFT & _SLOTS > blue:
            continue
        card = card_rules(number)
        if wanted == NO_REARRANGEMENT and not has_room(words, rules, seat, card):
            continue
        if payable(words, rules, seat, rules[card + layout.CARD_COST]) and (
            rules[card + layout.CARD_KIND] != _AMULET
            or words[layout.AMULETS] < amulets_allowed(words, rules, seat)
        ):
            count = note(move, count, wanted, BUY, 1, number, 0, 0, 0)
    if words[layout.PHASE] != _FIRST_EQUIPMENT or wanted == NO_REARRANGEMENT:
        return count
    for index in range(words[base + layout.PLAY_SIZE]):
        piece = words[base + layout.PLAY + index]
        card = card_rules(piece_card(piece))
        if (
            rules[card + layout.CARD_PART] == 0
            or piece & layout.MOVED_BIT
            or not is_first(words, seat, index)
        ):
            continue
        if piece & layout.READY_BIT:
            count = note(move, count, wanted, UNREADY, 1, index, 0, 0, 0)
        elif has_room(words, rules, seat, card):
            count = note(move, count, wanted, READY, 1, index, 0, 0, 0)
    return count


@kernel_njit
def _attacks(
    words: Words,
    rules: KernelRules,
    seat: int,
    spell: int,
    copies: int,
    move: Move,
    count: int,
    wanted: int,
) -> int:
    """Opposing heroes and their helpers, for a melee attack, or a spell of so many copies (K1, K4)."""
    for other in range(rules[layout.RULE_PLAYERS]):
        if not opposes(words, rules, seat, other):
            continue
        for index in range(-1, words[other * layout.HERO_WORDS + layout.PLAY_SIZE]):
            if index >= 0:
                card = card_rules(piece_card(words[other * layout.HERO_WORDS + layout.PLAY + index]))
                if rules[card + layout.CARD_KIND] != _HELPER or not is_first(words, other, index):
                    continue
            if spell < 0:
                count = note(move, count, wanted, ATTACK, 2, other, index, 0, 0)
            else:
                count = note(move, count, wanted, CAST, 4, spell, copies, other, index)
    return count


@inlined_njit
def _casts(words: Words, rules: KernelRules, seat: int, move: Move, count: int, wanted: int) -> int:
    """Attack spells that are awake, by card, one copy or several (K3, K4). Modified in place: `move`."""
    base = seat * layout.HERO_WORDS
    last = -1
    while True:
        # The next card, in the order of numbers; a hero has few spells.
        spell, copies = -1, 0
        for index in range(words[base + layout.PLAY_SIZE]):
            piece = words[base + layout.PLAY + index]
            number = piece_card(piece)
            if (
                number > last
                and piece & layout.AWAKE_BIT
                and rules[card_rules(number) + layout.CARD_ATTACK_SPELL]
            ):
                if spell < 0 or number < spell:
                    spell, copies = number, 1
                elif number == spell:
                    copies += 1
        if spell < 0:
            return count
        for size in range(1, copies + 1):
            count = _attacks(words, rules, seat, spell, size, move, count, wanted)
        last = spell


@kernel_njit
def priority_moves(words: Words, rules: KernelRules, move: Move, wanted: int, enough: int) -> int:
    """Walk through what the holder of priority may do.

    Returns how many moves there are; it may stop as soon as there are `enough`. Modified in place: `move`.
    """
    seat = int(words[layout.PRIORITY])
    base = seat * layout.HERO_WORDS
    count = note(move, 0, wanted, PASS, 0, 0, 0, 0, 0)
    if words[layout.QUEUE_SIZE] >= MAX_QUEUE:
        return count
    if seat == words[layout.ACTIVE] and words[layout.QUEUE_SIZE] == 0:
        phase = words[layout.PHASE]
        if phase in (_FIRST_EQUIPMENT, _SECOND_EQUIPMENT):
            count = _equipment(words, rules, seat, move, count, wanted)
        elif words[layout.TURN] > 1 and phase == _MELEE_PHASE and not words[layout.ATTACKED]:
            count = _attacks(words, rules, seat, -1, 0, move, count, wanted)
        elif words[layout.TURN] > 1 and phase == _MAGIC_PHASE:
            count = _casts(words, rules, seat, move, count, wanted)
        if count >= enough:
            return count
    for index in range(words[base + layout.PLAY_SIZE] if enough < 3 else 0):
        if rules[layout.RULE_BRIEF + piece_card(words[base + layout.PLAY + index])] & _SELLS:
            return count + 1
    now = situation(words, seat)
    for place in range(
        words[base + layout.HAND_SIZE] if words[base + layout.FLASHES] >> now & _COUNT_MASK else 0
    ):
        number = words[base + layout.HAND + place]
        if rules[layout.RULE_PLAYS + number] >> now & 1 == 0:
            continue
        if place > 0 and words[base + layout.HAND + place - 1] == number:
            continue
        card = card_rules(number)
        if payable(words, rules, seat, rules[card + layout.CARD_COST]):
            effects = card + layout.CARD_EFFECTS
            count = targeted(words, rules, seat, effects, _PLAY_TRIGGER, FLASH, number, move, count, wanted)
    for index in range(
        words[base + layout.PLAY_SIZE] if words[base + layout.USES] >> now & _COUNT_MASK else 0
    ):
        piece = words[base + layout.PLAY + index]
        if rules[layout.RULE_USES + piece_card(piece)] >> now & 1 == 0:
            continue
        effects = card_rules(piece_card(piece)) + layout.CARD_EFFECTS
        if (
            piece & layout.READY_BIT
            and piece & layout.AWAKE_BIT
            and payable(words, rules, seat, rules[effects + layout.EFFECTS_USE_COST])
            and is_first(words, seat, index)
        ):
            count = targeted(words, rules, seat, effects, _USE_TRIGGER, USE, index, move, count, wanted)
    effects = layout.RULE_SEATS + seat * layout.SEAT_WORDS + layout.SEAT_EFFECTS
    if (
        rules[layout.RULE_SEATS + seat * layout.SEAT_WORDS + layout.SEAT_USES] >> now & 1
        and seat == words[layout.ACTIVE]
        and not words[layout.ABILITY]
        and payable(words, rules, seat, rules[effects + layout.EFFECTS_USE_COST])
    ):
        count = targeted(words, rules, seat, effects, _USE_TRIGGER, ABILITY, 0, move, count, wanted)
    if wanted <= EVERY_BUT_SALES:
        return count
    for index in range(words[base + layout.PLAY_SIZE]):
        piece = words[base + layout.PLAY + index]
        if rules[layout.RULE_BRIEF + piece_card(piece)] & _SELLS and is_first(words, seat, index):
            count = note(move, count, wanted, SELL, 1, index, 0, 0, 0)
    return count
