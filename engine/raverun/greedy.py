"""A player by rule of thumb, to measure others against: it looks one move ahead, at top cards only.

First card: the highest (V3). Order: to play last (P1). A card: if others have played, the one after which its
top card stands best against theirs; else the highest (P2). An action: the use after which it does, if that is
better than before; it always draws (3) and never exchanges (2). Cards it cannot see count as the average of
those they may be.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engine.jit import kernel_njit
from engine.raverun import kernel, layout
from engine.raverun.card_sets import SET_MASK, count, lowest, nth
from engine.raverun.rules import DRAW, EXCHANGE

Words = NDArray[np.int64]

_TOP, _CHOSEN, _OFFERED = layout.TOP.offset, layout.CHOSEN.offset, layout.OFFERED.offset
_HIDDEN, _CARD_MASK, _PHASE_MASK = layout.HIDDEN_ORDER.offset, layout.TOP.mask, layout.PHASE.mask
_TRIED = 2


@kernel_njit
def greedy_moves(tables: Words, state: Words, work: Words, probabilities: NDArray[np.float64]) -> None:
    """Write probability 1 for one move; a policy function of sampling solvers.

    `work` holds what `sampling.observe` left, and `sampling.WORK_WORDS` words in all.
    """
    num_moves = work[0]
    player = kernel.decider(state)
    stage = state[layout.FLOW] & _PHASE_MASK
    best = num_moves - 1
    if stage == layout.ORDERING:
        best = 0
        while (
            tables[layout.RULE_ORDERS + layout.MAX_PLAYERS * best + tables[layout.RULE_NUM_PLAYERS] - 1]
            != player
        ):
            best += 1
    elif stage == layout.PLAY:
        best = _card(tables, state, player, num_moves)
    elif stage != layout.BID:
        action = tables[layout.RULE_ACTIONS + (state[layout.FLOW] >> _OFFERED & _CARD_MASK)]
        if action == DRAW:
            best = 0
        elif action != EXCHANGE:
            best_standing = _standing(tables, state, state, player)
            tried = work[_TRIED : _TRIED + layout.NUM_WORDS]
            for move in range(num_moves - 1):
                for word in range(layout.NUM_WORDS):
                    tried[word] = state[word]
                kernel.transition(tried, tables, move)
                standing = _standing(tables, state, tried, player)
                if standing > best_standing:
                    best, best_standing = move, standing
    for move in range(num_moves):
        probabilities[move] = 0.0
    probabilities[best] = 1.0


@kernel_njit
def _card(tables: Words, state: Words, player: int, num_moves: int) -> int:
    """Which card to play, by its number."""
    played = -1
    others = -1
    for other in range(tables[layout.RULE_NUM_PLAYERS]):
        side = state[layout.PLAYER + other]
        card, top = side >> _CHOSEN & _CARD_MASK, side >> _TOP & _CARD_MASK
        if card != layout.NO_CARD:
            played = max(played, card)
        if other != player and top != layout.NO_CARD:
            others = max(others, top)
    if played < 0:
        return num_moves - 1
    own = state[layout.PLAYER + player] >> _TOP & _CARD_MASK
    own = -1 if own == layout.NO_CARD else own
    best, best_standing = 0, -layout.NO_CARD
    for move in range(num_moves):
        card = nth(state[layout.PLAYER + player] & SET_MASK, move)
        standing = own - max(others, played) if card > played else card - others
        if standing > best_standing:
            best, best_standing = move, standing
    return best


@kernel_njit
def _mean(cards: int) -> float:
    total = 0
    size = count(cards)
    while cards:
        total += lowest(cards)
        cards &= cards - 1
    return total / size


@kernel_njit
def _standing(tables: Words, before: Words, after: Words, player: int) -> float:
    """How far the player's top card is above the others' highest, as far as it can see."""
    own, others = -1.0, -1.0
    for other in range(tables[layout.RULE_NUM_PLAYERS]):
        stack = after[layout.STACK + other] & SET_MASK
        top = after[layout.PLAYER + other] >> _TOP & _CARD_MASK
        height = -1.0
        if stack:
            hidden = before[layout.FLOW] >> _HIDDEN & stack
            if top == layout.NO_CARD:
                height = _mean(stack)
            elif other != player and hidden >> top & 1:
                height = _mean(hidden)
            else:
                height = float(top)
        if other == player:
            own = height
        else:
            others = max(others, height)
    return own - others
