"""Ctrl-C for commands that have something to say when they are stopped."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType


class Interrupt:
    """Ctrl-C as a flag that solvers look at: the first one stops in good order, the second at once."""

    def __init__(self) -> None:
        self.requested = False

    def __call__(self) -> bool:
        """Return whether Ctrl-C was pressed."""
        return self.requested

    def _handle(self, _signal: int, _frame: FrameType | None) -> None:
        if self.requested:
            raise KeyboardInterrupt
        self.requested = True

    @contextmanager
    def installed(self) -> Iterator[Interrupt]:
        """Catch Ctrl-C inside the block."""
        previous = signal.signal(signal.SIGINT, self._handle)
        try:
            yield self
        finally:
            signal.signal(signal.SIGINT, previous)
