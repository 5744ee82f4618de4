"""Files of people's own, read up to a size: a device that never ends takes no memory."""

from __future__ import annotations

import errno
from pathlib import Path

__all__ = ["read_bounded"]


def read_bounded(path: Path, most_bytes: int) -> bytes:
    """Return what a file holds.

    Raises
    ------
    OSError
        If it cannot be read, or is larger: `EFBIG`, with the limit in words.
    """
    with path.open("rb") as file:
        content = file.read(most_bytes + 1)
    if len(content) > most_bytes:
        limit = f"{most_bytes >> 20} MiB" if most_bytes >= 1 << 20 else f"{most_bytes >> 10} KiB"
        raise OSError(errno.EFBIG, f"it is larger than {limit}, the most that is read of such a file")
    return content
