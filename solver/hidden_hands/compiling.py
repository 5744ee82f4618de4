"""Compile the kernels of a method before anything is solved, once per process."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

import numpy as np

from arena_solver.compiling import counted
from solver.hidden_hands.assistant import Assistant
from solver.hidden_hands.clock import Report
from solver.hidden_hands.enumeration import enumerate_all
from solver.hidden_hands.game import (
    BaselinePolicy,
    Progress,
    Sampling,
    Settings,
)
from solver.hidden_hands.jit import ready, was_compiled
from solver.hidden_hands.memory import peak_bytes
from solver.hidden_hands.merged.merging import expand_all
from solver.hidden_hands.planning import METHODS, build_trainer, choose_plan, num_cores
from solver.hidden_hands.samples import Players
from solver.hidden_hands.simulation import policies
from solver.hidden_hands.warming import Coins

__all__ = [
    "compile_kernels",
]

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
    helps = was_compiled(first) and num_cores() > 1
    with Assistant(method if helps else None) as assistant:
        trainer = build_trainer(plan, settings)
        try:
            trainer.prepare()
            assistant.go_on()
            trainer.iterate()
            if method in _ASSISTED_THROUGHOUT:
                assistant.wait(tick)
            trainer.prepare_to_certify()
            trainer.statistics()
            trainer.sample(_WARM, settings.seed)
            assistant.wait(tick)
            trainer.certify()
        finally:
            trainer.close()


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
            trainer.prepare_to_certify()
            if method == "merged":
                ready()
            trainer.certify()
            if method not in _ASSISTED_THROUGHOUT:
                return
            trainer.statistics()
            anybody = policies((_ANYHOW, _ANYHOW), len(Coins.type_ids))
            trainer.sampler()(1, Players(np.zeros(2, np.bool_), anybody, False, settings.seed))
    finally:
        trainer.close()


def _warming(method: str) -> Settings:
    return Settings(preparation="none", method=method, threads=1)


_compiled: list[str] = []
