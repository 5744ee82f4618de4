"""What everybody learns of a hand when its owner had to place a card and placed none (K3).

He holds nothing then but types that this day's patron forbids. That stays known as long as he draws no card;
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

_DECK, _HAND, _TABLE, _FLOW = layout.DECK, layout.HAND, layout.TABLE, layout.FLOW
_PATRON_SHIFT, _PATRON_MASK, _NO_PATRON = layout.PATRON.offset, layout.PATRON.mask, layout.NO_PATRON
_PLACEABLE, _STRIDE, _CARD_MASK = layout.RULE_PLACEABLE, layout.COUNT_STRIDE, layout.CARDS.mask
_MADE_OF, _MADE_OF_WIDTH = MADE_OF.offset, MADE_OF.width


@kernel_njit
def types_of(counts: int) -> int:
    """The types of a packed multiset, a bit each."""
    mask = 0
    for card in range(NUM_TYPES):
        mask |= int(counts >> card * _STRIDE & _CARD_MASK != 0) << card
    return mask


@kernel_njit
def narrow(tables: Words, state: Words, before: Words, trial: Words, first: int, second: int) -> None:
    """Note whose hand the move just carried out has shown to hold nothing placeable. Modified in place.

    It has if all would see something else, had he held a card that he may place in place of one.

    Parameters
    ----------
    state : after the move.
    before : `[layout.NUM_WORDS] int64`, the words before it.
    trial : scratch of that size.
    first, second : the move, as `kernel.transition` takes it.
    """
    patron = before[_TABLE] >> _PATRON_SHIFT & _PATRON_MASK
    if patron == _NO_PATRON:
        patron = state[_TABLE] >> _PATRON_SHIFT & _PATRON_MASK
    if patron == _NO_PATRON:
        return
    allowed = tables[_PLACEABLE + patron]
    if allowed == 0:
        return
    drawer = kernel.drawing(before)
    for player in range(2):
        hand = state[_HAND + player]
        if hand == 0 or kernel.support(hand) & allowed:
            continue
        for word in range(layout.NUM_WORDS):
            trial[word] = before[word]
        lacked = kernel.nth_card(allowed, 0)
        instead = first
        if drawer == player:
            trial[_DECK + player] += (1 << lacked * _STRIDE) - (1 << first * _STRIDE)
            instead = lacked
        else:
            held = kernel.nth_card(hand, 0)
            trial[_HAND + player] += (1 << lacked * _STRIDE) - (1 << held * _STRIDE)
        kernel.transition(trial, tables, instead, second)
        if trial[_FLOW] != state[_FLOW] or trial[_TABLE] != state[_TABLE]:
            state[CHOICE] &= ~(types_of(allowed) << _MADE_OF + _MADE_OF_WIDTH * player)
