"""Loops that figures are divided by, so that runs on different machines roughly compare."""

from __future__ import annotations

import time

import numpy as np
from numpy.typing import NDArray

from arena_solver.kernel_cache import cached_njit

TRIAD_ENTRIES = 8 * 2**20
"""Three arrays of so many float64 each: 192 MiB, more than the caches of today's desktop processors."""
SCALAR_STEPS = 20_000_000


@cached_njit()
def _triad_kernel(a: NDArray[np.float64], b: NDArray[np.float64], c: NDArray[np.float64]) -> None:
    """Set a = b + 3 c; modified in place."""
    for i in range(a.shape[0]):
        a[i] = b[i] + 3.0 * c[i]


@cached_njit()
def _scalar_kernel(steps: int) -> int:
    """Return the end of a chain of multiplications and shifts, each waiting for the one before."""
    state = np.int64(1)
    for _ in range(steps):
        state = (state * np.int64(6364136223846793005)) ^ (state >> np.int64(7))
    return int(state)


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
    """Clock rate: run a chain of integer steps that wait for one another once; processor time."""
    _scalar_kernel(1)
    begin = time.process_time()
    _scalar_kernel(SCALAR_STEPS)
    return SCALAR_STEPS / (time.process_time() - begin)
