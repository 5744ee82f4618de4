"""Dealing anew the cards of a player that nobody else has seen: over its hand, deck and hidden cards.

Each deal is as likely as by chance among those that agree with what everybody knows: a hidden card is none
that its day's patron forbids (K3); who has to place a card holds one that it may place; and a hand may be
known to consist of certain types (`known_hands`).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engine.jit import kernel_njit
from engine.ragers import kernel, layout
from engine.ragers.known_hands import types_of
from engine.ragers.sampling_layout import ALL_TYPES, BURIED, CHOICE, HIDDEN, MADE_OF, PATRONS
from engine.randomness import below, mixed

Words = NDArray[np.int64]

_TAKEN = layout.TAKEN.mask << layout.TAKEN.offset
_PATRON_SHIFT, _PATRON_MASK = layout.PATRON.offset, layout.PATRON.mask
_CARD_MASK = layout.CARDS.mask
_PATRONS_STRIDE, _PATRONS_MASK = PATRONS.stride, PATRONS.mask
_MADE_OF, _MADE_OF_WIDTH = MADE_OF.offset, MADE_OF.width
_GAMMA = 0x9E3779B97F4A7C15 - (1 << 64)
_TRIES = 64
"""Fruitless ones, after which cards are dealt where they fit, no longer quite by chance. Only rules that
forbid much need that."""


@kernel_njit
def redeal(tables: Words, state: Words, player: int, seed: int) -> None:
    """Deal the player's unseen cards anew, by what everybody sees and by `seed`. Modified in place."""
    deck, hand, hidden = state[layout.DECK + player], state[layout.HAND + player], state[HIDDEN + player]
    pool = (deck & ~_TAKEN) + hand + hidden
    num_held, num_hidden = kernel.total(hand), kernel.total(hidden)
    buried = state[BURIED + player]
    made_of = state[CHOICE] >> _MADE_OF + _MADE_OF_WIDTH * player & ALL_TYPES
    placeable = 0
    if kernel.deciders(state) >> player & 1 and kernel.phase(state) != layout.PHASE_PREPARE:
        placeable = tables[layout.RULE_PLACEABLE + (state[layout.TABLE] >> _PATRON_SHIFT & _PATRON_MASK)]
    for attempt in range(_TRIES + 1):
        forced = attempt == _TRIES
        left, new_hand, new_hidden, fits = pool, 0, 0, True
        if forced and placeable:
            # Whatever else has to give way, it can do what everybody sees that it is to do.
            seed += _GAMMA
            card = _drawn(left, types_of(placeable) & made_of, True, seed)
            new_hand += 1 << card * layout.COUNT_STRIDE
            left -= 1 << card * layout.COUNT_STRIDE
        for index in range(num_hidden):
            patron = buried >> _PATRONS_STRIDE * index & _PATRONS_MASK
            seed += _GAMMA
            card = _drawn(left, types_of(tables[layout.RULE_PLACEABLE + patron]), forced, seed)
            if card < 0:
                fits = False
                break
            new_hidden += 1 << card * layout.COUNT_STRIDE
            left -= 1 << card * layout.COUNT_STRIDE
        if not fits:
            continue
        for _ in range(num_held - kernel.total(new_hand)):
            seed += _GAMMA
            card = _drawn(left, made_of, forced, seed)
            if card < 0:
                fits = False
                break
            new_hand += 1 << card * layout.COUNT_STRIDE
            left -= 1 << card * layout.COUNT_STRIDE
        if fits and (placeable == 0 or kernel.support(new_hand) & placeable):
            state[layout.HAND + player] = new_hand
            state[HIDDEN + player] = new_hidden
            state[layout.DECK + player] = left | deck & _TAKEN
            return


@kernel_njit
def _drawn(left: int, types: int, forced: bool, seed: int) -> int:
    """A card out of a multiset, as likely as any other; -1 if it is of no type allowed.

    `forced`: of an allowed type for sure, if there is any.
    """
    among = left
    if forced:
        fitting = 0
        for card in range(layout.MAX_TYPES):
            if types >> card & 1:
                fitting |= left & _CARD_MASK << card * layout.COUNT_STRIDE
        if fitting:
            among, types = fitting, ALL_TYPES
        else:
            types = ALL_TYPES
    card = kernel.nth_card(among, below(mixed(seed), kernel.total(among)))
    return card if types >> card & 1 else -1
