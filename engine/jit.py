"""How the kernels of every game are compiled."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from arena_solver.kernel_cache import cached_njit

_Function = TypeVar("_Function", bound=Callable[..., object])


def kernel_njit(function: _Function) -> _Function:
    """`@cached_njit` for kernels that only borrow their arrays: none is allocated, returned or kept.

    Numba otherwise counts references of every array at every call between kernels, atomically, and
    transitions run at a quarter of the speed. It refuses to compile an allocation under this option.
    """
    return cached_njit(_nrt=False)(function)


def inlined_njit(function: _Function) -> _Function:
    """`kernel_njit` for kernels that are called from few places, and often: copied into their callers.

    An array takes seven words to hand over, so that a call costs as much as a dozen additions.
    """
    return cached_njit(_nrt=False, forceinline=True)(function)
