"""Where compiled kernels lie: a folder for each state of their sources; and how systems differ in files.

Does not import numba.
"""

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
from typing import IO

__all__ = [
    "CACHE_VARIABLE",
    "KERNELS_VARIABLE",
    "SHIPPED",
    "cache_root",
    "can_be_called",
    "folder_of",
    "folder_to_write",
    "forget_states",
    "kernels_root",
    "may_be_called",
    "put_in_place",
    "say",
    "state_of",
    "take_room",
    "tidy",
]

CACHE_VARIABLE = "ARENA_SOLVER_CACHE"
KERNELS_VARIABLE = "NUMBA_CACHE_DIR"
SPARE_VARIABLE = "ARENA_SOLVER_SPARE_KERNELS"
"""Set for processes that this one starts: where they may write, and that it has been said."""
SHIPPED = Path(__file__).with_name("kernels")
"""Where kernels are that came with a download, or by a wheel of their own."""
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
    would go on with what it used to be, without a word. So there is a folder for each state of a file and of
    all that it imports.
    """
    return kernels_root() / f"{_package(source.parent).name}-{state_of(source)}"


def state_of(source: Path) -> str:
    """Return a hash of Python's version and of all text that a kernel in the file `source` may come from.

    That is the file and what it imports, directly or not, of its own package and of this program's.
    Contents count, not times: what is installed again, or copied, is the same. An edited file leaves the
    kernels of files that do not import it where they are.

    Notes
    -----
    A file is searched for its import statements as text, so one within a function counts as well. Compiled
    functions that somebody hands over without an import are not seen: `solver.sampling.specialisation` names
    their state itself.
    """
    package = _package(source.parent)
    return _state(source, package.parent if (package / "__init__.py").exists() else package)


@lru_cache
def _state(source: Path, root: Path) -> str:
    digest = hashlib.sha256(str(sys.implementation.cache_tag).encode())
    for path in sorted(_reached(source, root), key=str):
        text = _text(path)
        digest.update(f";{path.relative_to(root).as_posix()} {len(text)};".encode())
        digest.update(text)
    return digest.hexdigest()[:16]


def _reached(source: Path, root: Path) -> set[Path]:
    """The file itself and all that it leads to."""
    reached: set[Path] = set()
    waiting = [source] if source.is_file() else []
    while waiting:
        path = waiting.pop()
        if path not in reached:
            reached.add(path)
            waiting.extend(_imported(path, root))
    return reached


@lru_cache(maxsize=4096)
def _text(path: Path) -> bytes:
    return path.read_bytes()


_IMPORT = re.compile(
    r"^[ \t]*(?:from[ \t]+(?P<module>[\w.]+)[ \t]+import[ \t]+(?P<names>\([^)]*\)|[^\n]*)"
    r"|import[ \t]+(?P<modules>[^\n]*))",
    re.MULTILINE,
)
_OURS_TO_READ = {"analysis", "engine", "solver"}
"""Packages of this program that kernels come from."""


@lru_cache(maxsize=4096)
def _imported(path: Path, root: Path) -> tuple[Path, ...]:
    """The files that a file imports.

    Parameters
    ----------
    path
        A file below `root`.
    root
        The folder that holds its package, or, where there is none, the file itself.
    """
    inside = path.relative_to(root).parts
    followed = _OURS_TO_READ | {inside[0].removesuffix(".py")}
    modules: set[str] = set()
    for match in _IMPORT.finditer(_text(path).decode(errors="replace")):
        if match["modules"]:
            parts = match["modules"].split("#")[0].split(",")
            modules.update(part.split()[0] for part in parts if part.split())
            continue
        module = match["module"]
        if module.startswith("."):
            above = len(module) - len(module.lstrip("."))
            module = ".".join((*inside[: len(inside) - above], module.lstrip("."))).rstrip(".")
        modules.add(module)
        modules.update(f"{module}.{name}" for name in re.findall(r"\w+", re.sub(r"#.*", "", match["names"])))
    files: set[Path] = set()
    for parts in (module.split(".") for module in modules):
        if len(inside) > 1 and parts[0] not in followed:
            continue
        # The packages above only run on the way: no name is taken from them.
        files.update((root.joinpath(*parts, "__init__.py"), root.joinpath(*parts[:-1], f"{parts[-1]}.py")))
    return tuple(sorted(file for file in files if file.is_file()))


def _package(folder: Path) -> Path:
    """The outermost package that holds `folder`, or `folder` itself."""
    while (folder / "__init__.py").exists() and (folder.parent / "__init__.py").exists():
        folder = folder.parent
    return folder


def forget_states() -> None:
    """Read sources again when their state is next asked for."""
    for known in (_state, _text, _imported):
        known.cache_clear()


@lru_cache
def folder_to_write(folder: Path) -> Path | None:
    """Return `folder` if files can be made there, else one of that name among temporary files, or None.

    Which it is instead is said on stderr, once. Folders beside it that nobody has used for a month are
    removed.
    """
    reason = _why_not_writable(folder)
    if reason is None:
        _tidy_once(folder.parent)
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


@lru_cache
def _tidy_once(root: Path) -> None:
    tidy(root)


_IS_WINDOWS = sys.platform == "win32"
_RESERVED = re.compile(r"(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(?:\..*)?", re.IGNORECASE)
_CHUNK = 1 << 24
_BUSY_S, _PAUSE_S = 2.0, 0.05


def may_be_called(name: str) -> bool:
    """Return whether every system lets a file be called so: some reserve names, letters and endings."""
    odd = name.endswith((".", " ")) or re.search(r'[<>:"/\\|?*\x00-\x1f]', name)
    return bool(name) and not odd and _RESERVED.fullmatch(name.strip()) is None


def can_be_called(name: str) -> bool:
    """Return whether this system lets a file be called so."""
    return not _IS_WINDOWS or may_be_called(name)


def put_in_place(new: Path, place: Path) -> None:
    """Rename a file, whatever lies at `place`; Windows refuses that while somebody reads it, so wait a while.

    Raises
    ------
    OSError
        If it is open for longer than that, or anything else goes wrong.
    """
    deadline = time.monotonic() + _BUSY_S
    while True:
        try:
            new.replace(place)
        except PermissionError as error:
            if not place.is_file() or not os.access(place.parent, os.W_OK):
                raise
            if time.monotonic() > deadline:
                said = "another program has it open, or it cannot be replaced"
                raise PermissionError(error.errno, said, str(place)) from None
            time.sleep(_PAUSE_S)
        else:
            return


def take_room(file: IO[bytes], length: int) -> None:
    """Make a new file so long, all of it zeros that have their place on the disk."""
    reserve = getattr(os, "posix_fallocate", None)
    if reserve is not None:
        reserve(file.fileno(), 0, length)
        return
    zeros = bytes(min(length, _CHUNK))
    for at in range(0, length, _CHUNK):
        file.write(zeros[: length - at])
    file.flush()


def say(text: str) -> None:
    """Print a line on stderr, if there is one."""
    with contextlib.suppress(OSError, ValueError, AttributeError):
        print(text, file=sys.stderr, flush=True)
