"""What a player sees of a match as a list of facts, for solvers that learn what positions are worth.

A fact is a number; `facts` writes those that are true. They tell what `sampling.view_key` tells, but for what
is known of hands by cards not placed (`known_hands`) and the days of hidden cards, and never more. Own facts
come first, so that one set of weights serves both seats. A card chosen and not revealed yet counts, for its
owner alone, as if nothing answered it.

Facts are numbered anew by how many days follow and how many slots are left (`NUM_STAGES`): what a card is
worth differs most between those.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engine.jit import kernel_njit
from engine.ragers import kernel, layout
from engine.ragers.resolve import (
    CHANCER_BIT,
    DRAW,
    MARKED_BIT,
    NOTHING,
    TOP_ICON,
    TOP_MASK,
    TOP_SHIFT,
    TWO_LOSERS,
    WIN_0,
    WIN_1,
    bury,
    combat_gp,
    last_attack,
    meets,
)
from engine.ragers.rules import CHANCER, NUM_TYPES
from engine.ragers.sampling_layout import CHOICE, CHOSEN, HIDDEN, NOT_CHOSEN

Words = NDArray[np.int64]

_MOST_HELD, _MOST_UNSEEN = 5, 7
_MOST_LEAD, _MOST_TAKEN, _MOST_CARDS = 16, 3, 4
_MOST_GP, _MOST_ATTACK, _MOST_SPECIAL, _MOST_SIZE = 20, 16, 12, 23

SIDE_FACTS = {
    "icons": NUM_TYPES * layout.MAX_ICONS,  # of a type so many, the card on top included
    "last": layout.NO_ATTACK + 1,
    "top": layout.NO_TOP + 1,
    "top_marks": 2,  # a Chancer, under a mark
    "mark": 1,  # the next card stands under one (K7)
    "slots": layout.MAX_ROW + 1,  # left
    "gp": _MOST_GP + 1,  # scored by the last attack, had it won (S2)
    "attack": 3 * _MOST_ATTACK,  # GP of the attacks of an icon
    "special": _MOST_SPECIAL,  # GP of the specials
    "hand_size": layout.MAX_HAND + 1,
    "deck_size": _MOST_SIZE + 1,
    "acts": 1,
}
"""Facts about each side, oneself first, in the order in which they are numbered."""
COMMON_FACTS = {
    "hand": NUM_TYPES * _MOST_HELD,
    "deck": NUM_TYPES * _MOST_HELD,
    "unseen": NUM_TYPES * _MOST_UNSEEN,  # of the other side
    "chosen": NOTHING + 1,  # by oneself, not revealed yet
    "result": TWO_LOSERS + 1,  # of the day, if it ended now (S1)
    "lead": 2 * _MOST_LEAD + 1,  # in GP, before this day is scored
    "lead_if_ended": 2 * _MOST_LEAD + 1,
    "taken": 2 * _MOST_TAKEN + 1,  # lead in cheers cards
    "cards": 2 * _MOST_CARDS + 1,  # lead in cards to draw, on the last day
    "table": layout.MAX_CHEERS * 4,  # a cheers card nobody meets now, oneself, the other, both
    "pile": layout.MAX_CHEERS,
    "patron": layout.MAX_PATRONS,
    "phase": layout.PHASE.mask + 1,
}
"""Facts after those about sides."""


def _offsets(sizes: dict[str, int], begin: int) -> tuple[list[int], int]:
    """Where each kind of facts begins, and where the last one ends."""
    ends = [begin + sum(list(sizes.values())[: index + 1]) for index in range(len(sizes))]
    return [begin, *ends[:-1]], ends[-1]


(
    (
        _ICONS,
        _LAST,
        _TOP,
        _TOP_MARKS,
        _MARK,
        _SLOTS,
        _GP,
        _ATTACK,
        _SPECIAL,
        _HAND_SIZE,
        _DECK_SIZE,
        _ACTS,
    ),
    _A_SIDE,
) = _offsets(SIDE_FACTS, 0)
(
    (
        _HAND_CARDS,
        _DECK_CARDS,
        _UNSEEN,
        _CHOSEN_CARD,
        _RESULT,
        _LEAD,
        _LEAD_IF_ENDED,
        _TAKEN,
        _CARDS,
        _ON_TABLE,
        _PILE,
        _PATRON,
        _PHASE,
    ),
    A_STAGE,
) = _offsets(COMMON_FACTS, 2 * _A_SIDE)
_MOST_DAYS, _SLOT_STAGES = 3, 5
NUM_STAGES = _MOST_DAYS * _SLOT_STAGES
NUM_FEATURES = NUM_STAGES * A_STAGE
MAX_ACTIVE = 3 * NUM_TYPES + 9 + 2 * layout.MAX_CHEERS + 2 * (NUM_TYPES + 15)
"""Facts that are true at once at most."""

_CARD_MASK = layout.CARDS.mask
_ICON_MASK = layout.ICONS.mask
_TAKEN_SHIFT, _TAKEN_MASK = layout.TAKEN.offset, layout.TAKEN.mask
_CARDS_ONLY = ~(_TAKEN_MASK << _TAKEN_SHIFT)
_ATTACK_SHIFT, _ATTACK_STRIDE = layout.ATTACK_GP.offset, layout.ATTACK_GP.stride
_ATTACK_MASK = layout.ATTACK_GP.mask
_SPECIAL_SHIFT, _SPECIAL_MASK = layout.SPECIAL_GP.offset, layout.SPECIAL_GP.mask
_DAY_SHIFT, _DAY_MASK = layout.DAY.offset, layout.DAY.mask
_PATRON_SHIFT, _PATRON_MASK = layout.PATRON.offset, layout.PATRON.mask
_CHEERS_PILE, _CHEERS_TABLE = layout.CHEERS_PILE.offset, layout.CHEERS_TABLE.offset
_SIDE_SHIFT, _SIDE_STRIDE, _SIDE_MASK = layout.SIDE.offset, layout.SIDE.stride, layout.SIDE.mask
_LENGTH_MASK, _MARK_SHIFT = layout.LENGTH.mask, layout.MARK.offset
_CHOSEN_STRIDE, _CHOSEN_MASK = CHOSEN.stride, CHOSEN.mask


@kernel_njit
def _add_counts(active: Words, used: int, base: int, counts: int, most: int) -> int:
    """Add a fact for the number of cards of each type held; returns how many there are now."""
    for card in range(NUM_TYPES):
        number = counts >> card * layout.COUNT_STRIDE & _CARD_MASK
        if number:
            active[used] = base + card * most + min(number, most) - 1
            used += 1
    return used


@kernel_njit
def _with_card(row: int, side: int, stage: int, card: int, tables: Words) -> tuple[int, int]:
    """Row and side with a card just chosen, as if nothing answered it."""
    if stage == layout.PHASE_DEADEYE:
        return row, side + 1
    mark = 0
    if stage == layout.PHASE_PLACE:
        side += 1
        mark = MARKED_BIT * (side >> _MARK_SHIFT & 1)
        side &= ~(1 << _MARK_SHIFT)
    else:
        row, side = bury(row, side, tables)
    top = (layout.BLANK | CHANCER_BIT) if card == CHANCER else card
    return row, side & ~(TOP_MASK << TOP_SHIFT) | (top | mark) << TOP_SHIFT


@kernel_njit
def _bounded(number: int, most: int) -> int:
    """A number from -most to most as an index from 0."""
    return min(max(number, -most), most) + most


@kernel_njit
def _add_row(active: Words, used: int, base: int, row: int, side: int, top: int, limit: int) -> int:
    """Add what a row shows, the card on top counted; `top` is that card. Returns how many there are now."""
    for icon in range(NUM_TYPES):
        number = row >> icon * layout.ICON_STRIDE & _ICON_MASK
        if number:
            active[used] = base + _ICONS + icon * layout.MAX_ICONS + number - 1
            used += 1
    last = last_attack(side)
    active[used] = base + _LAST + last
    active[used + 1] = base + _TOP + (top & TOP_ICON)
    active[used + 2] = base + _SLOTS + max(limit - (side & _LENGTH_MASK), 0)
    used += 3
    if top & CHANCER_BIT:
        active[used] = base + _TOP_MARKS
        used += 1
    if top & MARKED_BIT:
        active[used] = base + _TOP_MARKS + 1
        used += 1
    if side >> _MARK_SHIFT & 1:
        active[used] = base + _MARK
        used += 1
    if last != layout.NO_ATTACK:
        active[used] = base + _GP + min(combat_gp(row, last), _MOST_GP)
        used += 1
    for icon in range(3):
        gp = row >> _ATTACK_SHIFT + _ATTACK_STRIDE * icon & _ATTACK_MASK
        if gp:
            active[used] = base + _ATTACK + icon * _MOST_ATTACK + min(gp, _MOST_ATTACK) - 1
            used += 1
    gp = row >> _SPECIAL_SHIFT & _SPECIAL_MASK
    if gp:
        active[used] = base + _SPECIAL + min(gp, _MOST_SPECIAL) - 1
        used += 1
    return used


@kernel_njit
def facts(tables: Words, state: Words, work: Words, player: int, active: Words) -> int:
    """Write the numbers of the facts that are true for a player, and return how many.

    Parameters
    ----------
    active : `[MAX_ACTIVE] int64`, modified in place.
    """
    opp = 1 - player
    flow, table = state[layout.FLOW], state[layout.TABLE]
    stage = kernel.phase(state)
    patron = table >> _PATRON_SHIFT & _PATRON_MASK
    days_left = tables[layout.RULE_DAYS] - (table >> _DAY_SHIFT & _DAY_MASK) - 1
    in_combat = stage >= layout.PHASE_PLACE
    hand = state[layout.HAND + player]
    card = state[CHOICE] >> _CHOSEN_STRIDE * player & _CHOSEN_MASK
    own_row, opp_row = state[layout.ROW + player], state[layout.ROW + opp]
    own_side = flow >> _SIDE_SHIFT + _SIDE_STRIDE * player & _SIDE_MASK
    opp_side = flow >> _SIDE_SHIFT + _SIDE_STRIDE * opp & _SIDE_MASK
    if card < NOTHING:
        hand -= 1 << card * layout.COUNT_STRIDE
        if in_combat:
            own_row, own_side = _with_card(own_row, own_side, stage, card, tables)
    limit, slots = 0, 0
    if in_combat:
        limit = tables[layout.RULE_ROW_LENGTHS + patron]
        left = limit - max(own_side & _LENGTH_MASK, opp_side & _LENGTH_MASK)
        slots = _SLOT_STAGES - 1 - min(max(left - 1, 0), _SLOT_STAGES - 2)
    begin = (min(days_left, _MOST_DAYS - 1) * _SLOT_STAGES + slots) * A_STAGE
    used = 0
    score = kernel.score(state, player) - kernel.score(state, opp)
    own_deck, opp_deck = state[layout.DECK + player], state[layout.DECK + opp]
    if in_combat:
        used = _add_combat(
            *(tables, table, stage, active, begin, limit, score, own_row, own_side, opp_row, opp_side),
        )
    for whose in range(2):
        base = begin + whose * _A_SIDE
        seat = opp if whose else player
        held = state[layout.HAND + opp] if whose else hand
        active[used] = base + _HAND_SIZE + min(kernel.total(held), layout.MAX_HAND)
        active[used + 1] = base + _DECK_SIZE + min(kernel.total(state[layout.DECK + seat]), _MOST_SIZE)
        used += 2
        if kernel.deciders(state) >> seat & 1:
            active[used] = base + _ACTS
            used += 1
    used = _add_counts(active, used, begin + _HAND_CARDS, hand, _MOST_HELD)
    used = _add_counts(active, used, begin + _DECK_CARDS, own_deck & _CARDS_ONLY, _MOST_HELD)
    unseen = state[layout.HAND + opp] + (opp_deck & _CARDS_ONLY) + state[HIDDEN + opp]
    used = _add_counts(active, used, begin + _UNSEEN, unseen, _MOST_UNSEEN)
    if card != NOT_CHOSEN:
        active[used] = begin + _CHOSEN_CARD + card
        used += 1
    taken = (own_deck >> _TAKEN_SHIFT & _TAKEN_MASK) - (opp_deck >> _TAKEN_SHIFT & _TAKEN_MASK)
    active[used] = begin + _LEAD + _bounded(score, _MOST_LEAD)
    active[used + 1] = begin + _TAKEN + _bounded(taken, _MOST_TAKEN)
    active[used + 2] = begin + _PHASE + stage
    used += 3
    if days_left == 0:
        ahead = kernel.total(own_deck) - kernel.total(opp_deck)
        active[used] = begin + _CARDS + _bounded(ahead, _MOST_CARDS)
        used += 1
    if patron != layout.NO_PATRON:
        active[used] = begin + _PATRON + patron
        used += 1
    for index in range(tables[layout.RULE_NUM_CHEERS]):
        if days_left and table >> _CHEERS_PILE + index & 1:
            active[used] = begin + _PILE + index
            used += 1
        if not in_combat and table >> _CHEERS_TABLE + index & 1:
            active[used] = begin + _ON_TABLE + 4 * index
            used += 1
    return used


@kernel_njit
def _add_combat(
    tables: Words,
    table: int,
    stage: int,
    active: Words,
    begin: int,
    limit: int,
    score: int,
    own_row: int,
    own_side: int,
    opp_row: int,
    opp_side: int,
) -> int:
    """Write what both rows show, and what the day would bring if it ended now; returns how many facts."""
    own_top, opp_top = own_side >> TOP_SHIFT & TOP_MASK, opp_side >> TOP_SHIFT & TOP_MASK
    # A Deadeye to be served after Veterans is a mark there: it counts already (K9).
    if stage != layout.PHASE_DEADEYE or tables[layout.RULE_HIDES_AT_ONCE]:
        own_row, own_side = bury(own_row, own_side, tables)
        opp_row, opp_side = bury(opp_row, opp_side, tables)
    used = _add_row(active, 0, begin, own_row, own_side, own_top, limit)
    used = _add_row(active, used, begin + _A_SIDE, opp_row, opp_side, opp_top, limit)
    own_last, opp_last = last_attack(own_side), last_attack(opp_side)
    outcome = tables[layout.RULE_OUTCOMES + (layout.NO_ATTACK + 1) * own_last + opp_last]
    balance = 0
    if outcome in (WIN_0, DRAW):
        balance += combat_gp(own_row, own_last)
    if outcome in (WIN_1, DRAW):
        balance -= combat_gp(opp_row, opp_last)
    for index in range(tables[layout.RULE_NUM_CHEERS]):
        if table >> _CHEERS_TABLE + index & 1:
            own_meets = meets(
                own_row, tables[layout.RULE_REQUIRED + index], tables[layout.RULE_FORBIDDEN + index]
            )
            opp_meets = meets(
                opp_row, tables[layout.RULE_REQUIRED + index], tables[layout.RULE_FORBIDDEN + index]
            )
            active[used] = begin + _ON_TABLE + 4 * index + int(own_meets) + 2 * int(opp_meets)
            used += 1
            if outcome != TWO_LOSERS:
                balance += tables[layout.RULE_CHEERS_GP + index] * (int(own_meets) - int(opp_meets))
    active[used] = begin + _RESULT + outcome
    active[used + 1] = begin + _LEAD_IF_ENDED + _bounded(score + balance, _MOST_LEAD)
    return used + 2
