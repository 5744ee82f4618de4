"""What everybody learns of a hand when its owner had to place a card and placed none (K3).

It holds nothing then but types that this day's patron forbids. That stays known as long as it draws no card;
with the decks of the box, such a hand belongs to an empty deck.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engine.jit import kernel_njit
from engine.ragers import kernel, layout
from engine.ragers.rules import NUM_TYPES
from engine.ragers.sampling_layout import CHOICE, MADE_OF

Words = NDArray[np.int64]

_PATRON_SHIFT, _PATRON_MASK = layout.PATRON.offset, layout.PATRON.mask
_CARD_MASK = layout.CARDS.mask
_MADE_OF, _MADE_OF_WIDTH = MADE_OF.offset, MADE_OF.width


@kernel_njit
def types_of(counts: int) -> int:
    """The types of a packed multiset, a bit each."""
    mask = 0
    for card in range(NUM_TYPES):
        mask |= int(counts >> card * layout.COUNT_STRIDE & _CARD_MASK != 0) << card
    return mask


@kernel_njit
def narrow(tables: Words, state: Words, before: Words, trial: Words, first: int, second: int) -> None:
    """Note whose hand the move just carried out has shown to hold nothing placeable. Modified in place.

    It has if all would see something else, had it held a card that it may place in place of one.

    Parameters
    ----------
    state : after the move.
    before : `[layout.NUM_WORDS] int64`, the words before it.
    trial : scratch of that size.
    first, second : the move, as `kernel.transition` takes it.
    """
    patron = before[layout.TABLE] >> _PATRON_SHIFT & _PATRON_MASK
    if patron == layout.NO_PATRON:
        patron = state[layout.TABLE] >> _PATRON_SHIFT & _PATRON_MASK
    if patron == layout.NO_PATRON:
        return
    allowed = tables[layout.RULE_PLACEABLE + patron]
    if allowed == 0:
        return
    drawer = kernel.drawing(before)
    for player in range(2):
        hand = state[layout.HAND + player]
        if hand == 0 or kernel.support(hand) & allowed:
            continue
        for word in range(layout.NUM_WORDS):
            trial[word] = before[word]
        lacked = kernel.nth_card(allowed, 0)
        instead = first
        if drawer == player:
            trial[layout.DECK + player] += (1 << lacked * layout.COUNT_STRIDE) - (
                1 << first * layout.COUNT_STRIDE
            )
            instead = lacked
        else:
            held = kernel.nth_card(hand, 0)
            trial[layout.HAND + player] += (1 << lacked * layout.COUNT_STRIDE) - (
                1 << held * layout.COUNT_STRIDE
            )
        kernel.transition(trial, tables, instead, second)
        if trial[layout.FLOW] != state[layout.FLOW] or trial[layout.TABLE] != state[layout.TABLE]:
            state[CHOICE] &= ~(types_of(allowed) << _MADE_OF + _MADE_OF_WIDTH * player)
