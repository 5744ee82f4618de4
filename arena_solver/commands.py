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
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder
from pathlib import Path
from types import ModuleType
from typing import Any, NoReturn

__all__ = [
    "PACKAGES",
    "ROOT",
    "arena",
    "call",
    "clash",
    "clash_solve",
    "ophidian",
    "ophidian_solve",
    "packed",
    "prefer_ours",
    "ragers",
    "ragers_solve",
    "raverun",
    "raverun_solve",
    "warage",
    "warage_solve",
]

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


def _run(module: str, function: str) -> NoReturn:
    prefer_ours()
    main: Callable[[], NoReturn] = getattr(importlib.import_module(module), function)
    main()


def ragers() -> NoReturn:
    """Entry point ``ragers``."""
    _run("cli.ragers.main", "ragers_main")


def ragers_solve() -> NoReturn:
    """Entry point ``ragers-solve``."""
    _run("cli.ragers.main", "solve_main")


def raverun() -> NoReturn:
    """Entry point ``raverun``."""
    _run("cli.raverun.main", "raverun_main")


def raverun_solve() -> NoReturn:
    """Entry point ``raverun-solve``."""
    _run("cli.raverun.main", "solve_main")


def arena() -> NoReturn:
    """Entry point ``arena``."""
    _run("cli.arena.main", "arena_main")


def clash() -> NoReturn:
    """Entry point ``clash``."""
    _run("cli.clash.main", "clash_main")


def clash_solve() -> NoReturn:
    """Entry point ``clash-solve``."""
    _run("cli.clash.main", "solve_main")


def ophidian() -> NoReturn:
    """Entry point ``ophidian``."""
    _run("cli.ophidian.main", "ophidian_main")


def ophidian_solve() -> NoReturn:
    """Entry point ``ophidian-solve``."""
    _run("cli.ophidian.main", "solve_main")


def warage() -> NoReturn:
    """Entry point ``warage``."""
    _run("cli.warage.main", "warage_main")


def warage_solve() -> NoReturn:
    """Entry point ``warage-solve``."""
    _run("cli.warage.main", "solve_main")
