"""A player by rule of thumb, to measure others against: the attack held most.

It discards nothing, places the attack it holds most of (of equally many the one worth more), and hides the
card worth least, attacks only at need. Among equals each is as likely.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engine.jit import kernel_njit
from engine.ragers import kernel, layout
from engine.ragers.resolve import NOTHING
from engine.ragers.rules import ATTACKS
from engine.ragers.sampling import action, decider

Words = NDArray[np.int64]

_CARD_MASK = layout.CARDS.mask
_ATTACK_SHIFT, _ATTACK_STRIDE = layout.ATTACK_GP.offset, layout.ATTACK_GP.stride
_ATTACK_MASK = layout.ATTACK_GP.mask
_SPECIAL_SHIFT, _SPECIAL_MASK = layout.SPECIAL_GP.offset, layout.SPECIAL_GP.mask
_NUM_ATTACKS = len(ATTACKS)
_MUCH = 1000

assert max(ATTACKS) < _NUM_ATTACKS
assert layout.MAX_GP < _MUCH


@kernel_njit
def glory_points(tables: Words, card: int) -> int:
    """GP printed on a type."""
    gp = tables[layout.RULE_SLOT_GP + card]
    if card < _NUM_ATTACKS:
        return int(gp >> _ATTACK_SHIFT + _ATTACK_STRIDE * card & _ATTACK_MASK)
    return int(gp >> _SPECIAL_SHIFT & _SPECIAL_MASK)


@kernel_njit
def _score(tables: Words, hand: int, stage: int, card: int) -> int:
    """How much it likes to choose a type, or to keep its hand."""
    if stage == layout.PHASE_PREPARE:
        return int(card == NOTHING)
    is_attack = card < _NUM_ATTACKS
    if stage == layout.PHASE_DEADEYE:
        return -glory_points(tables, card) - _MUCH * int(is_attack)
    if not is_attack:
        return 0
    return _MUCH * int(hand >> card * layout.COUNT_STRIDE & _CARD_MASK) + glory_points(tables, card)


@kernel_njit
def greedy_moves(tables: Words, state: Words, work: Words, probabilities: NDArray[np.float64]) -> None:
    """Write the probabilities of its moves; a policy function of sampling solvers.

    `work[0]` holds the number of moves, as `sampling.observe` left it.
    """
    player, stage = decider(state), kernel.phase(state)
    hand, count = state[layout.HAND + player], work[0]
    best, equals = -_MUCH * _MUCH, 0
    for move in range(count):
        score = _score(tables, hand, stage, action(tables, state, player, move))
        if score > best:
            best, equals = score, 0
        equals += int(score == best)
    for move in range(count):
        is_best = _score(tables, hand, stage, action(tables, state, player, move)) == best
        probabilities[move] = 1.0 / equals if is_best else 0.0
