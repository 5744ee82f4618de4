"""Ctrl-C and what else asks to stop, for commands that have something to say when they are stopped."""

from __future__ import annotations

import math
import os
import signal
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from types import FrameType

from arena_solver.machine import HANGUP, STOP_SIGNALS

STOPPING = "Stopping: proving what there is; again to leave with what is known."
_TERMINATED_S = 1.5
"""From SIGTERM on, until what there is is left as it is; `arena_solver.compiling` ends the process later."""
LEAVING = "Leaving with what is known; again to leave without."
STOPPING_ALL = "Stopping: proving what is under way; again to leave with what is finished."


_above: ContextVar[Callable[[], bool] | None] = ContextVar("above", default=None)
"""What says in a worker whether to stop, in place of signals."""


@contextmanager
def heeding(stop: Callable[[], bool] | None) -> Iterator[None]:
    """Let work inside be stopped by `stop` alone, if at all: a worker's parent hears the signals."""
    before = _above.set(stop or (lambda: False))
    try:
        yield
    finally:
        _above.reset(before)


class Interrupt:
    """Ctrl-C as a flag that solvers look at, said on stderr at once: the first one stops in good order.

    So does all else in `STOP_SIGNALS`: what batch systems send before they kill, and what is sent when a
    terminal or a connection is gone; then there may be nobody to talk to any more, and the work is finished
    all the same. What is ignored, as under nohup, goes on to be. Who sends SIGTERM kills soon after: that one
    is two for whoever asks `leaves`.

    Parameters
    ----------
    stopping : what the first one does, in words.
    leaving : what the second one does, if that is polled, too (`leaves`); the third one leaves at once then.
        None: the second one does.

    Attributes
    ----------
    requested, insisted : whether there was one; whether there were two.
    then : called after the first one, for who cannot look at flags.
    """

    def __init__(
        self, stopping: str = "Stopping; again to leave at once.", leaving: str | None = None
    ) -> None:
        self.requested = False
        self.insisted = False
        self.then: Callable[[], object] | None = None
        self._leaves_at = math.inf
        self._stopping = stopping
        self._leaving = leaving

    def __call__(self) -> bool:
        """Return whether the process was asked to stop."""
        above = _above.get()
        if above is not None and above():
            self.requested = True
        return self.requested

    def leaves(self) -> bool:
        """Return whether it was asked twice, or by who does not wait for long."""
        return self.insisted or time.monotonic() > self._leaves_at

    def _handle(self, number: int, _frame: FrameType | None) -> None:
        if number in HANGUP:
            _forget_the_terminal()
        if number == signal.SIGTERM:
            self._leaves_at = min(self._leaves_at, time.monotonic() + _TERMINATED_S)
        if not self.requested:
            self.requested = True
            _say(self._stopping)
            if self.then is not None:
                self.then()
        elif self._leaving is not None and not self.insisted:
            self.insisted = True
            _say(self._leaving)
        else:
            raise KeyboardInterrupt

    @contextmanager
    def installed(self) -> Iterator[Interrupt]:
        """Catch them inside the block."""
        if _above.get() is not None:
            yield self
            return
        signals = [
            each for each in STOP_SIGNALS if each not in HANGUP or signal.getsignal(each) != signal.SIG_IGN
        ]
        previous = [signal.signal(each, self._handle) for each in signals]
        try:
            yield self
        finally:
            for each, handler in zip(signals, previous, strict=True):
                signal.signal(each, handler)


def _say(text: str) -> None:
    """Print a line on stderr from a signal handler: whatever else is being printed there may be half done."""
    with suppress(OSError, ValueError, AttributeError):
        descriptor = sys.stderr.fileno()
        # On a terminal the line of the progress bar gives way; it is drawn again beneath.
        before = "\r\x1b[K" if os.isatty(descriptor) else ""
        os.write(descriptor, f"{before}{text}\n".encode())


def _forget_the_terminal() -> None:
    """Let what goes to a terminal that is gone go nowhere: an error there must not end the work."""
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError, AttributeError):
            descriptor = stream.fileno()
            try:
                os.write(descriptor, b"")
            except OSError:
                nowhere = os.open(os.devnull, os.O_WRONLY)
                os.dup2(nowhere, descriptor)
                os.close(nowhere)
