"""What ``ragers bench`` measures, and the loops it calibrates by. Imports numba: only for actual runs.

All times are processor time: everything runs on one thread, and other work on the machine should not count.
"""

from __future__ import annotations

import os
import platform
import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from analysis.ragers.answers.solving import Effort, solve
from analysis.ragers.bench.report import (
    HIGHER,
    LOWER,
    UNCALIBRATED,
    BenchReport,
    Calibration,
    Machine,
    Measurement,
    spread,
)
from analysis.ragers.scenarios import Scenario, scenarios
from arena_solver.kernel_cache import cached_njit
from engine.ragers.rules import load_rules

if TYPE_CHECKING:
    from solver.hidden_hands import Progress

TRIAD = "triad"
SCALAR = "scalar"

#: Three arrays of so many float64 each: 192 MiB, more than the caches of any processor of today's desktops.
_TRIAD_ENTRIES = 8 * 2**20
_SCALAR_STEPS = 20_000_000
_MATRIX_GAMES = 50_000
_MATRIX_SIZE = 8
_PLAYOUTS = 100_000
#: A day that has not reached its target by then never will: an error instead of an endless run.
_MOST_ITERATIONS = 2_000
_REPETITIONS = 7
_QUICK_REPETITIONS = 3


@dataclass(frozen=True)
class Day:
    """A day to solve: overrides of the rules, and how far."""

    name: str
    overrides: tuple[str, ...]
    iterations: int
    target_gp: float
    quick: bool


#: Small enough for seconds, large enough that every kernel of the day solver has work.
DAYS = (
    Day("solennos-3-slots", ("match.row_length=3",), 300, 0.05, True),
    Day("solennos-4-slots", ("match.row_length=4",), 40, 0.1, False),
)


@dataclass(frozen=True)
class Rate:
    """A figure of another game: its name, what it is, its unit, and how it is measured; more is better."""

    name: str
    what: str
    unit: str
    run: Callable[[], float]


@cached_njit()
def _triad_kernel(a: NDArray[np.float64], b: NDArray[np.float64], c: NDArray[np.float64]) -> None:
    """Set a = b + 3 c; modified in place."""
    for i in range(a.shape[0]):
        a[i] = b[i] + 3.0 * c[i]


@cached_njit()
def _scalar_kernel(steps: int) -> int:
    """Return the end of a chain of multiplications and shifts, each waiting for the one before."""
    state = np.int64(1)
    for _ in range(steps):
        state = (state * np.int64(6364136223846793005)) ^ (state >> np.int64(7))
    return int(state)


class Loops:
    """The calibration loops, timed anew for every repetition of every measurement."""

    def __init__(self) -> None:
        self._a, self._b, self._c = (np.full(_TRIAD_ENTRIES, x) for x in (0.0, 1.0, 2.0))
        self.rates: dict[str, list[float]] = {TRIAD: [], SCALAR: []}
        _triad_kernel(self._a, self._b, self._c)
        _scalar_kernel(1)

    def time(self) -> dict[str, float]:
        """Return bytes a second of the triad and steps a second of the scalar loop."""
        begin = time.process_time()
        _triad_kernel(self._a, self._b, self._c)
        between = time.process_time()
        _scalar_kernel(_SCALAR_STEPS)
        end = time.process_time()
        rates = {
            TRIAD: 3 * self._a.nbytes / (between - begin),
            SCALAR: _SCALAR_STEPS / (end - between),
        }
        for name, rate in rates.items():
            self.rates[name].append(rate)
        return rates

    def calibrations(self) -> list[Calibration]:
        """Return what the loops did over the whole run."""
        words = {
            TRIAD: ("triad over arrays out of cache", "bytes/s"),
            SCALAR: ("chain of dependent integer steps", "steps/s"),
        }
        return [
            Calibration(name, *words[name], statistics.median(rates), spread(rates))
            for name, rates in self.rates.items()
        ]


@dataclass
class _Task:
    """Something to measure: `run` returns the figure of one repetition."""

    name: str
    what: str
    unit: str
    better: str
    calibration: str
    run: Callable[[], float]
    values: list[float] = field(default_factory=list)
    ratios: list[float] = field(default_factory=list)

    def repeat(self, loops: Loops) -> None:
        """Time the loops, then this, then the loops again."""
        before = loops.time()
        value = self.run()
        after = loops.time()
        self.values.append(value)
        if self.calibration == UNCALIBRATED:
            self.ratios.append(value)
            return
        rate = (before[self.calibration] + after[self.calibration]) / 2
        self.ratios.append(value / rate if self.better == HIGHER else value * rate)

    def measurement(self) -> Measurement:
        return Measurement(
            self.name,
            self.what,
            self.unit,
            statistics.median(self.values),
            self.better,
            self.calibration,
            statistics.median(self.ratios),
            spread(self.ratios),
            len(self.ratios),
        )


