"""Progress of long work, as those who do it tell it to whoever wants to know."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Protocol

from analysis.amounts import bound, clock, size

if TYPE_CHECKING:
    from solver.hidden_hands import Progress

_OFTEN_S = 0.2
"""Seconds between two reports that `Passing` passes on."""


class Reporter(Protocol):
    """Takes what long work has to say.

    Attributes
    ----------
    quiet : whether only what people need is wanted, and no progress.
    total : number of solves of the run.
    """

    quiet: bool
    total: int

    def begin(self, title: str, number: int, time_limit_s: float | None) -> None:
        """Solve `number` (from 1) begins; `time_limit_s` is granted to it."""

    def reading(self, title: str, number: int) -> None:
        """Something short and stored is read: `number` (from 1) of the run."""

    def __call__(self, progress: Progress) -> None:
        """The solve that began last has come this far."""

    def measured(self, width: float) -> None:
        """What is measured is known by now to within this much: half of its interval."""

    def note(self, text: str) -> None:
        """A line for those who want progress."""

    def say(self, text: str) -> None:
        """A line that people need in any case."""

    def foretell(self, text: str, seconds: float) -> None:
        """What all that begins now will take, in words and, until it is of use, in seconds."""


class Silent:
    """Drops what it is told; the default for programs."""

    quiet = True
    total = 1

    def begin(self, title: str, number: int, time_limit_s: float | None) -> None:
        """Drop it."""

    def reading(self, title: str, number: int) -> None:
        """Drop it."""

    def __call__(self, progress: Progress) -> None:
        """Drop it."""

    def measured(self, width: float) -> None:
        """Drop it."""

    def note(self, text: str) -> None:
        """Drop it."""

    def say(self, text: str) -> None:
        """Drop it."""

    def foretell(self, text: str, seconds: float) -> None:
        """Drop it."""


def describe(progress: Progress, time_limit_s: float | None, now_gp: float | None = None) -> str:
    """Return `progress` in words: iteration, NashConv so far and by now (about), time left, memory."""
    parts = []
    if progress.phase == "solve":
        parts.append(f"iteration {progress.iteration}")
    else:
        parts.append({"compile": "kernels", "build": "building", "certify": "certifying"}[progress.phase])
    if progress.message:
        parts.append(progress.message)
    if progress.nash_conv is not None:
        now = "" if now_gp is None else f" (now about {now_gp:.2g})"
        parts.append(f"NashConv {bound(progress.nash_conv)}{now}")
    if progress.phase == "solve" and time_limit_s is not None:
        parts.append(f"{clock(max(0.0, time_limit_s - progress.elapsed_s))} left")
    elif progress.phase == "solve" and progress.fraction:
        parts.append(f"{clock(progress.elapsed_s * (1 / progress.fraction - 1))} left")
    else:
        parts.append(clock(progress.elapsed_s))
    if progress.memory_bytes:
        parts.append(size(progress.memory_bytes))
    return ", ".join(parts)


class Passing:
    """Passes on what single solves tell, as words and numbers: what they take, how far they are, NashConv.

    Parameters
    ----------
    say : called with ``said`` for a line, and with ``takes_s`` where that foretells; with ``begins`` where a
        solve begins; with ``phase``, ``told``, ``done`` and ``total`` as it goes on; with ``point``, seconds
        and NashConv, or seconds and half of an interval, where that was checked.
    """

    quiet = False
    total = 1

    def __init__(self, say: Callable[..., None]) -> None:
        self._say = say
        self._title = ""
        self._limit: float | None = None
        self._gap: float | None = None
        self._said = 0.0
        self._begun = time.monotonic()

    def begin(self, title: str, number: int, time_limit_s: float | None) -> None:
        """Solve `number` begins."""
        self._title = f"{title} ({number} of {self.total})" if self.total > 1 else title
        self._limit, self._gap = time_limit_s, None
        self._say(begins=True, phase=self._title, done=0, total=0)

    def reading(self, title: str, number: int) -> None:
        """Something stored is read."""
        self._say(phase=title, done=number - 1, total=self.total)

    def __call__(self, progress: Progress) -> None:
        """Pass on how far the solve is, and each new check."""
        now = time.monotonic()
        checked = progress.nash_conv is not None and progress.nash_conv != self._gap
        if not checked and now - self._said < _OFTEN_S:
            return
        self._said, self._gap = now, progress.nash_conv
        share = 0 if progress.fraction is None else max(1, round(1000 * progress.fraction))
        told = describe(progress, self._limit)
        point: dict[str, Any] = {"point": (progress.elapsed_s, progress.nash_conv)} if checked else {}
        self._say(phase=self._title, told=told, done=share, total=1000 * bool(share), **point)

    def measured(self, width: float) -> None:
        """Pass it on."""
        self._say(point=(time.monotonic() - self._begun, width))

    def note(self, text: str) -> None:
        """Pass on what people should know."""
        self._say(said=" ".join(text.split()))

    say = note

    def foretell(self, text: str, seconds: float) -> None:
        """Pass on what it takes: whoever asked may want less."""
        self._say(said=" ".join(text.split()), takes_s=seconds)
