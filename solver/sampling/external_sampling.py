"""External-sampling Monte Carlo CFR on games too large to be written down.

With two players, zero-sum payoffs and perfect recall the average strategies approach an equilibrium at a rate
of one over the square root of the iterations, with high probability. With more players, or an abstraction
that forgets, they are heuristics. Either way an answer is worth what is measured of it: on a game small
enough for a tree, exactly (`tree_best_response`); else from below (`head_to_head`).

The walk itself is in `external_sampling_walk`.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from solver.sampling.bundles import Root
from solver.sampling.external_sampling_walk import (
    FULL,
    KEY_CONFLICT,
    NODES,
    TOO_DEEP,
    TOO_LONG,
    UPDATES,
    Schedule,
    Walk,
    train_kernel,
    train_signature,
)
from solver.sampling.game import MalformedSamplingGameError, SamplingGame
from solver.sampling.infoset_table import InfosetTable, TableFullError, full_message, new_table
from solver.sampling.policy import CompiledPolicy, table_policy
from solver.sampling.randomness import new_stream
from solver.sampling.specialisation import specialised

UNIFORM = "uniform"
LINEAR = "linear"
WEIGHTINGS = (UNIFORM, LINEAR)

#: A kernel call is meant to take about this long: then the clock, the caller and Ctrl-C have their say.
CALL_S = 0.2


@dataclass(frozen=True)
class ExternalSamplingSettings:
    """How to train.

    Attributes
    ----------
    weighting : str
        "uniform": all iterations count the same. "linear": the k-th period counts k.
    period : int
        Iterations of a period, at least 1.
    max_infosets : int
        Room in the table. Fixed: a table never grows.
    seed : int
        The same seed gives the same strategy, whatever the machine does meanwhile, if the number of
        iterations is the same too.
    """

    weighting: str = LINEAR
    period: int = 100
    max_infosets: int = 1_000_000
    seed: int = 0

    def __post_init__(self) -> None:
        """Raise ValueError for settings that mean nothing."""
        if self.weighting not in WEIGHTINGS:
            raise ValueError(f"weighting must be one of {', '.join(WEIGHTINGS)}, got {self.weighting!r}")
        if self.period < 1:
            raise ValueError(f"period must be at least 1, got {self.period}")


@dataclass(frozen=True, eq=False)
class ExternalSamplingResult:
    """A training so far. Nothing in it says how good the strategies are: measure that.

    Attributes
    ----------
    policy : CompiledPolicy
        The average strategies of all players.
    table : InfosetTable
    iterations : int
        Each walks once per player.
    nodes : int
        Nodes walked through, chance and terminal ones included.
    updates : int
        Times an infoset's regrets were updated.
    seconds : float
        Time in the kernel.
    settings : ExternalSamplingSettings
    """

    policy: CompiledPolicy
    table: InfosetTable = field(repr=False)
    iterations: int
    nodes: int
    updates: int
    seconds: float
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
    """

    def __init__(self, game: SamplingGame, settings: ExternalSamplingSettings | None = None) -> None:
        self.game = game
        self.settings = settings or ExternalSamplingSettings()
        self.table = new_table(self.settings.max_infosets, float(game.max_moves))
        self.iterations = 0
        self.seconds = 0.0
        self._counters = np.zeros(2, dtype=np.int64)
        self._stream = new_stream(self.settings.seed)
        depth, moves = game.max_own_decisions, game.max_moves
        self._walk = Walk(
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
            If the table has no room. What was learned stays in the trainer.
        MalformedSamplingGameError
            If the game broke its contract.
        """
        if iterations is None and seconds is None:
            raise ValueError("say how long to train: iterations, seconds or both")
        goal = None if iterations is None else self.iterations + iterations
        kernel = specialised(self.game, train_kernel, train_signature())
        begin = time.perf_counter()
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
            policy=table_policy("trained", self.table),
            table=self.table,
            iterations=self.iterations,
            nodes=int(self._counters[NODES]),
            updates=int(self._counters[UPDATES]),
            seconds=self.seconds,
            settings=self.settings,
        )

    def _call(self, kernel: Any, count: int) -> None:
        """Run `count` iterations in one kernel call."""
        game, settings = self.game, self.settings
        period = settings.period if settings.weighting == LINEAR else 0
        status, done = kernel(
            Root(game.tables, game.root, game.max_length),
            self.table.arguments,
            Schedule(period, self.iterations, count),
            self._stream,
            self._counters,
            self._walk,
        )
        self.iterations += done
        if status == FULL:
            raise TableFullError(full_message(self.table))
        if status == KEY_CONFLICT:
            raise MalformedSamplingGameError("one infoset key came with two different numbers of moves")
        if status == TOO_LONG:
            raise MalformedSamplingGameError(f"a path has more than max_length = {game.max_length} nodes")
        if status == TOO_DEEP:
            raise MalformedSamplingGameError(
                f"a player decides more than max_own_decisions = {game.max_own_decisions} times"
            )


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
