"""How long an answer took: work, and apart from it the compiling of kernels."""

from __future__ import annotations

import time

import msgspec

from arena_solver import compiling

__all__ = ["Stopwatch"]


class Stopwatch:
    """Runs from when it is made; what compiles in other processes counts as work."""

    def __init__(self) -> None:
        self._begin_s = time.perf_counter()
        self._compiled_s = compiling.spent_s()

    @property
    def work_s(self) -> float:
        """Seconds without those in which this process compiled."""
        return max(0.0, time.perf_counter() - self._begin_s - self._compiling_s())

    @property
    def compile_s(self) -> float | msgspec.UnsetType:
        """Seconds in which this process compiled; unset if nothing had to be compiled."""
        return self._compiling_s() or msgspec.UNSET

    def _compiling_s(self) -> float:
        return compiling.spent_s() - self._compiled_s
