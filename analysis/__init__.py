"""Questions about games and their answers: knows rules and solvers, and shows nothing.

``analysis.ragers``, ``analysis.clash`` and the others have a function for each question; see
docs/python-api.md. A game is imported when it is first named.
"""

from __future__ import annotations

import importlib
from typing import Any

from analysis.registry import FOLDERS
from analysis.version import __version__

__all__ = ["__version__"]


def __getattr__(name: str) -> Any:
    if name in FOLDERS:
        return importlib.import_module(f"{__name__}.{name}")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
