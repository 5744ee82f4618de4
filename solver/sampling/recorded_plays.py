"""Plays of a policy with itself, decision by decision, and what single moves change.

To learn what a move is worth it does not do to look at when the policy made it: it made it because the
situation was good for it. So in each play one decision may be *explored*: drawn evenly from its moves, with
the policy playing on. Explored decisions of one kind then compare moves in the same situations.

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
from solver.sampling.policy import POLICY_TYPES, CompiledPolicy, policy_probabilities
from solver.sampling.randomness import drawn_index, drawn_outcome, stream_word, uniform_draw
from solver.sampling.specialisation import specialised

# Columns of a row, then the words kept.
_PLAY, _DECIDER, _MOVES, _MOVE, _EXPLORED, _KEPT = range(6)
_PLAYS_AT_ONCE = 1024


@dataclass(frozen=True, eq=False)
class RecordedPlays:
    """Decisions in the order they were made, play by play.

    Attributes
    ----------
    payoffs : [N, P] float64
    play, decider, num_moves, move : [R] int64
        Decisions with one move only are recorded as well.
    probability : [R] float64
        Of the move, by the policy, also where it was explored.
    explored : [R] bool
    words : [R, K] int64
        The state's words asked for, before the move.
    """

    payoffs: FloatArray
    play: IntArray
    decider: IntArray
    num_moves: IntArray
    move: IntArray
    probability: FloatArray
    explored: npt.NDArray[np.bool_]
    words: npt.NDArray[np.int64]


def record_plays(
    game: SamplingGame,
    policy: CompiledPolicy,
    *,
    num_plays: int,
    seed: int = 0,
    explored: int = 0,
    explorer: int | None = None,
    words: Sequence[int] = (),
    stop: Callable[[], bool] | None = None,
) -> RecordedPlays:
    """Play the policy in all seats.

    Parameters
    ----------
    game : SamplingGame
    policy : CompiledPolicy
    num_plays : int
    seed : int
        The same seed gives the same plays.
    explored : int
        If above 0, one of the explorer's first so many decisions (with more than one move) is explored, drawn
        evenly; a play with fewer may have none.
    explorer : int, optional
        All players in turn if None.
    words : sequence of int
        Which words of the state to keep.
    stop : callable, optional
        Asked now and then; True ends the recording with the plays there are.

    Raises
    ------
    ValueError
        For numbers that mean nothing.
    MalformedSamplingGameError
        If a play does not end.
    """
    if num_plays < 1 or explored < 0 or not all(0 <= word < game.state_words for word in words):
        raise ValueError(f"cannot record {num_plays} plays, {explored} explored, words {tuple(words)}")
    kernel = specialised(game, _record_kernel, _record_signature())
    kept = np.array(words, dtype=np.int64)
    width = _KEPT + len(kept)
    scratch = (
        np.zeros(game.state_words, dtype=np.int64),
        np.zeros(game.max_moves),
        np.zeros(game.work_words, dtype=np.int64),
        np.zeros((2, 1), dtype=np.uint64),
    )
    all_payoffs, all_rows, all_probabilities = [], [], []
    first, room = 0, 64
    while first < num_plays:
        count = min(_PLAYS_AT_ONCE, num_plays - first)
        payoff = np.zeros((count, game.num_players))
        rows = np.zeros((count * room, width), dtype=np.int64)
        probabilities = np.zeros(count * room)
        used = kernel(
            *(game.tables, game.root, game.num_players, game.max_length, *policy.arguments),
            *(seed, first, explored, -1 if explorer is None else explorer, kept),
            *(payoff, rows, probabilities, *scratch),
        )
        if used == -1:
            raise MalformedSamplingGameError(f"a path has more than max_length = {game.max_length} nodes")
        if used == -2:
            room *= 2
            continue
        all_payoffs.append(payoff)
        all_rows.append(rows[:used].copy())
        all_probabilities.append(probabilities[:used].copy())
        first += count
        if stop is not None and stop():
            break
    whole = np.concatenate(all_rows)
    return RecordedPlays(
        payoffs=np.concatenate(all_payoffs),
        play=whole[:, _PLAY],
        decider=whole[:, _DECIDER],
        num_moves=whole[:, _MOVES],
        move=whole[:, _MOVE],
        probability=np.concatenate(all_probabilities),
        explored=whole[:, _EXPLORED] == 1,
        words=whole[:, _KEPT:],
    )


@cache
def _record_signature() -> Any:
    integer, table = types.int64, types.int64[:, ::1]
    return integer(
        *(WORDS, WORDS, integer, integer, *POLICY_TYPES, integer, integer, integer, integer, WORDS),
        *(types.float64[:, ::1], table, REALS, WORDS, REALS, WORDS, types.uint64[:, ::1]),
    )


def _record_kernel(
    tables: IntArray,
    root: IntArray,
    num_players: int,
    max_length: int,
    mode: int,
    policy_records: npt.NDArray[np.int64],
    policy_reals: FloatArray,
    policy_function: Callable[..., None],
    seed: int,
    first_play: int,
    explored: int,
    explorer: int,
    kept: IntArray,
    payoff: FloatArray,
    rows: npt.NDArray[np.int64],
    probabilities: FloatArray,
    state: IntArray,
    weights: FloatArray,
    work: IntArray,
    streams: npt.NDArray[np.uint64],
) -> int:
    """Play and write rows; return how many, -1 if a play did not end, -2 if there was no room.

    Modified in place: payoff [N, P], rows [., 5 + K], probabilities; the rest is scratch.
    """
    used = 0
    for index in range(payoff.shape[0]):
        number = first_play + index
        streams[0, 0] = stream_word(seed, 2 * number)
        streams[1, 0] = stream_word(seed, 2 * number + 1)
        exploring = explorer if explorer >= 0 else number % num_players
        # Decisions left before the one explored; -1 if none is any more.
        left = int(uniform_draw(streams[1]) * explored) if explored > 0 else -1
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
            rows[used, _EXPLORED] = 0
            if count > 1:
                policy_probabilities(
                    mode, policy_records, policy_reals, policy_function, tables, state, work, weights
                )
                if decider == exploring and left == 0:
                    move = int(uniform_draw(streams[1]) * count)
                    rows[used, _EXPLORED] = 1
                else:
                    move = drawn_index(streams[1], weights, count, 1.0)
                if decider == exploring and left >= 0:
                    left -= 1
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
