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

_HERO, _PLAYERS = layout.HERO_WORDS, layout.RULE_PLAYERS
_HAND, _HAND_SIZE, _PLAY, _PLAY_SIZE = layout.HAND, layout.HAND_SIZE, layout.PLAY, layout.PLAY_SIZE
_DECK_SIZE = layout.DECK_SIZE
_FLASHES, _USES, _COUNT_MASK = layout.FLASHES, layout.USES, (1 << layout.COUNT_BITS) - 1
_AT_REST, _LOOKING_ON, _UNDER_ATTACK = layout.AT_REST, layout.LOOKING_ON, layout.UNDER_ATTACK
_IN_MELEE, _IN_MAGIC = layout.IN_MELEE, layout.IN_MAGIC
_RED_TAKEN, _BLUE_TAKEN, _SLOTLESS = layout.RED_TAKEN, layout.BLUE_TAKEN, layout.SLOTLESS
_SEATS, _SEAT, _SEAT_EFFECTS = layout.RULE_SEATS, layout.SEAT_WORDS, layout.SEAT_EFFECTS
_SEAT_RED, _SEAT_BLUE, _SEAT_USES = layout.SEAT_RED, layout.SEAT_BLUE, layout.SEAT_USES
_KIND, _COST, _PART = layout.CARD_KIND, layout.CARD_COST, layout.CARD_PART
_IS_SPELL, _CARD_EFFECTS = layout.CARD_ATTACK_SPELL, layout.CARD_EFFECTS
_COUNT, _TRIGGERS, _USE_COST = layout.EFFECTS_COUNT, layout.EFFECTS_TRIGGERS, layout.EFFECTS_USE_COST
_BRIEF, _CARD_PLAYS, _CARD_USES = layout.RULE_BRIEF, layout.RULE_PLAYS, layout.RULE_USES
_IS_FLASH, _SELLS = (1 << bits.offset for bits in layout.BRIEF[:2])
_RED_SHIFT, _BLUE_SHIFT = (bits.offset for bits in layout.BRIEF[2:])
_SLOTS = layout.BRIEF[2].mask
_TRIGGER, _ACTION, _BEARS = layout.EFFECT_TRIGGER, layout.EFFECT_ACTION, layout.EFFECT_BEARS
_AMOUNT, _TARGET, _KINDS = layout.EFFECT_AMOUNT, layout.EFFECT_TARGET, layout.EFFECT_KINDS
_PRIORITY, _ACTIVE, _PHASE, _TURN = layout.PRIORITY, layout.ACTIVE, layout.PHASE, layout.TURN
_QUEUE_SIZE, _ATTACKED, _AMULETS = layout.QUEUE_SIZE, layout.ATTACKED, layout.AMULETS
_ABILITY = layout.ABILITY
_ITEM_KIND, _ITEM_OWNER, _ITEM_HERO = layout.ITEM_KIND, layout.ITEM_OWNER, layout.ITEM_HERO
_ITEM_PIECE, _ITEM_NEGATED = layout.ITEM_PIECE, layout.ITEM_NEGATED
_ITEM_SOURCES, _ITEM_SOURCE = layout.ITEM_SOURCES, layout.ITEM_SOURCE
_PAY_TO_DEATH, _AMULETS_RULE = layout.RULE_PAY_TO_DEATH, layout.RULE_AMULETS
_READY, _AWAKE, _MOVED = layout.READY_BIT, layout.AWAKE_BIT, layout.MOVED_BIT
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
    if words[_QUEUE_SIZE] == 0:
        return -1
    item = item_at(0)
    if words[item + _ITEM_KIND] > _MAGIC or words[item + _ITEM_NEGATED]:
        return -1
    return item


@kernel_njit
def side_of(words: Words, seat: int) -> int:
    """0 for who attacks, 1 for the hero attacked, -1 for all others and where there is no attack."""
    attack = the_attack(words)
    if attack < 0:
        return -1
    if words[attack + _ITEM_OWNER] == seat:
        return 0
    return 1 if words[attack + _ITEM_HERO] - 1 == seat and words[attack + _ITEM_PIECE] == 1 else -1


@kernel_njit
def situation(words: Words, seat: int) -> int:
    """How a hero stands to what is on the queue: one of `layout.SITUATIONS`."""
    if words[_QUEUE_SIZE] == 0:
        return _AT_REST
    side = side_of(words, seat)
    if side < 0:
        return _LOOKING_ON
    if side == 1:
        return _UNDER_ATTACK
    return _IN_MELEE if words[the_attack(words) + _ITEM_KIND] == _MELEE else _IN_MAGIC


@kernel_njit
def bears_on(words: Words, rules: KernelRules, seat: int, effect: int) -> bool:
    """Whether an effect on this attack does anything for a hero."""
    return bool(rules[effect + _BEARS] >> situation(words, seat) & 1)


