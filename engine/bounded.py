"""Files of people's own, read up to a size: a device that never ends takes no memory."""

from __future__ import annotations

import errno
import io
import os
import time
import tomllib
from pathlib import Path
from typing import Any

__all__ = ["read_bounded", "read_toml"]

_WAIT_S, _PAUSE_S = 1.0, 0.02
_MOST_BYTES = 1 << 20
"""Of a TOML file; those carried have some 30 KB."""
_MOST_DOTS = 100
"""In a line: keys that are nested deeper take all memory to read."""


def read_toml(path: Path) -> dict[str, Any]:
    """Return what a TOML file holds; OSError, ValueError or RecursionError if it cannot be read."""
    text = read_bounded(path, _MOST_BYTES).decode("utf-8-sig")  # some editors write a mark first
    for number, line in enumerate(text.splitlines(), 1):
        if line.count(".") > _MOST_DOTS:
            raise ValueError(f"line {number} has more than {_MOST_DOTS} dots")
    return tomllib.loads(text)


def read_bounded(path: Path, most_bytes: int) -> bytes:
    """Return what a file holds.

    Raises
    ------
    OSError
        If it cannot be read, or is larger: `EFBIG`, with the limit in words; or if it is a pipe and nobody
        writes to it within a second.
    """
    if path.is_fifo():
        content = _from_pipe(path, most_bytes + 1)
    else:
        with path.open("rb") as file:
            content = file.read(most_bytes + 1)
    if len(content) > most_bytes:
        limit = f"{most_bytes >> 20} MiB" if most_bytes >= 1 << 20 else f"{most_bytes >> 10} KiB"
        raise OSError(errno.EFBIG, f"it is larger than {limit}, the most that is read of such a file")
    return content


def _from_pipe(path: Path, most_bytes: int) -> bytes:
    with io.FileIO(os.open(path, os.O_RDONLY | os.O_NONBLOCK)) as pipe:
        deadline = time.monotonic() + _WAIT_S
        # None: somebody has the other end, and is not ready yet.
        while (found := pipe.read(most_bytes)) == b"":
            if time.monotonic() > deadline:
                raise OSError(errno.ENODATA, "it is a pipe, and nobody writes to it")
            time.sleep(_PAUSE_S)
        os.set_blocking(pipe.fileno(), True)
        found = found or b""
        return found + io.BufferedReader(pipe).read(most_bytes - len(found))
