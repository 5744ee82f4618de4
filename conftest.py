"""Test set-up before anything imports numba: where kernels are kept, and which test may compile which."""

from __future__ import annotations

import hashlib
import os
import re
import signal
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

from analysis.front.store import ANSWERS_VARIABLE
from arena_solver import machine
from arena_solver.folders import KERNELS_VARIABLE, tidy
from arena_solver.machine import STOP_SIGNALS, processors
from tests.locks import PATIENCE_S, locked

if "numba" in sys.modules:
    raise RuntimeError("numba was imported before its cache directory could be set; import it later")
# How long an example takes says more of the machine than of the code.
settings.register_profile("untimed", deadline=None)
settings.load_profile("untimed")
_CACHES = Path(os.environ.get("ARENA_CI_KERNELS") or Path(__file__).resolve().parent / ".numba_cache")
"""Kernels lie there by the content of their sources: whoever runs tests of the same sources finds them."""
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
_CORE = (
    *("engine.ragers.", "engine.randomness", "solver.tree_", "solver.sequence_form", "solver.bayesian"),
    *("numba.", "tests.", "kernel_module"),
)
"""Every test may compile these: the encoder and transitions of Ragers, solvers of small trees."""
_COMPILERS = ("kernels", "crosscheck", "browser")
"""Marks of tests that may compile all kernels."""
_MARKS_OF_FILE = re.compile(r"^pytestmark = .*?(?=\n\S|\Z)", re.MULTILINE | re.DOTALL)
_compiled_s = 0.0
_running: pytest.Item | None = None


def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """Tell how many processes `-n auto` means: one more than processors, for what waits for kernels.

    None but this one where files or tests are named: workers would take longer to start than such tests run.
    """
    if any("::" in argument or argument.endswith(".py") for argument in config.args):
        return 0
    return min(processors() + 1, _MOST_WORKERS)


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Leave unread what `-m` leaves out as a whole: such files import what takes long."""
    asked = config.option.markexpr
    named = {Path(argument.partition("::")[0]).resolve() for argument in config.args}
    if collection_path.suffix != ".py" or collection_path in named or " or " in asked:
        return None
    marks = _MARKS_OF_FILE.search(collection_path.read_text(encoding="utf-8"))
    words = re.findall(r"pytest\.mark\.(\w+)", marks[0]) if marks else []
    return True if any(f"not {word}" in asked for word in words) else None


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """Know which test runs, for what it may compile."""
    global _running
    _running = item
    try:
        return (yield)
    finally:
        _running = None


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    """Add up what workers compiled."""
    global _compiled_s
    _compiled_s += getattr(node, "workeroutput", {}).get("compiled_s", 0.0)


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Hand over what this worker compiled."""
    if hasattr(session.config, "workeroutput"):
        session.config.workeroutput["compiled_s"] = _compiled_s


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """Say how long kernels took to compile."""
    terminalreporter.write_line(f"compiling kernels took {_compiled_s:.0f} processor seconds")


def _check(module: str) -> None:
    """Fail a test without a mark that asks for a kernel beyond the core, whether it lies on disk or not."""
    item = _running
    if item is None or module.startswith(_CORE) or any(item.get_closest_marker(mark) for mark in _COMPILERS):
        return
    pytest.fail(f"compiles {module}: mark it `kernels`, or let it ask a reference or a kept answer")


def _compile_once() -> None:
    """Count what is compiled, and let other workers wait while one compiles a function: they find it on disk.

    Without that a cold run compiles everything once for each worker.

    Who waits for a function holds the locks of its callers. Functions that are made for one game share their
    names with those of others, so two workers may wait for each other: who holds a lock does so for a while.
    """
    from numba.core.compiler_lock import global_compiler_lock
    from numba.core.dispatcher import Dispatcher

    locks = _CACHES / "locks"
    locks.mkdir(parents=True, exist_ok=True)
    compile_alone = Dispatcher.compile
    held: set[str] = set()

    def compile_once(self: Any, signature: Any) -> Any:
        global _compiled_s
        _check(self.py_func.__module__)
        name = getattr(self._cache, "_name_of_files", None)
        index = None if name is None else f"{self._cache.cache_path}/{name}"
        # Numba's own lock first: other threads of this process wait for that one.
        with global_compiler_lock:
            if index is None or index in held:
                return compile_alone(self, signature)
            outermost, began = not held, time.process_time()
            patience_s = None if outermost else PATIENCE_S
            held.add(index)
            try:
                with locked(locks / hashlib.sha256(os.fsencode(index)).hexdigest()[:16], patience_s):
                    return compile_alone(self, signature)
            finally:
                held.discard(index)
                if outermost:
                    _compiled_s += time.process_time() - began

    Dispatcher.compile = compile_once


if "PYTEST_XDIST_WORKER" in os.environ:
    # Workers take up all processors as it is; linear algebra with threads of its own would only wait.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
_compile_once()
