"""Ends of games in which nothing hidden matters any more, solved exactly.

A game may say at which states that is so (`is_open`): from there on nothing that is hidden from anybody has
an influence on what can be done or is paid, chance apart. For two players whose payoffs sum to 0 such a state
has a value, found by searching all that can follow with alpha-beta bounds (Knuth and Moore 1975, *An analysis
of alpha-beta pruning*), through chance nodes as well (Ballard 1983, *The *-minimax search procedure for trees
containing chance nodes*: Star1).

Letters used for shapes: W words of a state, M most moves, D most nodes on a path.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, Protocol

import numpy as np
from numba import types

from solver.extensive import CHANCE, TERMINAL
from solver.sampling.game import (
    NUM_MOVES,
    REALS,
    WORDS,
    FloatArray,
    IntArray,
    SamplingGame,
    apply,
    chance_weights,
    observe,
    payoffs,
)
from solver.sampling.specialisation import sampling_kernel, specialised

#: Larger ends are not solved: `open_value` says nan.
MAX_NODES = 20_000
_MOST_DEPTH = 256
_DECIDER, _COUNT, _NEXT = range(3)
_ALPHA, _BETA, _BEST, _LEFT, _WEIGHTS = range(5)
# Bounds below chance nodes are that much wider, so that rounding never makes a bound pass for a value.
_SLACK = 1e-9

#: numba types of the scratch of `open_value`: states [D, W], steps [D, 3], reals [D, 4 + M].
ENDGAME_TYPES = (types.int64[:, ::1], types.int64[:, ::1], types.float64[:, ::1])


class OpenEndedGame(SamplingGame, Protocol):
    """A game for two, payoffs summing to 0, that says when nothing hidden matters any more.

    Attributes
    ----------
    is_open : (tables, state, work) -> int64, or None
        1 if from this state on nothing that anybody cannot see has an influence on the moves there are, on
        the weights of chance or on payoffs; otherwise 0. Not asked at terminal states. All players can tell,
        and once 1 it stays 1 until the play ends.
    """

    @property
    def is_open(self) -> Callable[..., int] | None: ...


@sampling_kernel
def is_open(tables: IntArray, state: IntArray, work: IntArray) -> int:
    """Stand for the game's own function in a kernel's text; for games that have none, the answer."""
    return 0


def endgame_scratch(game: SamplingGame) -> tuple[IntArray, IntArray, FloatArray]:
    """Return new arrays of the types `ENDGAME_TYPES`."""
    depth = min(game.max_length, _MOST_DEPTH) if getattr(game, "is_open", None) is not None else 1
    return (
        np.zeros((depth, game.state_words), dtype=np.int64),
        np.zeros((depth, 3), dtype=np.int64),
        np.zeros((depth, _WEIGHTS + game.max_moves)),
    )


def endgame_value(game: OpenEndedGame, state: IntArray, payoff_range: tuple[float, float]) -> float:
    """Return what an open [W] int64 state is worth to player 0; nan if the end is too large.

    Parameters
    ----------
    payoff_range : pair of float
        No payoff of player 0 lies outside it.

    Raises
    ------
    ValueError
        If the state is not open, or the game is not for two.
    """
    work = np.zeros(game.work_words, dtype=np.int64)
    if game.is_open is None or game.num_players != 2 or not game.is_open(game.tables, state, work):
        raise ValueError("only open states of games for two have a value")
    kernel = specialised(game, open_value, _value_signature())
    return float(kernel(game.tables, state, work, *payoff_range, *endgame_scratch(game), np.zeros(2)))


@cache
def _value_signature() -> Any:
    real = types.float64
    return real(WORDS, WORDS, WORDS, real, real, *ENDGAME_TYPES, REALS)


def open_value(
    tables: IntArray,
    state: IntArray,
    work: IntArray,
    low: float,
    high: float,
    states: IntArray,
    steps: IntArray,
    reals: FloatArray,
    payoff: FloatArray,
) -> float:
    """Return what an open state is worth to player 0, nan after `MAX_NODES` nodes.

    A kernel's helper, see `specialised`. Payoffs of player 0 lie from `low` to `high`. From `work` on all
    arrays are scratch.
    """
    for word in range(state.shape[0]):
        states[0, word] = state[word]
    reals[0, _ALPHA] = low
    reals[0, _BETA] = high
    depth = 0
    entering = True
    value = 0.0
    for _ in range(2 * MAX_NODES):
        row = reals[depth]
        if entering:
            decider = observe(tables, states[depth], work)
            if decider == TERMINAL:
                payoffs(tables, states[depth], work, payoff)
                value = float(payoff[0])
                entering = False
                depth -= 1
                if depth < 0:
                    return value
                continue
            count = work[NUM_MOVES]
            steps[depth, _DECIDER] = decider
            steps[depth, _COUNT] = count
            steps[depth, _NEXT] = 0
            if decider == CHANCE:
                row[_BEST] = 0.0
                row[_LEFT] = 1.0
                total = chance_weights(tables, states[depth], work, row[_WEIGHTS:])
                for outcome in range(count):
                    row[_WEIGHTS + outcome] = row[_WEIGHTS + outcome] / total if total > 0.0 else 1.0 / count
            else:
                row[_BEST] = -np.inf if decider == 0 else np.inf
        else:
            decider = steps[depth, _DECIDER]
            if decider == CHANCE:
                weight = row[_WEIGHTS + steps[depth, _NEXT] - 1]
                row[_BEST] += weight * value
                row[_LEFT] -= weight
            elif decider == 0:
                row[_BEST] = max(row[_BEST], value)
                row[_ALPHA] = max(row[_ALPHA], value)
            else:
                row[_BEST] = min(row[_BEST], value)
                row[_BETA] = min(row[_BETA], value)
        move = steps[depth, _NEXT]
        alpha, beta = row[_ALPHA], row[_BETA]
        by_chance = steps[depth, _DECIDER] == CHANCE
        decided = alpha >= beta
        if by_chance and 0 < move < steps[depth, _COUNT]:
            # What is left cannot bring the value into the bounds.
            most, least = row[_BEST] + row[_LEFT] * high, row[_BEST] + row[_LEFT] * low
            if most <= alpha or least >= beta:
                row[_BEST] = most if most <= alpha else least
                decided = True
        if move == steps[depth, _COUNT] or decided:
            value = float(row[_BEST])
            entering = False
            depth -= 1
            if depth < 0:
                return value
            continue
        if depth + 1 == states.shape[0]:
            return np.nan
        for word in range(state.shape[0]):
            states[depth + 1, word] = states[depth, word]
        apply(tables, states[depth + 1], work, move)
        steps[depth, _NEXT] = move + 1
        if by_chance:
            weight = row[_WEIGHTS + move]
            others = row[_LEFT] - weight
            alpha = max(low, (alpha - row[_BEST] - others * high) / weight - _SLACK)
            beta = min(high, (beta - row[_BEST] - others * low) / weight + _SLACK)
        reals[depth + 1, _ALPHA] = alpha
        reals[depth + 1, _BETA] = beta
        depth += 1
        entering = True
    return np.nan
