"""When a solve checks itself, visits everything, and ends."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from solver.hidden_hands.checkpoint import Pace
from solver.hidden_hands.game import Settings, StopFlag
from solver.hidden_hands.machine import Clock
from solver.hidden_hands.measuring import statistics
from solver.hidden_hands.training import FULL_AT_FIRST, Trainer

DEFAULT_ITERATIONS = 100
_CHECK_EVERY, _CHECK_EVERY_LAZY = 4, 12
"""Fewest iterations between two certificates along the way."""

_SELDOM = 4
"""So many times rarer where no target may end the solve: then they only inform."""

_CHECK_EVERY_MERGED = 16
"""The same for merged trees, and only if nothing but a target ends the solve: their certificates follow every
history."""

_MERGED_CHECK, _MERGED_CHECK_PER_S = 80.0, 6.0
"""Iterations that such a certificate takes the time of, roughly; and, if that is more, for each second that
one takes: the larger a day, the more histories share a node."""

_MOST_FOR_CHECK = 0.5
"""Share of a time limit that it may take: for large days, what it does not follow is most of the bound."""

_CHECK_GROWTH, _CHECK_GROWTH_LAZY = 0.3, 0.6
"""How many there are at least, as a share of those done.

A certificate costs .4 iterations of a three-slot day; with the visit to all lazy children, .8 on four
slots and 3.7 on the box's five. Numbers, not the clock: what is visited when, and where a target is found to
be met, must be the same in every run.
"""


@dataclass(frozen=True)
class Turn:
    """What an iteration is to do.

    Attributes
    ----------
    iteration : its number.
    last, stopped : whether none follows it, and whether that is so because somebody stops the solve.
    checks : whether a certificate follows it, and others after that.
    everything : whether it visits all lazy children, which a certificate must not miss.
    """

    iteration: int
    last: bool
    stopped: bool
    checks: bool
    everything: bool


class Schedule:
    """What the next iteration of a solve is to do, by its limits and by how long iterations and checks take.

    Parameters
    ----------
    pace : that of a solve which is taken up, or a new one; changed in place.
    """

    def __init__(
        self, trainer: Trainer, settings: Settings, clock: Clock, stop: StopFlag | None, pace: Pace
    ) -> None:
        self.pace = pace
        self._trainer, self._clock, self._stop = trainer, clock, stop
        self._goal = _Goal(settings, trainer)
        self._merges = trainer.plan.merged is not None
        self._targets = settings.target is not None or settings.target_share is not None
        self._limits = settings.iterations is not None or settings.time_limit_s is not None
        unlimited = not self._limits and not self._targets
        last = DEFAULT_ITERATIONS if unlimited else settings.iterations
        self._last = None if last is None else last + trainer.began

    def turn(self) -> Turn | None:
        """Return what the next iteration is to do; None if the latest check has met the goal."""
        if self._goal.reached(self._clock):
            return None
        trainer, clock = self._trainer, self._clock
        upcoming = trainer.iterations + 1
        stopped = self._stop is not None and self._stop()
        # A final certificate takes the time of three checks, and all lazy children must be visited first.
        late = clock.limit is not None and clock.elapsed() + self.pace.rest_s >= clock.limit
        last = stopped or late or (self._last is not None and upcoming >= self._last)
        checks = upcoming >= self.pace.next_check
        if self._merges:
            # With another limit than a target they would only take time.
            checks = checks and not self._limits and self._targets and upcoming >= _CHECK_EVERY_MERGED
        first = upcoming <= trainer.began + FULL_AT_FIRST
        everything = not trainer.below.lazy or last or checks or first
        return Turn(upcoming, last, stopped, checks and not last, everything)

    def took(self, turn: Turn, seconds: float) -> None:
        """Take note of how long an iteration took."""
        pace = self.pace
        if turn.everything and self._trainer.below.lazy:
            pace.plain_s, pace.full_s = pace.plain_s or seconds, seconds
        else:
            pace.plain_s = seconds
        if self._merges and turn.iteration > 1:
            pace.check_s = _merged_check_s(seconds, self._clock.limit)

    def checked(self, seconds: float) -> None:
        """Take note of a check after the latest iteration, and of when the next one is due."""
        trainer, lazy = self._trainer, self._trainer.below.lazy
        gap, growth = (_CHECK_EVERY_LAZY, _CHECK_GROWTH_LAZY) if lazy else (_CHECK_EVERY, _CHECK_GROWTH)
        if self._merges:
            gap, growth = _CHECK_EVERY_MERGED, 1.0
        elif trainer.began:
            gap, growth = _CHECK_EVERY, 1.0
        elif not self._targets:
            gap, growth = _SELDOM * gap, _SELDOM * growth
        done = trainer.iterations - trainer.began
        self.pace.check_s = seconds
        self.pace.next_check = trainer.iterations + max(gap, int(np.ceil(growth * done)))


def _merged_check_s(iteration_s: float, limit_s: float | None) -> float:
    """How much time is kept for the certificate of a merged day."""
    iterations = max(_MERGED_CHECK, _MERGED_CHECK_PER_S * iteration_s)
    return min(iterations * iteration_s, (limit_s or np.inf) * _MOST_FOR_CHECK)


_BELOW_TARGET = 1.0 - 1e-3
"""How far below a target the check must be: the last certificate has its slack, too."""


class _Goal:
    """Whether a solve is as good as it is to be."""

    def __init__(self, settings: Settings, trainer: Trainer) -> None:
        self._settings, self._trainer = settings, trainer
        self._pays = float(np.abs(trainer.plan.game.payoff).max())
        """What a play pays, as far as that is known: no more than this."""

    def reached(self, clock: Clock) -> bool:
        """Return whether the latest iteration was checked and met a target."""
        settings, trainer = self._settings, self._trainer
        if not clock.history or clock.history[-1][0] != trainer.iterations:
            return False
        nash_conv = clock.history[-1][2]
        if settings.target is not None and nash_conv <= settings.target * _BELOW_TARGET:
            return True
        if settings.target_share is None:
            return False
        share = settings.target_share * _BELOW_TARGET
        if nash_conv > share * self._pays:
            return False
        # Counting takes as long as a certificate does, so only where the target may be met.
        counts = statistics(trainer.profile(), trainer.workers)
        self._pays = float(counts.mean_points.mean() / counts.mass)
        return nash_conv <= share * self._pays
