"""Time that somebody is willing to wait, shared out among the parts of a job."""

from __future__ import annotations

import time
from collections.abc import Callable


class Budget:
    """A time that ends; without one it never does.

    Parameters
    ----------
    seconds
        From now on; None for no limit.
    enough
        Whether somebody does not want to wait any more.
    """

    def __init__(self, seconds: float | None, enough: Callable[[], bool] = lambda: False) -> None:
        self._end = None if seconds is None else time.monotonic() + seconds
        self._enough = enough

    def over(self) -> bool:
        """Return whether it is spent."""
        return self._enough() or (self._end is not None and time.monotonic() >= self._end)

    def part(self, among: int) -> Budget:
        """Return the budget of the next of `among` parts that are still to share what is left."""
        left = None if self._end is None else max(0.0, self._end - time.monotonic()) / among
        return Budget(left, self._enough)


class SeatByTurn:
    """Says when a response has met enough deals: each seat's has its share of the time.

    Parameters
    ----------
    budget : of all seats together.
    enough : whether somebody does not want to wait any more.
    """

    def __init__(self, budget: Budget, num_seats: int, enough: Callable[[], bool]) -> None:
        self._budget, self._left, self._enough = budget, num_seats, enough
        self._part = budget.part(num_seats)
        self._done = 0

    def __call__(self, done: int) -> bool:
        """Return whether that is enough, after so many deals of a seat; two at least."""
        if done <= self._done:  # the next seat's
            self._left = max(1, self._left - 1)
            self._part = self._budget.part(self._left)
        self._done = done
        return done > 1 and (self._enough() or self._part.over())
