"""What this process may use of the machine: memory and processors. The one place that asks the system."""

from __future__ import annotations

import sys

__all__ = ["free_bytes", "peak_bytes", "processors"]


def free_bytes() -> int:
    """Return how much memory can be had without swapping, in bytes."""
    import psutil

    return int(psutil.virtual_memory().available)


def peak_bytes() -> int:
    """Return the largest resident size of this process so far, in bytes."""
    import psutil

    memory = psutil.Process().memory_info()
    if hasattr(memory, "peak_wset"):  # Windows
        return int(memory.peak_wset)
    try:
        import resource
    except ImportError:
        return int(memory.rss)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return int(peak if sys.platform == "darwin" else peak * 1024)


def processors() -> int:
    """Return how many processors this process may use: by affinity, and by the quota of a container."""
    from joblib import cpu_count

    return int(cpu_count())
