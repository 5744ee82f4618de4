"""Threads with a work space each, for all that is done with a problem: learning, proving, measuring."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor, wait
from functools import cached_property
from queue import SimpleQueue
from typing import TypeVar

import numpy as np

from solver.hidden_hands.final.response_memory import ResponseScratch, response_scratch
from solver.hidden_hands.game import Left, StopFlag
from solver.hidden_hands.jit import I64
from solver.hidden_hands.walk_memory import Problem, WalkScratch, walk_scratch

_Scratch = TypeVar("_Scratch")
_PIECES = 4
"""Into so many pieces for each thread work is shared out."""


class Workers:
    """A pool of threads, and a work space for each.

    Parameters
    ----------
    problem
    depth : int
        Most decisions on a path.
    threads : int
    lazy : bool
        Whether there are lazy updates to make.

    Attributes
    ----------
    leave : callable or None
        Polled after every job; once it is true, ``Left`` is raised, and nothing goes on.
    """

    def __init__(self, problem: Problem, depth: int, threads: int, lazy: bool = False) -> None:
        self.problem, self.depth, self.threads = problem, depth, threads
        self.walks = [walk_scratch(problem, depth, lazy) for _ in range(threads)]
        self.leave: StopFlag | None = None
        self._pool = ThreadPoolExecutor(threads)

    @cached_property
    def responses(self) -> list[ResponseScratch]:
        """Work spaces of best responses, one for each thread."""
        return [response_scratch(self.problem, self.depth) for _ in range(self.threads)]

    def share_out(
        self,
        scratches: list[_Scratch],
        jobs: Iterable[int],
        task: Callable[[int, _Scratch], None],
        progress: Callable[[float], None] | None = None,
    ) -> None:
        """Run ``task(job, scratch)`` for the given jobs; errors and ``Left`` are raised here."""
        idle: SimpleQueue[_Scratch] = SimpleQueue()
        for scratch in scratches:
            idle.put(scratch)

        def one(job: int) -> None:
            scratch = idle.get()
            try:
                task(job, scratch)
            finally:
                idle.put(scratch)

        futures = [self._pool.submit(one, job) for job in jobs]
        try:
            for done, future in enumerate(futures):
                future.result()
                if self.leave is not None and self.leave():
                    raise Left
                if progress is not None:
                    progress((done + 1) / len(futures))
        except Exception:
            # Nobody goes on writing where others may.
            for future in futures:
                future.cancel()
            wait(futures)
            raise

    def split(
        self,
        first: int,
        last: int,
        least: int,
        task: Callable[[int, int, WalkScratch], None],
        pieces: int = _PIECES,
        load: I64 | None = None,
    ) -> None:
        """Run ``task`` on all of ``first`` to ``last``, in pieces of ``least`` and more for all threads.

        ``load`` ``[n + 1]``: how much there is to do before each of them; without it all are alike.
        """
        pieces = max(1, min(pieces * self.threads, (last - first) // least))
        if load is None:
            bounds = np.linspace(first, last, pieces + 1).astype(np.int64)
        else:
            even = np.linspace(load[first], load[last], pieces + 1)[1:-1]
            inner = first + np.searchsorted(load[first : last + 1], even)
            bounds = np.concatenate([[first], inner, [last]])
        todo = [(int(a), int(b)) for a, b in itertools.pairwise(bounds) if a < b]
        self.share_out(self.walks, range(len(todo)), lambda job, scratch: task(*todo[job], scratch))

    def close(self) -> None:
        """Give the threads back."""
        self._pool.shutdown(wait=True, cancel_futures=True)
