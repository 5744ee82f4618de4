"""How the kernels of this package are compiled.

The kernels work on eight lanes side by side. That pays only if the compiler turns eight equal operations into
one vector instruction, which numba prevents by default in two ways: it leaves out LLVM's superword
vectoriser, and it does not tell LLVM that arguments never overlap. Both switches exist inside numba, neither
is a public option, so they are set here, in one place, and a numba that lacks them only makes the kernels
slower.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import numba
from numba.core import cpu, options

__all__ = ["kernel"]

_Function = TypeVar("_Function", bound=Callable[..., Any])


def _options() -> dict[str, Any]:
    chosen: dict[str, Any] = {"cache": True, "_nrt": False, "error_model": "numpy", "nogil": True}
    mapping = getattr(options, "_mapping", None)
    if mapping is not None and hasattr(numba.core.compiler.Flags, "noalias"):
        cpu.CPUTargetOptions.noalias = mapping("noalias")
        chosen["noalias"] = True
    numba.config.SLP_VECTORIZE = 1  # type: ignore[attr-defined]
    return chosen


_OPTIONS = _options()


def kernel(function: _Function) -> _Function:
    """Compile a kernel that only borrows its arrays: none is allocated, returned or kept.

    No reference counts, so that a slice of an array costs nothing; IEEE division, so that loops with
    divisions vectorise; no global interpreter lock. Two rules for whoever writes one: a kernel never calls
    itself (self-recursive functions that come from the on-disk cache crash), and no memory it writes through
    one argument is reached through another one.
    """
    compiled: _Function = numba.njit(**_OPTIONS)(function)
    return compiled
