"""The walk of external sampling, one compiled loop with an explicit stack.

An iteration walks the game once per player. The walk tries all moves of its traverser and samples everybody
else's, chance included. The average strategy is summed where others move: with more than two players only by
the walk of the player before, so that each is summed once an iteration. Single moves are no decisions and
take no place in the table.

Where a play is so long that trying all moves never ends, a walk may be told to try them at a few decisions
in a row only: `branching` many, the first one drawn evenly among the traverser's first `horizon`. Before it
he moves evenly (or, with probability 1 - `exploration` a walk, by his present strategy), behind it by his
present strategy, one move each. With exploration 1 every infoset is then visited as often in every iteration,
whatever the strategies are, so its regrets are those of external sampling times a constant, which regret
matching does not see. Averages are summed before the branching only, for the same reason; one walk in
`horizon` + 1 does not branch at all, so that they are summed everywhere. With less exploration visits favour
what is played, and that argument no longer holds: measure.

Sources: Lanctot et al. 2009, *Monte Carlo sampling for regret minimization in extensive games* (external
sampling); Brown and Sandholm 2019, *Solving imperfect-information games via discounted regret minimization*
(linear and discounted weights). Deviation: discounts are applied once per period of several iterations, as in
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
    find_record,
)
from solver.sampling.policy import POLICY_ARGUMENTS, policy_probabilities
from solver.sampling.randomness import drawn_index, drawn_outcome, uniform_draw
from solver.sampling.specialisation import sampling_kernel

# What a kernel call returns: it went well, or why it stopped.
DONE, FULL, KEY_CONFLICT, TOO_LONG, TOO_DEEP = 0, 1, 2, 3, 4
# Counters of a training.
NODES, UPDATES = 0, 1
# Columns of a frame.
_RECORD, _MOVE, _MOVES, _LENGTH = 0, 1, 2, 3


class Schedule(NamedTuple):
    """Which iterations are run, and how: logarithms of discounts [K + 1, 3], iterations of a period, the
    first iteration, how many, and the branching (0: all moves are tried everywhere), its horizon and
    exploration.
    """

    log_discounts: FloatArray
    period: int
    first_iteration: int
    num_iterations: int
    branching: int
    horizon: int
    exploration: float


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
        *(ROOT, integer, POLICY_ARGUMENTS, TABLE, integer),
        bundle_type(Schedule, matrix, integer, integer, integer, integer, integer, types.float64),
        *(types.uint64[::1], WORDS),
        bundle_type(Walk, records, records, matrix, matrix, REALS, WORDS, REALS),
    )


def train_kernel(
    start: Root,
    responder: int,
    policy: tuple[Any, ...],
    table: Table,
    stop_when_full: int,
    schedule: Schedule,
    stream: npt.NDArray[np.uint64],
    counters: IntArray,
    walk: Walk,
) -> tuple[int, int]:
    """Run iterations and return (status, iterations finished).

    `responder` is -1 if all learn, else the only one who does. `table`, `stream` and `counters` are modified
    in place; `walk` is scratch.

    Only the traverser's decisions branch, so only they take a frame; states[d] is the state of frame d, and
    states[number of frames] the one that moves on.
    """
    tables, root, max_length = start
    records, reals, table_counters, capacity = table
    log_discounts, period, first_iteration, num_iterations, branching, horizon, exploration = schedule
    states, frames, strategies, values, weights, work, payoff = walk
    num_players = payoff.shape[0]
    for iteration in range(num_iterations):
        now = (first_iteration + iteration) // period
        for traverser in range(num_players):
            if responder >= 0 and traverser != responder:
                continue
            averaged = (traverser + 1) % num_players
            for word in range(root.shape[0]):
                states[0, word] = root[word]
            depth = 0
            length = 0
            nodes = 0
            running = True
            # The traverser's decisions still to pass before all moves are tried, and how he moves there.
            to_pass = 0
            evenly = False
            if branching > 0:
                # One walk in horizon + 1 passes all of them: averages need to be summed behind the last, too.
                to_pass = int(uniform_draw(stream) * (horizon + 1))
                if to_pass == horizon:
                    to_pass = max_length
                evenly = uniform_draw(stream) < exploration
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
                    if decider != traverser and responder >= 0:
                        policy_probabilities(policy, decider, tables, state, work, weights)
                        apply(tables, state, work, drawn_index(stream, weights, count, 1.0))
                        continue
                    passing = depth == 0 and to_pass > 0
                    if branching > 0 and (
                        (passing and decider == traverser)
                        or depth >= branching
                        or (depth > 0 and decider != traverser)
                    ):
                        # Nothing is learned here: one move, by a strategy that is only read.
                        record = MISSING
                        if not (passing and decider == traverser and evenly):
                            record = find_record(records, work[INFOSET_KEY])
                        if passing:
                            to_pass -= 1
                        _match_regrets(reals, record, records, count, weights)
                        apply(tables, state, work, drawn_index(stream, weights, count, 1.0))
                        continue
                    record = find_or_add_record(
                        records, reals, table_counters, capacity, work[INFOSET_KEY], count, now
                    )
                    if record == CONFLICT:
                        return KEY_CONFLICT, iteration
                    if record == MISSING:
                        if stop_when_full == 1:
                            table_counters[LOST] = 0
                            return FULL, iteration
                    elif records[record, STAMP] != now:
                        _discount(records[record], reals, count, log_discounts, now)
                    if decider != traverser:
                        _match_regrets(reals, record, records, count, weights)
                        if record != MISSING and decider == averaged:
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
                    record = frames[frame, _RECORD]
                    if record != MISSING:
                        counters[UPDATES] += 1
                        first = records[record, FIRST]
                        for other in range(count):
                            reals[first + other] += values[frame, other] - value
                    depth -= 1
            counters[NODES] += nodes
    return DONE, num_iterations


@sampling_kernel
def _discount(record: IntArray, reals: FloatArray, count: int, log_discounts: FloatArray, now: int) -> None:
    """Make up for all periods that ended since the infoset's last visit; its rows are modified in place."""
    then = record[STAMP]
    first = record[FIRST]
    positive = np.exp(log_discounts[now, 0] - log_discounts[then, 0])
    negative = np.exp(log_discounts[now, 1] - log_discounts[then, 1])
    average = np.exp(log_discounts[now, 2] - log_discounts[then, 2])
    for index in range(first, first + count):
        reals[index] *= positive if reals[index] > 0.0 else negative
        reals[index + count] *= average
    record[STAMP] = now


@sampling_kernel
def _match_regrets(
    reals: FloatArray, record: int, records: npt.NDArray[np.int64], count: int, strategy: FloatArray
) -> None:
    """Write the strategy in proportion to positive regrets, uniform if there are none or no record."""
    total = 0.0
    if record != MISSING:
        first = records[record, FIRST]
        for move in range(count):
            regret = max(reals[first + move], 0.0)
            strategy[move] = regret
            total += regret
    if total > 0.0:
        scale = 1.0 / total
        for move in range(count):
            strategy[move] *= scale
    else:
        for move in range(count):
            strategy[move] = 1.0 / count
