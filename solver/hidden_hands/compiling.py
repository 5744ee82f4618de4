"""Compile the kernels of a method before anything is solved, once per process.

A second process that compiles what certificates need while this one compiles what iterations need.

Numba compiles under a lock, so threads cannot share that work; processes can, by way of the on-disk cache.
The visit to a batch of final records, which both use, is compiled here; who needs it there waits for it.
Whatever goes wrong over there is left to this process, which then compiles for itself.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from types import TracebackType

import numpy as np

from arena_solver.commands import ROOT
from arena_solver.compiling import counted
from arena_solver.machine import peak_bytes, processors
from solver.hidden_hands.enumeration import enumerate_all, expand_all
from solver.hidden_hands.game import BaselinePolicy, Progress, Sampling, Settings
from solver.hidden_hands.jit import ready, was_compiled
from solver.hidden_hands.machine import Report
from solver.hidden_hands.measuring import certify, sampler, samples, statistics
from solver.hidden_hands.planning import METHODS, build_trainer, choose_plan
from solver.hidden_hands.samples import Players
from solver.hidden_hands.simulation import policies

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


_ROWS = 7
"""Row 0 is empty; 2k - 1 and 2k have k slots used and a small or a large item last."""


class Coins:
    """Two items of two types a player, three slots: the larger last item wins a point.

    Three slots, so that an interior decision lies between the root and the final step: every kernel is used.
    """

    type_ids = ("small", "large")
    copies = np.array([[3, 3], [3, 3]], np.int64)
    hand_size = 2
    row_length = 3
    placeable = np.array([True, True])
    start_row = 0
    num_faces = 1
    face = np.zeros(_ROWS, np.int64)
    pending = np.zeros(_ROWS, np.bool_)
    hides = np.zeros(_ROWS, np.bool_)
    commit = np.repeat(np.arange(_ROWS, dtype=np.int32)[:, None], 2, axis=1)
    served = np.full((_ROWS, 2), -1, np.int32)
    length = (np.arange(_ROWS) + 1) // 2
    full = length == row_length
    terminal_class = (np.arange(_ROWS, dtype=np.int32) + 1) % 2
    payoff = np.array([[0.0, -1.0], [1.0, 0.0]])
    gp = np.array([[0.0, 0.0], [1.0, 0.0]])
    outcome = np.array([[1, 2], [0, 1]], np.int8)

    def __init__(self) -> None:
        self.next_row = np.full((_ROWS, 1, 3, 3), -1, np.int32)
        for row in range(5):
            for item in range(2):
                self.next_row[row, 0, item, :] = 2 * self.length[row] + 1 + item


_PACKAGE = "solver.hidden_hands."
_ANYHOW = BaselinePolicy("any", (0.0, 0.0), (0.0, 0.0), (0.0, 0.0), playouts=1)
_WARM = Sampling(2, ((_ANYHOW, 2),))
"""Enough to compile what samples."""

_ASSISTED_THROUGHOUT = ("exact",)
"""Where compiling what iterations need takes as long as all that comes after them. Elsewhere a second process
compiles best responses only."""


def compile_kernels(progress: Report | None = None, methods: Sequence[str] = METHODS[1:]) -> None:
    """Compile all kernels of some methods, or load them from the on-disk cache, once per process.

    Minutes for each the first time, a second afterwards (`docs/day-solver.md`, Compiling); no time limit
    counts it.
    """
    todo = [method for method in methods if method not in _compiled]
    needs_all = {*todo, *_compiled} == {*METHODS[1:]}
    begin = time.perf_counter()

    def say(message: str, fraction: float | None = None) -> None:
        if progress is not None:
            elapsed = time.perf_counter() - begin
            progress(Progress("compile", fraction, 0, None, elapsed, peak_bytes(), message))

    def count(what: str) -> None:
        done, total = ready()
        some, fraction = (f" of {total}", done / total) if needs_all else ("", None)
        say(f"{done}{some} kernels ready, {what}", fraction)

    def watch(name: str) -> None:
        if name.startswith(_PACKAGE):
            count(f"now {name.removeprefix(_PACKAGE)}")

    for method in todo:
        say(f"loading or compiling the kernels, method {method}")
        with counted(watch):
            _compile_method(method, tick=lambda: count("waiting for the second process"))
        _compiled.append(method)
    if todo:
        say("kernels ready", 1.0)


def _compile_method(method: str, tick: Callable[[], None]) -> None:
    """Compile the kernels of a method, or load them; `tick` is called while another process is waited for."""
    settings = _warming(method)
    plan = choose_plan(Coins(), settings)[0]
    # Who had to compile what counts the tree will have to compile everything.
    first = expand_all if method == "merged" else enumerate_all
    helps = was_compiled(first) and processors() > 1
    with Assistant(method if helps else None) as assistant:
        trainer = build_trainer(plan, settings)
        try:
            _ = trainer.tables.hedge
            assistant.go_on()
            trainer.iterate()
            if method in _ASSISTED_THROUGHOUT:
                assistant.wait(tick)
            profile, workers = trainer.profile(), trainer.workers
            statistics(profile, workers)
            samples(profile, workers, _WARM, settings.seed)
            assistant.wait(tick)
            certify(profile, workers)
        finally:
            trainer.workers.close()


def compile_certificates(method: str, ready: Callable[[], object]) -> None:
    """Compile the kernels that are needed once iterations are over; what ``Assistant`` does.

    Parameters
    ----------
    method : {"exact", "merged"}
    ready : callable
        Returns when there is nothing left to wait for.
    """
    settings = _warming(method)
    trainer = build_trainer(choose_plan(Coins(), settings)[0], settings)
    # Nothing was learnt, so what comes out says nothing.
    trainer.total_weight = 1.0
    try:
        with np.errstate(all="ignore"):
            profile, workers = trainer.profile(), trainer.workers
            if method == "merged":
                ready()
            certify(profile, workers)
            if method not in _ASSISTED_THROUGHOUT:
                return
            statistics(profile, workers)
            anybody = policies((_ANYHOW, _ANYHOW), len(Coins.type_ids))
            sampler(profile, workers)(1, Players(np.zeros(2, np.bool_), anybody, False, settings.seed))
    finally:
        trainer.workers.close()


def _warming(method: str) -> Settings:
    return Settings(preparation="none", method=method, threads=1)


_compiled: list[str] = []
