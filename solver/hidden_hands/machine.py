"""Arrays on disk, and the elapsed time of a solve."""

from __future__ import annotations

import contextlib
import mmap
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

from arena_solver.folders import take_room
from arena_solver.machine import peak_bytes
from solver.hidden_hands.game import Certificate, DiskRefused, Progress, Settings, StopFlag


def zeros_on_disk(folder: Path, size: int, dtype: DTypeLike) -> NDArray[Any]:
    """Zeros in a file instead of in memory, of which the system keeps as much at hand as there is room for.

    The file has no name, so nothing is left of it once the array, or the process, is gone. Its room is taken
    at once: a full disk is noticed here, and not while numbers are written, which would kill the process.

    Raises ``DiskRefused`` if there is no room, or the folder cannot be written to.
    """
    length = size * np.dtype(dtype).itemsize
    if length == 0:
        return np.zeros(0, dtype)
    try:
        with tempfile.TemporaryFile(dir=folder) as file:
            take_room(file, length)
            # The mapping outlives the file's own handle.
            mapping = mmap.mmap(file.fileno(), length)
    except OSError as error:
        raise DiskRefused(length, str(folder), error.strerror or str(error)) from None
    _fetch_in_large_pages(mapping)
    return np.frombuffer(mapping, dtype)


def _fetch_in_large_pages(mapping: mmap.mmap) -> None:
    """Have the system keep a new file in pages as large as it has, as far as there is room for it.

    What changes is written to the disk now and then, and each page that is interrupts all threads: of small
    ones that takes a quarter of two processors, of large ones next to nothing, though all of each is written.
    """
    if hasattr(mmap, "MADV_HUGEPAGE"):
        # Some systems have no large pages for files, and some none at all.
        with contextlib.suppress(OSError):
            mapping.madvise(mmap.MADV_HUGEPAGE)
    np.frombuffer(mapping, np.uint8)[:: mmap.PAGESIZE].max()


Report = Callable[[Progress], None]
_MOST_OVER, _LEAST_OVER_S = 0.08, 0.5
"""How much longer than its limit, as a part of it, a solve may take before it ends without its last proof."""


class Clock:
    """Elapsed time, history and progress reports of a solve."""

    def __init__(self, settings: Settings, progress: Report | None) -> None:
        self.begin = time.perf_counter()
        self.limit = settings.time_limit_s
        self.taken_up_s = 0.0
        """What had passed of a saved solve, whose limit may be over."""
        self.history: list[tuple[int, float, float]] = []
        self.proved: tuple[int, Certificate] | None = None
        """The latest certificate, and of which iteration."""
        self._progress = progress
        self._iterations = settings.iterations

    def elapsed(self) -> float:
        return time.perf_counter() - self.begin

    def left(self) -> float | None:
        """Time left, if it is limited."""
        return None if self.limit is None else max(self.limit - self.elapsed(), 0.0)

    def leaves(self, leave: StopFlag | None) -> StopFlag:
        """Return whether somebody leaves, or the limit is over: what is not proved by then never is."""
        if self.limit is None:
            return leave or (lambda: False)
        most_s = self.limit + max(self.limit * _MOST_OVER, _LEAST_OVER_S)
        return lambda: self.elapsed() > self.taken_up_s + most_s or (leave is not None and leave())

    def say(
        self,
        phase: str,
        message: str,
        iteration: int = 0,
        fraction: float | None = None,
        bound: float | None = None,
    ) -> None:
        """Report progress; ``bound``: NashConv so far, if not that of the latest check."""
        if self._progress is None:
            return
        if phase == "solve":
            shares = [iteration / self._iterations] if self._iterations else []
            if self.limit:
                shares.append(self.elapsed() / self.limit)
            fraction = min(1.0, max(shares)) if shares else None
        if bound is None and self.history:
            bound = self.history[-1][2]
        self._progress(Progress(phase, fraction, iteration, bound, self.elapsed(), peak_bytes(), message))
