"""How files are written, all of them: beside their place and renamed, or straight through.

A regular file is at any time the earlier one or the new one, whole; a link stays, and what it leads to is
replaced. Devices, pipes, ``-`` (stdout) and open files by number (``/dev/fd/3``, ``/dev/stdout``) cannot be
replaced, and are written to as they are. Solvers and command lines share this module, so it imports nothing
slow.
"""

from __future__ import annotations

import errno
import io
import os
import re
import secrets
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

from arena_solver.folders import can_be_called, put_in_place

__all__ = ["STDOUT", "is_stream", "try_out", "writing"]

STDOUT = Path("-")
_BY_NUMBER = re.compile(r"/(?:dev|proc/(?P<process>self|thread-self|\d+))/fd/(?P<number>\d+)")
_MOST_LINKS = 40
"""As many as the system itself follows."""
_NAME_LENGTH = 40
"""Of the name of a file, what the one beside it shows: names may hardly be longer than they are."""


def is_stream(path: Path) -> bool:
    """Return whether `path` is stdout, a device, a pipe or an open file by number: nothing to be replaced."""
    if path == STDOUT or _number(path) is not None:
        return True
    try:
        return not stat.S_ISREG(path.stat().st_mode) and not path.is_dir()
    except OSError:
        return False


@contextmanager
def writing(path: Path, *, same_name: bool = False) -> Iterator[IO[bytes]]:
    """Open `path` for writing; what is written takes its place when the block ends well.

    Parameters
    ----------
    path
        A file, which need not exist; ``-`` is stdout.
    same_name
        Whether the file beside it always has the same name, so that what a killed process leaves is
        overwritten by the next one. For large files, and one writer.

    Raises
    ------
    OSError
        If that fails. A regular file is what it was then, and nothing else is left.
    """
    if is_stream(path):
        with _through(path) as file:
            yield file
        return
    place = _place(path)
    beside = _beside(place, "partial" if same_name else secrets.token_hex(4))
    with suppress(FileNotFoundError):
        if same_name:
            beside.unlink()
    file = beside.open("xb")
    try:
        with file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        with suppress(FileNotFoundError):
            beside.chmod(stat.S_IMODE(place.stat().st_mode))
        put_in_place(beside, place)
    except BaseException:
        beside.unlink(missing_ok=True)
        raise


def try_out(path: Path) -> None:
    """Raise unless `path` can be written, as far as that shows without touching what lies there.

    Raises
    ------
    OSError
        With the reason.
    """
    if path == STDOUT or _number(path) is not None:
        return
    if is_stream(path):
        if not os.access(path, os.W_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))
        return
    if not can_be_called(path.name):
        raise OSError(errno.EINVAL, "no file can be called so on this system", str(path))
    place = _place(path)
    if place.exists() and not os.access(place, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))
    probe = _beside(place, secrets.token_hex(4))
    try:
        probe.touch(exist_ok=False)
    finally:
        probe.unlink(missing_ok=True)


def _place(path: Path) -> Path:
    """Where the file is that `path` leads to, or would be."""
    place = Path(os.path.realpath(path))
    if place.is_symlink():
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), str(path))
    if place.is_dir():
        raise IsADirectoryError(errno.EISDIR, "it is a folder", str(path))
    return place


def _beside(place: Path, ending: str) -> Path:
    return place.with_name(f".{place.name[:_NAME_LENGTH]}.{ending}")


def _number(path: Path) -> int | None:
    """The number of the open file of this process that `path` names, by way of links or not."""
    here = os.path.abspath(path)  # noqa: PTH100 - links are followed one by one, below
    for _ in range(_MOST_LINKS):
        found = _BY_NUMBER.fullmatch(here)
        if found is not None:
            mine = found["process"] in (None, "self", "thread-self", str(os.getpid()))
            return int(found["number"]) if mine else None
        try:
            here = os.path.join(os.path.dirname(here), os.readlink(here))  # noqa: PTH115, PTH118, PTH120
        except OSError:
            return None
        here = os.path.normpath(here)
    return None


class _OneWay(io.BufferedWriter):
    """A file that nobody goes back in: /dev/null would allow that, and say that it is at its beginning."""

    def seekable(self) -> bool:
        return False

    def tell(self) -> int:
        raise io.UnsupportedOperation("a stream has no places")

    def seek(self, target: int, whence: int = 0, /) -> int:
        raise io.UnsupportedOperation("a stream has no places")


@contextmanager
def _through(path: Path) -> Iterator[IO[bytes]]:
    """Open what cannot be replaced; stdout stays open."""
    with suppress(AttributeError):  # there may be none
        sys.stdout.flush()
    if path == STDOUT:
        stdout: IO[bytes] = sys.stdout.buffer
        yield stdout
        stdout.flush()
        return
    number = _number(path)
    # A file that the shell opened goes on where it is: opened again, it would begin anew.
    descriptor = os.dup(number) if number is not None else os.open(path, os.O_WRONLY)
    with _OneWay(io.FileIO(descriptor, "wb")) as file:
        yield file
