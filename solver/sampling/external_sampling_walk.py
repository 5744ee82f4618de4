"""The walk of external sampling, one compiled loop with an explicit stack.

An iteration walks the game once per player. The walk tries all moves of its traverser and samples everybody
else's, chance included. The average strategy is summed where others move: with more than two players only by
the walk of the player before, so that each is summed once an iteration. Single moves are no decisions and
take no place in the table.

Sources: Lanctot et al. 2009, *Monte Carlo sampling for regret minimization in extensive games* (external
sampling); Brown and Sandholm 2019, *Solving imperfect-information games via discounted regret minimization*
(linear weights). Deviation: discounts are applied once per period of several iterations, as in
Brown and Sandholm 2019, *Superhuman AI for multiplayer poker*, and only when an infoset is next visited, by
the exact product of all it has missed (a discount never changes a regret's sign).

Letters used for shapes: P players, W words of a state, M most moves, E most own decisions, K periods.
"""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from numba import types

from solver.extensive import CHANCE, TERMINAL
from solver.sampling.bundles import ROOT, TABLE, Root, Table, bundle_type
from solver.sampling.game import (
    INFOSET_KEY,
    NUM_MOVES,
    REALS,
    WORDS,
    FloatArray,
    IntArray,
    apply,
    chance_weights,
    observe,
    payoffs,
)
from solver.sampling.infoset_table import (
    CONFLICT,
    FIRST,
    LOST,
    MISSING,
    STAMP,
    find_or_add_record,
)
from solver.sampling.randomness import drawn_index, drawn_outcome
from solver.sampling.specialisation import sampling_kernel

# What a kernel call returns: it went well, or why it stopped.
DONE, FULL, KEY_CONFLICT, TOO_LONG, TOO_DEEP = 0, 1, 2, 3, 4
# Counters of a training.
NODES, UPDATES = 0, 1
# Columns of a frame.
_RECORD, _MOVE, _MOVES, _LENGTH = 0, 1, 2, 3


class Schedule(NamedTuple):
    """Iterations of a period, 0 if all weigh the same; the first iteration that is run, and how many are."""

    period: int
    first_iteration: int
    num_iterations: int


class Walk(NamedTuple):
    """Scratch: states [E + 1, W], frames [E, 4], strategies and values [E, M], weights [M], work, payoff
    [P].
    """

    states: IntArray
    frames: IntArray
    strategies: FloatArray
    values: FloatArray
    weights: FloatArray
    work: IntArray
    payoff: FloatArray


@cache
def train_signature() -> Any:
    integer, records = types.int64, types.int64[:, ::1]
    matrix = types.float64[:, ::1]
    returned: Any = types.UniTuple(integer, 2)  # type: ignore[no-untyped-call]
    return returned(
        *(ROOT, TABLE),
        bundle_type(Schedule, integer, integer, integer),
        *(types.uint64[::1], WORDS),
        bundle_type(Walk, records, records, matrix, matrix, REALS, WORDS, REALS),
    )


def train_kernel(
    start: Root,
    table: Table,
    schedule: Schedule,
    stream: npt.NDArray[np.uint64],
    counters: IntArray,
    walk: Walk,
) -> tuple[int, int]:
    """Run iterations and return (status, iterations finished).

    `table`, `stream` and `counters` are modified in place; `walk` is scratch.

    Only the traverser's decisions branch, so only they take a frame; states[d] is the state of frame d, and
    states[number of frames] the one that moves on.
    """
    tables, root, max_length = start
    records, reals, table_counters, capacity = table
    period, first_iteration, num_iterations = schedule
    states, frames, strategies, values, weights, work, payoff = walk
    num_players = payoff.shape[0]
    for iteration in range(num_iterations):
        now = (first_iteration + iteration) // period if period > 0 else 0
        for traverser in range(num_players):
            averaged = (traverser + 1) % num_players
            for word in range(root.shape[0]):
                states[0, word] = root[word]
            depth = 0
            length = 0
            nodes = 0
            running = True
            while running:
                # Down: until the play is over, trying first moves at own decisions.
                value = 0.0
                while True:
                    state = states[depth]
                    length += 1
                    nodes += 1
                    if length > max_length:
                        return TOO_LONG, iteration
                    decider = observe(tables, state, work)
                    if decider == TERMINAL:
                        payoffs(tables, state, work, payoff)
                        value = payoff[traverser]
                        break
                    count = work[NUM_MOVES]
                    if decider == CHANCE:
                        move = 0
                        if count > 1:
                            total = chance_weights(tables, state, work, weights)
                            move = drawn_outcome(stream, weights, count, total)
                        apply(tables, state, work, move)
                        continue
                    if count == 1:
                        apply(tables, state, work, 0)
                        continue
                    record = find_or_add_record(
                        records, reals, table_counters, capacity, work[INFOSET_KEY], count, now
                    )
                    if record == CONFLICT:
                        return KEY_CONFLICT, iteration
                    if record == MISSING:
                        table_counters[LOST] = 0
                        return FULL, iteration
                    if records[record, STAMP] != now:
                        _discount(records[record], reals, count, now)
                    if decider != traverser:
                        _match_regrets(reals, record, records, count, weights)
                        if decider == averaged:
                            first = records[record, FIRST] + count
                            for other in range(count):
                                reals[first + other] += weights[other]
                        apply(tables, state, work, drawn_index(stream, weights, count, 1.0))
                        continue
                    if depth >= frames.shape[0]:
                        return TOO_DEEP, iteration
                    _match_regrets(reals, record, records, count, strategies[depth])
                    frames[depth, _RECORD] = record
                    frames[depth, _MOVE] = 0
                    frames[depth, _MOVES] = count
                    frames[depth, _LENGTH] = length
                    depth += 1
                    for word in range(root.shape[0]):
                        states[depth, word] = state[word]
                    apply(tables, states[depth], work, 0)
                # Up: to the first frame with a move left.
                running = False
                while depth > 0:
                    frame = depth - 1
                    move = frames[frame, _MOVE]
                    count = frames[frame, _MOVES]
                    values[frame, move] = value
                    move += 1
                    if move < count:
                        frames[frame, _MOVE] = move
                        for word in range(root.shape[0]):
                            states[depth, word] = states[frame, word]
                        apply(tables, states[depth], work, move)
                        length = frames[frame, _LENGTH]
                        running = True
                        break
                    value = 0.0
                    for other in range(count):
                        value += strategies[frame, other] * values[frame, other]
                    counters[UPDATES] += 1
                    first = records[frames[frame, _RECORD], FIRST]
                    for other in range(count):
                        reals[first + other] += values[frame, other] - value
                    depth -= 1
            counters[NODES] += nodes
    return DONE, num_iterations


@sampling_kernel
def _discount(record: IntArray, reals: FloatArray, count: int, now: int) -> None:
    """Weigh all that was added before: period k counts k + 1. The infoset's rows are modified in place."""
    weight = (record[STAMP] + 1.0) / (now + 1.0)
    first = record[FIRST]
    for index in range(first, first + 2 * count):
        reals[index] *= weight
    record[STAMP] = now


@sampling_kernel
def _match_regrets(
    reals: FloatArray, record: int, records: npt.NDArray[np.int64], count: int, strategy: FloatArray
) -> None:
    """Write the strategy in proportion to positive regrets, uniform if there are none."""
    total = 0.0
    first = records[record, FIRST]
    for move in range(count):
        regret = max(reals[first + move], 0.0)
        strategy[move] = regret
        total += regret
    for move in range(count):
        strategy[move] = strategy[move] / total if total > 0.0 else 1.0 / count
