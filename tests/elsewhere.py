"""Run commands as on a system that has little of what Unix has; `tests/test_three_systems.py` starts it.

Libraries are imported first, for they look after themselves. Then modules, functions, signals and ``/proc``
are taken away from our packages, a file that is open can be neither replaced nor removed, text goes out by
code page 1252 with ``\\r\\n``, and to leave the encoding of a text to the system is an error. With the
argument ``here`` nothing of this happens.

Reads a list of commands as JSON from stdin, a list of words each, and writes what came of them to stdout:
exit code, output and messages.
"""

from __future__ import annotations

import builtins
import importlib
import io
import json
import os
import signal
import sys
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
OURS = ("analysis", "app", "arena_solver", "cli", "engine", "solver", "results", "bidding")
LIBRARIES = (
    *("asyncio", "multiprocessing", "subprocess", "tempfile", "urllib.request", "email", "click"),
    *("jinja2", "joblib", "msgspec", "nashpy", "numba", "numpy", "platformdirs", "psutil"),
    *("rich.console", "scipy.optimize", "scipy.sparse.csgraph", "scipy.special", "scipy.stats"),
    *("starlette", "uvicorn"),
)
MODULES = ("fcntl", "grp", "posix", "pty", "pwd", "resource", "termios", "tty")
FUNCTIONS = (
    *("chown", "fork", "forkpty", "getegid", "geteuid", "getgid", "getgroups", "getloadavg"),
    *("getpgid", "getpgrp", "getsid", "getuid", "killpg", "lchown", "mkfifo", "nice", "posix_fadvise"),
    *("posix_fallocate", "pread", "pwrite", "sched_getaffinity", "sched_setaffinity", "setsid"),
    *("sysconf", "uname", "wait", "wait3", "wait4"),
)
SIGNALS = ("SIGALRM", "SIGCHLD", "SIGCONT", "SIGHUP", "SIGKILL", "SIGPIPE", "SIGQUIT", "SIGSTOP", "SIGUSR1")
_DESCRIPTORS, _list, _stat = "/proc/self/fd", os.listdir, os.stat


def _ours(depth: int) -> bool:
    """Whether what calls something that was replaced is of our packages, library code between them aside."""
    frame = sys._getframe(depth)
    while frame is not None and frame.f_globals.get("__name__", "").split(".")[0] in ("pathlib", "io", "os"):
        frame = frame.f_back  # type: ignore[assignment]
    return frame is not None and frame.f_globals.get("__name__", "").split(".")[0] in OURS


def take_away() -> None:
    """Leave nothing but what all systems have."""
    for name in LIBRARIES:
        importlib.import_module(name)
    for name in MODULES:
        sys.modules[name] = None  # type: ignore[assignment]
    for name in FUNCTIONS:
        if hasattr(os, name):
            delattr(os, name)
    for name in SIGNALS:
        delattr(signal, name)
    warnings.filterwarnings("error", category=EncodingWarning, module=rf"(?:{'|'.join(OURS)})\b")
    _hide_processes()
    for module, name in ((os, "replace"), (os, "rename"), (os, "unlink"), (os, "remove")):
        setattr(module, name, _unless_open(getattr(module, name), 1 if name in ("replace", "rename") else 0))


def _hide_processes() -> None:
    opens = io.open

    def hides(file: Any, *args: Any, **named: Any) -> Any:
        if str(file).startswith(("/proc", "/sys", "/dev")) and file != os.devnull and _ours(2):
            raise FileNotFoundError(2, "The system cannot find the path specified", str(file))
        return opens(file, *args, **named)

    io.open = builtins.open = hides


def _unless_open(does: Callable[..., Any], last: int) -> Callable[..., Any]:
    def refuses(*paths: Any, **named: Any) -> Any:
        caller = sys._getframe(1).f_globals.get("__name__", "")
        if caller != "tempfile":  # which knows how to, on every system
            for path in paths[: last + 1]:
                if not named and _is_open(path):
                    raise PermissionError(13, "The file is being used by another process", str(path))
        return does(*paths, **named)

    return refuses


def _is_open(path: Any) -> bool:
    try:
        wanted = _stat(path)
    except OSError:
        return False
    for number in _list(_DESCRIPTORS):
        try:
            found = _stat(f"{_DESCRIPTORS}/{number}")
        except OSError:
            continue
        if (found.st_dev, found.st_ino) == (wanted.st_dev, wanted.st_ino):
            return True
    # A mapping outlives the file's own handle.
    maps = Path("/proc/self/maps").read_text(encoding="utf-8", errors="replace")
    return f" {Path(path).resolve()}\n" in maps


def _bytes_of(stream: io.TextIOWrapper) -> bytes:
    stream.flush()
    stream.seek(0)
    return stream.buffer.read()


def run(words: list[str], *, here: bool) -> dict[str, Any]:
    """Run one command in this process, as its program would."""
    commands = importlib.import_module("arena_solver.commands")
    kind: dict[str, Any] = {"encoding": "utf-8"} if here else {"encoding": "cp1252", "newline": "\r\n"}
    before = sys.stdout, sys.stderr, sys.argv
    streams = [io.TextIOWrapper(io.BytesIO(), **kind) for _ in range(2)]
    sys.stdout, sys.stderr = streams
    sys.argv = words
    code: Any = 0
    try:
        getattr(commands, words[0].replace("-", "_"))()
    except SystemExit as left:
        code = left.code
    finally:
        sys.stdout, sys.stderr, sys.argv = before
    out, err = (_bytes_of(each).decode(kind["encoding"]) for each in streams)
    return {"code": code, "out": out, "err": err}


def main() -> None:
    """Run what stdin asks for."""
    asked = json.load(sys.stdin)
    sys.path[:0] = [str(ROOT), str(ROOT / "examples" / "bidding")]
    here = "here" in sys.argv[1:]
    if not here:
        take_away()
    registry = importlib.import_module("analysis.registry")
    registry.GAMES.setdefault("bidding", "bidding.game:GAME")
    print(json.dumps([run(words, here=here) for words in asked]))


if __name__ == "__main__":
    main()
