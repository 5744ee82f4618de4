"""Plays of a policy with itself in which decisions are branched: every move of theirs is played out.

To learn what a move is worth it does not do to look at when the policy made it: it made it because the
situation was good for it. So at some decisions each move is tried in turn, with the policy playing on and
chance drawing the same numbers after each, so that moves are compared in the same situation with the same
luck.

Letters used for shapes: P players, W words of a state, M most moves, R decisions branched, T their moves,
K words kept of a state.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from numba import types

from solver.extensive import CHANCE, TERMINAL
from solver.sampling.bundles import ROOT, SCRATCH, Root, Scratch, bundle_type, new_scratch
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
from solver.sampling.open_endgame import is_open, open_value
from solver.sampling.policy import (
    IS_WEIGHED,
    OWN_WEIGHTS,
    POLICY_ARGUMENTS,
    RESTRICTION,
    CompiledPolicy,
    policy_probabilities,
)
from solver.sampling.randomness import drawn_index, drawn_outcome, stream_word, uniform_draw
from solver.sampling.specialisation import sampling_kernel, specialised
from solver.sampling.threads import in_threads

# Columns of a row, then the words kept.
_PLAY, _DECIDER, _MOVES, _BEFORE, _KEPT = range(5)
_PLAYS_AT_ONCE = 64


@dataclass(frozen=True)
class Field:
    """Decisions at which a field of the state, state[word] >> shift & mask, lies between two numbers."""

    word: int
    shift: int
    mask: int
    least: int
    most: int

    @property
    def numbers(self) -> IntArray:
        """The field for kernels."""
        return np.array([self.word, self.shift, self.mask, self.least, self.most], dtype=np.int64)


@dataclass(frozen=True, eq=False)
class BranchedPlays:
    """Branched decisions in the order of the plays; moves of one decision lie side by side.

    Attributes
    ----------
    num_plays : int
        Whether they had such decisions or not.
    play, decider, num_moves, first : [R] int64
        Moves of decision r are first[r] .. first[r] + num_moves[r] - 1.
    before : [R] int64
        How many decisions of the kind `counted` there were before it in its play.
    words : [R, K] int64
        The state's words asked for, before the move.
    probability : [T] float64
        Of the move, by the policy.
    payoffs : [T, P] float64
        Of one playing out of each move.
    """

    num_plays: int
    play: IntArray
    decider: IntArray
    num_moves: IntArray
    first: IntArray
    before: IntArray
    words: npt.NDArray[np.int64]
    probability: FloatArray
    payoffs: FloatArray

    @property
    def row(self) -> IntArray:
        """The decision of each move, [T] int64."""
        return np.repeat(np.arange(len(self.play)), self.num_moves)

    @property
    def move(self) -> IntArray:
        """The number of each move among those of its decision, [T] int64."""
        return np.arange(len(self.probability)) - np.repeat(self.first, self.num_moves)

    @property
    def payoff(self) -> FloatArray:
        """What each move brings its decider, [T]."""
        return self.payoffs[np.arange(len(self.payoffs)), self.decider[self.row]]

    def sums(self, values: FloatArray) -> FloatArray:
        """Return the sum over the moves of each decision of values [T], [R]."""
        if not len(self.first):
            return np.zeros(0)
        return np.asarray(np.add.reduceat(values, self.first), dtype=np.float64)


def branch_plays(
    game: SamplingGame,
    policy: CompiledPolicy,
    where: Field,
    *,
    num_plays: int,
    share: float = 1.0,
    brancher: int | None = None,
    counted: Field | None = None,
    seed: int = 0,
    words: Sequence[int] = (),
    threads: int = 1,
    stop: Callable[[], bool] | None = None,
) -> BranchedPlays:
    """Play the policy in all seats and branch.

    Parameters
    ----------
    game : SamplingGame
    policy : CompiledPolicy
    where : Field
        Decisions to branch, of those with more than one move.
    num_plays : int
    share : float
        Of these decisions, drawn one by one, above 0 to 1.
    brancher : int, optional
        Decisions of this player alone; of all if None.
    counted : Field, optional
        Decisions to count, whoever makes them.
    seed : int
        The same seed gives the same plays, with any number of threads.
    words : sequence of int
        Which words of the state to keep.
    threads : int
    stop : callable, optional
        Asked now and then; True ends it with the plays there are.

    Raises
    ------
    ValueError
        For numbers that mean nothing.
    MalformedSamplingGameError
        If a play does not end.
    """
    if num_plays < 1 or not 0.0 < share <= 1.0 or not all(0 <= word < game.state_words for word in words):
        raise ValueError(f"cannot branch {num_plays} plays, a share of {share}, words {tuple(words)}")
    kernel = specialised(game, _branch_kernel, _branch_signature(), (open_value, _play_out))
    kept = np.array(words, dtype=np.int64)
    fields = np.stack([where.numbers, (counted or Field(0, 0, 0, 1, 1)).numbers])

    def part(first: int) -> tuple[Any, ...]:
        count = min(_PLAYS_AT_ONCE, num_plays - first)
        room = 8
        while True:
            rows = np.zeros((count * room, _KEPT + len(kept)), dtype=np.int64)
            probabilities = np.zeros(count * room * 8)
            paid = np.zeros((len(probabilities), game.num_players))
            used, moves = kernel(
                *(Root(game.tables, game.root, game.max_length), policy.arguments, seed, first, count),
                Chosen(fields, share, -1 if brancher is None else brancher, kept),
                *(rows, probabilities, paid, new_scratch(game), np.zeros(game.state_words, dtype=np.int64)),
                np.zeros((4, 1), dtype=np.uint64),
            )
            if used == -1:
                raise MalformedSamplingGameError(f"a path has more than max_length = {game.max_length} nodes")
            if used >= 0:
                return count, rows[:used], probabilities[:moves], paid[:moves]
            room *= 2

    parts = list(in_threads(part, range(0, num_plays, _PLAYS_AT_ONCE), threads, stop))
    rows = np.concatenate([rows for _, rows, _, _ in parts])
    num_moves = rows[:, _MOVES]
    return BranchedPlays(
        num_plays=sum(count for count, _, _, _ in parts),
        play=rows[:, _PLAY],
        decider=rows[:, _DECIDER],
        num_moves=num_moves,
        first=np.cumsum(num_moves) - num_moves,
        before=rows[:, _BEFORE],
        words=rows[:, _KEPT:],
        probability=np.concatenate([each for _, _, each, _ in parts]),
        payoffs=np.concatenate([each for _, _, _, each in parts]),
    )


class Chosen(NamedTuple):
    """Which decisions are branched: the fields to branch and to count [2, 5], the share of these, whose (-1:
    anybody's), and the words of the state to keep [K].
    """

    fields: IntArray
    share: float
    brancher: int
    kept: IntArray


@cache
def _branch_signature() -> Any:
    integer, table = types.int64, types.int64[:, ::1]
    returned: Any = types.UniTuple(integer, 2)  # type: ignore[no-untyped-call]
    return returned(
        *(ROOT, POLICY_ARGUMENTS, integer, integer, integer),
        bundle_type(Chosen, table, types.float64, integer, WORDS),
        *(table, REALS, types.float64[:, ::1], SCRATCH, WORDS, types.uint64[:, ::1]),
    )


@sampling_kernel
def _lies_in(state: IntArray, field: IntArray) -> bool:
    """Whether a field of the state lies between its numbers."""
    return bool(field[3] <= state[field[0]] >> field[1] & field[2] <= field[4])


def _play_out(
    tables: IntArray,
    state: IntArray,
    max_length: int,
    policy: tuple[Any, ...],
    chance: npt.NDArray[np.uint64],
    choices: npt.NDArray[np.uint64],
    weights: FloatArray,
    work: IntArray,
    payoff: FloatArray,
) -> int:
    """Play a state to its end, write what it pays; return 1 if it does not end.

    A policy with weights and without a restriction plays exactly where nothing hidden matters any more, so
    what the rest is worth stands for it. Modifies `state` and both streams in place.
    """
    for _ in range(max_length):
        decider = observe(tables, state, work)
        if decider == TERMINAL:
            payoffs(tables, state, work, payoff)
            return 0
        count = work[NUM_MOVES]
        if policy[IS_WEIGHED] and policy[RESTRICTION][0] == 0 and is_open(tables, state, work) == 1:
            carried = policy[OWN_WEIGHTS]
            scale, states, steps, reals = carried[2], carried[8], carried[9], carried[10]
            low, high = scale[0] - scale[1], scale[0] + scale[1]
            worth = open_value(tables, state, work, low, high, states, steps, reals, payoff)
            if not np.isnan(worth):
                payoff[0] = worth
                payoff[1] = -worth
                return 0
            observe(tables, state, work)
        move = 0
        if decider == CHANCE:
            total = chance_weights(tables, state, work, weights)
            move = drawn_outcome(chance, weights, count, total)
        elif count > 1:
            policy_probabilities(policy, decider, tables, state, work, weights)
            move = drawn_index(choices, weights, count, 1.0)
        apply(tables, state, work, move)
    return 1


def _branch_kernel(
    start: Root,
    policy: tuple[Any, ...],
    seed: int,
    first_play: int,
    num_plays: int,
    chosen: Chosen,
    rows: npt.NDArray[np.int64],
    probabilities: FloatArray,
    paid: FloatArray,
    scratch: Scratch,
    branch: IntArray,
    streams: npt.NDArray[np.uint64],
) -> tuple[int, int]:
    """Play, branch and write rows; return how many, and how many moves: -1 if a play did not end, -2 if there
    was no room.

    Modified in place: rows [., 4 + K], probabilities [T], paid [T, P]. All else is scratch: that of the play,
    the state of a branch [W], streams [4, 1] of chance and choices of both.
    """
    tables, root, max_length = start
    fields, share, brancher, kept = chosen
    state, work, weights = scratch
    used, moves = 0, 0
    for index in range(num_plays):
        number = first_play + index
        streams[0, 0] = stream_word(seed, 2 * number)
        streams[1, 0] = stream_word(seed, 2 * number + 1)
        for word in range(root.shape[0]):
            state[word] = root[word]
        length, before = 0, 0
        while True:
            length += 1
            if length > max_length:
                return -1, 0
            decider = observe(tables, state, work)
            if decider == TERMINAL:
                break
            count = work[NUM_MOVES]
            move = 0
            if decider == CHANCE:
                total = chance_weights(tables, state, work, weights)
                move = drawn_outcome(streams[0], weights, count, total)
            elif count > 1:
                policy_probabilities(policy, decider, tables, state, work, weights)
                move = drawn_index(streams[1], weights, count, 1.0)
                if (
                    _lies_in(state, fields[0])
                    and (brancher < 0 or brancher == decider)
                    and uniform_draw(streams[1]) < share
                ):
                    if used >= rows.shape[0] or moves + count > probabilities.shape[0]:
                        return -2, 0
                    rows[used, _PLAY] = number
                    rows[used, _DECIDER] = decider
                    rows[used, _MOVES] = count
                    rows[used, _BEFORE] = before
                    for column in range(kept.shape[0]):
                        rows[used, _KEPT + column] = state[kept[column]]
                    used += 1
                    for tried in range(count):
                        probabilities[moves + tried] = weights[tried]
                    for tried in range(count):
                        for word in range(root.shape[0]):
                            branch[word] = state[word]
                        streams[2, 0] = streams[0, 0]
                        streams[3, 0] = streams[1, 0]
                        observe(tables, branch, work)
                        apply(tables, branch, work, tried)
                        if _play_out(
                            *(tables, branch, max_length, policy, streams[2], streams[3]),
                            *(weights, work, paid[moves + tried]),
                        ):
                            return -1, 0
                    moves += count
                    observe(tables, state, work)
            if decider != CHANCE and _lies_in(state, fields[1]):
                before += 1
            apply(tables, state, work, move)
    return used, moves
