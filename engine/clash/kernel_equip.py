"""The equip action and the equipment deck on bit-packed states: the fast twin of `reference_equip`."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engine.clash import layout
from engine.clash.kernel_rules import KernelRules
from engine.clash.kernel_state import (
    ATTACHED,
    COUNTERS,
    DECK,
    FLOW,
    OWNED,
    PLAYER,
    SHEET,
    UNDER,
    Words,
    active,
    add_copies,
    attached,
    controlled,
    copies,
    count,
    go_to,
    nth,
    num_under,
    put,
    put_under,
    take_under,
)
from engine.jit import kernel_njit

_GOLD, _CRYSTALS = layout.GOLD.offset, layout.CRYSTALS.offset
_GOLD_MASK, _CRYSTALS_MASK = layout.GOLD.mask, layout.CRYSTALS.mask
_FRESH, _FORGED = layout.FRESH.offset, layout.FORGED.offset
_DRAWS, _DRAWS_MASK = layout.DRAWS.offset, layout.DRAWS.mask
_SLOT, _SLOT_MASK = layout.SLOT.offset, layout.SLOT.mask
_IMPROVING, _IMPROVING_MASK = layout.IMPROVING.offset, layout.IMPROVING.mask
_LEGENDS, _LEGENDS_MASK = layout.LEGENDS.offset, layout.LEGENDS.mask
_DRAWN, _LEGENDARY_MASK = layout.DRAWN.offset, layout.LEGENDARY.mask
_FINDS, _FIND_BITS, _FIND_MASK = layout.FINDS.offset, layout.FINDS.stride, layout.FINDS.mask
_SLOT_BITS = layout.SLOTS.stride
_NO_CARDS = (1 << _SLOT_BITS * layout.NUM_SLOTS) - 1

DISCARD, BUY, FORGING, DONE = 0, 1, 2, 3
"""Kinds of moves in an equip action; a move is kind * 4096 + first * 64 + second."""

assert layout.LEGENDARY.offset == 0


# -- buying and forging (E2, E3, X3) --------------------------------------------------------------------


@kernel_njit
def stacks(words: Words, rules: KernelRules) -> int:
    """Cards that lie on the black market."""
    cards = 0
    for card in range(rules[layout.RULE_NUM_EQUIPMENT]):
        if copies(words, layout.MARKET, card):
            cards |= 1 << card
    return cards


@kernel_njit
def affordable(words: Words, rules: KernelRules) -> int:
    """Those of them that the active player has the gold for."""
    gold = words[PLAYER + active(words)] >> _GOLD & _GOLD_MASK
    lying, cards = stacks(words, rules), 0
    for card in range(rules[layout.RULE_NUM_EQUIPMENT]):
        if lying >> card & 1 and rules[layout.RULE_CARDS + card * layout.CARD_STRIDE + layout.COST] <= gold:
            cards |= 1 << card
    return cards


@kernel_njit
def forge_cost(words: Words, rules: KernelRules) -> int:
    """Crystals that forging costs the active player, -1 if it cannot forge now (E3)."""
    player = active(words)
    forges = controlled(words, rules, player, rules[layout.RULE_FORGES])
    if not forges or words[FLOW] >> _FORGED & 1 or not words[SHEET] & _LEGENDARY_MASK:
        return -1
    cost = rules[layout.RULE_FORGE_ONE] if forges == 1 else rules[layout.RULE_FORGE_MORE]
    return int(cost if cost <= words[PLAYER + player] >> _CRYSTALS & _CRYSTALS_MASK else -1)


@kernel_njit
def nth_equip(words: Words, rules: KernelRules, index: int) -> int:
    """Move `index` of an equip action; with index -1, the number of moves."""
    number = 0
    if rules[layout.RULE_NUM_PLAYERS] == 1 and words[FLOW] >> _FRESH & 1:
        lying = stacks(words, rules)
        size = count(lying)
        pairs = size * (size - 1) // 2
        if 0 <= index < pairs:
            for first in range(size):
                for second in range(first + 1, size):
                    if number == index:
                        return DISCARD * 4096 + nth(lying, first) * 64 + nth(lying, second)
                    number += 1
        number = pairs
    cards = affordable(words, rules)
    if number <= index < number + count(cards):
        return BUY * 4096 + nth(cards, index - number) * 64
    number += count(cards)
    if forge_cost(words, rules) >= 0:
        if index == number:
            return FORGING * 4096
        number += 1
    return number + 1 if index < 0 else DONE * 4096


@kernel_njit
def equip(words: Words, rules: KernelRules, move: int) -> None:
    """Carry out a move that `nth_equip` returned. Modified in place."""
    player = active(words)
    kind, first, second = move // 4096, move // 64 % 64, move % 64
    words[FLOW] &= ~(1 << _FRESH)
    if kind == DISCARD:
        for card in (first, second):
            for _ in range(copies(words, layout.MARKET, card)):
                add_copies(words, layout.MARKET, card, -1)
                put_under(words, card)
    elif kind == BUY:
        add_copies(words, layout.MARKET, first, -1)
        add_copies(words, OWNED + layout.CARD_WORDS * player, first, 1)
        words[PLAYER + player] -= rules[layout.RULE_CARDS + first * layout.CARD_STRIDE + layout.COST] << _GOLD
    elif kind == FORGING:
        draws = 1 + controlled(words, rules, player, rules[layout.RULE_FORGES])
        draws = min(draws, count(words[SHEET] & _LEGENDARY_MASK))
        words[PLAYER + player] -= forge_cost(words, rules) << _CRYSTALS
        words[FLOW] |= 1 << _FORGED | draws << _DRAWS
        go_to(words, layout.FORGE)
    else:
        words[FLOW] &= ~(1 << _FORGED)
        words[ATTACHED + player] = _NO_CARDS
        go_to(words, layout.ATTACH)


@kernel_njit
def look_at(words: Words, legend: int) -> None:
    """A legendary card, counted from the first, is drawn (E3). Modified in place."""
    words[SHEET] += (1 << _DRAWN + legend) - (1 << legend)
    words[FLOW] -= 1 << _DRAWS
    if not words[FLOW] >> _DRAWS & _DRAWS_MASK:
        go_to(words, layout.KEEP)


@kernel_njit
def keep(words: Words, legend: int) -> None:
    """One legendary card is kept, the others go back (E3). Modified in place."""
    drawn = words[SHEET] >> _DRAWN & _LEGENDARY_MASK
    words[SHEET] += (drawn & ~(1 << legend)) - (drawn << _DRAWN)
    words[OWNED + layout.CARD_WORDS * active(words) + layout.CARD_WORDS - 1] |= 1 << _LEGENDS + legend
    go_to(words, layout.EQUIP)


# -- attaching (E4) -------------------------------------------------------------------------------------


@kernel_njit
def slot(words: Words) -> int:
    """The space that is filled next."""
    return int(words[FLOW] >> _SLOT & _SLOT_MASK)


@kernel_njit
def attachable(words: Words, rules: KernelRules) -> int:
    """Cards that fit the next space and are not attached yet, a bit each (E4)."""
    player, at, num_equipment = active(words), slot(words), rules[layout.RULE_NUM_EQUIPMENT]
    cards = 0
    for card in range(num_equipment):
        if rules[layout.RULE_CARDS + card * layout.CARD_STRIDE + layout.SPACE] == at % 2:
            left = copies(words, OWNED + layout.CARD_WORDS * player, card)
            for before in range(at):
                if attached(words, player, before) == card:
                    left -= 1
            if left:
                cards |= 1 << card
    legends = words[OWNED + layout.CARD_WORDS * player + layout.CARD_WORDS - 1] >> _LEGENDS & _LEGENDS_MASK
    number = 0
    while legends >> number:
        card = num_equipment + number
        if (
            legends >> number & 1
            and rules[layout.RULE_CARDS + card * layout.CARD_STRIDE + layout.SPACE] == at % 2
        ):
            there = False
            for before in range(at):
                there |= attached(words, player, before) == card
            if not there:
                cards |= 1 << card
        number += 1
    return int(cards)


@kernel_njit
def attach(words: Words, card: int) -> None:
    """A card goes to the next space, `NO_CARD` for none. Modified in place."""
    put(words, ATTACHED + active(words), _SLOT_BITS * slot(words), layout.NO_CARD, card)
    words[FLOW] += 1 << _SLOT


# -- the equipment deck ---------------------------------------------------------------------------------


@kernel_njit
def has_equipment(words: Words) -> bool:
    """Whether a card can be drawn from the equipment deck."""
    return in_random_order(words) or num_under(words) > 0


@kernel_njit
def in_random_order(words: Words) -> bool:
    """Whether cards in random order are left in the equipment deck."""
    for word in range(layout.CARD_WORDS):
        if words[DECK + word]:
            return True
    return False


@kernel_njit
def market_is_short(words: Words, rules: KernelRules) -> bool:
    """Whether a card has to be laid out on the black market (U3, E2)."""
    return count(stacks(words, rules)) < rules[layout.RULE_MARKET] and has_equipment(words)


@kernel_njit
def equipment_outcomes(words: Words, rules: KernelRules) -> int:
    """Cards that may be drawn from the equipment deck, a bit each."""
    if not in_random_order(words):
        return int(1 << (words[UNDER] & layout.UNDER_MASK))
    cards = 0
    for card in range(rules[layout.RULE_NUM_EQUIPMENT]):
        if copies(words, DECK, card):
            cards |= 1 << card
    return cards


@kernel_njit
def equipment_weights(words: Words, rules: KernelRules, weights: NDArray[np.int64]) -> int:
    """Write the weights of these cards; returns their sum. Modified in place: `weights`."""
    if not in_random_order(words):
        weights[0] = 1
        return 1
    number = total = 0
    for card in range(rules[layout.RULE_NUM_EQUIPMENT]):
        there = copies(words, DECK, card)
        if there:
            weights[number] = there
            number += 1
            total += there
    return total


@kernel_njit
def take_equipment(words: Words, card: int) -> None:
    """The top card leaves the equipment deck. Modified in place."""
    if in_random_order(words):
        add_copies(words, DECK, card, -1)
    else:
        take_under(words)


@kernel_njit
def improve(words: Words, rules: KernelRules, card: int) -> None:
    """Elves find a card: it fills a space, or replaces a cheaper one; the loser goes under (I1). In place."""
    take_equipment(words, card)
    kind = (words[FLOW] >> _IMPROVING & _IMPROVING_MASK) - 1
    offset = _FINDS + _FIND_BITS * (
        2 * kind + rules[layout.RULE_CARDS + card * layout.CARD_STRIDE + layout.SPACE]
    )
    old = words[SHEET] >> offset & _FIND_MASK
    cost = rules[layout.RULE_CARDS + card * layout.CARD_STRIDE + layout.COST]
    if old == layout.NO_FIND or rules[layout.RULE_CARDS + old * layout.CARD_STRIDE + layout.COST] < cost:
        put(words, SHEET, offset, _FIND_MASK, card)
        if old != layout.NO_FIND:
            put_under(words, old)
    else:
        put_under(words, card)
    words[FLOW] -= 1 << _IMPROVING


assert COUNTERS < layout.NUM_WORDS
