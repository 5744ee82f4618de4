"""What goes on while kernels compile: signals that end the wait, parents that die, and who counts kernels.

LLVM may work for many seconds on one kernel, and Python's signal handlers run between steps of the main
thread only, so they wait until it is done. Python's C code does note a signal at once, though
(`signal.set_wakeup_fd`), and LLVM leaves Python's lock to other threads: one of them says at once that the
process leaves, gives the main thread a moment to get out by an exception, and then ends the process. What is
kept on disk is whole at any time.

Only while something compiles are signals taken in this way, and only in a process that asked for it by
`heed_signals`. At all other times they go to whoever waits for them, SIGTERM for some seconds only.
"""

from __future__ import annotations

import os
import select
import signal
import socket
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

from arena_solver.machine import STOP_SIGNALS, has_ended

__all__ = [
    "EXIT_INTERRUPTED",
    "CompilationInterrupted",
    "began",
    "counted",
    "ended",
    "heed_signals",
    "is_program",
    "leave_with",
    "spent_s",
    "was_interrupted",
]

GRACE_S = 0.5
"""How long the main thread has to get out by itself; noticing a signal may take as long again, and more
where the machine is busy."""
GAP_S, LOADING_S = 0.5, 5.0
"""Longest time between two kernels of many, and before the first one: a signal in there, which whoever stops
in good order has noted for minutes from now, is one while kernels compile, too."""
EXIT_INTERRUPTED, EXIT_TERMINATED = 130, 143
TERMINATED_S = 4.0
"""How long after SIGTERM the process ends whatever it does: who sends that kills some seconds later."""
_POLL_S = 0.01
_PARENT_POLL_S = 0.5


class CompilationInterrupted(KeyboardInterrupt):
    """The process was asked to stop while kernels were compiled; that has been said already."""


class _State:
    """What is known in this process; the compiler works on one kernel, and what that calls, at a time."""

    def __init__(self) -> None:
        self.heeds = False
        self.depth = 0
        self.number = 0
        """Of outermost compilations so far: tells one from the next."""
        self.last_end_s = 0.0
        self.begin_s = 0.0
        self.spent_s = 0.0
        self.handlers: dict[int, Any] = {}
        self.signalled = False
        self.watchers: list[Callable[[str], None]] = []


_state = _State()
_unsaid = threading.Lock()


def heed_signals() -> None:
    """From now on `STOP_SIGNALS` end this process within two seconds while something compiles.

    SIGTERM ends it at any time, after `TERMINATED_S`.

    That is for programs of their own: the process may end without Python's clean-up.
    """
    if _state.heeds or threading.current_thread() is not threading.main_thread():
        return
    reader, writer = socket.socketpair()  # not a pipe, which Windows would not take
    writer.setblocking(False)
    previous = signal.set_wakeup_fd(writer.detach(), warn_on_full_buffer=False)
    if previous != -1:
        # Somebody else's event loop waits for signals; it can see to them.
        signal.set_wakeup_fd(previous)
        return
    threading.Thread(target=_watch, args=(reader,), name="signals", daemon=True).start()
    _state.heeds = True
    others = sys.unraisablehook

    def unraisable(lost: sys.UnraisableHookArgs) -> None:
        # LLVM calls Python, which can raise nothing there; `ended` does so a little later.
        if not isinstance(lost.exc_value, CompilationInterrupted):
            others(lost)

    sys.unraisablehook = unraisable


def was_interrupted() -> bool:
    """Return whether the process was asked to stop while kernels were compiled, and that has been said."""
    return _unsaid.locked()


def is_program() -> bool:
    """Return whether this process heeds signals: whether it is a program of ours, not of somebody else."""
    return _state.heeds


@contextmanager
def counted(watcher: Callable[[str], None]) -> Iterator[None]:
    """Call `watcher` with the name of each kernel that is compiled within the block, once it begins."""
    _state.watchers.append(watcher)
    try:
        yield
    finally:
        _state.watchers.remove(watcher)


