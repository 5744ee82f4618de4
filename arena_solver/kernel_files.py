"""Files that hold one compiled kernel each: whole, or not there.

A file is written beside its place and renamed, and carries a hash of what it holds. So a process may be
killed at any time, disks may fill up and files may be damaged: such a file is compiled again and replaced.
(A damaged index or data file of numba's own cache is an exception in whoever needs the kernel.)
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import pickle
import shutil
import uuid
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import Any

from arena_solver.folders import folder_to_write, put_in_place, say

__all__ = ["KernelFiles", "is_whole", "report_damage"]

_MAGIC = b"arena-solver kernel 1\n"
_DIGEST_BYTES = 32
_DAMAGE = (OSError, ValueError, EOFError, pickle.UnpicklingError)


class KernelFiles:
    """The compilations of one kernel.

    Parameters
    ----------
    folder
        Where to look first; elsewhere if nothing can be written there.
    name
        Of the kernel; files are called after it, and after the compiler.
    versions
        Of the compiler, such as ``numba 0.68.1, llvmlite 0.50.0``: files of another one lie beside these.
    dump
        Turns what is kept into bytes that pickle can read.
    """

    def __init__(self, folder: Path, name: str, versions: str, dump: Callable[[Any], bytes]) -> None:
        self._folder = folder
        self._name = f"{name}.{versions.partition(',')[0].replace(' ', '-')}"
        self._versions = versions.encode()
        self._dump = dump

    def _file(self, key: Any) -> str:
        return f"{self._name}.{hashlib.sha256(repr(key).encode()).hexdigest()[:16]}.kernel"

    def load(self, key: Any) -> Any:
        """Return what is kept under `key`, or None, also where it is damaged."""
        file = self._file(key)
        found = self._read(self._folder / file, key)
        if found is not None:
            _mark_as_used(self._folder)
            return found
        # Found out before compiling takes a while, so that it is said in time.
        place = folder_to_write(self._folder)
        return None if place in (None, self._folder) else self._read(Path(place or "") / file, key)

    def save(self, key: Any, data: Any) -> None:
        """Keep `data` under `key`, or nothing at all if there is no room for it."""
        place = folder_to_write(self._folder)
        if place is None:
            return
        body = self._versions + b"\n" + self._dump((key, data))
        with contextlib.suppress(OSError):
            _replace(place / self._file(key), _MAGIC + hashlib.sha256(body).digest() + body)

    def is_kept(self) -> bool:
        """Return whether there is a file under any key, for all that can be told without reading it."""
        places = (self._folder, folder_to_write(self._folder))
        return any(self._name in _names_in(place) for place in places if place is not None)

    def flush(self) -> None:
        """Forget everything that is kept of this kernel."""
        for path in self._folder.glob(f"{self._name}.*.kernel"):
            with contextlib.suppress(OSError):
                path.unlink()

    def _read(self, path: Path, key: Any) -> Any:
        try:
            content = path.read_bytes()
            if not is_whole(content):
                raise ValueError("not what was written")
            start = len(_MAGIC) + _DIGEST_BYTES
            versions, _, kept = content[start:].partition(b"\n")
            if versions != self._versions:
                return None
            kept_key, data = pickle.loads(kept)
        except (FileNotFoundError, NotADirectoryError):
            return None
        except _DAMAGE:
            if not os.access(path.parent, os.X_OK):
                return None  # the whole folder is closed to us, which `folder_to_write` tells
            report_damage(path)
            return None
        return data if kept_key == key else None


def is_whole(content: bytes) -> bool:
    """Return whether that is what was written to a file, nothing lost or changed."""
    start = len(_MAGIC) + _DIGEST_BYTES
    return content[:start] == _MAGIC + hashlib.sha256(memoryview(content)[start:]).digest()


def _replace(path: Path, content: bytes) -> None:
    aside = path.with_name(f"{path.name}.{uuid.uuid4().hex[:8]}.tmp")
    try:
        aside.write_bytes(content)
        if path.is_dir():
            shutil.rmtree(path)
        put_in_place(aside, path)
    except BaseException:
        with contextlib.suppress(OSError):
            aside.unlink()
        raise


def _names_in(folder: Path) -> set[str]:
    """The names of all kernels that have a file in a folder."""
    try:
        changed = folder.stat().st_mtime_ns
    except OSError:
        return set()
    return _names_as_of(folder, changed)


@lru_cache(maxsize=512)
def _names_as_of(folder: Path, _changed: int) -> set[str]:
    try:
        return {path.name.rsplit(".", 2)[0] for path in folder.iterdir() if path.suffix == ".kernel"}
    except OSError:
        return set()


@lru_cache
def _mark_as_used(folder: Path) -> None:
    with contextlib.suppress(OSError):
        os.utime(folder)


_damaged: list[Path] = []


def report_damage(path: Path) -> None:
    """Say that a file is damaged; once, for where there is one there may be hundreds."""
    if not _damaged:
        say(f"A compiled kernel is damaged ({path}): it is compiled again, and so is any other such one.")
    _damaged.append(path)
