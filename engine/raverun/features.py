"""What a player sees as a list of facts, for solvers that learn what positions are worth.

A fact is a number; `features` writes those that are true. It tells what the view tells
(`sampling.view_key`) but for the places of cards deep in stacks and in the deck, and never more. Opponents
count from the player on, so that one set of weights serves all seats.

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

MARKS = ("acts", "leads", "has the offer", "draws")
PLAYER_FACTS = {
    "battlefield": layout.MAX_CARDS,
    "to_act": layout.MAX_CARDS,  # of those, in the last phase
    "stack": layout.MAX_CARDS,
    "top": layout.MAX_CARDS,
    "below": layout.MAX_CARDS,  # the card below the top
    "chosen": layout.MAX_CARDS,
    "known": layout.MAX_CARDS,  # hand cards that the player knows
    "held": layout.CARDS_A_WORD,
    "marks": len(MARKS),
}
"""Facts about each player, oneself first, in the order in which they are numbered."""
COMMON_FACTS = {
    "hand": layout.MAX_CARDS,
    "decked": layout.MAX_CARDS,  # cards the player knows in the deck
    "going": layout.MAX_CARDS,  # its own on their way under the deck (2)
    "offered": layout.MAX_CARDS,
    "threshold": layout.MAX_CARDS,  # lowest card that may still act (P3)
    "deck": layout.MAX_CARDS + 1,
    "phase": layout.PHASE.mask + 1,
}
"""Facts after those about players."""


def _offsets(sizes: dict[str, int], begin: int) -> tuple[list[int], int]:
    """Where each kind of facts begins, and where the last one ends."""
    ends = [begin + sum(list(sizes.values())[: index + 1]) for index in range(len(sizes))]
    return [begin, *ends[:-1]], ends[-1]


(_LYING, _TO_ACT, _STACKED, _ON_TOP, _BELOW, _CHOICE, _KNOWN_HELD, _HELD, _MARKS), _A_PLAYER = _offsets(
    PLAYER_FACTS, 0
)
(_HAND, _DECKED, _GOING, _OFFERED, _THRESHOLD, _DECK_SIZE, _PHASE), A_STAGE = _offsets(
    COMMON_FACTS, layout.MAX_PLAYERS * _A_PLAYER
)
_LAST_STAGE = layout.CARDS_A_WORD
NUM_FEATURES = (_LAST_STAGE + 1) * A_STAGE
MAX_ACTIVE = 6 * layout.MAX_CARDS + layout.MAX_PLAYERS * 12
"""Facts that are true at once at most: a card lies in one place, and counts up to five times there."""

_BATTLE, _TOP, _CHOSEN = layout.BATTLEFIELD.offset, layout.TOP.offset, layout.CHOSEN.offset
_KNOWN, _GOING_CARDS, _ACTING = layout.KNOWN.offset, layout.GOING.offset, layout.ACTING.offset
_OFFERED_CARD, _THRESHOLD_CARD = layout.OFFERED.offset, layout.THRESHOLD.offset
_DRAWER, _CARD_MASK = layout.DRAWER.offset, layout.TOP.mask
_PHASE_MASK = layout.PHASE.mask
_NUM_MARKS = len(MARKS)


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
    if card == layout.NO_CARD:
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
    flow, deck = state[layout.FLOW], state[layout.DECK]
    stage = flow & _PHASE_MASK
    hand = state[layout.PLAYER + player] & SET_MASK
    known = state[layout.STACK + player] >> _KNOWN & SET_MASK
    going = deck >> _GOING_CARDS & SET_MASK
    acting = flow >> _ACTING & 3
    offered, threshold = flow >> _OFFERED_CARD & _CARD_MASK, flow >> _THRESHOLD_CARD & _CARD_MASK
    leader, best = -1, -1
    for other in range(tables[layout.RULE_NUM_PLAYERS]):
        top = state[layout.PLAYER + other] >> _TOP & _CARD_MASK
        if top != layout.NO_CARD and top > best:
            leader, best = other, top
    begin = (_LAST_STAGE if stage == layout.LAST else min(count(hand), layout.CARDS_A_WORD - 1)) * A_STAGE
    used = 0
    for other in range(tables[layout.RULE_NUM_PLAYERS]):
        rank = other - player
        if rank < 0:
            rank += tables[layout.RULE_NUM_PLAYERS]
        base = begin + rank * _A_PLAYER
        side, heap = state[layout.PLAYER + other], state[layout.STACK + other]
        lying = side >> _BATTLE & SET_MASK
        held = side & SET_MASK | (going if acting == other else 0)
        used = _add_set(active, used, base + _LYING, lying)
        if stage == layout.LAST:
            used = _add_set(
                active, used, base + _TO_ACT, lying & tables[layout.RULE_LAST_CARDS] & -1 << threshold
            )
        used = _add_set(active, used, base + _STACKED, heap & SET_MASK)
        used = _add_card(active, used, base + _ON_TOP, side >> _TOP & _CARD_MASK)
        used = _add_card(active, used, base + _BELOW, second_card(state, other, player))
        if stage != layout.BID or other == player:
            used = _add_card(active, used, base + _CHOICE, side >> _CHOSEN & _CARD_MASK)
        if other != player:
            used = _add_set(active, used, base + _KNOWN_HELD, held & known)
        active[used] = base + _HELD + min(count(held), layout.CARDS_A_WORD - 1)
        used += 1
        for mark in range(_NUM_MARKS):
            if (
                (mark == 0 and acting == other)
                or (mark == 1 and leader == other)
                or (mark == 2 and acting == other and offered != layout.NO_CARD)
                or (mark == 3 and flow >> _DRAWER & 3 == other)
            ):
                active[used] = base + _MARKS + mark
                used += 1
    used = _add_set(active, used, begin + _HAND, hand)
    used = _add_set(active, used, begin + _DECKED, known & deck)
    if acting == player:
        used = _add_set(active, used, begin + _GOING, going)
    used = _add_card(active, used, begin + _OFFERED, offered)
    if stage == layout.ROUND and threshold < layout.MAX_CARDS:
        active[used] = begin + _THRESHOLD + threshold
        used += 1
    active[used] = begin + _DECK_SIZE + count(deck & SET_MASK)
    active[used + 1] = begin + _PHASE + stage
    return used + 2
