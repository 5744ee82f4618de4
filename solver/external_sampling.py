"""External-sampling Monte Carlo CFR on games too large to be written down.

An iteration walks the game once per player. The walk tries all moves of its traverser and samples everybody
else's, chance included. The average strategy is summed where others move. Single moves are no decisions and take
no place in the table.

With two players, zero-sum payoffs and perfect recall the average strategies approach an equilibrium at a rate
of one over the square root of the iterations, with high probability. With more players, or an abstraction that
forgets, they are heuristics. Either way an answer is worth what is measured of it: on a game small enough for a
tree, exactly (`tree_best_response`); else from below (`head_to_head`).

Sources: Lanctot et al. 2009, *Monte Carlo sampling for regret minimization in extensive games* (external
sampling); Brown and Sandholm 2019, *Solving imperfect-information games via discounted regret minimization*
(linear and discounted weights). Deviation: discounts are applied once per period of several iterations, as in
Brown and Sandholm 2019, *Superhuman AI for multiplayer poker*, and only when an infoset is next visited, by the
exact product of all it has missed (a discount never changes a regret's sign).

Letters used for shapes: P players, W words of a state, M most moves, E most own decisions, K periods.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt
from numba import types

from solver.extensive import CHANCE, TERMINAL
from solver.infoset_table import (
    CONFLICT,
    FIRST,
    LOST,
    MISSING,
    STAMP,
    InfosetTable,
    TableFullError,
    find_or_add_record,
    full_message,
    new_table,
)
from solver.sampling_game import (
    INFOSET_KEY,
    NUM_MOVES,
    REALS,
    WORDS,
    FloatArray,
    IntArray,
    MalformedSamplingGameError,
    SamplingGame,
    apply,
    chance_weights,
    drawn_index,
    new_stream,
    observe,
    payoffs,
    sampling_kernel,
    specialised,
)
from solver.sampling_policy import (
    POLICY_TYPES,
    CompiledPolicy,
    policy_probabilities,
    table_policy,
    uniform_policy,
)

UNIFORM = "uniform"
LINEAR = "linear"
DISCOUNTED = "discounted"
WEIGHTINGS = (UNIFORM, LINEAR, DISCOUNTED)

RAISE = "raise"

# What a kernel call returns: it went well, or why it stopped.
_DONE, _FULL, _CONFLICT, _TOO_LONG, _TOO_DEEP = 0, 1, 2, 3, 4
# Counters of a training.
_NODES, _UPDATES = 0, 1
# Columns of a frame.
_RECORD, _MOVE, _MOVES, _LENGTH = 0, 1, 2, 3

#: A kernel call is meant to take about this long: then the clock, the caller and Ctrl-C have their say.
CALL_S = 0.2


@dataclass(frozen=True)
class ExternalSamplingSettings:
    """How to train.

    Attributes
    ----------
    weighting : str
        "uniform": all iterations count the same. "linear": the k-th period counts k. "discounted": positive
        regrets are multiplied by k**alpha / (k**alpha + 1) after period k, negative ones with beta likewise,
        averages by (k / (k + 1))**gamma.
    alpha, beta, gamma : float
        Used by "discounted" only; finite.
    period : int
        Iterations of a period, at least 1.
    max_infosets : int
        Room in the table. Fixed: a table never grows.
    moves_per_infoset : float
        Mean number of moves of a decision to make room for; 0 means the game's largest.
    when_full : str
        "raise" stops with `TableFullError`. "uniform" goes on: infosets without a place play uniformly and
        are not trained, and `ExternalSamplingResult.num_lost` counts them.
    seed : int
        The same seed gives the same strategy, whatever the machine does meanwhile, if the number of
        iterations is the same too.
    """

    weighting: str = LINEAR
    alpha: float = 1.5
    beta: float = 0.0
    gamma: float = 2.0
    period: int = 100
    max_infosets: int = 1_000_000
    moves_per_infoset: float = 0.0
    when_full: str = RAISE
    seed: int = 0

    def __post_init__(self) -> None:
        """Raise ValueError for settings that mean nothing."""
        if self.weighting not in WEIGHTINGS:
            raise ValueError(f"weighting must be one of {', '.join(WEIGHTINGS)}, got {self.weighting!r}")
        if self.when_full not in (RAISE, UNIFORM):
            raise ValueError(f"when_full must be 'raise' or 'uniform', got {self.when_full!r}")
        if self.period < 1:
            raise ValueError(f"period must be at least 1, got {self.period}")
        if not all(np.isfinite((self.alpha, self.beta, self.gamma))):
            raise ValueError("alpha, beta and gamma must be finite")


@dataclass(frozen=True, eq=False)
class ExternalSamplingResult:
    """A training so far. Nothing in it says how good the strategies are: measure that.

    Attributes
    ----------
    policy : CompiledPolicy
        The average strategies of all players; against a frozen policy, the pure response to it.
    table : InfosetTable
    iterations : int
        Each walks once per player.
    nodes : int
        Nodes walked through, chance and terminal ones included.
    updates : int
        Times an infoset's regrets were updated.
    seconds : float
        Time in the kernel.
    num_lost : int
        Visits to infosets for which there was no room; above 0 only with when_full="uniform".
    settings : ExternalSamplingSettings
    """

    policy: CompiledPolicy
    table: InfosetTable = field(repr=False)
    iterations: int
    nodes: int
    updates: int
    seconds: float
    num_lost: int
    settings: ExternalSamplingSettings

    @property
    def seed(self) -> int:
        """The seed it was run with."""
        return self.settings.seed


class ExternalSamplingTrainer:
    """A training that can be stopped, looked at and gone on with.

    Parameters
    ----------
    game : SamplingGame
    settings : ExternalSamplingSettings, optional
    opponent : CompiledPolicy, optional
        If given, only `responder` learns, against all others following this policy.
    responder : int
        Who learns against `opponent`; unused without one.
    """

    def __init__(
        self,
        game: SamplingGame,
        settings: ExternalSamplingSettings | None = None,
        *,
        opponent: CompiledPolicy | None = None,
        responder: int = 0,
    ) -> None:
        self.game = game
        self.settings = settings or ExternalSamplingSettings()
        self.opponent = opponent
        self.responder = responder
        if not 0 <= responder < game.num_players:
            raise ValueError(f"responder must be a player, 0 .. {game.num_players - 1}, got {responder}")
        self.table = new_table(
            self.settings.max_infosets, self.settings.moves_per_infoset or float(game.max_moves)
        )
        self.iterations = 0
        self.seconds = 0.0
        self._counters = np.zeros(2, dtype=np.int64)
        self._stream = new_stream(self.settings.seed)
        self._log_discounts = np.zeros((1, 3))
        depth, moves = game.max_own_decisions, game.max_moves
        self._scratch = (
            np.zeros((depth + 1, game.state_words), dtype=np.int64),
            np.zeros((depth, 4), dtype=np.int64),
            np.zeros((depth, moves)),
            np.zeros((depth, moves)),
            np.zeros(moves),
            np.zeros(game.work_words, dtype=np.int64),
            np.zeros(game.num_players),
        )

    def run(
        self,
        iterations: int | None = None,
        *,
        seconds: float | None = None,
        progress: Callable[[int, float], bool | None] | None = None,
    ) -> ExternalSamplingResult:
        """Go on for so many iterations or seconds, whichever ends first, and return what there is then.

        Parameters
        ----------
        iterations : int, optional
        seconds : float, optional
            Kept to within a fraction of a second. How many iterations that is depends on the machine.
        progress : callable, optional
            Called a few times a second with (iterations, seconds in the kernel); True stops the run.

        Raises
        ------
        TableFullError
            If the table has no room and `when_full` is "raise". What was learned stays in the trainer.
        MalformedSamplingGameError
            If the game broke its contract.
        """
        if iterations is None and seconds is None:
            raise ValueError("say how long to train: iterations, seconds or both")
        goal = None if iterations is None else self.iterations + iterations
        begin = time.perf_counter()
        kernel = specialised(self.game, _train_kernel, _train_signature())
        chunk = 1
        while goal is None or self.iterations < goal:
            count = chunk if goal is None else min(chunk, goal - self.iterations)
            started = time.perf_counter()
            self._call(kernel, count)
            took = time.perf_counter() - started
            self.seconds += took
            if progress is not None and progress(self.iterations, self.seconds):
                break
            now = time.perf_counter()
            if seconds is not None and now - begin >= seconds:
                break
            room = CALL_S if seconds is None else min(CALL_S, max(seconds - (now - begin), 0.001))
            chunk = max(1, min(4 * chunk, int(chunk * room / max(took, 1e-9))))
        return self.result()

    def result(self) -> ExternalSamplingResult:
        """Return the training so far. The table is shared with the trainer, not copied."""
        return ExternalSamplingResult(
            policy=table_policy(
                "trained" if self.opponent is None else "response",
                self.table,
                pure=self.opponent is not None,
            ),
            table=self.table,
            iterations=self.iterations,
            nodes=int(self._counters[_NODES]),
            updates=int(self._counters[_UPDATES]),
            seconds=self.seconds,
            num_lost=self.table.num_lost,
            settings=self.settings,
        )

    def _call(self, kernel: Any, count: int) -> None:
        """Run `count` iterations in one kernel call."""
        game, settings = self.game, self.settings
        self._extend_discounts((self.iterations + count) // settings.period + 1)
        others = self.opponent or uniform_policy()
        status, done = kernel(
            game.tables,
            game.root,
            game.num_players,
            game.max_length,
            -1 if self.opponent is None else self.responder,
            *others.arguments,
            self.table.records,
            self.table.reals,
            self.table.counters,
            self.table.capacity,
            int(settings.when_full == RAISE),
            self._log_discounts,
            settings.period,
            self.iterations,
            count,
            self._stream,
            self._counters,
            *self._scratch,
        )
        self.iterations += done
        if status == _FULL:
            raise TableFullError(full_message(self.table))
        if status == _CONFLICT:
            raise MalformedSamplingGameError("one infoset key came with two different numbers of moves")
        if status == _TOO_LONG:
            raise MalformedSamplingGameError(f"a path has more than max_length = {game.max_length} nodes")
        if status == _TOO_DEEP:
            raise MalformedSamplingGameError(
                f"a player decides more than max_own_decisions = {game.max_own_decisions} times"
            )

    def _extend_discounts(self, num_periods: int) -> None:
        """Have the logarithms of all discounts up to the end of `num_periods` periods, [K + 1, 3]."""
        known = len(self._log_discounts)
        if known > num_periods:
            return
        k = np.arange(1.0, max(num_periods, 2 * known) + 1.0)
        columns = np.zeros((len(k) + 1, 3))
        settings = self.settings
        if settings.weighting == LINEAR:
            columns[1:] = np.log(k / (k + 1.0))[:, None]
        elif settings.weighting == DISCOUNTED:
            for column, power in ((0, settings.alpha), (1, settings.beta)):
                columns[1:, column] = -np.log1p(k**-power)
            columns[1:, 2] = settings.gamma * np.log(k / (k + 1.0))
        self._log_discounts = np.cumsum(columns, axis=0)


def train_external_sampling(
    game: SamplingGame,
    settings: ExternalSamplingSettings | None = None,
    *,
    iterations: int | None = None,
    seconds: float | None = None,
    progress: Callable[[int, float], bool | None] | None = None,
) -> ExternalSamplingResult:
    """Train all players against each other; see `ExternalSamplingTrainer.run`."""
    return ExternalSamplingTrainer(game, settings).run(iterations, seconds=seconds, progress=progress)


@cache
def _train_signature() -> Any:
    integer, records = types.int64, types.int64[:, ::1]
    streams, matrix = types.uint64[::1], types.float64[:, ::1]
    return types.UniTuple(integer, 2)(
        *(WORDS, WORDS, integer, integer, integer),
        *POLICY_TYPES,
        *(records, REALS, WORDS, integer, integer, matrix, integer, integer, integer, streams, WORDS),
        *(records, records, matrix, matrix, REALS, WORDS, REALS),
    )


def _train_kernel(
    tables: IntArray,
    root: IntArray,
    num_players: int,
    max_length: int,
    responder: int,
    mode: int,
    policy_records: npt.NDArray[np.int64],
    policy_reals: FloatArray,
    policy_function: Callable[..., None],
    records: npt.NDArray[np.int64],
    reals: FloatArray,
    table_counters: IntArray,
    capacity: int,
    stop_when_full: int,
    log_discounts: FloatArray,
    period: int,
    first_iteration: int,
    num_iterations: int,
    stream: npt.NDArray[np.uint64],
    counters: IntArray,
    states: npt.NDArray[np.int64],
    frames: npt.NDArray[np.int64],
    strategies: FloatArray,
    values: FloatArray,
    weights: FloatArray,
    work: IntArray,
    payoff: FloatArray,
) -> tuple[int, int]:
    """Run iterations and return (status, iterations finished).

    `responder` is -1 if all learn, else the only one who does. Scratch: states [E + 1, W], frames [E, 4],
    strategies and values [E, M], weights [M], work, payoff [P]. Everything from `records` on but the discounts
    is modified in place.

    Only the traverser's decisions branch, so only they take a frame; states[d] is the state of frame d, and
    states[number of frames] the one that moves on.
    """
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
            while running:
                # Down: until the play is over, trying first moves at own decisions.
                value = 0.0
                while True:
                    state = states[depth]
                    length += 1
                    nodes += 1
                    if length > max_length:
                        return _TOO_LONG, iteration
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
                            move = drawn_index(stream, weights, count, total)
                        apply(tables, state, work, move)
                        continue
                    if count == 1:
                        apply(tables, state, work, 0)
                        continue
                    if decider != traverser and responder >= 0:
                        policy_probabilities(
                            mode, policy_records, policy_reals, policy_function, tables, state, work, weights
                        )
                        apply(tables, state, work, drawn_index(stream, weights, count, 1.0))
                        continue
                    record = find_or_add_record(
                        records, reals, table_counters, capacity, work[INFOSET_KEY], count, now
                    )
                    if record == CONFLICT:
                        return _CONFLICT, iteration
                    if record == MISSING:
                        if stop_when_full == 1:
                            table_counters[LOST] = 0
                            return _FULL, iteration
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
                        return _TOO_DEEP, iteration
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
                        counters[_UPDATES] += 1
                        first = records[record, FIRST]
                        for other in range(count):
                            reals[first + other] += values[frame, other] - value
                    depth -= 1
            counters[_NODES] += nodes
    return _DONE, num_iterations


@sampling_kernel
def _discount(
    record: IntArray, reals: FloatArray, count: int, log_discounts: FloatArray, now: int
) -> None:
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
