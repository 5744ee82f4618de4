"""What was, had hidden cards been others: past states retold for players who weigh what others may hold.

A player sees a state, and one that looks the same to that player is drawn (`sampling.determinise`). A
*renaming* says which card lies there where each card lies here; where several lie in one place in no order,
any of them may be any. Retold by it, a past state shows how things stood if the drawn state is the true one:
the cards that the player saw at the time have to stay what they are.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engine.jit import kernel_njit
from engine.randomness import below, mixed
from engine.raverun import kernel, layout
from engine.raverun.card_sets import SET_MASK, count, lowest, nth
from engine.raverun.places import place, position

Words = NDArray[np.int64]

NUM_NAMES = layout.MAX_CARDS
_CHOSEN, _KNOWN = layout.CHOSEN.offset, layout.KNOWN.offset
_GOING = layout.GOING.offset
_HIDDEN, _ACTING, _CARD_MASK = layout.HIDDEN_ORDER.offset, layout.ACTING.offset, layout.CHOSEN.mask
_PHASE_MASK = layout.PHASE.mask
_GAMMA = 0x9E3779B97F4A7C15 - (1 << 64)


@kernel_njit
def _paired(before: int, after: int, seed: int, names: Words) -> int:
    """Name each card of a set as one of another, at random; returns the seed for what comes next."""
    while before:
        card = lowest(before)
        before &= before - 1
        seed += _GAMMA
        name = nth(after, below(mixed(seed), count(after)))
        after ^= 1 << name
        names[card] = name
    return seed


@kernel_njit
def renaming(
    tables: Words, state: Words, sampled: Words, work: Words, player: int, seed: int, names: Words
) -> None:
    """Write which card of `sampled`, drawn for the player, lies where each card lies in `state`.

    Parameters
    ----------
    names : `[NUM_NAMES] int64`, modified in place.
    """
    for card in range(NUM_NAMES):
        names[card] = card
    known = state[layout.STACK + player] >> _KNOWN & SET_MASK
    in_bid = state[layout.FLOW] & _PHASE_MASK == layout.BID
    for other in range(tables[layout.RULE_NUM_PLAYERS]):
        if other == player:
            continue
        side, there = state[layout.PLAYER + other], sampled[layout.PLAYER + other]
        seed = _paired(side & SET_MASK & ~known, there & SET_MASK & ~known, seed, names)
        chosen = side >> _CHOSEN & _CARD_MASK
        if in_bid and chosen != layout.NO_CARD:
            names[chosen] = there >> _CHOSEN & _CARD_MASK
    here, drawn = state[layout.DECK] & SET_MASK & ~known, sampled[layout.DECK] & SET_MASK & ~known
    batch = 0
    while here:
        before, after = 0, 0
        left = here
        while left:
            card = lowest(left)
            left &= left - 1
            if position(state, card) == batch:
                before |= 1 << card
        left = drawn
        while left:
            card = lowest(left)
            left &= left - 1
            if position(sampled, card) == batch:
                after |= 1 << card
        seed = _paired(before, after, seed, names)
        here &= ~before
        batch += 1


@kernel_njit
def _renamed_set(cards: int, names: Words) -> int:
    """The names of a set of cards."""
    renamed = 0
    while cards:
        renamed |= 1 << names[lowest(cards)]
        cards &= cards - 1
    return renamed


@kernel_njit
def renamed(tables: Words, past: Words, work: Words, player: int, names: Words, retold: Words) -> int:
    """Write a past state retold; returns 1, or 0 if the player could tell it from the past one.

    Parameters
    ----------
    retold : `[state_words] int64`, modified in place.
    """
    flow, deck = past[layout.FLOW], past[layout.DECK]
    acting, in_bid = flow >> _ACTING & 3, flow & _PHASE_MASK == layout.BID
    going = deck >> _GOING & SET_MASK
    hidden, stacks = deck & SET_MASK, 0
    for other in range(tables[layout.RULE_NUM_PLAYERS]):
        if other == player:
            continue
        side = past[layout.PLAYER + other]
        hidden |= side & SET_MASK
        stacks |= past[layout.STACK + other] & SET_MASK
        chosen = side >> _CHOSEN & _CARD_MASK
        if in_bid and chosen != layout.NO_CARD:
            hidden |= 1 << chosen
        if acting == other:
            hidden |= going
    hidden &= ~(past[layout.STACK + player] >> _KNOWN)
    if flow >> _HIDDEN & stacks:
        return 0
    for card in range(NUM_NAMES):
        if names[card] != card and not hidden >> card & 1:
            return 0
    for word in range(past.shape[0]):
        retold[word] = past[word]
    for other in range(tables[layout.RULE_NUM_PLAYERS]):
        side, heap = past[layout.PLAYER + other], past[layout.STACK + other]
        side = side & ~SET_MASK | _renamed_set(side & SET_MASK, names)
        chosen = side >> _CHOSEN & _CARD_MASK
        if chosen != layout.NO_CARD:
            side = side & ~(_CARD_MASK << _CHOSEN) | names[chosen] << _CHOSEN
        retold[layout.PLAYER + other] = side
        retold[layout.STACK + other] = (
            heap & SET_MASK | _renamed_set(heap >> _KNOWN & SET_MASK, names) << _KNOWN
        )
    retold[layout.DECK] = _renamed_set(deck & SET_MASK, names) | _renamed_set(going, names) << _GOING
    for card in range(NUM_NAMES):
        if names[card] != card:
            place(retold, names[card], position(past, card))
    return 1


@kernel_njit
def renamed_move(
    tables: Words, past: Words, work: Words, move: int, names: Words, retold: Words, num_moves: int
) -> int:
    """Return the number in a retold state of what a move is in the past one; -1 if there is none.

    `num_moves` is how many there are in the retold state.
    """
    card, target = kernel.move_parts(past, tables, move)
    if card >= 0:
        card = names[card]
    for index in range(num_moves):
        other, to = kernel.move_parts(retold, tables, index)
        if other == card and to == target:
            return index
    return -1
