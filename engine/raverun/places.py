"""Where cards lie, for kernels: stacks, the deck in batches, and who knows what (V4).

Every function that changes `words` says so; `rules` is a `KernelRules`. Positions are those of `layout`.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engine.jit import kernel_njit
from engine.raverun import layout
from engine.raverun.card_sets import SET_MASK, count, lowest

Words = NDArray[np.int64]
KernelRules = NDArray[np.int64]

PLAYER, STACK, POSITION, DECK, FLOW = layout.PLAYER, layout.STACK, layout.POSITION, layout.DECK, layout.FLOW
NO_CARD, NO_PLAYER, UNPLACED = layout.NO_CARD, layout.NO_PLAYER, layout.UNPLACED
_TOP, _CARD_MASK = layout.TOP.offset, layout.TOP.mask
_KNOWN, _GOING = layout.KNOWN.offset, layout.GOING.offset
_DRAWER, _DRAWS, _SHUFFLER = layout.DRAWER.offset, layout.DRAWS.offset, layout.SHUFFLER.offset
_HIDDEN = layout.HIDDEN_ORDER.offset
_STRIDE, _POSITION_MASK = layout.POSITIONS.stride, layout.POSITIONS.mask


# -- positions ----------------------------------------------------------------------------------------


@kernel_njit
def position(words: Words, card: int) -> int:
    """A card's position in its stack or in the deck."""
    upper = int(card >= layout.CARDS_A_WORD)
    return int(words[POSITION + upper] >> _STRIDE * (card - layout.CARDS_A_WORD * upper) & _POSITION_MASK)


@kernel_njit
def place(words: Words, card: int, where: int) -> None:
    """Give a card a position. Modified in place."""
    upper = int(card >= layout.CARDS_A_WORD)
    shift = _STRIDE * (card - layout.CARDS_A_WORD * upper)
    words[POSITION + upper] = words[POSITION + upper] & ~(_POSITION_MASK << shift) | where << shift


@kernel_njit
def close_gap(words: Words, cards: int, gap: int) -> None:
    """Move all cards of a set that lie above a gap down by one. Modified in place."""
    while cards:
        card = lowest(cards)
        where = position(words, card)
        if where > gap:
            place(words, card, where - 1)
        cards &= cards - 1


@kernel_njit
def second_card(words: Words, owner: int, viewer: int) -> int:
    """The card below a stack's top if `viewer` knows it (V4), otherwise `NO_CARD`."""
    cards = words[STACK + owner] & SET_MASK
    where = count(cards) - 2
    if viewer != owner:
        cards &= ~(words[FLOW] >> _HIDDEN)
    while cards:
        card = lowest(cards)
        if position(words, card) == where:
            return card
        cards &= cards - 1
    return NO_CARD


# -- knowledge ----------------------------------------------------------------------------------------


@kernel_njit
def no_longer_hidden(words: Words, rules: KernelRules, card: int) -> None:
    """A card lies face-up now: nobody needs to remember its place. Modified in place."""
    for player in range(rules[layout.RULE_NUM_PLAYERS]):
        words[STACK + player] &= ~(1 << _KNOWN + card)


@kernel_njit
def _hidden_before_all_eyes(words: Words, rules: KernelRules, card: int, holder: int) -> None:
    """A face-up card goes face-down into the deck, or into `holder`'s hand. Modified in place."""
    for player in range(rules[layout.RULE_NUM_PLAYERS]):
        if player != holder:
            words[STACK + player] |= 1 << _KNOWN + card


@kernel_njit
def _show_top(words: Words, player: int, top: int) -> None:
    """A card is the top of a stack now (or `NO_CARD`): all see it. Modified in place."""
    words[PLAYER + player] = words[PLAYER + player] & ~(_CARD_MASK << _TOP) | top << _TOP
    if top != NO_CARD:
        words[FLOW] &= ~(1 << _HIDDEN + top)


# -- the deck -----------------------------------------------------------------------------------------


@kernel_njit
def first_batch(words: Words) -> int:
    """The cards of the deck that may be drawn next, all equally likely."""
    deck = words[DECK] & SET_MASK
    if not words[POSITION] | words[POSITION + 1]:
        return int(deck)
    batch = 0
    while deck:
        if position(words, lowest(deck)) == 0:
            batch |= deck & -deck
        deck &= deck - 1
    return batch


@kernel_njit
def _next_batch(words: Words) -> int:
    """Number of a batch that goes under the deck."""
    deck = words[DECK] & SET_MASK
    number = 0
    while deck:
        number = max(number, position(words, lowest(deck)) + 1)
        deck &= deck - 1
    return number


