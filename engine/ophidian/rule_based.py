"""A player by rule of thumb: greedy, with roars.

It tries each of its moves, lets it resolve as if nobody answered it, and takes the one after which
`judging.judged_by` likes the position best. So it roars where momentum is worth more than the cheer, and
passes where nothing is better than waiting. It looks at what it sees only.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engine.jit import kernel_njit
from engine.ophidian import kernel, layout
from engine.ophidian.judging import judged_by
from engine.ophidian.kernel_state import Words
from engine.ophidian.trying import MOVE_AT, TRIED_AT, WEIGHTS_AT, unanswered


@kernel_njit
def greedy_move(tables: Words, state: Words, work: Words) -> int:
    """The number of the move it likes best, the first of equals.

    `work` holds what `sampling.observe` left, and `sampling.WORK_WORDS` words in all.
    """
    player, count = kernel.decider(state, tables), work[0]
    tried, move = work[TRIED_AT : TRIED_AT + layout.NUM_WORDS], work[MOVE_AT : MOVE_AT + layout.MOVE_WORDS]
    weights = work[WEIGHTS_AT:TRIED_AT]
    best, most = 0, -1e9
    for index in range(count):
        for word in range(layout.NUM_WORDS):
            tried[word] = state[word]
        kernel.transition(tried, tables, index, move, weights)
        unanswered(tried, tables, move)
        value = judged_by(tried, tables, player)
        if value > most + 1e-9:
            best, most = index, value
    return best


@kernel_njit
def greedy_moves(tables: Words, state: Words, work: Words, probabilities: NDArray[np.float64]) -> None:
    """Write probability 1 for one move; a policy function of sampling solvers."""
    count = work[0]
    best = greedy_move(tables, state, work)
    for index in range(count):
        probabilities[index] = 0.0
    probabilities[best] = 1.0
