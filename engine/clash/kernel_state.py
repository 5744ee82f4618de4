"""Reading and changing the words of a state: armies, cards, control, and what a type counts for."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engine.clash import layout
from engine.clash.kernel_rules import KernelRules
from engine.jit import kernel_njit

Words = NDArray[np.int64]

PLACE, HOME, MOVED, PLAYER = layout.PLACE, layout.HOME, layout.MOVED, layout.PLAYER
OWNED, ATTACHED, DECK, UNDER = layout.OWNED, layout.ATTACHED, layout.DECK, layout.UNDER
SHEET, FLOW, BATTLE, COUNTERS = layout.SHEET, layout.FLOW, layout.BATTLE, layout.COUNTERS
ARMY_BITS, ARMY_MASK, ELVES_AT = layout.ARMY_BITS, layout.ARMY_MASK, layout.ELVES_AT
COUNT_BITS, COUNT_MASK = layout.COUNT_BITS, layout.COUNT_MASK
NUM_TYPES = layout.NUM_TYPES

_LEGENDS, _LEGENDS_MASK = layout.LEGENDS.offset, layout.LEGENDS.mask
_NUM_UNDER, _NUM_UNDER_MASK = layout.NUM_UNDER.offset, layout.NUM_UNDER.mask
_TURN, _TURN_MASK, _ORDER = layout.TURN.offset, layout.TURN.mask, layout.ORDER.offset
_PHASE_MASK = layout.PHASE.mask
_SLOT_BITS, _SLOT_MASK = layout.SLOTS.stride, layout.SLOTS.mask
_FINDS, _FIND_BITS = layout.FINDS.offset, layout.FINDS.stride

assert layout.PHASE.offset == 0


@kernel_njit
def put(words: Words, word: int, offset: int, mask: int, value: int) -> None:
    """Set a bit field. Modified in place."""
    words[word] = words[word] & ~(mask << offset) | value << offset


@kernel_njit
def phase(words: Words) -> int:
    """Where in the game the state stands, one of `layout.SITES`, ..., `layout.OVER`."""
    return int(words[FLOW] & _PHASE_MASK)


@kernel_njit
def go_to(words: Words, stage: int) -> None:
    """Another phase. Modified in place."""
    words[FLOW] = words[FLOW] & ~_PHASE_MASK | stage


@kernel_njit
def turn(words: Words) -> int:
    """The place in the order of turns of who acts."""
    return int(words[FLOW] >> _TURN & _TURN_MASK)


@kernel_njit
def active(words: Words) -> int:
    """Whose turn it is."""
    return int(words[FLOW] >> _ORDER + 2 * turn(words) & 3)


@kernel_njit
def count(bits: int) -> int:
    """Number of bits that are set."""
    number = 0
    while bits:
        bits &= bits - 1
        number += 1
    return number


@kernel_njit
def nth(bits: int, index: int) -> int:
    """Number of the bit that is set after `index` lower ones."""
    for _ in range(index):
        bits &= bits - 1
    number = 0
    while not bits >> number & 1:
        number += 1
    return number


# -- armies ---------------------------------------------------------------------------------------------


@kernel_njit
def figures(army: int) -> int:
    """Figures of an army."""
    return (army & COUNT_MASK) + (army >> COUNT_BITS & COUNT_MASK) + (army >> 2 * COUNT_BITS & COUNT_MASK)


@kernel_njit
def of_type(army: int, kind: int) -> int:
    """Figures of one type."""
    return army >> COUNT_BITS * kind & COUNT_MASK


@kernel_njit
def units_at(words: Words, rules: KernelRules, player: int, place: int) -> int:
    """A player's army in a place; the place after the last territory is its Bastion."""
    word = HOME if place == rules[layout.RULE_NUM_TERRITORIES] else PLACE + place
    return int(words[word] >> ARMY_BITS * player & ARMY_MASK)


@kernel_njit
def add_units(words: Words, rules: KernelRules, player: int, place: int, army: int) -> None:
    """More figures of a player in a place; fewer if the army is negative. Modified in place."""
    word = HOME if place == rules[layout.RULE_NUM_TERRITORIES] else PLACE + place
    words[word] += army << ARMY_BITS * player


@kernel_njit
def elves_at(words: Words, place: int) -> int:
    """The elves in a territory."""
    return int(words[PLACE + place] >> ELVES_AT)


