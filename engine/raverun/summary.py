"""A summary of what a player sees, for solvers that cannot keep all apart: an information abstraction.

It forgets letters, the past, and most of a hand. *Class* below means a pair of neighbouring characters. Kept
are who decides, the phase, the character whose card is offered, the number of moves, and

- for the first card (V3): the hand by character, and nothing else;
- afterwards: the classes of the lowest and the highest card held, how many held cards act in the last phase,
  the class of each top card, whose top is the highest (P1), and whether an opponent runs out of cards;
- playing after others: the class of the highest card played, and how many own cards are below it (P2);
- in the last phase (P5): how many cards are still to act on each battlefield, up to two;
- by action: the lowest card that may still go under the deck, and how many went (2); the highest card on each
  battlefield (4, 5); the card below each top as far as it is seen (6); the highest card to be had (7); the
  highest card of each stack (8), all by character.

It tells less than the view (`sampling.view_key`), never more. Moves are numbered by card in ascending order,
so one number means cards of like rank in all states of a summary. Recall is not perfect.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engine.jit import kernel_njit
from engine.randomness import mixed
from engine.raverun import kernel, layout
from engine.raverun.card_sets import SET_MASK, count, lowest, smeared
from engine.raverun.places import second_card
from engine.raverun.rules import BURY, CAPTURE, DEPLOY, EXCHANGE, RECALL, SHUFFLE, Rules

Words = NDArray[np.int64]

NUM_WORDS = layout.MAX_CARDS
"""Words that `summary_tables` makes."""

_BATTLE, _TOP, _CHOSEN = layout.BATTLEFIELD.offset, layout.TOP.offset, layout.CHOSEN.offset
_GOING, _OFFERED = layout.GOING.offset, layout.OFFERED.offset
_THRESHOLD = layout.THRESHOLD.offset
_CARD_MASK, _PHASE_MASK = layout.TOP.mask, layout.PHASE.mask
_GAMMA = 0x9E3779B97F4A7C15 - (1 << 64)
_NOTHING = 15
_FEW = 2
# A tally counts cards by character, this many bits each.
_TALLY_BITS = 5

assert layout.MAX_CARDS < 1 << _TALLY_BITS


def summary_tables(rules: Rules) -> Words:
    """Return the character of each card, `[NUM_WORDS] int64`."""
    cards = [rules.character(card) if card < rules.num_cards else 0 for card in range(layout.MAX_CARDS)]
    return np.array(cards, np.int64)


@kernel_njit
def _folded(digest: int, word: int) -> int:
    return mixed(digest + _GAMMA ^ word)


@kernel_njit
def _tally(tables: Words, characters: int, cards: int) -> int:
    """How many cards of each character a set has."""
    tally = 0
    while cards:
        tally += 1 << _TALLY_BITS * tables[characters + lowest(cards)]
        cards &= cards - 1
    return tally


@kernel_njit
def _character(tables: Words, characters: int, card: int) -> int:
    return _NOTHING if card == layout.NO_CARD else int(tables[characters + card])


@kernel_njit
def _class(tables: Words, characters: int, card: int) -> int:
    return _NOTHING if card == layout.NO_CARD else int(tables[characters + card] >> 1)


@kernel_njit
def _lowest(cards: int) -> int:
    return layout.NO_CARD if cards == 0 else lowest(cards)


@kernel_njit
def _highest(cards: int) -> int:
    return layout.NO_CARD if cards == 0 else count(smeared(cards)) - 1


@kernel_njit
def summary_key(tables: Words, characters: int, state: Words, player: int, num_moves: int) -> int:
    """A hash of the summary for the player who decides; `characters` is where `summary_tables` begin."""
    flow, own = state[layout.FLOW], state[layout.PLAYER + player]
    stage, hand = flow & _PHASE_MASK, own & SET_MASK
    offered = layout.NO_CARD
    action = -1
    if stage in (layout.ROUND, layout.LAST):
        offered = flow >> _OFFERED & _CARD_MASK
        action = tables[layout.RULE_ACTIONS + offered]
    digest = _folded(player << 3 | stage, _character(tables, characters, offered) << 8 | num_moves)
    if stage == layout.BID:
        return _folded(digest, _tally(tables, characters, hand))
    low = _class(tables, characters, _lowest(hand))
    high = _class(tables, characters, _highest(hand))
    digest = _folded(digest, count(hand & tables[layout.RULE_LAST_CARDS]) << 8 | high << 4 | low)

    threshold = flow >> _THRESHOLD & _CARD_MASK
    leader, best, ending = _NOTHING, -1, 0
    for other in range(tables[layout.RULE_NUM_PLAYERS]):
        side = state[layout.PLAYER + other]
        top = side >> _TOP & _CARD_MASK
        if top != layout.NO_CARD and top > best:
            leader, best = other, top
        if other != player and count(side & SET_MASK) <= 1:
            ending = 1
        lying = side >> _BATTLE & SET_MASK
        word = _class(tables, characters, top)
        if stage == layout.LAST:
            to_act = lying & tables[layout.RULE_LAST_CARDS] & -1 << threshold
            word |= min(count(to_act), _FEW) << 4
        if action in (DEPLOY, CAPTURE):
            word |= _character(tables, characters, _highest(lying)) << 8
        elif action == BURY:
            word |= _character(tables, characters, second_card(state, other, player)) << 8
        elif action == SHUFFLE:
            word |= _character(tables, characters, _highest(state[layout.STACK + other] & SET_MASK)) << 8
        digest = _folded(digest, word)
    digest = _folded(digest, leader << 1 | ending)
    if stage == layout.PLAY:
        played = -1
        for other in range(tables[layout.RULE_NUM_PLAYERS]):
            card = state[layout.PLAYER + other] >> _CHOSEN & _CARD_MASK
            if card != layout.NO_CARD:
                played = max(played, card)
        if played >= 0:
            below = count(hand & (1 << played) - 1)
            digest = _folded(digest, below << 8 | _class(tables, characters, played))
    elif action == EXCHANGE:
        movable = kernel.uses(state, tables, player, offered) & SET_MASK
        going = count(state[layout.DECK] >> _GOING & SET_MASK)
        digest = _folded(digest, going << 8 | _character(tables, characters, _lowest(movable)))
    elif action == RECALL:
        reachable = kernel.uses(state, tables, player, offered) & SET_MASK
        digest = _folded(digest, _character(tables, characters, _highest(reachable)))
    return digest
