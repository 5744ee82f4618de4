"""Ctrl-C, and SIGTERM, for commands that have something to say when they are stopped."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType


class Interrupt:
    """Ctrl-C as a flag that solvers look at: the first one stops in good order, the second at once.

    So does SIGTERM, which batch systems send before they kill.
    """

    def __init__(self) -> None:
        self.requested = False

    def __call__(self) -> bool:
        """Return whether the process was asked to stop."""
        return self.requested

    def _handle(self, _signal: int, _frame: FrameType | None) -> None:
        if self.requested:
            raise KeyboardInterrupt
        self.requested = True

    @contextmanager
    def installed(self) -> Iterator[Interrupt]:
        """Catch both inside the block."""
        signals = (signal.SIGINT, signal.SIGTERM)
        previous = [signal.signal(each, self._handle) for each in signals]
        try:
            yield self
        finally:
            for each, handler in zip(signals, previous, strict=True):
                signal.signal(each, handler)
