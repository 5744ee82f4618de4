"""A player who tries each move in random playouts: roughly a best reply to uniform play, one move deep.

For every playout the cards that it has not seen are dealt anew, the same for all its moves; then both play
any legal card. It takes the move with the best mean of GP on balance at the end of the day.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engine.jit import kernel_njit
from engine.ragers import kernel, layout
from engine.ragers.playouts import random_action, random_outcome
from engine.ragers.resolve import NOTHING
from engine.ragers.sampling import STATE_WORDS, action, decider, determinise
from engine.randomness import mixed, next_random

Words = NDArray[np.int64]

PLAYOUTS = 30
"""For each move."""

_DAY_SHIFT, _DAY_MASK = layout.DAY.offset, layout.DAY.mask
_DEALT, _PLAYED = 3, 3 + STATE_WORDS
_RNG = 2
_GAMMA = 0x9E3779B97F4A7C15 - (1 << 64)


@kernel_njit
def _day(words: Words) -> int:
    return int(words[layout.TABLE] >> _DAY_SHIFT & _DAY_MASK)


@kernel_njit
def _gained(tables: Words, words: Words, player: int, choice: int, rng: Words) -> int:
    """Play on at random after a choice, and return GP of the day on balance.

    `words` and `rng` are modified in place.
    """
    day = _day(words)
    before = kernel.score(words, player) - kernel.score(words, 1 - player)
    first = True
    while not kernel.is_over(words) and _day(words) == day:
        bits = next_random(rng)
        if kernel.deciders(words) == 0:
            kernel.transition(words, tables, random_outcome(words, bits), NOTHING)
            continue
        own = choice if first else random_action(words, tables, player, bits)
        opp = random_action(words, tables, 1 - player, bits >> 32)
        first = False
        if player == 0:
            kernel.transition(words, tables, own, opp)
        else:
            kernel.transition(words, tables, opp, own)
    return kernel.score(words, player) - kernel.score(words, 1 - player) - before


@kernel_njit
def rollout_moves(tables: Words, state: Words, work: Words, probabilities: NDArray[np.float64]) -> None:
    """Write probability 1 for the move with the best mean; a policy function of sampling solvers.

    `work` holds what `sampling.observe` left, and `sampling.WORK_WORDS` words in all. It is modified in
    place, as are `probabilities`.
    """
    player, count = decider(state), work[0]
    # The same position is answered alike: the random numbers come of what is seen of it.
    seed = mixed(work[1] + _GAMMA)
    dealt, played = work[_DEALT : _DEALT + STATE_WORDS], work[_PLAYED : _PLAYED + STATE_WORDS]
    rng = work[_RNG : _RNG + 1]
    rng[0] = seed
    for move in range(count):
        probabilities[move] = 0.0
    if count > 1:
        for playout in range(PLAYOUTS):
            determinise(tables, state, work, player, mixed(seed + playout), dealt)
            for move in range(count):
                for word in range(layout.NUM_WORDS):
                    played[word] = dealt[word]
                choice = action(tables, state, player, move)
                probabilities[move] += _gained(tables, played, player, choice, rng)
    best = 0
    for move in range(1, count):
        if probabilities[move] > probabilities[best]:
            best = move
    for move in range(count):
        probabilities[move] = 1.0 if move == best else 0.0
