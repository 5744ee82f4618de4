"""Console commands that find our packages, whatever else is called like them; and work for other processes.

The packages of this distribution have everyday names. A folder `engine/` or `cli/` of somebody's project
comes before them where `PYTHONPATH=.` is set. This package has a name of its own, so it is found, and sees to
theirs.
"""

from __future__ import annotations

import importlib
import pickle
import sys
from collections.abc import Callable, Sequence
from functools import partial
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder
from pathlib import Path
from types import ModuleType
from typing import Any, NoReturn

__all__ = ["PACKAGES", "PROGRAMS", "ROOT", "call", "packed", "prefer_ours"]

PROGRAMS = (
    *("arena", "clash", "ophidian", "ragers", "raverun", "warage"),
    *("clash_solve", "ophidian_solve", "ragers_solve", "raverun_solve", "warage_solve"),
)
"""The entry points of this distribution, as Python names."""
ROOT = Path(__file__).resolve().parents[1]
PACKAGES = ("analysis", "app", "cli", "engine", "results", "solver")


class _OurPackages(MetaPathFinder):
    """Finds `PACKAGES`, and nothing else, beside this package."""

    @classmethod
    def find_spec(
        cls, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        return PathFinder.find_spec(fullname, [str(ROOT)]) if fullname in PACKAGES else None


def prefer_ours() -> None:
    """From now on import our packages before others of the same names.

    Raises
    ------
    SystemExit
        If another one has been imported already.
    """
    if _OurPackages not in sys.meta_path:
        sys.meta_path.insert(0, _OurPackages)
    for name in PACKAGES:
        where = list(getattr(sys.modules.get(name), "__path__", [ROOT / name]))
        if Path(where[0]).resolve() != ROOT / name:
            sys.exit(f"Error: {where[0]} stands in the way: arena-solver has a package {name!r}, too.")


def packed(function: Callable[..., Any], *arguments: Any) -> bytes:
    """Return a call of one of our functions for `call`, which another process may be given."""
    return pickle.dumps((function, arguments))


def call(work: bytes) -> Any:
    """Do what was `packed`, and return what comes of it; our packages are first looked for here."""
    prefer_ours()
    function, arguments = pickle.loads(work)
    return function(*arguments)


def _run(name: str) -> NoReturn:
    prefer_ours()
    # By name, as the packages above this one are found by it, and not the other way round.
    importlib.import_module("cli.programs").run_program(name)
    raise AssertionError("a program ends its process")


def __getattr__(name: str) -> Callable[[], NoReturn]:
    """Return an entry point: ``clash_solve`` runs the program ``clash-solve``."""
    if name in PROGRAMS:
        return partial(_run, name.replace("_", "-"))
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