@kernel_njit
def moved_at(words: Words, place: int) -> int:
    """Figures of the active player in a place that have moved (M1)."""
    return int(
        words[MOVED + place // layout.ARMIES_A_WORD] >> ARMY_BITS * (place % layout.ARMIES_A_WORD) & ARMY_MASK
    )


@kernel_njit
def enemy(words: Words, rules: KernelRules, player: int, place: int) -> int:
    """Whose units other than the player's stand in a territory: -1 for the elves', -2 for nobody's."""
    others = words[PLACE + place] & ~(ARMY_MASK << ARMY_BITS * player)
    if not others:
        return -2
    if others >> ELVES_AT:
        return -1
    owner = 0
    while not others >> ARMY_BITS * owner & ARMY_MASK:
        owner += 1
    return owner


@kernel_njit
def enemies(words: Words, player: int, place: int) -> int:
    """Figures of others in a territory: at most one of them has any there."""
    others = words[PLACE + place] & ~(ARMY_MASK << ARMY_BITS * player)
    number = 0
    while others:
        number += figures(others & ARMY_MASK)
        others >>= ARMY_BITS
    return number


@kernel_njit
def controls(words: Words, player: int, place: int) -> bool:
    """Whether only the player's units are there (M6)."""
    word = words[PLACE + place]
    own = word & ARMY_MASK << ARMY_BITS * player
    return bool(own != 0 and own == word)


@kernel_njit
def elves_control(words: Words, place: int) -> bool:
    """Whether only elves are there (M6)."""
    word = words[PLACE + place]
    return bool(word != 0 and not word & (1 << ELVES_AT) - 1)


@kernel_njit
def controlled(words: Words, rules: KernelRules, player: int, territories: int) -> int:
    """How many of the territories, a bit each, the player controls (M6)."""
    number = 0
    for place in range(rules[layout.RULE_NUM_TERRITORIES]):
        if territories >> place & 1 and controls(words, player, place):
            number += 1
    return number


@kernel_njit
def reserve(words: Words, rules: KernelRules, player: int, kind: int) -> int:
    """Figures of a type that are not on the board (C2)."""
    left = rules[layout.RULE_UNITS + (NUM_TYPES * player + kind) * layout.TYPE_STRIDE + layout.MOST]
    offset = ARMY_BITS * player + COUNT_BITS * kind
    for place in range(rules[layout.RULE_NUM_TERRITORIES]):
        left -= words[PLACE + place] >> offset & COUNT_MASK
    return int(left - (words[HOME] >> offset & COUNT_MASK))


@kernel_njit
def points(words: Words, rules: KernelRules, player: int) -> int:
    """Victory points: controlled cities, and legendary equipment (V1)."""
    legends = words[OWNED + layout.CARD_WORDS * player + layout.CARD_WORDS - 1] >> _LEGENDS & _LEGENDS_MASK
    return controlled(words, rules, player, rules[layout.RULE_CITIES]) + count(legends)


# -- cards ----------------------------------------------------------------------------------------------


@kernel_njit
def copies(words: Words, word: int, card: int) -> int:
    """Copies of an equipment card in the words from `word` on: `DECK`, `MARKET`, or an owner's."""
    return int(
        words[word + card // layout.CARDS_A_WORD] >> layout.COPIES_BITS * (card % layout.CARDS_A_WORD)
        & layout.COPIES_MASK
    )


@kernel_njit
def add_copies(words: Words, word: int, card: int, number: int) -> None:
    """More copies of a card, or fewer. Modified in place."""
    words[word + card // layout.CARDS_A_WORD] += number << layout.COPIES_BITS * (card % layout.CARDS_A_WORD)


@kernel_njit
def num_under(words: Words) -> int:
    """Cards below the equipment deck."""
    return int(words[COUNTERS] >> _NUM_UNDER & _NUM_UNDER_MASK)


@kernel_njit
def put_under(words: Words, card: int) -> None:
    """A card goes below the equipment deck. Modified in place."""
    number = num_under(words)
    words[UNDER + number // layout.CARDS_A_WORD] |= card << layout.UNDER_BITS * (number % layout.CARDS_A_WORD)
    words[COUNTERS] += 1 << _NUM_UNDER


@kernel_njit
def take_under(words: Words) -> None:
    """The first card below the equipment deck leaves it. Modified in place."""
    for word in range(layout.UNDER_WORDS):
        words[UNDER + word] >>= layout.UNDER_BITS
        if word + 1 < layout.UNDER_WORDS:
            first = words[UNDER + word + 1] & layout.UNDER_MASK
            words[UNDER + word] |= first << layout.UNDER_BITS * (layout.CARDS_A_WORD - 1)
    words[COUNTERS] -= 1 << _NUM_UNDER


@kernel_njit
def attached(words: Words, player: int, slot: int) -> int:
    """The card in a space of a player's sheet, `NO_CARD` if it is empty."""
    return int(words[ATTACHED + player] >> _SLOT_BITS * slot & _SLOT_MASK)


@kernel_njit
def unit_bonus(words: Words, rules: KernelRules, player: int, kind: int, bonus: int) -> int:
    """A number of a player's unit type with its equipment: power, icons, speed (B4, M4)."""
    number = rules[layout.RULE_UNITS + (NUM_TYPES * player + kind) * layout.TYPE_STRIDE + bonus]
    for slot in range(2 * kind, 2 * kind + 2):
        card = attached(words, player, slot)
        if card != layout.NO_CARD:
            number += rules[layout.RULE_CARDS + card * layout.CARD_STRIDE + bonus]
    return int(number)


@kernel_njit
def elf_bonus(words: Words, rules: KernelRules, kind: int, bonus: int) -> int:
    """A number of a type of elves with the equipment it has found (I1)."""
    number = rules[layout.RULE_ELVES + kind * layout.TYPE_STRIDE + bonus]
    for slot in range(2 * kind, 2 * kind + 2):
        card = words[SHEET] >> _FINDS + _FIND_BITS * slot & layout.UNDER_MASK
        if card != layout.NO_FIND:
            number += rules[layout.RULE_CARDS + card * layout.CARD_STRIDE + bonus]
    return int(number)
