"""Many battles solved in processes or on a cluster: values by what decides a battle."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from analysis import workers
from analysis.clash.scenario import Scenario, TooLargeError
from analysis.errors import RequestError
from analysis.interrupt import Interrupt
from analysis.workers import Work

AT_ONCE = 25
"""Battles of a task: some tenths of a second, so that stopping is quick and handing over costs nothing."""


@dataclass(frozen=True)
class BattleTask:
    """Battles to solve.

    Attributes
    ----------
    memory, widest : as in `solving.exact_value`.
    """

    number: int
    scenarios: tuple[Scenario, ...]
    memory: int
    widest: float


@dataclass(frozen=True)
class Solved:
    """Values of a task's battles, as many as were solved before it was stopped; or what went wrong."""

    number: int
    values: list[float] = field(default_factory=list)
    too_large: str = ""
    error: str = ""


def solve_battles(task: BattleTask, stop: Callable[[], bool] | None = None) -> Solved:
    """Solve the battles of a task; runs in a worker. Whatever goes wrong is handed back, not raised."""
    from analysis.clash.solving import exact_value

    values: list[float] = []
    try:
        for scenario in task.scenarios:
            if stop is not None and stop():
                break
            values.append(exact_value(scenario, memory=task.memory, widest=task.widest))
    except TooLargeError as error:
        return Solved(task.number, too_large=str(error))
    except Exception as error:
        return Solved(task.number, error=f"{type(error).__name__}: {error}")
    return Solved(task.number, values)


def _stopped(task: BattleTask) -> Solved:
    return Solved(task.number)


def _failed(task: BattleTask, why: str) -> Solved:
    return Solved(task.number, error=why)


WORK = Work(solve_battles, _stopped, _failed)


def values_on_workers(
    scenarios: Sequence[Scenario],
    *,
    memory: int,
    widest: float,
    jobs: int,
    scheduler: str | None,
    interrupt: Interrupt,
) -> Iterator[tuple[int, float]]:
    """Yield the values of battles by their places, as they are solved; fewer after an interrupt.

    Raises
    ------
    TooLargeError, RequestError
        For a battle that cannot be solved.
    analysis.workers.WorkersError, analysis.workers.WorkersLost
        For workers that cannot be used, or are gone.
    """
    tasks = [
        BattleTask(begin, tuple(scenarios[begin : begin + AT_ONCE]), memory, widest)
        for begin in range(0, len(scenarios), AT_ONCE)
    ]
    for solved in workers.here_or_on_workers(WORK, tasks, jobs, scheduler, interrupt):
        if solved.too_large:
            raise TooLargeError(solved.too_large)
        if solved.error:
            raise RequestError(f"a battle could not be solved: {solved.error}")
        for place, value in enumerate(solved.values):
            yield solved.number + place, value
