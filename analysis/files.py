"""Where answers go: a file known to be writable before anything is solved, a device, a pipe, or stdout.

And what is read of people's own files.
"""

from __future__ import annotations

from pathlib import Path

from analysis.errors import RequestError
from arena_solver.writing import STDOUT, is_stream, try_out, writing
from engine.bounded import read_bounded

__all__ = [
    "STDOUT",
    "check_kind",
    "check_output",
    "is_stream",
    "read_file",
    "write_atomically",
]

MOST_BYTES = 1 << 28
"""Of a file whose kind has no smaller limit."""


def read_file(path: Path) -> bytes:
    """Return what a file of people's own holds; OSError if it cannot be read, or is too large."""
    return read_bounded(path, MOST_BYTES)


def check_output(path: Path, option: str = "--output") -> None:
    """Raise unless a file can be written at `path`; whatever lies there is left as it is.

    Parameters
    ----------
    path : a file, a device, a pipe, or ``-``.
    option : where it was named.

    Raises
    ------
    RequestError
        With the reason.
    """
    try:
        if path != STDOUT and not path.parent.is_dir():
            raise _refusal(path, option, f"there is no folder {str(path.parent)!r}")
        try_out(path)
    except OSError as error:
        raise _refusal(path, option, (error.strerror or str(error)).lower()) from None


def check_kind(path: Path, begins: bytes, option: str) -> None:
    """Raise unless a file can be written at `path`, where nothing lies, or what begins like such a file.

    Raises
    ------
    RequestError
        With the reason.
    """
    check_output(path, option)
    if path.is_file():
        with path.open("rb") as file:
            found = file.read(len(begins))
        if found not in (b"", begins):
            raise _refusal(path, option, "it holds something else; name another file")


def _refusal(path: Path, option: str, reason: str) -> RequestError:
    return RequestError(f"cannot write {str(path)!r}: {reason}", option)


def write_atomically(path: Path, data: bytes) -> None:
    """Write `data` to `path`: at any time the old file is there, or the new one (see `arena_solver.writing`).

    Raises
    ------
    OSError
        If that fails; nothing is left behind.
    """
    with writing(path) as file:
        file.write(data)
