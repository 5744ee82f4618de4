"""How the kernels of every game are compiled."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from numba import njit

_Function = TypeVar("_Function", bound=Callable[..., object])


def kernel_njit(function: _Function) -> _Function:
    """`@njit(cache=True)` for kernels that only borrow their arrays: none is allocated, returned or kept.

    Numba otherwise counts references of every array at every call between kernels, atomically, and
    transitions run at a quarter of the speed. It refuses to compile an allocation under this option.
    """
    options: dict[str, Any] = {"cache": True, "_nrt": False}
    compiled: _Function = njit(**options)(function)
    return compiled
