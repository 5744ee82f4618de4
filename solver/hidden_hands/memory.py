"""How much memory there is, and how much this process has used."""

from __future__ import annotations

import os
import resource
import sys
from pathlib import Path

__all__ = ["free_bytes", "memory_limit", "peak_bytes"]


def free_bytes() -> int:
    """Memory that can be had without swapping, in bytes."""
    try:
        for line in Path("/proc/meminfo").read_text(encoding="ascii").splitlines():
            if line.startswith("MemAvailable:"):
                return int(line.split()[1]) * 1024
    except OSError:
        pass
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")


def memory_limit(memory_bytes: int | None) -> int:
    """What a solve may use: what was asked for, or three quarters of what is free."""
    return memory_bytes if memory_bytes is not None else free_bytes() * 3 // 4


def peak_bytes() -> int:
    """Largest resident size of this process so far, in bytes."""
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024
