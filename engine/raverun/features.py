"""What a player sees as a list of facts, for solvers that learn what positions are worth.

A fact is a number; `features` writes those that are true. It tells what the view tells (`sampling.view_key`)
but for the places of cards deep in stacks and in the deck, and never more. Opponents count from the player on,
so that one set of weights serves all seats.

Facts are numbered anew for each number of cards in the player's hand, and for the last phase (P5): what a
card is worth differs most between those.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engine.jit import kernel_njit
from engine.raverun import layout
from engine.raverun.card_sets import SET_MASK, count, lowest
from engine.raverun.places import second_card

Words = NDArray[np.int64]

_CARDS, _PLAYERS = layout.MAX_CARDS, layout.MAX_PLAYERS
_SETS_A_PLAYER = 7
"""Of cards: on the battlefield, of those still to act, in the stack, its top, the one below, the card chosen,
and hand cards the player knows."""
_A_PLAYER = _SETS_A_PLAYER * _CARDS + layout.CARDS_A_WORD + 4
"""Facts about a player: those sets, the number of cards held, and whether he acts, leads, has the offer or
draws."""
_HAND = _PLAYERS * _A_PLAYER
_DECKED = _HAND + _CARDS
_GOING = _DECKED + _CARDS
_OFFERED = _GOING + _CARDS
_THRESHOLD = _OFFERED + _CARDS
_DECK_SIZE = _THRESHOLD + _CARDS
_PHASE = _DECK_SIZE + _CARDS + 1
_A_STAGE = _PHASE + layout.PHASE.mask + 1
_STAGES = layout.CARDS_A_WORD + 2
NUM_FEATURES = _STAGES * _A_STAGE
MAX_ACTIVE = 6 * _CARDS + _PLAYERS * 12
"""Facts that are true at once at most: a card lies in one place, and counts up to five times there."""

_PLAYER, _STACK, _DECK, _FLOW = layout.PLAYER, layout.STACK, layout.DECK, layout.FLOW
_BATTLE, _TOP, _CHOSEN = layout.BATTLEFIELD.offset, layout.TOP.offset, layout.CHOSEN.offset
_KNOWN, _GOING_CARDS, _ACTING = layout.KNOWN.offset, layout.GOING.offset, layout.ACTING.offset
_OFFERED_CARD, _THRESHOLD_CARD = layout.OFFERED.offset, layout.THRESHOLD.offset
_DRAWER, _CARD_MASK, _NO_CARD = layout.DRAWER.offset, layout.TOP.mask, layout.NO_CARD
_PHASE_MASK, _BID, _ROUND, _LAST = layout.PHASE.mask, layout.BID, layout.ROUND, layout.LAST
_NUM_PLAYERS, _LAST_CARDS = layout.RULE_NUM_PLAYERS, layout.RULE_LAST_CARDS
_MOST_HELD = layout.CARDS_A_WORD - 1


@kernel_njit
def _add_set(active: Words, used: int, base: int, cards: int) -> int:
    """Add a fact for each card of a set; returns how many there are now. Modified in place."""
    while cards:
        active[used] = base + lowest(cards)
        used += 1
        cards &= cards - 1
    return used


@kernel_njit
def _add_card(active: Words, used: int, base: int, card: int) -> int:
    """Add a fact for a card unless it is `NO_CARD`. Modified in place."""
    if card == _NO_CARD:
        return used
    active[used] = base + card
    return used + 1


@kernel_njit
def features(tables: Words, state: Words, work: Words, player: int, active: Words) -> int:
    """Write the numbers of the facts that are true for a player, and return how many.

    Parameters
    ----------
    active : `[MAX_ACTIVE] int64`, modified in place.
    """
    flow, deck = state[_FLOW], state[_DECK]
    stage = flow & _PHASE_MASK
    hand = state[_PLAYER + player] & SET_MASK
    known = state[_STACK + player] >> _KNOWN & SET_MASK
    going = deck >> _GOING_CARDS & SET_MASK
    acting = flow >> _ACTING & 3
    offered, threshold = flow >> _OFFERED_CARD & _CARD_MASK, flow >> _THRESHOLD_CARD & _CARD_MASK
    top = _NO_CARD
    leader, best = -1, -1
    for other in range(tables[_NUM_PLAYERS]):
        top = state[_PLAYER + other] >> _TOP & _CARD_MASK
        if top != _NO_CARD and top > best:
            leader, best = other, top
    begin = (_STAGES - 1 if stage == _LAST else min(count(hand), _MOST_HELD)) * _A_STAGE
    used = 0
    for other in range(tables[_NUM_PLAYERS]):
        rank = other - player
        if rank < 0:
            rank += tables[_NUM_PLAYERS]
        base = begin + rank * _A_PLAYER
        side, heap = state[_PLAYER + other], state[_STACK + other]
        lying = side >> _BATTLE & SET_MASK
        held = side & SET_MASK | (going if acting == other else 0)
        used = _add_set(active, used, base, lying)
        base += _CARDS
        if stage == _LAST:
            used = _add_set(active, used, base, lying & tables[_LAST_CARDS] & -1 << threshold)
        base += _CARDS
        used = _add_set(active, used, base, heap & SET_MASK)
        base += _CARDS
        used = _add_card(active, used, base, side >> _TOP & _CARD_MASK)
        base += _CARDS
        used = _add_card(active, used, base, second_card(state, other, player))
        base += _CARDS
        if stage != _BID or other == player:
            used = _add_card(active, used, base, side >> _CHOSEN & _CARD_MASK)
        base += _CARDS
        if other != player:
            used = _add_set(active, used, base, held & known)
        base += _CARDS
        active[used] = base + min(count(held), _MOST_HELD)
        used += 1
        base += _MOST_HELD + 1
        if acting == other:
            active[used] = base
            used += 1
        if leader == other:
            active[used] = base + 1
            used += 1
        if offered != _NO_CARD and acting == other:
            active[used] = base + 2
            used += 1
        if flow >> _DRAWER & 3 == other:
            active[used] = base + 3
            used += 1
    used = _add_set(active, used, begin + _HAND, hand)
    used = _add_set(active, used, begin + _DECKED, known & deck)
    if acting == player:
        used = _add_set(active, used, begin + _GOING, going)
    used = _add_card(active, used, begin + _OFFERED, offered)
    if stage == _ROUND and threshold < _CARDS:
        active[used] = begin + _THRESHOLD + threshold
        used += 1
    active[used] = begin + _DECK_SIZE + count(deck & SET_MASK)
    active[used + 1] = begin + _PHASE + stage
    return used + 2
