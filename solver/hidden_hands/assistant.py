"""A second process that compiles what certificates need while this one compiles what iterations need.

Numba compiles under a lock, so threads cannot share that work; processes can, by way of the on-disk cache.
The visit to a batch of final records, which both use, is compiled here; who needs it there waits for it.
Whatever goes wrong over there is left to this process, which then compiles for itself.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from types import TracebackType

from arena_solver.commands import ROOT

__all__ = ["Assistant"]

_TASK = """
import sys
sys.path.insert(0, {root!r})
from arena_solver import commands, compiling
del sys.path[0]
commands.prefer_ours()
compiling.leave_with({parent})
from solver.hidden_hands.compiling import compile_certificates
compile_certificates({method!r}, ready=sys.stdin.read)
"""


class Assistant:
    """To be used in a ``with`` statement, which it does not outlive.

    Parameters
    ----------
    method : str or None
        The method whose kernels it compiles; None: nobody is to assist.
    """

    def __init__(self, method: str | None) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        if method is None:
            return
        task = _TASK.format(method=method, root=str(ROOT), parent=os.getpid())
        try:
            self._process = subprocess.Popen(
                [sys.executable, "-P", "-c", task],
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
            )
        except OSError:
            pass

    def go_on(self) -> None:
        """Tell it that the kernels both sides need are ready."""
        if self._process is not None and self._process.stdin is not None:
            self._process.stdin.close()

    def wait(self, tick: Callable[[], None] | None = None) -> None:
        """Return when it has done its part, or given up; call `tick` every second."""
        self.go_on()
        while self._process is not None:
            try:
                self._process.wait(None if tick is None else 1.0)
                return
            except subprocess.TimeoutExpired:
                if tick is not None:
                    tick()

    def __enter__(self) -> Assistant:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._process is not None:
            self._process.kill()
            self.wait()
