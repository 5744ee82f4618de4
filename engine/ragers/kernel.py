"""Transition kernel of a whole match on bit-packed states: the fast twin of `reference`.

A state is an array `[NUM_WORDS] int64` laid out as in `layout`. Functions that change it say "Modified in
place"; `rules` is always a `KernelRules`. Legality is not checked: a move outside `legal_mask` or
`chance_weights` gives a meaningless state.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engine.jit import kernel_njit
from engine.ragers import layout
from engine.ragers.kernel_rules import KernelRules
from engine.ragers.resolve import (
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
    reveal_both,
    reveal_one,
)
from engine.ragers.rules import DEADEYE, NUM_TYPES, STOPPER, VETERAN

Words = NDArray[np.int64]

NUM_WORDS = layout.NUM_WORDS
DECK, HAND, ROW, TABLE, FLOW = layout.DECK, layout.HAND, layout.ROW, layout.TABLE, layout.FLOW
MAX_OUTCOMES = max(layout.MAX_PATRONS, layout.MAX_CHEERS, NUM_TYPES)

PATRON, CHEERS, PREPARE = layout.PHASE_PATRON, layout.PHASE_CHEERS, layout.PHASE_PREPARE
PLACE = layout.PHASE_PLACE
VETERANS, DEADEYES, OVER = layout.PHASE_VETERAN, layout.PHASE_DEADEYE, layout.PHASE_OVER

_ONES = sum(1 << i * layout.COUNT_STRIDE for i in range(NUM_TYPES))
_GUARDS = _ONES << layout.COUNT_STRIDE - 1
_BELOW_GUARD = _GUARDS - _ONES  # the largest count in every field
_TOTAL_SHIFT = (NUM_TYPES - 1) * layout.COUNT_STRIDE
_FIELD = (1 << layout.COUNT_STRIDE) - 1
_CARD_MASK = layout.CARDS.mask
_TAKEN_SHIFT, _TAKEN_MASK = layout.TAKEN.offset, layout.TAKEN.mask

_PATRON_PILE_SHIFT, _CHEERS_PILE_SHIFT = layout.PATRON_PILE.offset, layout.CHEERS_PILE.offset
_CHEERS_TABLE_SHIFT, _PILE_MASK = layout.CHEERS_TABLE.offset, layout.CHEERS_TABLE.mask
_PATRON_SHIFT, _PATRON_MASK = layout.PATRON.offset, layout.PATRON.mask
_DAY_SHIFT, _DAY_MASK = layout.DAY.offset, layout.DAY.mask

_PHASE_SHIFT, _PHASE_MASK = layout.PHASE.offset, layout.PHASE.mask
_ACTING_SHIFT, _DRAWING_SHIFT = layout.ACTING.offset, layout.DRAWING.offset
_HEAD = layout.PHASE.mask << _PHASE_SHIFT | 3 << _ACTING_SHIFT | 3 << _DRAWING_SHIFT
_SIDE_SHIFT, _SIDE_STRIDE, _SIDE_MASK = layout.SIDE.offset, layout.SIDE.stride, layout.SIDE.mask
_BOTH_SIDES = (1 << 2 * _SIDE_STRIDE) - 1 << _SIDE_SHIFT
_SCORE_SHIFT, _SCORE_STRIDE, _SCORE_MASK = layout.SCORE.offset, layout.SCORE.stride, layout.SCORE.mask
_OWES_SHIFT, _OWES = layout.OWES.offset, layout.OWES.mask << layout.OWES.offset
_LENGTH_MASK = layout.LENGTH.mask  # LENGTH is at offset 0 of a side: a slot more is "+ 1"
_MARK_SHIFT = layout.MARK.offset
_EMPTY_SIDE = layout.NO_ATTACK << layout.LAST_ATTACK.offset | layout.NO_TOP << TOP_SHIFT
_EMPTY_SIDES = (_EMPTY_SIDE | _EMPTY_SIDE << _SIDE_STRIDE) << _SIDE_SHIFT

_OUTCOME_STRIDE = layout.NO_ATTACK + 1

assert layout.LENGTH.offset == 0
assert layout.CARDS.offset == 0


# -- multisets ----------------------------------------------------------------------------------------


@kernel_njit
def total(counts: int) -> int:
    """Number of cards in a packed multiset (bits above the multiset do no harm)."""
    return counts * _ONES >> _TOTAL_SHIFT & _FIELD


@kernel_njit
def support(counts: int) -> int:
    """One bit, the lowest, in the field of each type held."""
    return (counts & _ONES * _CARD_MASK) + _BELOW_GUARD >> layout.COUNT_STRIDE - 1 & _ONES


@kernel_njit
def nth_card(counts: int, index: int) -> int:
    """Type of the card at a position `0 <= index < total(counts)` when sorted by type."""
    running = counts * _ONES  # each field: cards of this and of all earlier types
    passed = (index * _ONES | _GUARDS) - (running & _ONES * _CARD_MASK) & _GUARDS  # where running <= index
    return (passed >> layout.COUNT_STRIDE - 1) * _ONES >> _TOTAL_SHIFT & _FIELD


# -- who decides, and what is allowed -----------------------------------------------------------------


@kernel_njit
def phase(words: Words) -> int:
    """What comes next, one of `layout.PHASE_...`."""
    return int(words[FLOW] >> _PHASE_SHIFT & _PHASE_MASK)


@kernel_njit
def is_over(words: Words) -> bool:
    """Whether the match has ended."""
    return phase(words) == OVER


@kernel_njit
def deciders(words: Words) -> int:
    """Who decides, a bit for each player; 0 when chance does (or nobody: see `is_over`)."""
    return int(words[FLOW] >> _ACTING_SHIFT & 3)


@kernel_njit
def drawing(words: Words) -> int:
    """The player whose card is drawn by chance now, -1 if none."""
    players = words[FLOW] >> _DRAWING_SHIFT & 3
    return (players & 1) - 1 & 1 if players else -1


@kernel_njit
def choices(words: Words, rules: KernelRules, player: int) -> int:
    """Types the player could choose now, one bit (the lowest) in each type's count field (K3)."""
    held = support(words[HAND + player])
    if phase(words) == PREPARE:
        return held
    return held & int(rules[layout.RULE_PLACEABLE + (words[TABLE] >> _PATRON_SHIFT & _PATRON_MASK)])


