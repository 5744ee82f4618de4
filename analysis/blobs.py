"""What was computed, kept in files of our own: found again whole, or not at all."""

from __future__ import annotations

import hashlib
from contextlib import suppress
from pathlib import Path

from analysis.files import write_atomically

__all__ = ["find", "keep"]


def find(path: Path) -> bytes | None:
    """Return what is kept there; None if there is nothing, or it is damaged."""
    with suppress(OSError):
        total, _, data = path.read_bytes().partition(b"\n")
        return data if total == _sum(data) else None
    return None


def keep(path: Path, data: bytes) -> None:
    """Keep something, in the place of what was there; OSError if it cannot be written."""
    path.parent.mkdir(parents=True, exist_ok=True)
    write_atomically(path, _sum(data) + b"\n" + data)


def _sum(data: bytes) -> bytes:
    return hashlib.sha256(data).hexdigest().encode()
