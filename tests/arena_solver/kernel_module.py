"""A kernel, and one that it calls, for tests of where they are kept; copied into packages of their own."""

from __future__ import annotations

from arena_solver.kernel_cache import cached_njit


@cached_njit()
def inner(number: float) -> float:
    return number + 1.0


@cached_njit()
def outer(number: float) -> float:
    return inner(number) * 2.0