@kernel_njit
def legal_mask(words: Words, rules: KernelRules, player: int) -> int:
    """Bit mask of the player's legal actions, 0 if it does not decide: bit `NOTHING` keeps the hand (M2)."""
    if not words[FLOW] >> _ACTING_SHIFT + player & 1:
        return 0
    held = choices(words, rules, player)
    mask = 1 << NOTHING if phase(words) == PREPARE else 0
    for card in range(NUM_TYPES):
        mask |= (held >> card * layout.COUNT_STRIDE & 1) << card
    return mask


@kernel_njit
def pile(words: Words) -> int:
    """Bit mask of the patrons or cheers cards one of which is revealed now, 0 if none is (M2)."""
    stage = phase(words)
    if words[FLOW] >> _DRAWING_SHIFT & 3 or (stage != PATRON and stage != CHEERS):
        return 0
    return int(words[TABLE] >> (_PATRON_PILE_SHIFT if stage == PATRON else _CHEERS_PILE_SHIFT) & _PILE_MASK)


@kernel_njit
def chance_weights(words: Words, weights: NDArray[np.int64]) -> int:
    """Write the integer weight of each chance outcome; returns their sum, 0 if chance does not decide.

    Parameters
    ----------
    weights : `[MAX_OUTCOMES] int64`, modified in place: by type for a draw, else by patron or cheers card.
    """
    weights[:] = 0
    player = drawing(words)
    if player >= 0:
        deck = words[DECK + player]
        for card in range(NUM_TYPES):
            weights[card] = deck >> card * layout.COUNT_STRIDE & _CARD_MASK
        return total(deck)
    left = pile(words)
    count = 0
    for index in range(MAX_OUTCOMES):
        weights[index] = left >> index & 1
        count += weights[index]
    return count


