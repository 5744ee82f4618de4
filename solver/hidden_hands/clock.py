"""Elapsed time and progress of a solve, and work shared out among threads."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor, wait
from queue import SimpleQueue
from typing import TypeVar

from solver.hidden_hands.game import Certificate, Left, Progress, Settings, StopFlag
from solver.hidden_hands.memory import peak_bytes

Report = Callable[[Progress], None]


class Clock:
    """Elapsed time, history and progress reports of a solve."""

    def __init__(self, settings: Settings, progress: Report | None) -> None:
        self.begin = time.perf_counter()
        self.limit = settings.time_limit_s
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


_Scratch = TypeVar("_Scratch")


def share_out(
    pool: ThreadPoolExecutor,
    leave: StopFlag | None,
    scratches: list[_Scratch],
    jobs: Iterable[int],
    task: Callable[[int, _Scratch], None],
    progress: Callable[[float], None] | None = None,
) -> None:
    """Run ``task(job, scratch)`` for the given jobs on the pool; errors and ``Left`` are raised here."""
    idle: SimpleQueue[_Scratch] = SimpleQueue()
    for scratch in scratches:
        idle.put(scratch)

    def one(job: int) -> None:
        scratch = idle.get()
        try:
            task(job, scratch)
        finally:
            idle.put(scratch)

    futures = [pool.submit(one, job) for job in jobs]
    try:
        for done, future in enumerate(futures):
            future.result()
            if leave is not None and leave():
                raise Left
            if progress is not None:
                progress((done + 1) / len(futures))
    except Exception:
        # Nobody goes on writing where others may.
        for future in futures:
            future.cancel()
        wait(futures)
        raise
