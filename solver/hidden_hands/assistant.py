"""A second process that compiles what certificates need while this one compiles what iterations need.

Numba compiles under a lock, so threads cannot share that work; processes can, by way of the on-disk cache.
The visit to a batch of final records, which both use, is compiled here; who needs it there waits for it.
Whatever goes wrong over there is left to this process, which then compiles for itself.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from types import TracebackType

import solver

__all__ = ["Assistant"]

_TASK = """
import sys
from solver.hidden_hands.solving import compile_certificates
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
        package = str(Path(solver.__file__).resolve().parents[1])
        path = os.pathsep.join([package, *filter(None, [os.environ.get("PYTHONPATH")])])
        try:
            self._process = subprocess.Popen(
                [sys.executable, "-P", "-c", _TASK.format(method=method)],
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                env={**os.environ, "PYTHONPATH": path},
            )
        except OSError:
            pass

    def go_on(self) -> None:
        """Tell it that the kernels both sides need are ready."""
        if self._process is not None and self._process.stdin is not None:
            self._process.stdin.close()

    def wait(self) -> None:
        """Return when it has done its part, or given up."""
        self.go_on()
        if self._process is not None:
            self._process.wait()

    def __enter__(self) -> Assistant:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._process is not None:
            self._process.kill()
            self.wait()