# -- moves --------------------------------------------------------------------------------------------


@kernel_njit
def start(words: Words, rules: KernelRules) -> None:
    """The state before the first hands are drawn (M1). Modified in place."""
    for player in range(2):
        words[DECK + player] = rules[layout.RULE_DECKS + player]
        words[HAND + player] = 0
        words[ROW + player] = 0
    patrons = (1 << rules[layout.RULE_NUM_PATRONS]) - 1
    cheers = (1 << rules[layout.RULE_NUM_CHEERS]) - 1
    words[TABLE] = (
        patrons << _PATRON_PILE_SHIFT | cheers << _CHEERS_PILE_SHIFT | layout.NO_PATRON << _PATRON_SHIFT
    )
    _advance(words, rules, _EMPTY_SIDES, PATRON)


@kernel_njit
def transition(words: Words, rules: KernelRules, first: int, second: int) -> None:
    """Carry out one move. Modified in place.

    Parameters
    ----------
    first, second : both players' actions, `NOTHING` for one who does not decide; at a chance node `first` is
        the outcome and `second` is ignored.
    """
    flow = words[FLOW]
    stage = flow >> _PHASE_SHIFT & _PHASE_MASK
    players = flow >> _DRAWING_SHIFT & 3
    if players:
        _draw(words, rules, first, players)
    elif stage == PLACE:
        _place(words, rules, first, second)
    elif stage == VETERANS:
        _place_on_top(words, rules, first, second)
    elif stage == PATRON:
        words[TABLE] ^= layout.NO_PATRON << _PATRON_SHIFT | 1 << _PATRON_PILE_SHIFT + first
        words[TABLE] |= first << _PATRON_SHIFT
        _advance(words, rules, flow, CHEERS)
    elif stage == CHEERS:
        words[TABLE] ^= 1 << _CHEERS_PILE_SHIFT + first | 1 << _CHEERS_TABLE_SHIFT + first
        _advance(words, rules, flow, PREPARE)
    elif stage == PREPARE:
        _give(words, first, second)
        _advance(words, rules, flow, PLACE)
    else:
        _give(words, first, second)
        # A slot for each hidden card (K6); whoever had none to place has been served as well.
        flow += (first != NOTHING) << _SIDE_SHIFT
        flow += (second != NOTHING) << _SIDE_SHIFT + _SIDE_STRIDE
        if rules[layout.RULE_HIDES_AT_ONCE]:
            _advance(words, rules, flow & ~_OWES, VETERANS)
        else:
            _advance(words, rules, _without_tops(flow), PLACE)


@kernel_njit
def _draw(words: Words, rules: KernelRules, card: int, players: int) -> None:
    """The drawn card goes to the hand; Modified in place."""
    player = (players & 1) - 1 & 1
    one = 1 << card * layout.COUNT_STRIDE
    words[HAND + player] += one
    deck = words[DECK + player] - one
    words[DECK + player] = deck
    if total(words[HAND + player]) < rules[layout.RULE_HAND_SIZE] and deck & _ONES * _CARD_MASK:
        return
    players &= ~(1 << player)
    if players:
        words[FLOW] = words[FLOW] & ~(3 << _DRAWING_SHIFT) | players << _DRAWING_SHIFT
    else:
        flow = words[FLOW]
        _advance(words, rules, flow, flow >> _PHASE_SHIFT & _PHASE_MASK)


@kernel_njit
def _give(words: Words, first: int, second: int) -> None:
    """Take the chosen cards out of both hands. Modified in place."""
    if first != NOTHING:
        words[HAND] -= 1 << first * layout.COUNT_STRIDE
    if second != NOTHING:
        words[HAND + 1] -= 1 << second * layout.COUNT_STRIDE


