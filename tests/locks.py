"""Files that one process at a time may hold, for work that need not be done twice."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Iterator
from pathlib import Path

PATIENCE_S = 120.0


@contextlib.contextmanager
def locked(path: Path, patience_s: float | None = None) -> Iterator[None]:
    """Keep others from the same work.

    Parameters
    ----------
    patience_s : after this the work is done all the same; none: whoever holds the file is waited for.
    """
    try:
        import fcntl
    except ImportError:  # Windows
        yield
        return
    with path.open("w") as file:
        until = None if patience_s is None else time.monotonic() + patience_s
        while until is not None and time.monotonic() < until:
            with contextlib.suppress(BlockingIOError):
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            time.sleep(0.05)
        if until is None:
            fcntl.flock(file, fcntl.LOCK_EX)
        yield