def measure(
    quick: bool,
    seed: int,
    say: Callable[[str], None],
    stop: Callable[[], bool],
    others: Sequence[Rate] = (),
) -> BenchReport | None:
    """Measure everything.

    Parameters
    ----------
    quick
        Fewer repetitions, and only the smallest day.
    seed
        Of playouts, matrices and solves.
    say
        Called with what comes next.
    stop
        Polled between repetitions, and by solves; once true, None is returned.
    others
        Figures of other games.
    """
    say("compiling the kernels")
    days = [day for day in DAYS if day.quick or not quick]
    tasks = [_playout_task(seed), _matrix_task(seed)]
    tasks += [_Task(each.name, each.what, each.unit, HIGHER, SCALAR, each.run) for each in others]
    for day in days:
        tasks += _day_tasks(day, seed, stop)
    for task in tasks:
        task.run()
        if stop():
            return None
    say("timing the calibration loops")
    loops = Loops()
    repetitions = _QUICK_REPETITIONS if quick else _REPETITIONS
    for repetition in range(repetitions):
        for task in tasks:
            say(f"repetition {repetition + 1} of {repetitions}: {task.what}")
            task.repeat(loops)
            if stop():
                return None
    return BenchReport(
        date=time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
        quick=quick,
        seed=seed,
        machine=machine(),
        calibrations=loops.calibrations(),
        measurements=[task.measurement() for task in tasks],
    )


def _playout_task(seed: int) -> _Task:
    from engine.ragers.kernel_rules import kernel_rules
    from engine.ragers.playouts import playouts

    rules = kernel_rules(load_rules())

    def run() -> float:
        begin = time.process_time()
        result = playouts(rules, _PLAYOUTS, seed)
        return float(result.transitions / (time.process_time() - begin))

    return _Task("playouts", "rules kernel, random whole matches", "transitions/s", HIGHER, SCALAR, run)


def _matrix_task(seed: int) -> _Task:
    from solver.matrix.zero_sum import solve_matrices

    shape = (_MATRIX_GAMES, _MATRIX_SIZE, _MATRIX_SIZE)
    games = np.random.default_rng(seed).normal(size=shape)

    def run() -> float:
        begin = time.process_time()
        solution = solve_matrices(games)
        rate = _MATRIX_GAMES / (time.process_time() - begin)
        if not solution.converged.all():
            raise RuntimeError("the matrix kernel missed its tolerance")
        return rate

    return _Task("matrix-batch", "zero-sum 8 x 8 games in a batch", "games/s", HIGHER, SCALAR, run)


def _scenario(day: Day) -> Scenario:
    return scenarios(load_rules(overrides=day.overrides), ["solennos"], ["two-bashers"], "none")[0]


def _day_tasks(day: Day, seed: int, stop: Callable[[], bool]) -> list[_Task]:
    scenario = _scenario(day)
    peaks: list[float] = []

    def iterations() -> float:
        """Return iterations a second, from the first one reported to the last."""
        seen: list[tuple[int, float]] = []

        def watch(progress: Progress) -> None:
            if progress.phase == "solve" and progress.iteration > 0:
                seen.append((progress.iteration, time.process_time()))

        effort = Effort(iterations=day.iterations, threads=1, seed=seed)
        answer, _ = solve(scenario, effort, watch, stop)
        peaks.append(answer.peak_memory_mb)
        if len(seen) >= 2 and seen[-1][1] > seen[0][1]:
            return (seen[-1][0] - seen[0][0]) / (seen[-1][1] - seen[0][1])
        raise RuntimeError(f"{day.name}: too few iterations to time")

    def target() -> float:
        begin = time.process_time()
        effort = Effort(target_gp=day.target_gp, iterations=_MOST_ITERATIONS, threads=1, seed=seed)
        answer, _ = solve(scenario, effort, None, stop)
        spent = time.process_time() - begin
        if answer.nash_conv_gp > day.target_gp and not stop():
            raise RuntimeError(
                f"{day.name}: NashConv {answer.nash_conv_gp:g} GP instead of {day.target_gp:g}"
            )
        return spent

    return [
        _Task(
            f"{day.name}/iterations", f"day solver, {day.name}", "iterations/s", HIGHER, SCALAR, iterations
        ),
        _Task(
            f"{day.name}/to-target",
            f"{day.name} to NashConv {day.target_gp:g} GP, all told",
            "s",
            LOWER,
            SCALAR,
            target,
        ),
        _Task(
            f"{day.name}/peak-memory",
            "peak memory of the process so far",
            "MiB",
            LOWER,
            UNCALIBRATED,
            lambda: peaks[-1],
        ),
    ]


def machine() -> Machine:
    """Return what this runs on."""
    return Machine(
        _processor(),
        os.cpu_count() or 1,
        platform.system(),
        platform.python_version(),
        version("numba"),
        version("numpy"),
    )


def _processor() -> str:
    try:
        for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
            name, _, value = line.partition(":")
            if name.strip() == "model name":
                return value.strip()
    except OSError:
        pass
    return platform.processor() or platform.machine()