@kernel_njit
def _without_tops(flow: int) -> int:
    tops = TOP_MASK << TOP_SHIFT
    none = layout.NO_TOP << TOP_SHIFT
    flow &= ~((tops | tops << _SIDE_STRIDE) << _SIDE_SHIFT)
    return flow | (none | none << _SIDE_STRIDE) << _SIDE_SHIFT


@kernel_njit
def _with_tops(side0: int, side1: int, tops: tuple[int, int]) -> int:
    """Both sides, shifted to where they stand, with new tops."""
    keep = ~(TOP_MASK << TOP_SHIFT)
    side0 = side0 & keep | tops[0] << TOP_SHIFT
    side1 = side1 & keep | tops[1] << TOP_SHIFT
    return (side0 | side1 << _SIDE_STRIDE) << _SIDE_SHIFT


@kernel_njit
def _place(words: Words, rules: KernelRules, first: int, second: int) -> None:
    """Cards placed in the rows (K1), under their marks, which lapse now whether used or not (K7)."""
    _give(words, first, second)
    flow = words[FLOW]
    side0 = flow >> _SIDE_SHIFT & _SIDE_MASK
    side1 = flow >> _SIDE_SHIFT + _SIDE_STRIDE & _SIDE_MASK
    mark0, mark1 = side0 >> _MARK_SHIFT, side1 >> _MARK_SHIFT
    side0 &= ~(1 << _MARK_SHIFT)
    side1 &= ~(1 << _MARK_SHIFT)
    side0 += first != NOTHING
    side1 += second != NOTHING
    if first != NOTHING and second != NOTHING:
        tops = reveal_both(first, second, mark0, mark1)
    elif first != NOTHING:
        tops = reveal_one(first, mark0, layout.NO_TOP)
    else:
        top1, top0 = reveal_one(second, mark1, layout.NO_TOP)
        tops = (top0, top1)
    flow = flow & ~_BOTH_SIDES | _with_tops(side0, side1, tops)
    _revealed(words, rules, flow, first, second)


@kernel_njit
def _place_on_top(words: Words, rules: KernelRules, first: int, second: int) -> None:
    """Cards on top of Veterans, never under a mark (K7, K8)."""
    _give(words, first, second)
    flow = words[FLOW]
    side0 = flow >> _SIDE_SHIFT & _SIDE_MASK
    side1 = flow >> _SIDE_SHIFT + _SIDE_STRIDE & _SIDE_MASK
    top0, top1 = side0 >> TOP_SHIFT & TOP_MASK, side1 >> TOP_SHIFT & TOP_MASK
    if first != NOTHING:
        words[ROW], side0 = bury(words[ROW], side0, rules)
    if second != NOTHING:
        words[ROW + 1], side1 = bury(words[ROW + 1], side1, rules)
    if first != NOTHING and second != NOTHING:
        top0, top1 = reveal_both(first, second, 0, 0)
    elif first != NOTHING:
        top0, top1 = reveal_one(first, 0, top1)
    else:
        top1, top0 = reveal_one(second, 0, top0)
    flow = flow & ~_BOTH_SIDES | _with_tops(side0, side1, (top0, top1))
    _revealed(words, rules, flow, first, second)


@kernel_njit
def _revealed(words: Words, rules: KernelRules, flow: int, first: int, second: int) -> None:
    """Go on once cards are revealed: with Deadeyes that are served at once, or with Veterans (K9).

    Modified in place.
    """
    if not rules[layout.RULE_HIDES_AT_ONCE]:
        _advance(words, rules, flow, VETERANS)
        return
    limit = rules[layout.RULE_ROW_LENGTHS + (words[TABLE] >> _PATRON_SHIFT & _PATRON_MASK)]
    room0 = flow >> _SIDE_SHIFT & _LENGTH_MASK < limit
    room1 = flow >> _SIDE_SHIFT + _SIDE_STRIDE & _LENGTH_MASK < limit
    asks = int(first != NOTHING and room0) | int(second != NOTHING and room1) << 1
    _advance(words, rules, flow | (_with_top(flow, DEADEYE) & asks) << _OWES_SHIFT, DEADEYES)