@kernel_njit
def payable(words: Words, rules: KernelRules, seat: int, cost: int) -> bool:
    """Whether a hero may choose to pay so much (H4)."""
    return bool(cost == 0 or rules[_PAY_TO_DEATH] or cost < hp_of(words, seat))


@kernel_njit
def same_aim(words: Words, seat: int, one: int, other: int) -> bool:
    """Whether the same items aim at two pieces of a hero, or come from them."""
    for position in range(words[_QUEUE_SIZE]):
        item = item_at(position)
        aimed = 0
        if words[item + _ITEM_HERO] - 1 == seat:
            piece = words[item + _ITEM_PIECE] - 2
            aimed = int(piece == one) | int(piece == other) << 1
        if words[item + _ITEM_OWNER] == seat:
            for number in range(words[item + _ITEM_SOURCES]):
                source = words[item + _ITEM_SOURCE + number] - 2
                aimed |= int(source == one) | int(source == other) << 1
        if aimed in (1, 2):
            return False
    return True


@kernel_njit
def is_first(words: Words, seat: int, index: int) -> bool:
    """Whether a piece is the first of those that are equal to it."""
    base = seat * _HERO + _PLAY
    piece = words[base + index]
    for before in range(index):
        if words[base + before] == piece and same_aim(words, seat, before, index):
            return False
    return True


@kernel_njit
def amulets_allowed(words: Words, rules: KernelRules, seat: int) -> int:
    """Amulets that may be put into play in this round (E1)."""
    total = int(rules[_AMULETS_RULE])
    base = seat * _HERO
    for index in range(words[base + _PLAY_SIZE]):
        piece = words[base + _PLAY + index]
        effects = card_rules(piece_card(piece)) + _CARD_EFFECTS
        if piece & _READY and rules[effects + _TRIGGERS] >> _READY_TRIGGER & 1:
            for number in range(rules[effects + _COUNT]):
                effect = effect_at(effects, number)
                if rules[effect + _ACTION] == _EXTRA and holds(words, rules, seat, effect):
                    total += int(rules[effect + _AMOUNT])
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
    for number in range(rules[effects + _COUNT]):
        effect = effect_at(effects, number)
        if rules[effect + _TRIGGER] != trigger:
            continue
        if not holds(words, rules, seat, effect):
            return count
        if rules[effect + _ACTION] == _DRAW and words[seat * _HERO + _DECK_SIZE] < rules[effect + _AMOUNT]:
            return count
        target = rules[effect + _TARGET]
        if chosen < 0 and (target == _CHOSEN_HERO or target == _CHOSEN_CARD or target == _QUEUE_ITEM):
            chosen = effect
    if chosen < 0:
        return note_targeted(move, count, wanted, kind, first, -1, -1, -1)
    target, kinds = rules[chosen + _TARGET], rules[chosen + _KINDS]
    if target == _QUEUE_ITEM:
        for position in range(words[_QUEUE_SIZE]):
            item = item_at(position)
            what = words[item + _ITEM_KIND]
            if words[item + _ITEM_NEGATED] or what == _SALE:
                continue
            bit = 3 if what <= _MAGIC else what - _ITEM_FLASH
            if kinds >> bit & 1:
                count = note_targeted(move, count, wanted, kind, first, -1, -1, position)
        return count
    for other in range(rules[_PLAYERS]):
        if not opposes(words, rules, seat, other):
            continue
        if target == _CHOSEN_HERO:
            count = note_targeted(move, count, wanted, kind, first, other, -1, -1)
            continue
        for index in range(words[other * _HERO + _PLAY_SIZE]):
            card = card_rules(piece_card(words[other * _HERO + _PLAY + index]))
            if kinds >> rules[card + _KIND] & 1 and is_first(words, other, index):
                count = note_targeted(move, count, wanted, kind, first, other, index, -1)
    return count


