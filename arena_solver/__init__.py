"""The ground that all other packages stand on: kept kernels, signals while they compile, console commands.

Nothing here knows a game or a solver, and importing this package is free. For notebooks and programs it is
the one public name: ``from arena_solver import clash`` gives the questions about a game as functions; what
they stand on is imported then.
"""

from __future__ import annotations

from typing import Any


def __getattr__(name: str) -> Any:
    if name.startswith("_"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    import importlib

    from arena_solver.commands import prefer_ours

    prefer_ours()
    try:
        # By name, as the packages above this one are found by it, and not the other way round.
        return importlib.import_module("analysis.front.functions").functions_of(name)
    except KeyError:
        raise AttributeError(
            f"module {__name__!r} has no attribute {name!r}, and no game is called so"
        ) from None
