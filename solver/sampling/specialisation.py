"""Kernels compiled once per game, with the game's functions in them, and kept on disk.

Called through pointers, a game's functions cost more than the whole walk around them. So a kernel's text
names stand-ins (`solver.sampling.game.observe` and so on), and `specialised` compiles a copy of the text in
which the names mean one game's functions. Policies do go in through pointers, as `numba.types.FunctionType`
arguments: there are many of them, and they are called more rarely.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from pathlib import Path
from types import FunctionType
from typing import Any, TypeVar

from arena_solver.folders import state_of
from arena_solver.kernel_cache import cached_njit
from solver.sampling.game import SamplingGame

_KERNEL_OPTIONS: dict[str, Any] = {"cache": True, "_nrt": False, "error_model": "numpy", "nogil": True}

_Function = TypeVar("_Function", bound=Callable[..., Any])


def sampling_kernel(function: _Function) -> _Function:
    """Compile a kernel that only borrows its arrays: none is allocated, returned or kept.

    Without reference counts a row of an array costs nothing. Such kernels never call themselves: functions
    that do crash when they come from the on-disk cache.
    """
    return cached_njit(**_KERNEL_OPTIONS)(function)


_GAME_FUNCTIONS = (
    *("observe", "apply", "chance_weights", "payoffs", "determinise", "features", "is_open"),
    *("renaming", "renamed", "renamed_move", "record"),
)
_specialised: dict[tuple[Any, ...], Any] = {}


def specialised(
    game: SamplingGame, kernel: Callable[..., Any], signature: Any, helpers: Sequence[Callable[..., Any]] = ()
) -> Any:
    """Return a kernel compiled for one game, from the disk if any process has compiled it before.

    numba keeps a compiled function on disk under its file, name and argument types; which functions its
    global names stood for does not count. So each game's copy of a kernel gets a name of its own: it tells
    the game's functions and the state of the files they and the kernel come from, so an edited game is
    compiled anew. A game whose functions are made inside other functions works, but is compiled in every
    process.

    Parameters
    ----------
    game : SamplingGame
    kernel : function
        Plain Python, at module level; calls `observe` and the others of this module by these names.
    signature : numba signature
        The only one the kernel is compiled for.
    helpers : sequence of functions
        Functions called by the kernel that call the game's functions as well, callees first, of any module.
    """
    functions = tuple(getattr(game, name, None) for name in _GAME_FUNCTIONS)
    memo = (kernel, *map(id, functions))
    known: Any = _specialised.get(memo)
    if known is None:
        bound = {
            name: function for name, function in zip(_GAME_FUNCTIONS, functions, strict=True) if function
        }
        game_name, keep = _game_name(tuple(bound.values()), kernel)
        for template in (*helpers, kernel):
            namespace = dict(template.__globals__)
            namespace.update({name: value for name, value in bound.items() if name in namespace})
            copy = FunctionType(template.__code__, namespace, template.__name__, template.__defaults__)
            copy.__module__ = template.__module__
            copy.__qualname__ = f"{template.__qualname__}_{game_name}"
            known = cached_njit(**{**_KERNEL_OPTIONS, "cache": keep})(copy)
            bound[template.__name__] = known
        known.compile(signature)
        known.disable_compile()
        # The functions are kept with it, so that their ids stay theirs.
        _specialised[memo] = known
        _kept_alive.append(functions)
    return known


_kept_alive: list[tuple[Any, ...]] = []


def _game_name(functions: tuple[Any, ...], kernel: Callable[..., Any]) -> tuple[str, bool]:
    """Return what to call a game's copies of kernels, and whether that name is good enough for the disk."""
    sources = [getattr(function, "py_func", function) for function in functions]
    # Functions made inside functions share a name and may differ in what they close over.
    keep = all("<" not in source.__qualname__ and source.__closure__ is None for source in sources)
    digest = hashlib.sha256()
    for source in sources:
        digest.update(f"{source.__module__}.{source.__qualname__};".encode())
        digest.update(source.__code__.co_code)
    for file in sorted({Path(source.__code__.co_filename) for source in (*sources, kernel)}):
        digest.update(f"{state_of(file)};".encode())
    return digest.hexdigest()[:16], keep
