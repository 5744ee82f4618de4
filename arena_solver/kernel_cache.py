"""`cached_njit`: numba's `njit` with an on-disk cache to be relied on. What is private to numba is here.

What is used of numba beyond its documented interface, here and nowhere else in this package:

- `Dispatcher._cache`, which holds what `enable_caching` would put there: a `FunctionCache`;
- `FunctionCache` and its parts: `_impl_class` says what a compilation is turned into and back, the class's
  `_locator_classes` where it lies, and `_cache_file` has `load`, `save` and `flush`;
- `numba.core.serialize.dumps`, by which numba itself turns compilations into bytes;
- `config.reload_config`, which reads the environment again;
- `Dispatcher.get_call_template`, which is asked how a kernel that calls another one does so.

A numba in which they are gone cannot be used: this module does not load then. Events of the compiler
(`numba.core.event`) are documented.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar, cast

import llvmlite.binding
import numba
from numba.core import caching, event, registry, types
from numba.core.serialize import dumps

from arena_solver import compiling
from arena_solver.folders import folder_of
from arena_solver.kernel_files import KernelFiles, report_damage

__all__ = ["Dispatcher", "cached_njit", "is_kept"]

_Function = TypeVar("_Function", bound=Callable[..., Any])
_VERSIONS = f"numba {numba.__version__}, llvmlite {llvmlite.__version__}"


class _Locator(caching._CacheLocator):
    """Where a kernel lies; whether anything can be written there is found out when something is to be."""

    def __init__(self, function: Any, file: str) -> None:
        self._py_file = file
        self._folder = folder_of(Path(file).resolve())
        self._line = str(function.__code__.co_firstlineno)

    @classmethod
    def from_function(cls, function: Any, file: str) -> _Locator | None:
        return cls(function, file) if Path(file).exists() else None

    def ensure_cache_path(self) -> None:
        pass

    def get_cache_path(self) -> str:
        return str(self._folder)

    def get_source_stamp(self) -> str:
        return self._folder.name

    def get_disambiguator(self) -> str:
        return self._line


class _Compilation(caching.CompileResultCacheImpl):
    _locator_classes: list[Any] = [_Locator]  # noqa: RUF012 - as numba declares it


class _KernelCache(caching.FunctionCache):
    """What numba asks for a kernel before it compiles, and hands it to afterwards."""

    _impl_class = _Compilation

    def __init__(self, function: Any) -> None:
        numbas: Any = super()
        numbas.__init__(function)
        self._cache_file: Any = KernelFiles(Path(self.cache_path), self._name_of_files, _VERSIONS, dumps)

    @property
    def _name_of_files(self) -> str:
        return str(self._impl.filename_base)

    @property
    def is_kept(self) -> bool:
        return bool(self._cache_file.is_kept())

    def load_overload(self, signature: Any, context: Any) -> Any:
        numbas: Any = super()
        try:
            return numbas.load_overload(signature, context)
        except Exception:
            # It holds what was written, so what was written was spoilt already.
            report_damage(Path(self.cache_path) / self._name_of_files)
            return None


class _Listener(event.Listener):
    """Passes on when a compilation begins and ends."""

    def on_start(self, happened: Any) -> None:
        function = happened.data["dispatcher"].py_func
        compiling.began(f"{function.__module__}.{function.__qualname__}")

    def on_end(self, happened: Any) -> None:
        compiling.ended()


_register: Any = event.register
_register("numba:compile", _Listener())
_config: Any = numba.config
_COMMON, _ITS_FEATURES = "x86-64-v3", ("avx2", "bmi", "bmi2", "f16c", "fma", "lzcnt", "movbe")


def target_common_processor() -> None:
    """Compile for a common processor, as the kernels were that may have come with the program.

    Vectors of 256 bits are as fast as wider ones here. Processes that this one starts do so, too. A processor
    that lacks a feature is compiled for as it is, and so is one that somebody has named.
    """
    if _config.CPU_NAME is None:
        binding: Any = llvmlite.binding
        features = binding.get_host_cpu_features()
        if all(features.get(each) for each in _ITS_FEATURES):
            os.environ.update(NUMBA_CPU_NAME=_COMMON, NUMBA_CPU_FEATURES="")
            _config.reload_config()


target_common_processor()
if compiling.is_program() and _config.DISABLE_JIT:
    sys.exit("Error: NUMBA_DISABLE_JIT is set, but nothing can be solved without compiled kernels: unset it.")


def is_kept(compiled: Any) -> bool:
    """Return whether a compilation of what `cached_njit` returned lies on disk, whoever has put it there."""
    cache = getattr(compiled, "_cache", None)
    return isinstance(cache, _KernelCache) and cache.is_kept


class Dispatcher(registry.CPUDispatcher):
    """Compiles a function for kinds of numbers, whatever constants other kernels hand over.

    To numba each constant is a type of its own, so a function that writes down moves was compiled 66 times.
    """

    @staticmethod
    def kind_of(argument: Any) -> Any:
        """Return the type to compile for."""
        kinds: Any = types
        number = isinstance(argument, kinds.IntegerLiteral | kinds.BooleanLiteral)
        return kinds.unliteral(argument) if number else argument

    def get_call_template(self, args: Any, kws: Any) -> Any:
        """What a call from another kernel leads to."""
        numbas: Any = super()
        return numbas.get_call_template(
            tuple(map(self.kind_of, args)), {name: self.kind_of(each) for name, each in kws.items()}
        )


def cached_njit(
    signature: Any = None, *, cache: bool = True, **options: Any
) -> Callable[[_Function], _Function]:
    """Return a decorator that compiles a function, and keeps the result on disk.

    Parameters
    ----------
    signature
        The only argument types it is for: then it is compiled, or loaded, at once. Without one that happens
        when it is called.
    cache
        Whether to keep it.
    options
        What `numba.njit` takes.
    """

    def decorate(function: _Function) -> _Function:
        njit: Any = numba.njit
        compiled = njit(**options)(function)
        if type(compiled) is registry.CPUDispatcher:  # not with NUMBA_DISABLE_JIT
            compiled.__class__ = Dispatcher
        if cache and hasattr(compiled, "enable_caching"):  # not with NUMBA_DISABLE_JIT
            compiled._cache = _KernelCache(function)
        if signature is not None and hasattr(compiled, "disable_compile"):
            compiled.compile(signature)
            compiled.disable_compile()
        return cast(_Function, compiled)

    return decorate
