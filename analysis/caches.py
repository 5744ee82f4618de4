"""Folders for what can be had again: live solves, and compiled kernels."""

from __future__ import annotations

import contextlib
import hashlib
import os
import shutil
import sys
import time
from pathlib import Path

__all__ = ["CACHE_VARIABLE", "cache_root", "keep_kernels_apart"]

CACHE_VARIABLE = "ARENA_SOLVER_CACHE"
KERNELS_VARIABLE = "NUMBA_CACHE_DIR"
_ROOT = Path(__file__).resolve().parents[1]
_KEPT_S = 30 * 24 * 3600.0


def cache_root() -> Path:
    """Return the folder that `CACHE_VARIABLE` names, or the platform's cache folder of this program."""
    chosen = os.environ.get(CACHE_VARIABLE)
    if chosen:
        return Path(chosen)
    from platformdirs import user_cache_path

    return user_cache_path("arena-solver", appauthor=False)


def keep_kernels_apart() -> None:
    """Give compiled kernels a folder for this very state of the sources; to be called before numba is there.

    On its own numba looks at a kernel's file only. After an update its callers in files that have not changed
    would go on with what it used to be, without a word. Folders that nobody has used for a month are removed.

    Does nothing where `KERNELS_VARIABLE` names a folder, or none can be made: numba then finds a place.
    """
    if os.environ.get(KERNELS_VARIABLE):
        return
    folder = cache_root() / "kernels" / _state_of_sources()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        os.utime(folder)
    except OSError:
        return
    os.environ[KERNELS_VARIABLE] = str(folder)
    for other in folder.parent.iterdir():
        # Another process may be at the same.
        with contextlib.suppress(OSError):
            if time.time() - other.stat().st_mtime > _KEPT_S:
                shutil.rmtree(other)


def _state_of_sources(root: Path = _ROOT) -> str:
    """A hash of Python's version and of path, size and time of every file that a kernel may come from."""
    digest = hashlib.sha256(sys.version.encode())
    for package in ("engine", "solver"):
        for path in sorted((root / package).rglob("*.py")):
            status = path.stat()
            digest.update(f"{path} {status.st_size} {status.st_mtime_ns};".encode())
    return digest.hexdigest()[:16]