@kernel_njit
def draw(words: Words, rules: KernelRules, card: int) -> None:
    """A card of the first batch into the hand of who draws (V2, 2, 3). Modified in place."""
    flow = words[FLOW]
    drawer = flow >> _DRAWER & 3
    batch = first_batch(words)
    words[DECK] ^= 1 << card
    words[PLAYER + drawer] |= 1 << card
    if batch == 1 << card:
        close_gap(words, words[DECK] & SET_MASK, 0)
    else:
        # Which one was drawn is not seen.
        for player in range(rules[layout.RULE_NUM_PLAYERS]):
            if player != drawer:
                words[STACK + player] &= ~(batch << _KNOWN)
    words[STACK + drawer] &= ~(1 << _KNOWN + card)
    flow -= 1 << _DRAWS
    if not flow >> _DRAWS & _CARD_MASK:
        flow |= NO_PLAYER << _DRAWER
    words[FLOW] = flow


@kernel_njit
def put_under(words: Words, rules: KernelRules, player: int) -> int:
    """The cards going under the deck become its last batch (2); returns them. Modified in place."""
    going = words[DECK] >> _GOING & SET_MASK
    gone = words[PLAYER + player] & SET_MASK | going
    for other in range(rules[layout.RULE_NUM_PLAYERS]):
        if other == player:
            words[STACK + other] |= going << _KNOWN
        else:
            words[STACK + other] &= ~(gone << _KNOWN)
    number = _next_batch(words)
    words[DECK] = words[DECK] & SET_MASK | going
    left = going
    while left:
        place(words, lowest(left), number)
        left &= left - 1
    return int(going)


# -- stacks -------------------------------------------------------------------------------------------


@kernel_njit
def push(words: Words, rules: KernelRules, player: int, card: int) -> None:
    """A card face-up onto a stack. Modified in place."""
    place(words, card, count(words[STACK + player] & SET_MASK))
    words[STACK + player] |= 1 << card
    no_longer_hidden(words, rules, card)
    _show_top(words, player, card)


@kernel_njit
def swap(words: Words, rules: KernelRules, player: int, card: int, target: int) -> None:
    """A hand card for the top of a stack (1). Modified in place."""
    top = words[PLAYER + target] >> _TOP & _CARD_MASK
    place(words, card, position(words, top))
    place(words, top, 0)
    words[PLAYER + player] ^= 1 << card | 1 << top
    words[STACK + target] ^= 1 << card | 1 << top
    no_longer_hidden(words, rules, card)
    _show_top(words, target, card)
    _hidden_before_all_eyes(words, rules, top, player)


@kernel_njit
def bury(words: Words, rules: KernelRules, target: int) -> None:
    """The top of a stack under the deck (6). Modified in place."""
    top = words[PLAYER + target] >> _TOP & _CARD_MASK
    below = words[STACK + target] & SET_MASK & ~(1 << top)
    words[STACK + target] ^= 1 << top
    place(words, top, _next_batch(words))
    words[DECK] |= 1 << top
    _hidden_before_all_eyes(words, rules, top, NO_PLAYER)
    under, highest = NO_CARD, count(below) - 1
    while below:
        card = lowest(below)
        if position(words, card) == highest:
            under = card
        below &= below - 1
    _show_top(words, target, under)


@kernel_njit
def recall(words: Words, player: int, card: int) -> None:
    """A card of a stack to its top (7). Modified in place."""
    stack = words[STACK + player] & SET_MASK
    close_gap(words, stack, position(words, card))
    place(words, card, count(stack) - 1)
    _show_top(words, player, card)


@kernel_njit
def shuffle(words: Words, target: int) -> None:
    """A stack is taken up, to be laid out anew by chance (8). Modified in place."""
    stack = words[STACK + target] & SET_MASK
    words[FLOW] = words[FLOW] & ~(3 << _SHUFFLER) | target << _SHUFFLER | stack << _HIDDEN
    _show_top(words, target, NO_CARD)
    while stack:
        place(words, lowest(stack), UNPLACED)
        stack &= stack - 1


@kernel_njit
def unplaced(words: Words) -> int:
    """The cards of the stack being shuffled that chance has not laid out yet."""
    stack = words[STACK + (words[FLOW] >> _SHUFFLER & 3)] & SET_MASK
    cards = 0
    while stack:
        if position(words, lowest(stack)) == UNPLACED:
            cards |= stack & -stack
        stack &= stack - 1
    return cards


@kernel_njit
def lay_out(words: Words, card: int, matters: bool) -> None:
    """The next card of a shuffled stack, from the top down (8). Modified in place.

    Unless the order below `matters`, it is left open: as a convention, ascending.
    """
    shuffler = words[FLOW] >> _SHUFFLER & 3
    left = unplaced(words) & ~(1 << card)
    place(words, card, count(left))
    if words[PLAYER + shuffler] >> _TOP & _CARD_MASK == NO_CARD:
        _show_top(words, shuffler, card)
    if matters and left & (left - 1):
        return
    where = 0
    while left:
        place(words, lowest(left), where)
        where += 1
        left &= left - 1
    words[FLOW] |= NO_PLAYER << _SHUFFLER
