"""What this process may use of the machine, and what systems do not have in common.

This module and `arena_solver.folders` are the only ones that ask which system this is: memory, processors,
limits of containers and signals are here, files and folders there.
"""

from __future__ import annotations

import math
import os
import signal
import socket
import sys
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from arena_solver.folders import say

__all__ = [
    "HANGUP",
    "STOP_SIGNALS",
    "free_bytes",
    "has_ended",
    "keep_others_out",
    "memory_limit",
    "own_session",
    "peak_bytes",
    "processors",
    "thread_limit",
    "waiting",
]

STOP_SIGNALS = tuple(
    getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP", "SIGBREAK") if hasattr(signal, name)
)
"""What asks a process to stop: Ctrl-C, the system, a terminal that is gone; on Windows also Ctrl-Break and a
console that is closed."""
HANGUP = tuple(each for each in STOP_SIGNALS if each.name in ("SIGHUP", "SIGBREAK"))
"""Those of them after which there may be nobody to talk to."""

CGROUPS, OWN_CGROUPS = Path("/sys/fs/cgroup"), Path("/proc/self/cgroup")
"""Where Linux keeps limits of groups of processes, such as containers, and which ones hold this process."""


class _Limit(NamedTuple):
    """What a container may use, and what is left of that; `path` says so."""

    amount: float
    left: float
    path: Path


def memory_limit(asked_bytes: int | None) -> int:
    """Return how much memory may be used: what was asked for, or three quarters of what is free.

    If a container may have less, that is the limit, which is said on stderr once.
    """
    limit = _container_memory()
    if asked_bytes is None:
        if limit is not None:
            _say_once(f"This container may use {_gib(limit.amount)} of memory ({limit.path}).")
        return free_bytes() * 3 // 4
    if limit is None or asked_bytes <= limit.amount:
        return asked_bytes
    _say_once(
        f"--memory {_gib(asked_bytes)} is cut to {_gib(limit.amount)}: this container may use no more"
        f" ({limit.path})."
    )
    return int(limit.amount)


def thread_limit(asked: int) -> int:
    """Return how many threads may work: as many as asked for, or, for 0, one for each processor.

    If a container may use fewer processors, that is the limit, which is said on stderr once.
    """
    limit = _container_processors()
    if limit is None or 0 < asked <= math.ceil(limit.amount):
        return asked or processors()
    number = math.ceil(limit.amount)
    said = f"--threads {asked} is cut to {number}" if asked else f"--threads is {number}"
    _say_once(f"{said}: this container may use {limit.amount:.3g} processors ({limit.path}).")
    return number if asked else processors()


def free_bytes() -> int:
    """Return how much memory can be had without swapping, in bytes: of the machine, or of a container."""
    import psutil

    limit = _container_memory()
    free = int(psutil.virtual_memory().available)
    return free if limit is None else min(free, int(limit.left))


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

    limit = _container_processors()
    return min(int(cpu_count()), math.ceil(limit.amount) if limit is not None else sys.maxsize)


def waiting() -> float:
    """Return how many processes have been at work, or waited for a processor, during the last minute."""
    import psutil

    # On Windows somebody has to ask for a while before there is an answer: until then 0.
    return float(psutil.getloadavg()[0])


def has_ended(parent: int) -> bool:
    """Return whether the process that started this one is gone."""
    import psutil

    # Elsewhere than on Windows a process that outlives its parent gets another one.
    return os.getppid() != parent or not psutil.pid_exists(parent)


def own_session() -> dict[str, Any]:
    """Return what a process is started with so that Ctrl-C at the terminal does not reach it."""
    if sys.platform == "win32":
        import subprocess

        return {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP}
    return {"start_new_session": True}


def keep_others_out(made: socket.socket) -> None:
    """Let nobody else listen where a socket is going to, and let a new one follow an old one at once."""
    exclusive = getattr(socket, "SO_EXCLUSIVEADDRUSE", None)  # Windows, where reuse means to share
    made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR if exclusive is None else exclusive, 1)


def _container_memory() -> _Limit | None:
    """The tightest limit of memory below what the machine has."""
    import psutil

    tightest = None
    least = float(psutil.virtual_memory().total)
    for folder in _control_groups("memory"):
        for limit, used, cache in (
            ("memory.max", "memory.current", "inactive_file"),  # version 2
            ("memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file"),
        ):
            amount, taken = _numbers(folder / limit), _numbers(folder / used)
            if amount and taken and amount[0] < least:
                # What lies in memory of files that were read makes room when it is needed.
                kept = min(_named(folder / "memory.stat", cache), taken[0])
                least = amount[0]
                tightest = _Limit(least, max(0.0, least - taken[0] + kept), folder / limit)
    return tightest


def _container_processors() -> _Limit | None:
    """The tightest quota of processors."""
    tightest = None
    for folder in _control_groups("cpu"):
        quota = _numbers(folder / "cpu.max")  # version 2
        path = folder / ("cpu.max" if quota else "cpu.cfs_quota_us")
        quota = quota or _numbers(path) + _numbers(folder / "cpu.cfs_period_us")
        if len(quota) == 2 and min(quota) > 0 and math.isfinite(quota[0]):
            share = quota[0] / quota[1]
            if tightest is None or share < tightest.amount:
                tightest = _Limit(share, share, path)
    return tightest


def _control_groups(controller: str) -> Iterator[Path]:
    """Folders of this process's groups that limit something, the innermost first."""
    try:
        with OWN_CGROUPS.open(encoding="utf-8") as file:
            lines = file.read().splitlines()
    except OSError:
        return
    for line in lines:
        controllers, _, name = line.partition(":")[2].partition(":")
        if controllers and controller not in controllers.split(","):
            continue
        # Version 2 has one tree of groups, version 1 one for each controller.
        root = CGROUPS / controller if controllers else CGROUPS
        inner = root.joinpath(*Path(name).parts[1:])
        for folder in (inner, *inner.parents):
            yield folder
            if folder == root:
                break


def _numbers(path: Path) -> list[float]:
    """The numbers in a file, infinity for "max"; none if it cannot be read."""
    try:
        return [math.inf if word == "max" else float(word) for word in path.read_text("ascii").split()]
    except (OSError, ValueError):
        return []


def _named(path: Path, name: str) -> float:
    """The number that stands behind a name in a file; 0 if there is none."""
    try:
        lines = path.read_text("ascii").splitlines()
        return next((float(line.split()[1]) for line in lines if line.startswith(f"{name} ")), 0.0)
    except (OSError, ValueError):
        return 0.0


def _gib(num_bytes: float) -> str:
    return f"{num_bytes / 2**30:.3g} GiB"


@lru_cache
def _say_once(text: str) -> None:
    say(text)