@inlined_njit
def _equipment(words: Words, rules: KernelRules, seat: int, move: Move, count: int, wanted: int) -> int:
    """Purchases, and rearrangement in the first of the two phases (E1, E3). Modified in place: `move`."""
    base = seat * _HERO
    red = rules[_SEATS + seat * _SEAT + _SEAT_RED]
    blue = rules[_SEATS + seat * _SEAT + _SEAT_BLUE]
    red -= words[base + _RED_TAKEN]
    blue -= words[base + _BLUE_TAKEN]
    some = red > 0 or blue > 0 or words[base + _SLOTLESS] > 0
    for place in range(words[base + _HAND_SIZE] if some else 0):
        number = words[base + _HAND + place]
        if place > 0 and words[base + _HAND + place - 1] == number:
            continue
        brief = rules[_BRIEF + number]
        if brief & _IS_FLASH or brief >> _RED_SHIFT & _SLOTS > red or brief >> _BLUE_SHIFT & _SLOTS > blue:
            continue
        card = card_rules(number)
        if wanted == NO_REARRANGEMENT and not has_room(words, rules, seat, card):
            continue
        if payable(words, rules, seat, rules[card + _COST]) and (
            rules[card + _KIND] != _AMULET or words[_AMULETS] < amulets_allowed(words, rules, seat)
        ):
            count = note(move, count, wanted, BUY, 1, number, 0, 0, 0)
    if words[_PHASE] != _FIRST_EQUIPMENT or wanted == NO_REARRANGEMENT:
        return count
    for index in range(words[base + _PLAY_SIZE]):
        piece = words[base + _PLAY + index]
        card = card_rules(piece_card(piece))
        if rules[card + _PART] == 0 or piece & _MOVED or not is_first(words, seat, index):
            continue
        if piece & _READY:
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
    for other in range(rules[_PLAYERS]):
        if not opposes(words, rules, seat, other):
            continue
        for index in range(-1, words[other * _HERO + _PLAY_SIZE]):
            if index >= 0:
                card = card_rules(piece_card(words[other * _HERO + _PLAY + index]))
                if rules[card + _KIND] != _HELPER or not is_first(words, other, index):
                    continue
            if spell < 0:
                count = note(move, count, wanted, ATTACK, 2, other, index, 0, 0)
            else:
                count = note(move, count, wanted, CAST, 4, spell, copies, other, index)
    return count


@inlined_njit
def _casts(words: Words, rules: KernelRules, seat: int, move: Move, count: int, wanted: int) -> int:
    """Attack spells that are awake, by card, one copy or several (K3, K4). Modified in place: `move`."""
    base = seat * _HERO
    last = -1
    while True:
        # The next card, in the order of numbers; a hero has few spells.
        spell, copies = -1, 0
        for index in range(words[base + _PLAY_SIZE]):
            piece = words[base + _PLAY + index]
            number = piece_card(piece)
            if number > last and piece & _AWAKE and rules[card_rules(number) + _IS_SPELL]:
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
    seat = int(words[_PRIORITY])
    base = seat * _HERO
    count = note(move, 0, wanted, PASS, 0, 0, 0, 0, 0)
    if words[_QUEUE_SIZE] >= MAX_QUEUE:
        return count
    if seat == words[_ACTIVE] and words[_QUEUE_SIZE] == 0:
        phase = words[_PHASE]
        if phase in (_FIRST_EQUIPMENT, _SECOND_EQUIPMENT):
            count = _equipment(words, rules, seat, move, count, wanted)
        elif words[_TURN] > 1 and phase == _MELEE_PHASE and not words[_ATTACKED]:
            count = _attacks(words, rules, seat, -1, 0, move, count, wanted)
        elif words[_TURN] > 1 and phase == _MAGIC_PHASE:
            count = _casts(words, rules, seat, move, count, wanted)
        if count >= enough:
            return count
    for index in range(words[base + _PLAY_SIZE] if enough < 3 else 0):
        if rules[_BRIEF + piece_card(words[base + _PLAY + index])] & _SELLS:
            return count + 1
    now = situation(words, seat)
    for place in range(words[base + _HAND_SIZE] if words[base + _FLASHES] >> now & _COUNT_MASK else 0):
        number = words[base + _HAND + place]
        if rules[_CARD_PLAYS + number] >> now & 1 == 0:
            continue
        if place > 0 and words[base + _HAND + place - 1] == number:
            continue
        card = card_rules(number)
        if payable(words, rules, seat, rules[card + _COST]):
            effects = card + _CARD_EFFECTS
            count = targeted(words, rules, seat, effects, _PLAY_TRIGGER, FLASH, number, move, count, wanted)
    for index in range(words[base + _PLAY_SIZE] if words[base + _USES] >> now & _COUNT_MASK else 0):
        piece = words[base + _PLAY + index]
        if rules[_CARD_USES + piece_card(piece)] >> now & 1 == 0:
            continue
        effects = card_rules(piece_card(piece)) + _CARD_EFFECTS
        if (
            piece & _READY
            and piece & _AWAKE
            and payable(words, rules, seat, rules[effects + _USE_COST])
            and is_first(words, seat, index)
        ):
            count = targeted(words, rules, seat, effects, _USE_TRIGGER, USE, index, move, count, wanted)
    effects = _SEATS + seat * _SEAT + _SEAT_EFFECTS
    if (
        rules[_SEATS + seat * _SEAT + _SEAT_USES] >> now & 1
        and seat == words[_ACTIVE]
        and not words[_ABILITY]
        and payable(words, rules, seat, rules[effects + _USE_COST])
    ):
        count = targeted(words, rules, seat, effects, _USE_TRIGGER, ABILITY, 0, move, count, wanted)
    if wanted <= EVERY_BUT_SALES:
        return count
    for index in range(words[base + _PLAY_SIZE]):
        piece = words[base + _PLAY + index]
        if rules[_BRIEF + piece_card(piece)] & _SELLS and is_first(words, seat, index):
            count = note(move, count, wanted, SELL, 1, index, 0, 0, 0)
    return count
