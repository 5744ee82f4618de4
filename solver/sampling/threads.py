"""Parts of a job on several threads, in their order: kernels let go of the interpreter while they run."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TypeVar

_Part = TypeVar("_Part")
_Result = TypeVar("_Result")


def in_threads(
    work: Callable[[_Part], _Result],
    parts: Iterable[_Part],
    threads: int,
    stop: Callable[[], bool] | None = None,
) -> Iterator[_Result]:
    """Yield the result of each part, in order.

    Parameters
    ----------
    work : callable
        Called with each part, in any thread.
    parts : iterable
    threads : int
        1 works in this one.
    stop : callable, optional
        Asked after each result; True ends it there, at least one is yielded.
    """
    if threads <= 1:
        for part in parts:
            yield work(part)
            if stop is not None and stop():
                return
        return
    with ThreadPoolExecutor(threads) as pool:
        waiting: deque[Future[_Result]] = deque()
        try:
            for part in parts:
                waiting.append(pool.submit(work, part))
                if len(waiting) >= 2 * threads:
                    yield waiting.popleft().result()
                    if stop is not None and stop():
                        return
            while waiting:
                yield waiting.popleft().result()
                if stop is not None and stop():
                    return
        finally:
            for future in waiting:
                future.cancel()