@kernel_njit
def _needs_card(words: Words, rules: KernelRules, player: int) -> int:
    """1 if the player's hand is to be refilled (K1, M4)."""
    has_deck = words[DECK + player] & _ONES * _CARD_MASK != 0
    return int(has_deck and total(words[HAND + player]) < rules[layout.RULE_HAND_SIZE])


@kernel_njit
def _advance(words: Words, rules: KernelRules, flow: int, stage: int) -> None:
    """Carry out everything that nobody decides, up to the next decision, draw or reveal. Modified in place.

    `flow` is the word without regard to its phase and deciders, `stage` the phase.
    """
    flow &= ~_HEAD
    drawers = _needs_card(words, rules, 0) | _needs_card(words, rules, 1) << 1
    if drawers:
        words[FLOW] = flow | stage << _PHASE_SHIFT | drawers << _DRAWING_SHIFT
        return
    acting = 0
    if stage != PATRON:
        patron = words[TABLE] >> _PATRON_SHIFT & _PATRON_MASK
        allowed = rules[layout.RULE_PLACEABLE + patron]
        can = int(support(words[HAND]) & allowed != 0) | int(support(words[HAND + 1]) & allowed != 0) << 1
        if stage == CHEERS and words[TABLE] >> _CHEERS_PILE_SHIFT & _PILE_MASK == 0:
            stage = PREPARE
        if stage == PREPARE:
            if rules[layout.RULE_DISCARDS]:
                acting = int(words[HAND] != 0) | int(words[HAND + 1] != 0) << 1
            if acting == 0:
                stage = PLACE
        elif stage == DEADEYES:
            # Only where they are served at once do hands get refilled before them (K9).
            acting = (flow >> _OWES_SHIFT & 3) & can
            if acting == 0:
                flow &= ~_OWES
                stage = VETERANS
        if stage == VETERANS:
            acting = _with_top(flow, VETERAN) & can
            if acting == 0:
                flow = _finish_slots(words, rules, flow, rules[layout.RULE_ROW_LENGTHS + patron])
                acting = _with_top(flow, DEADEYE) & can
                stage = DEADEYES
                if acting == 0:
                    flow = _without_tops(flow)
                    stage = PLACE
        if stage == PLACE:
            length0 = flow >> _SIDE_SHIFT & _LENGTH_MASK
            length1 = flow >> _SIDE_SHIFT + _SIDE_STRIDE & _LENGTH_MASK
            acting = can
            if can == 0 or max(length0, length1) >= rules[layout.RULE_ROW_LENGTHS + patron]:
                flow, stage = _end_day(words, rules, flow)
                acting = 0
    words[FLOW] = flow | stage << _PHASE_SHIFT | acting << _ACTING_SHIFT


@kernel_njit
def _with_top(flow: int, icon: int) -> int:
    """Bit mask of the players whose uppermost card of this step counts as the given icon."""
    icon0 = flow >> _SIDE_SHIFT + TOP_SHIFT & TOP_ICON
    icon1 = flow >> _SIDE_SHIFT + _SIDE_STRIDE + TOP_SHIFT & TOP_ICON
    return int(icon0 == icon) | int(icon1 == icon) << 1


