"""How the kernels of this package are compiled.

The kernels work on eight lanes side by side. That pays only if the compiler turns eight equal operations into
one vector instruction, which numba prevents by default in two ways: it leaves out LLVM's superword
vectoriser, and it does not tell LLVM that arguments never overlap. Both switches exist inside numba, neither
is a public option, so they are set here, in one place, and a numba that lacks them only makes the kernels
slower.

Also short names for the array types that kernels take, and *halves*: numbers kept as the upper half of a
single-precision float (bfloat16). Eight bits of mantissa are enough for regrets, but a plain cast would
swallow every increment below a 256th of what is stored. So the lower half is rounded up with a probability
equal to what is cut off (*dithered*), by a hash of place and time: sums stay unbiased, and the same seedless
run gives the same bits on every machine and any number of threads.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias, TypeVar, cast

import numba
import numpy as np
from numba.core import cpu, options, types
from numpy.typing import NDArray

from arena_solver.kernel_cache import Dispatcher, cached_njit, is_kept

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
_kernels: list[Any] = []


class _Kernel(Dispatcher):
    """A kernel that others call with whole numbers of any kind, and that is compiled once."""

    @staticmethod
    def kind_of(argument: Any) -> Any:
        """The type to compile for: one for all whole numbers, those known beforehand included."""
        kinds: Any = types
        plain = kinds.unliteral(argument)
        return kinds.int64 if isinstance(plain, kinds.Integer) and plain.signed else plain


class _Inner(_Kernel):
    """A kernel that has no way in from Python."""

    def add_overload(self, compiled: Any) -> None:
        """Keep it for other kernels, and out of the table that calls from Python look into."""
        self.overloads[tuple(compiled.signature.args)] = compiled

    def _compile_for_args(self, *_: object, **__: object) -> None:
        name = self.py_func.__qualname__
        raise TypeError(f"{name} is for kernels only; what Python calls is declared with `entry`")


def _compiled(function: _Function, dispatcher_type: type[_Kernel], **chosen: bool) -> _Function:
    """``function``, to be compiled when it is first called, but for some wrappers."""
    dispatcher: Any = cached_njit(**_OPTIONS, **chosen)(function)
    if isinstance(dispatcher, Dispatcher):
        dispatcher.__class__ = dispatcher_type
        _kernels.append(dispatcher)
    return cast(_Function, dispatcher)


def kernel(function: _Function) -> _Function:
    """Compile a kernel that only borrows its arrays: none is allocated or kept, or returned to Python.

    No reference counts, so that a slice of an array costs nothing; IEEE division, so that loops with
    divisions vectorise; no global interpreter lock. Two rules for whoever writes one: a kernel never calls
    itself (self-recursive functions that come from the on-disk cache crash), and no memory it writes through
    one argument is reached through another one.

    Only other kernels can call it: what takes some hundred arrays out of named tuples of Python takes longer
    to compile than many a kernel does. See ``entry``.
    """
    return _compiled(function, _Inner, no_cpython_wrapper=True, no_cfunc_wrapper=True)


def inlined(function: _Function) -> _Function:
    """Compile a kernel that LLVM copies into those that call it, however large it is: for one caller only.

    Where it does not, a call hands over every word of every array of every named tuple, some five hundred.
    """
    return _compiled(function, _Inner, no_cpython_wrapper=True, no_cfunc_wrapper=True, forceinline=True)


def entry(function: _Function) -> _Function:
    """Compile a kernel that Python may call, too."""
    return _compiled(function, _Kernel, no_cfunc_wrapper=True)


def pointed(function: _Function) -> _Function:
    """Compile a kernel that others reach by a ``Pointer``."""
    return _compiled(function, _Inner, no_cpython_wrapper=True, forceinline=True)


def was_compiled(function: Callable[..., Any]) -> bool:
    """Whether this process had to compile a kernel that it has called: it was not in the on-disk cache."""
    stats = getattr(function, "stats", None)
    return stats is not None and sum(stats.cache_misses.values()) > 0


def ready() -> tuple[int, int]:
    """How many kernels are compiled, in this process or in the on-disk cache, and how many there are."""
    return sum(bool(each.overloads) or is_kept(each) for each in _kernels), len(_kernels)


class Pointer(types.WrapperAddressProtocol):
    """A compiled kernel as an argument of another one.

    A kernel that calls another directly is compiled with a copy of it inside, and LLVM optimises that copy
    once more. Handed over as a function pointer, a large callee is compiled once, and changes of its caller
    leave it alone. The on-disk cache works for both, which a jitted function as a plain argument would
    prevent.

    Parameters
    ----------
    dispatcher
        A function decorated with ``pointed``.
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


F32: TypeAlias = NDArray[np.float32]
F64: TypeAlias = NDArray[np.float64]
I8: TypeAlias = NDArray[np.int8]
I16: TypeAlias = NDArray[np.int16]
I32: TypeAlias = NDArray[np.int32]
I64: TypeAlias = NDArray[np.int64]
U32: TypeAlias = NDArray[np.uint32]
Flags: TypeAlias = NDArray[np.bool_]

ZERO, ONE = np.float32(0.0), np.float32(1.0)
"""In the precision of the kernels: plain literals are twice as wide."""


Halves: TypeAlias = NDArray[np.uint16]

_HALF = np.uint32(16)
_ODD = np.uint32(0x9E3779B1)
_MIX = np.uint32(0x85EBCA6B)
_FOLD = np.uint32(15)


@entry
def whole(stored: np.uint16) -> np.float32:
    """The number that is stored."""
    number: np.float32 = np.uint32(np.uint32(stored) << _HALF).view(np.float32)
    return number


@entry
def halved(number: np.float32, place: int, salt: int) -> np.uint16:
    """The number to store: one of the two neighbours, the nearer one more often.

    ``place``, ``salt``: where and when: different numbers, different rounding.
    """
    # numba widens every integer operation to 64 bits; the casts keep the numbers, and the vectors, narrow.
    dither = np.uint32(np.uint32(place) + np.uint32(np.uint32(salt) * _MIX))
    dither = np.uint32(dither * _ODD)
    dither = np.uint32(dither ^ np.uint32(dither >> _FOLD))
    dither = np.uint32(dither * _MIX)
    bits = np.uint32(np.float32(number).view(np.uint32) + np.uint32(dither >> _HALF))
    return np.uint16(bits >> _HALF)


def decode(stored: Halves) -> F32:
    """All numbers of an array."""
    numbers: F32 = (stored.astype(np.uint32) << 16).view(np.float32)
    return numbers


def encode(numbers: F32) -> Halves:
    """Nearest stored numbers of an array."""
    stored: Halves = ((numbers.astype(np.float32).view(np.uint32) + np.uint32(0x8000)) >> 16).astype(
        np.uint16
    )
    return stored
