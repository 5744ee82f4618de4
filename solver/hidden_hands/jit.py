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
from numba.core import cpu, options, types

__all__ = ["Pointer", "kernel"]

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
    one argument is reached through another one. Numba compiles a callee once more for every literal number it
    is called with, variables that merely start as one included; ``int(np.int64(0))`` is a zero that is not.
    """
    compiled: _Function = numba.njit(**_OPTIONS)(function)
    return compiled


class Pointer(types.WrapperAddressProtocol):
    """A compiled kernel as an argument of another one.

    A kernel that calls another directly is compiled with a copy of it inside, and LLVM optimises that copy
    once more. Handed over as a function pointer, a large callee is compiled once, and changes of its caller
    leave it alone. The on-disk cache works for both, which a jitted function as a plain argument would
    prevent.

    Parameters
    ----------
    dispatcher
        A function decorated with ``kernel``.
    arguments
        Examples of its arguments; only their types count.
    """

    def __init__(self, dispatcher: Any, *arguments: object) -> None:
        self._dispatcher = dispatcher
        typeof: Callable[[object], Any] = numba.typeof
        dispatcher.compile(tuple(typeof(argument) for argument in arguments))
        self._signature = dispatcher.nopython_signatures[-1]

    def __wrapper_address__(self) -> int:
        """Address of the machine code."""
        result = self._dispatcher.get_compile_result(self._signature)
        address: int = result.library.get_pointer_to_function(result.fndesc.llvm_cfunc_wrapper_name)
        return address

    def signature(self) -> Any:
        """What the kernel takes and returns."""
        return self._signature