@kernel_njit
def _finish_slots(words: Words, rules: KernelRules, flow: int, limit: int) -> int:
    """No further card goes on top: tops count, Stoppers mark, Deadeyes ask (K6, K7, K9). Modified in place.

    Returns the new flow, in which `TOP` shows the Deadeyes still to be served.
    """
    for player in range(2):
        shift = _SIDE_SHIFT + _SIDE_STRIDE * player
        side = flow >> shift & _SIDE_MASK
        icon = side >> TOP_SHIFT & TOP_ICON
        words[ROW + player], side = bury(words[ROW + player], side, rules)
        if icon == STOPPER:
            side |= 1 << _MARK_SHIFT
        elif icon == DEADEYE and side & _LENGTH_MASK < limit and not rules[layout.RULE_HIDES_AT_ONCE]:
            side ^= (layout.NO_TOP ^ DEADEYE) << TOP_SHIFT
        flow = flow & ~(_SIDE_MASK << shift) | side << shift
    return flow


@kernel_njit
def _end_day(words: Words, rules: KernelRules, flow: int) -> tuple[int, int]:
    """Score the day and clear the table (S1-S3, M1, M3). Modified in place; returns flow and phase."""
    side0 = flow >> _SIDE_SHIFT & _SIDE_MASK
    side1 = flow >> _SIDE_SHIFT + _SIDE_STRIDE & _SIDE_MASK
    icon0, icon1 = last_attack(side0), last_attack(side1)
    row0, row1 = words[ROW], words[ROW + 1]
    outcome = rules[layout.RULE_OUTCOMES + _OUTCOME_STRIDE * icon0 + icon1]
    table = words[TABLE]
    gp0, gp1 = 0, 0
    if outcome != TWO_LOSERS:
        if outcome != WIN_1:
            gp0 = combat_gp(row0, icon0)
        if outcome != WIN_0:
            gp1 = combat_gp(row1, icon1)
        for card in range(rules[layout.RULE_NUM_CHEERS]):
            if table >> _CHEERS_TABLE_SHIFT + card & 1:
                met0 = meets(row0, rules[layout.RULE_REQUIRED + card], rules[layout.RULE_FORBIDDEN + card])
                met1 = meets(row1, rules[layout.RULE_REQUIRED + card], rules[layout.RULE_FORBIDDEN + card])
                if met0 or met1:
                    table ^= 1 << _CHEERS_TABLE_SHIFT + card
                if met0 and not met1:
                    gp0 += rules[layout.RULE_CHEERS_GP + card]
                    words[DECK] += 1 << _TAKEN_SHIFT
                if met1 and not met0:
                    gp1 += rules[layout.RULE_CHEERS_GP + card]
                    words[DECK + 1] += 1 << _TAKEN_SHIFT
    words[ROW] = 0
    words[ROW + 1] = 0
    words[TABLE] = (table | layout.NO_PATRON << _PATRON_SHIFT) + (1 << _DAY_SHIFT)
    flow += gp0 << _SCORE_SHIFT
    flow += gp1 << _SCORE_SHIFT + _SCORE_STRIDE
    lead = abs(_score(flow, 0) - _score(flow, 1))
    over = (
        lead >= rules[layout.RULE_WINNING_LEAD]
        or (words[TABLE] >> _DAY_SHIFT & _DAY_MASK) == rules[layout.RULE_DAYS]
    )
    return flow & ~_BOTH_SIDES | _EMPTY_SIDES, OVER if over else PATRON


@kernel_njit
def _score(flow: int, player: int) -> int:
    return flow >> _SCORE_SHIFT + _SCORE_STRIDE * player & _SCORE_MASK


@kernel_njit
def score(words: Words, player: int) -> int:
    """The player's GP so far."""
    return _score(words[FLOW], player)


@kernel_njit
def winner(words: Words) -> int:
    """Who has won a match that is over (M3)."""
    lead = score(words, 0) - score(words, 1)
    if lead == 0:
        lead = (words[DECK] >> _TAKEN_SHIFT & _TAKEN_MASK) - (words[DECK + 1] >> _TAKEN_SHIFT & _TAKEN_MASK)
    if lead == 0:
        lead = total(words[DECK]) - total(words[DECK + 1])
    return 0 if lead > 0 else 1
