"""Where compiled kernels lie: a folder for each state of their sources. Does not import numba."""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
import shutil
import stat
import sys
import tempfile
import time
from functools import lru_cache
from pathlib import Path

__all__ = [
    "CACHE_VARIABLE",
    "KERNELS_VARIABLE",
    "cache_root",
    "folder_of",
    "folder_to_write",
    "kernels_root",
    "say",
    "state_of",
    "tidy",
]

CACHE_VARIABLE = "ARENA_SOLVER_CACHE"
KERNELS_VARIABLE = "NUMBA_CACHE_DIR"
SPARE_VARIABLE = "ARENA_SOLVER_SPARE_KERNELS"
"""Set for processes that this one starts: where they may write, and that it has been said."""
KEPT_S = 30 * 24 * 3600.0
_OURS = re.compile(r"(\w+-)?[0-9a-f]{16}")
"""What folders of kernels are called, those of earlier versions of this program included."""


def cache_root() -> Path:
    """Return the folder that `CACHE_VARIABLE` names, or the platform's cache folder of this program."""
    chosen = os.environ.get(CACHE_VARIABLE)
    if chosen:
        return Path(chosen)
    from platformdirs import user_cache_path

    return user_cache_path("arena-solver", appauthor=False)


def kernels_root() -> Path:
    """Return the folder for all kernels: what `KERNELS_VARIABLE` names, or a part of `cache_root`."""
    chosen = os.environ.get(KERNELS_VARIABLE)
    return Path(chosen) if chosen else cache_root() / "kernels"


def folder_of(source: Path) -> Path:
    """Return the folder for kernels of the file `source`; it need not exist.

    On its own numba looks at a kernel's file only. After an update its callers in files that have not changed
    would go on with what it used to be, without a word. So there is a folder for each state of a package:
    other packages, and what is not in files, cannot change a kernel.
    """
    top = _package(source.parent)
    return kernels_root() / f"{top.name}-{state_of(source)}"


def state_of(source: Path) -> str:
    """Return a hash of Python's version and of all text that a kernel in the file `source` may come from.

    That is the whole package, or, where there is none, the files of the folder. Contents count, not times: a
    package that is installed again, or copied, is the same one.
    """
    return _state_of_package(_package(source.parent))


def room_of(source: Path) -> str:
    """Return where in its package a file is, in words that may be part of a file's name."""
    return ".".join(source.parent.relative_to(_package(source.parent)).parts)


def _package(folder: Path) -> Path:
    """The outermost package that holds `folder`, or `folder` itself."""
    while (folder / "__init__.py").exists() and (folder.parent / "__init__.py").exists():
        folder = folder.parent
    return folder


@lru_cache
def _state_of_package(top: Path) -> str:
    digest = hashlib.sha256(sys.version.encode())
    is_package = (top / "__init__.py").exists()
    for path in sorted(top.rglob("*.py") if is_package else top.glob("*.py")):
        text = path.read_bytes()
        digest.update(f";{path.relative_to(top).as_posix()} {len(text)};".encode())
        digest.update(text)
    return digest.hexdigest()[:16]


@lru_cache
def folder_to_write(folder: Path) -> Path | None:
    """Return `folder` if files can be made there, else one of that name among temporary files, or None.

    Which it is instead is said on stderr, once. Folders beside it that nobody has used for a month are
    removed.
    """
    reason = _why_not_writable(folder)
    if reason is None:
        tidy(folder.parent)
        return folder
    spare = os.environ.get(SPARE_VARIABLE)
    if spare is None:
        spare = str(_spare() or "")
        os.environ[SPARE_VARIABLE] = spare
        instead = f"they go to {spare}" if spare else "each process compiles for itself"
        say(f"Compiled kernels cannot be kept in {folder.parent} ({reason}); {instead}.")
    if not spare or _why_not_writable(Path(spare) / folder.name) is not None:
        return None
    return Path(spare) / folder.name


def _why_not_writable(folder: Path) -> str | None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        # Permissions alone do not tell: the file system may be read-only, or full.
        with tempfile.TemporaryFile(dir=folder) as file:
            file.write(b"?")
        os.utime(folder)
    except OSError as error:
        return error.strerror or str(error)
    return None


def _spare() -> Path | None:
    """A folder among temporary files that only this user can write to: kernels are code."""
    user = os.getuid() if hasattr(os, "getuid") else None
    try:
        folder = Path(tempfile.gettempdir()) / f"arena-solver-kernels{'' if user is None else f'-{user}'}"
        with contextlib.suppress(FileExistsError):
            folder.mkdir(mode=0o700)
        status = folder.lstat()
        mine = user is None or (status.st_uid == user and not status.st_mode & (stat.S_IWGRP | stat.S_IWOTH))
        if stat.S_ISDIR(status.st_mode) and mine:
            return folder
        return Path(tempfile.mkdtemp(prefix="arena-solver-kernels-"))
    except OSError:
        return None


def tidy(root: Path, kept_s: float = KEPT_S) -> None:
    """Remove the folders of kernels in `root` that nobody has used for so long."""
    try:
        others = [path for path in root.iterdir() if _OURS.fullmatch(path.name)]
    except OSError:
        return
    for other in others:
        # Another process may be at the same.
        with contextlib.suppress(OSError):
            if time.time() - other.stat().st_mtime > kept_s:
                shutil.rmtree(other)


def say(text: str) -> None:
    """Print a line on stderr, if there is one."""
    with contextlib.suppress(OSError, ValueError, AttributeError):
        print(text, file=sys.stderr, flush=True)