def spent_s() -> float:
    """Return for how many seconds this process has compiled so far; what goes on does not count yet."""
    return _state.spent_s


def began(name: str) -> None:
    """Be told that a kernel begins to be compiled; those it calls begin, and end, within.

    Raises
    ------
    CompilationInterrupted
        If the process was asked to leave just before.
    """
    _state.depth += 1
    if _state.depth == 1:
        _state.number += 1
        _state.begin_s = time.monotonic()
        if _state.heeds and threading.current_thread() is threading.main_thread():
            _take_signals()
    if _state.signalled:
        raise CompilationInterrupted
    for watcher in _state.watchers:
        watcher(name)


def ended() -> None:
    """Be told that it has been compiled, or has failed to.

    Raises
    ------
    CompilationInterrupted
        If the one raised on a signal got lost.
    """
    _state.depth -= 1
    if _state.depth == 0:
        _state.last_end_s = time.monotonic()
        _state.spent_s += _state.last_end_s - _state.begin_s
        for number, handler in _state.handlers.items():
            signal.signal(number, handler)
        _state.handlers.clear()
    if _state.signalled and not isinstance(sys.exc_info()[1], CompilationInterrupted):
        raise CompilationInterrupted


def _take_signals() -> None:
    for number in STOP_SIGNALS:
        handler = signal.getsignal(number)
        # Who ignores a signal, such as `nohup`, goes on to.
        if handler not in (signal.SIG_IGN, None):
            _state.handlers[number] = handler
            signal.signal(number, _interrupt)


def _interrupt(_signal: int, _frame: FrameType | None) -> None:
    _state.signalled = True
    _say_once()
    raise CompilationInterrupted


def _watch(reader: socket.socket) -> None:
    """Wait for signals; runs in a thread of its own."""
    waits = True
    while True:
        for number in reader.recv(64):
            if number == signal.SIGTERM:
                last = threading.Timer(TERMINATED_S, os._exit, (EXIT_TERMINATED,))
                last.daemon = True
                last.start()
            if number in STOP_SIGNALS and (_state.depth > 0 or _begins_soon()):
                _leave(reader if waits else None)
                waits = False


def _begins_soon() -> bool:
    """Whether kernels are about to be compiled: this is the gap between two of them, or before the first."""
    last, now = _state.number, time.monotonic()
    if last > 0 and now - _state.last_end_s > GAP_S:
        return False
    deadline = now + (GAP_S if last > 0 else LOADING_S)
    while time.monotonic() < deadline:
        if _state.number != last:
            return True
        time.sleep(_POLL_S)
    return False


def _leave(reader: socket.socket | None) -> None:
    """Say so, and end the process unless the main thread finds its way out before a second signal."""
    number = _state.number
    _state.signalled = True
    _say_once()
    if reader is not None:
        select.select([reader], [], [], GRACE_S)
    if _state.depth > 0 and _state.number == number:
        os._exit(EXIT_INTERRUPTED)


def _say_once() -> None:
    """Print a line past everything that the main thread may hold."""
    if not _unsaid.acquire(blocking=False):
        return
    text = "Interrupted while kernels are compiled: leaving; what is ready is kept."
    try:
        stream = sys.__stderr__.fileno() if sys.__stderr__ is not None else 2
        # A progress line may stand there, and hide the cursor.
        before, after = ("\r\x1b[K", "\n\x1b[?25h") if os.isatty(stream) else ("", "\n")
        os.write(stream, f"{before}{text}{after}".encode())
    except (OSError, ValueError):
        pass


def leave_with(parent: int) -> None:
    """From now on end this process, while it compiles, half a second after `parent` has ended."""

    def watch() -> None:
        while True:
            time.sleep(_PARENT_POLL_S)
            if _state.depth > 0 and has_ended(parent):
                os._exit(1)

    if parent not in _parents:
        _parents.append(parent)
        threading.Thread(target=watch, name="parent", daemon=True).start()


_parents: list[int] = []
