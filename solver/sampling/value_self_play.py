"""Plays of the player one move ahead (`value_policy`) with himself, in compiled code.

A game that is the same for all seats pays all seats alike only if nobody sees what he must not: what a seat
wins from its like is a test of the game as much as of the network.

Letters used for shapes: P players, W words of a state, M most moves, N plays.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt
from numba import types

from solver.extensive import CHANCE, TERMINAL
from solver.sampling.bundles import (
    NETWORK,
    ROOT,
    SCRATCH,
    TRIALS,
    Network,
    Root,
    Scratch,
    Trials,
    new_scratch,
)
from solver.sampling.game import (
    NUM_MOVES,
    FloatArray,
    MalformedSamplingGameError,
    apply,
    chance_weights,
    observe,
    payoffs,
)
from solver.sampling.open_endgame import is_open, open_value
from solver.sampling.randomness import drawn_index, drawn_outcome, stream_word
from solver.sampling.specialisation import specialised
from solver.sampling.value_network import FeaturedGame, ValueNetwork
from solver.sampling.value_policy import VALUE_HELPERS, move_values, soften, trial_scratch

_PLAYS_AT_ONCE = 256


def play_by_values(
    game: FeaturedGame,
    network: ValueNetwork,
    *,
    temperature: float,
    num_plays: int,
    seed: int = 0,
    progress: Callable[[int], bool | None] | None = None,
) -> FloatArray:
    """Return the payoffs [N, P] of plays in which all move by a network.

    A play whose rest is open counts with what that is worth.

    Parameters
    ----------
    temperature : float
        See `ValuePolicy`.
    progress : callable, optional
        Called with the number of plays finished; True ends it there.

    Raises
    ------
    MalformedSamplingGameError
        If a play does not end.
    """
    kernel = specialised(game, _plays_kernel, _plays_signature(), VALUE_HELPERS)
    results = np.zeros((num_plays, game.num_players))
    root = Root(game.tables, game.root, game.max_length)
    bundles = (
        network.arguments,
        np.zeros(1, dtype=np.uint64),
        new_scratch(game),
        trial_scratch(game, network),
    )
    done = 0
    while done < num_plays:
        last = min(num_plays, done + _PLAYS_AT_ONCE)
        if kernel(root, seed, done, temperature, results[done:last], *bundles):
            raise MalformedSamplingGameError(f"a path has more than max_length = {game.max_length} nodes")
        done = last
        if progress is not None and progress(done):
            break
    return results[:done]


@cache
def _plays_signature() -> Any:
    integer = types.int64
    return integer(
        *(ROOT, integer, integer, types.float64, types.float64[:, ::1]),
        *(NETWORK, types.uint64[::1], SCRATCH, TRIALS),
    )


def _plays_kernel(
    start: Root,
    seed: int,
    first_play: int,
    temperature: float,
    results: FloatArray,
    network: Network,
    stream: npt.NDArray[np.uint64],
    scratch: Scratch,
    trials: Trials,
) -> int:
    """Write what plays first_play .. pay to `results` [n, P]; return 1 if one did not end."""
    tables, root, max_length = start
    state, work, values = scratch
    scale = network.scale
    low, high = scale[0] - scale[1], scale[0] + scale[1]
    for index in range(results.shape[0]):
        stream[0] = stream_word(seed, first_play + index)
        for word in range(root.shape[0]):
            state[word] = root[word]
        length = 0
        while True:
            length += 1
            if length > max_length:
                return 1
            decider = observe(tables, state, work)
            if decider == TERMINAL:
                payoffs(tables, state, work, results[index])
                break
            if is_open(tables, state, work) == 1:
                worth = open_value(
                    *(tables, state, work, low, high),
                    *(trials.states, trials.steps, trials.reals, trials.payoff),
                )
                if not np.isnan(worth):
                    results[index, 0] = worth
                    results[index, 1] = -worth
                    break
                observe(tables, state, work)
            count = work[NUM_MOVES]
            move = 0
            if decider == CHANCE:
                total = chance_weights(tables, state, work, values)
                move = drawn_outcome(stream, values, count, total)
            elif count > 1:
                move_values(tables, state, work, decider, count, 1, network, values, trials)
                soften(values, count, temperature)
                move = drawn_index(stream, values, count, 1.0)
            apply(tables, state, work, move)
    return 0
