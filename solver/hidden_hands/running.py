"""Iterate until a limit is reached, and certify."""

from __future__ import annotations

import numpy as np

from solver.hidden_hands.certificate import Certificate
from solver.hidden_hands.checkpoint import (
    Keeper,
    Pace,
)
from solver.hidden_hands.clock import Clock
from solver.hidden_hands.game import (
    HandGame,
    Left,
    Settings,
    StopFlag,
)
from solver.hidden_hands.training import FULL_AT_FIRST, Trainer

__all__ = [
    "poll_leave",
    "train_to_limit",
]

DEFAULT_ITERATIONS = 100
_CHECK_EVERY, _CHECK_EVERY_LAZY = 4, 12
"""Fewest iterations between two certificates along the way."""

_SELDOM = 4
"""So many times rarer where no target may end the solve: then they only inform."""

_CHECK_EVERY_MERGED = 16
"""The same for merged trees, and only if nothing but a target ends the solve (``Blueprint.checks``): their
certificates follow every history."""

_MERGED_CHECK, _MERGED_CHECK_PER_S = 80.0, 6.0
"""Iterations that such a certificate takes the time of, roughly; and, if that is more, for each second that
one takes: the larger a day, the more histories share a node."""

_MOST_FOR_CHECK = 0.5
"""Share of a time limit that it may take: for large days, what it does not follow is most of the bound."""

_ROUNDING, _MOST_SLACK = 1e-6, 0.05
"""How far best responses may be beyond what play can pay, and NashConv with its slack, as a part of that."""

_CHECK_GROWTH, _CHECK_GROWTH_LAZY = 0.3, 0.6
"""How many there are at least, as a share of those done.

A certificate costs .4 iterations of a three-slot day; with the visit to all lazy children, .8 on four
slots and 3.7 on the box's five. Numbers, not the clock: what is visited when, and where a target is found to
be met, must be the same in every run.
"""


def poll_leave(leave: StopFlag | None) -> None:
    if leave is not None and leave():
        raise Left


def train_to_limit(
    trainer: Trainer,
    settings: Settings,
    clock: Clock,
    stop: StopFlag | None,
    keeper: Keeper | None = None,
) -> Certificate:
    """Iterate until a limit is reached; return the final certificate."""
    unlimited = settings.iterations is None and settings.time_limit_s is None and settings.target is None
    last = (
        settings.iterations
        if settings.iterations is not None
        else (DEFAULT_ITERATIONS if unlimited else None)
    )
    pace = Pace()
    resumed = None if keeper is None else keeper.resume()
    if resumed is not None:
        pace, elapsed_s, clock.history = resumed
        clock.begin -= elapsed_s
    merges = trainer.plan.merged is not None
    closing = stopped = False
    while not closing and not _reached(settings, clock, trainer.iterations):
        upcoming = trainer.iterations + 1
        stopped = stop is not None and stop()
        # A final certificate takes the time of three checks, and all lazy children must be visited first.
        late = clock.limit is not None and clock.elapsed() + _rest_s(pace) >= clock.limit
        closing = stopped or late or (last is not None and upcoming >= last)
        if keeper is not None and closing:
            # Before the last iteration: it visits everything, which one that is followed by others may not.
            clock.say("solve", "saving", trainer.iterations)
            keeper.close(pace, clock.elapsed(), clock.history)
        elif keeper is not None and keeper.due():
            clock.say("solve", "saving", trainer.iterations)
            keeper.save(pace, clock.elapsed(), clock.history)
        checks = upcoming >= pace.next_check
        if merges:
            checks = checks and trainer.plan.checks and upcoming >= _CHECK_EVERY_MERGED
        everything = not trainer.lazy or closing or checks or upcoming <= FULL_AT_FIRST
        if closing and trainer.lazy:
            clock.say("solve", "visiting all lazy children", trainer.iterations)
        begun = clock.elapsed()
        trainer.iterate(everything)
        taken = clock.elapsed() - begun
        if not all(np.isfinite(average).all() for average in trainer.root_average):
            raise ArithmeticError(f"an error in the solver: what iteration {upcoming} left are no numbers")
        if everything and trainer.lazy:
            pace.plain_s, pace.full_s = pace.plain_s or taken, taken
        else:
            pace.plain_s = taken
        if merges and upcoming > 1:
            pace.check_s = _merged_check_s(taken, clock.limit)
        clock.say("solve", "", upcoming)
        if closing or not checks:
            continue
        begun = clock.elapsed()
        left = clock.left()
        found = trainer.certify(audit=False, seconds=None if left is None else left / 4)
        pace.check_s = clock.elapsed() - begun
        clock.history.append((upcoming, clock.elapsed(), found.nash_conv))
        clock.proved = (upcoming, found)
        clock.say("solve", "", upcoming)
        gap, growth = (
            (_CHECK_EVERY_LAZY, _CHECK_GROWTH_LAZY) if trainer.lazy else (_CHECK_EVERY, _CHECK_GROWTH)
        )
        if merges:
            gap, growth = _CHECK_EVERY_MERGED, 1.0
        elif settings.target is None:
            gap, growth = _SELDOM * gap, _SELDOM * growth
        pace.next_check = upcoming + max(gap, int(np.ceil(growth * upcoming)))
    if keeper is not None and not closing:
        keeper.close(pace, clock.elapsed(), clock.history)
    clock.say("certify", "exact best response on the un-merged game", trainer.iterations)
    trainer.finish()
    tell = trainer.watch

    def watch(share: float) -> None:
        if stop is not None and stop():
            trainer.hurry()
        if tell is not None:
            tell(share)

    trainer.watch = watch
    final = _sound(trainer.certify(seconds=0.0 if stopped else clock.left()), trainer.plan.game)
    clock.history.append((trainer.iterations, clock.elapsed(), final.nash_conv))
    clock.proved = (trainer.iterations, final)
    return final


def _merged_check_s(iteration_s: float, limit_s: float | None) -> float:
    """How much time is kept for the certificate of a merged day."""
    iterations = max(_MERGED_CHECK, _MERGED_CHECK_PER_S * iteration_s)
    return min(iterations * iteration_s, (limit_s or np.inf) * _MOST_FOR_CHECK)


def _rest_s(pace: Pace) -> float:
    """What another iteration, one more that visits everything, and a certificate would take."""
    return pace.plain_s + pace.full_s + pace.check_s


def _reached(settings: Settings, clock: Clock, iterations: int) -> bool:
    """Whether the latest iteration was checked and met the target."""
    if settings.target is None or not clock.history or clock.history[-1][0] != iterations:
        return False
    return clock.history[-1][2] <= settings.target * (1.0 - 1e-3)


def _sound(certificate: Certificate, game: HandGame) -> Certificate:
    """Return a certificate that can be one.

    Raises
    ------
    ArithmeticError
        If anybody gains more than play can pay, so that it says nothing, or is wrong.
    """
    pays = float(np.abs(game.payoff).max())
    most = pays * (1.0 + _ROUNDING) + certificate.slack
    gains = certificate.best_response_values
    if not (certificate.nash_conv <= 2.0 * pays * (1.0 + _MOST_SLACK) and max(map(abs, gains)) <= most):
        raise ArithmeticError(
            f"an error in the solver: its certificate (NashConv {certificate.nash_conv:.3g}, best responses"
            f" {gains[0]:.3g} and {gains[1]:.3g}) is beyond what play can pay ({pays:g})"
        )
    return certificate
