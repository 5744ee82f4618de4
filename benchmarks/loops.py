"""Loops that figures are divided by, so that runs on different machines roughly compare."""

from __future__ import annotations

import time

import numpy as np
from numpy.typing import NDArray

from arena_solver.kernel_cache import cached_njit

TRIAD_ENTRIES = 8 * 2**20
"""Three arrays of so many float64 each: 192 MiB, more than the caches of today's desktop processors."""
WALK_ENTRIES = 2**15
"""A table of 256 KiB, which second-level caches hold."""
WALK_STEPS = 3_000_000


@cached_njit()
def _triad_kernel(a: NDArray[np.float64], b: NDArray[np.float64], c: NDArray[np.float64]) -> None:
    """Set a = b + 3 c; modified in place."""
    for i in range(a.shape[0]):
        a[i] = b[i] + 3.0 * c[i]


@cached_njit()
def _walk_kernel(table: NDArray[np.int64], steps: int) -> int:
    """Return the end of a walk: each step reads where to go next, and branches on a random bit."""
    place, seen, state = np.int64(0), np.int64(0), np.int64(88_172_645_463_325_252)
    for _ in range(steps):
        place = table[place]
        # Xorshift (Marsaglia, 2003).
        state ^= state << np.int64(13)
        state ^= state >> np.int64(7)
        state ^= state << np.int64(17)
        if state & 1:
            seen += place
        else:
            seen ^= state
    return int(seen)


class Triad:
    """Memory bandwidth: a = b + 3 c over arrays that fit no cache."""

    def __init__(self) -> None:
        self._a, self._b, self._c = (np.full(TRIAD_ENTRIES, x) for x in (0.0, 1.0, 2.0))
        _triad_kernel(self._a, self._b, self._c)

    def bytes_a_second(self) -> float:
        """Run the loop once; processor time."""
        begin = time.process_time()
        _triad_kernel(self._a, self._b, self._c)
        return 3 * self._a.nbytes / (time.process_time() - begin)


def steps_a_second() -> float:
    """Run a walk through a table once; processor time.

    It waits for what games wait for, caches and branches. Where neighbours on the same machine take
    these, games take twice the time, and so does the walk; arithmetic alone goes on as before.
    """
    order = np.random.default_rng(0).permutation(WALK_ENTRIES)
    table = np.empty(WALK_ENTRIES, np.int64)
    table[order] = np.roll(order, -1)
    _walk_kernel(table, 1)
    begin = time.process_time()
    _walk_kernel(table, WALK_STEPS)
    return WALK_STEPS / (time.process_time() - begin)
