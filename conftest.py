"""Test set-up that has to happen before anything imports numba, and how many processes run the tests."""

from __future__ import annotations

import hashlib
import os
import signal
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

from analysis.front.store import ANSWERS_VARIABLE
from arena_solver import machine
from arena_solver.folders import KERNELS_VARIABLE, tidy
from arena_solver.machine import STOP_SIGNALS, processors

if "numba" in sys.modules:
    raise RuntimeError("numba was imported before its cache directory could be set; import it later")
# How long an example takes says more of the machine than of the code.
settings.register_profile("untimed", deadline=None)
settings.load_profile("untimed")
_CACHES = Path(__file__).resolve().parent / ".numba_cache"
tidy(_CACHES, kept_s=7 * 24 * 3600.0)
# The environment, not numba.config: command-line tests start processes that must find the same cache.
os.environ[KERNELS_VARIABLE] = str(_CACHES)
# An answer that is found again tests nothing; the tests of that turn it on.
os.environ[ANSWERS_VARIABLE] = "off"
# Nor does what tests expect of a plan depend on the container that they run in.
machine.OWN_CGROUPS = Path(os.devnull)

for _number in STOP_SIGNALS:
    # Under nohup or cron these are ignored, and so they would be in every process that a test starts. A
    # handler that does nothing is not handed on.
    if signal.getsignal(_number) is signal.SIG_IGN:
        signal.signal(_number, lambda _number, _frame: None)

_MOST_WORKERS = 8
_LONG = Path(__file__).parent / "tests" / "long.txt"


def long_tests() -> list[str]:
    """Return the names of tests that are slow for their kernels' sake, wherever they are declared."""
    lines = _LONG.read_text(encoding="utf-8").splitlines()
    return [line for line in lines if line and not line.startswith("#")]


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark long tests before any are chosen by their marks."""
    named = set(long_tests())
    for item in items:
        if item.nodeid in named:
            item.add_marker(pytest.mark.slow)


def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """Tell how many processes `-n auto` means: one more than processors, for what waits for kernels.

    None but this one where files or tests are named: workers would take longer to start than such tests run.
    """
    if any("::" in argument or argument.endswith(".py") for argument in config.args):
        return 0
    return min(processors() + 1, _MOST_WORKERS)


def _compile_once() -> None:
    """Let other workers wait while one compiles a function: then they find it on disk.

    Without that a cold run compiles everything once for each worker.

    Who waits for a function holds the locks of its callers only, so nobody waits in a circle.
    """
    try:
        import fcntl
    except ImportError:  # Windows
        return
    from numba.core.compiler_lock import global_compiler_lock
    from numba.core.dispatcher import Dispatcher

    locks = _CACHES / "locks"
    locks.mkdir(parents=True, exist_ok=True)
    compile_alone = Dispatcher.compile
    held: set[str] = set()

    def compile_once(self: Any, signature: Any) -> Any:
        name = getattr(self._cache, "_name_of_files", None)
        index = None if name is None else f"{self._cache.cache_path}/{name}"
        # Numba's own lock first: other threads of this process wait for that one.
        with global_compiler_lock:
            if index is None or index in held:
                return compile_alone(self, signature)
            held.add(index)
            try:
                with (locks / hashlib.sha256(os.fsencode(index)).hexdigest()[:16]).open("w") as file:
                    fcntl.flock(file, fcntl.LOCK_EX)
                    return compile_alone(self, signature)
            finally:
                held.discard(index)

    Dispatcher.compile = compile_once


if "PYTEST_XDIST_WORKER" in os.environ:
    # Workers take up all processors as it is; linear algebra with threads of its own would only wait.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    _compile_once()
