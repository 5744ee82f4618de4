"""Plays of a policy with itself, decision by decision: what happens how often.

What moves are worth is not to be read from them: the policy made a move because the situation was good for
it. For that see `branched_plays`.

Letters used for shapes: P players, W words of a state, M most moves, N plays, R decisions recorded, K words
kept of a state.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt
from numba import types

from solver.extensive import CHANCE, TERMINAL
from solver.sampling.bundles import ROOT, SCRATCH, Root, Scratch, new_scratch
from solver.sampling.game import (
    NUM_MOVES,
    REALS,
    WORDS,
    FloatArray,
    IntArray,
    MalformedSamplingGameError,
    SamplingGame,
    apply,
    chance_weights,
    observe,
    payoffs,
)
from solver.sampling.policy import POLICY_ARGUMENTS, CompiledPolicy, policy_probabilities
from solver.sampling.randomness import drawn_index, drawn_outcome, stream_word
from solver.sampling.specialisation import specialised
from solver.sampling.threads import in_threads

# Columns of a row, then the words kept.
_PLAY, _DECIDER, _MOVES, _MOVE, _KEPT = range(5)
_PLAYS_AT_ONCE = 256


@dataclass(frozen=True, eq=False)
class RecordedPlays:
    """Decisions in the order they were made, play by play.

    Attributes
    ----------
    payoffs : [N, P] float64
    play, decider, num_moves, move : [R] int64
        Decisions with one move only are recorded as well.
    probability : [R] float64
        Of the move, by the policy.
    words : [R, K] int64
        The state's words asked for, before the move.
    """

    payoffs: FloatArray
    play: IntArray
    decider: IntArray
    num_moves: IntArray
    move: IntArray
    probability: FloatArray
    words: npt.NDArray[np.int64]


def record_plays(
    game: SamplingGame,
    policy: CompiledPolicy,
    *,
    num_plays: int,
    seed: int = 0,
    words: Sequence[int] = (),
    threads: int = 1,
    stop: Callable[[], bool] | None = None,
) -> RecordedPlays:
    """Play the policy in all seats.

    Parameters
    ----------
    game : SamplingGame
    policy : CompiledPolicy
    num_plays : int
    seed : int
        The same seed gives the same plays, with any number of threads.
    words : sequence of int
        Which words of the state to keep.
    threads : int
    stop : callable, optional
        Asked now and then; True ends the recording with the plays there are.

    Raises
    ------
    ValueError
        For numbers that mean nothing.
    MalformedSamplingGameError
        If a play does not end.
    """
    if num_plays < 1 or not all(0 <= word < game.state_words for word in words):
        raise ValueError(f"cannot record {num_plays} plays, words {tuple(words)}")
    kernel = specialised(game, _record_kernel, _record_signature())
    kept = np.array(words, dtype=np.int64)

    def part(first: int) -> tuple[FloatArray, npt.NDArray[np.int64], FloatArray]:
        count = min(_PLAYS_AT_ONCE, num_plays - first)
        room = 64
        while True:
            payoff = np.zeros((count, game.num_players))
            rows = np.zeros((count * room, _KEPT + len(kept)), dtype=np.int64)
            probabilities = np.zeros(count * room)
            used = kernel(
                *(Root(game.tables, game.root, game.max_length), policy.arguments, seed, first, kept),
                *(payoff, rows, probabilities, new_scratch(game), np.zeros((2, 1), dtype=np.uint64)),
            )
            if used == -1:
                raise MalformedSamplingGameError(f"a path has more than max_length = {game.max_length} nodes")
            if used >= 0:
                return payoff, rows[:used].copy(), probabilities[:used].copy()
            room *= 2

    parts = list(in_threads(part, range(0, num_plays, _PLAYS_AT_ONCE), threads, stop))
    whole = np.concatenate([rows for _, rows, _ in parts])
    return RecordedPlays(
        payoffs=np.concatenate([payoff for payoff, _, _ in parts]),
        play=whole[:, _PLAY],
        decider=whole[:, _DECIDER],
        num_moves=whole[:, _MOVES],
        move=whole[:, _MOVE],
        probability=np.concatenate([probabilities for _, _, probabilities in parts]),
        words=whole[:, _KEPT:],
    )


@cache
def _record_signature() -> Any:
    integer, table = types.int64, types.int64[:, ::1]
    return integer(
        *(ROOT, POLICY_ARGUMENTS, integer, integer, WORDS),
        *(types.float64[:, ::1], table, REALS, SCRATCH, types.uint64[:, ::1]),
    )


def _record_kernel(
    start: Root,
    policy: tuple[Any, ...],
    seed: int,
    first_play: int,
    kept: IntArray,
    payoff: FloatArray,
    rows: npt.NDArray[np.int64],
    probabilities: FloatArray,
    scratch: Scratch,
    streams: npt.NDArray[np.uint64],
) -> int:
    """Play and write rows; return how many, -1 if a play did not end, -2 if there was no room.

    Modified in place: payoff [N, P], rows [., 4 + K], probabilities; the rest is scratch.
    """
    tables, root, max_length = start
    state, work, weights = scratch
    used = 0
    for index in range(payoff.shape[0]):
        number = first_play + index
        streams[0, 0] = stream_word(seed, 2 * number)
        streams[1, 0] = stream_word(seed, 2 * number + 1)
        for word in range(root.shape[0]):
            state[word] = root[word]
        length = 0
        while True:
            length += 1
            if length > max_length:
                return -1
            decider = observe(tables, state, work)
            if decider == TERMINAL:
                payoffs(tables, state, work, payoff[index])
                break
            count = work[NUM_MOVES]
            if decider == CHANCE:
                total = chance_weights(tables, state, work, weights)
                apply(tables, state, work, drawn_outcome(streams[0], weights, count, total))
                continue
            if used >= rows.shape[0]:
                return -2
            move = 0
            weights[0] = 1.0
            if count > 1:
                policy_probabilities(policy, decider, tables, state, work, weights)
                move = drawn_index(streams[1], weights, count, 1.0)
            rows[used, _PLAY] = number
            rows[used, _DECIDER] = decider
            rows[used, _MOVES] = count
            rows[used, _MOVE] = move
            for column in range(kept.shape[0]):
                rows[used, _KEPT + column] = state[kept[column]]
            probabilities[used] = weights[move]
            used += 1
            apply(tables, state, work, move)
    return used
