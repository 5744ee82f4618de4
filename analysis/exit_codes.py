"""What commands and studies end with, in numbers: the same for all games."""

from __future__ import annotations

from collections.abc import Collection

from arena_solver.compiling import EXIT_INTERRUPTED

__all__ = [
    "EXIT_FAILURE",
    "EXIT_INTERRUPTED",
    "EXIT_MEMORY",
    "EXIT_TARGET_NOT_REACHED",
    "EXIT_USAGE",
    "worst",
]

EXIT_FAILURE = 1
EXIT_USAGE = 2
EXIT_TARGET_NOT_REACHED = 3
EXIT_MEMORY = 4

#: What a run that met several of them exits with: the first one here.
_SEVERITY = (EXIT_INTERRUPTED, EXIT_FAILURE, EXIT_MEMORY, EXIT_TARGET_NOT_REACHED, 0)


def worst(codes: Collection[int]) -> int:
    """Return the most serious of some exit codes."""
    return next(code for code in _SEVERITY if code in codes)
