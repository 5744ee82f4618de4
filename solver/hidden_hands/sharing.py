"""Jobs for a pool of threads, each of which has a scratch of its own."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor, wait
from queue import SimpleQueue
from typing import TypeVar

from solver.hidden_hands.game import Left, StopFlag

__all__ = ["share_out"]

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
