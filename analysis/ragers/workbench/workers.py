"""Many solves at once, see `analysis.workers`."""

from __future__ import annotations

import sys
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass, replace

from analysis import workers
from analysis.errors import TooShortError
from analysis.interrupt import Interrupt
from analysis.ragers.answers.answer import Answer, HandStrategy
from analysis.ragers.answers.solving import Effort, Keeping
from analysis.ragers.scenarios import Scenario
from analysis.workers import Work
from arena_solver.machine import processors


@dataclass(frozen=True)
class Task:
    """A scenario to solve.

    Attributes
    ----------
    number : the caller's.
    keeping : where its running solve is saved, or None.
    quiet : whether to say nothing about that.
    """

    number: int
    scenario: Scenario
    effort: Effort
    keeping: Keeping | None = None
    quiet: bool = False


@dataclass(frozen=True)
class Done:
    """What became of a task.

    Attributes
    ----------
    number : that of the task.
    answer, strategy : None where it was not solved.
    refused : why there is no room for it in memory or on disk, or empty.
    error : why it failed, or empty.
    stopped : whether it was not begun because somebody had stopped the others.
    """

    number: int
    answer: Answer | None = None
    strategy: HandStrategy | None = None
    refused: str = ""
    error: str = ""
    stopped: bool = False


def work(task: Task, stop: Callable[[], bool] | None = None) -> Done:
    """Solve a task; runs in a worker. Whatever goes wrong is handed back, not raised.

    Parameters
    ----------
    stop : polled; once it returns true, the solve ends with the best it has.
    """
    from analysis.ragers.answers import solving
    from solver.hidden_hands import DiskRefused, MemoryRefused

    try:
        note = _say_nothing if task.quiet else _say
        saved = None if task.keeping is None else task.keeping.checkpoint(task.scenario, note)
        answer, strategy = solving.solve(task.scenario, task.effort, stop=stop, checkpoint=saved)
    except (DiskRefused, MemoryRefused) as refused:
        return Done(task.number, refused=str(refused))
    except TooShortError as error:
        return Done(task.number, error=str(error))
    except Exception as error:
        return Done(task.number, error=f"{type(error).__name__}: {error}")
    return Done(task.number, answer, strategy)


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def _say_nothing(_: str) -> None:
    pass


def num_processes(tasks: Sequence[Task]) -> int:
    """Return how many of `tasks` this machine can solve at once, by cores and by memory; at least 1."""
    from analysis.ragers.answers import solving
    from solver.hidden_hands import memory_limit

    largest = max(solving.estimate(task.scenario, task.effort).memory_bytes for task in tasks)
    limit = memory_limit(tasks[0].effort.memory_bytes)
    return max(1, min(len(tasks), processors(), limit // max(1, largest)))


def _stopped(task: Task) -> Done:
    return Done(task.number, stopped=True)


def _failed(task: Task, why: str) -> Done:
    return Done(task.number, error=why)


def on_workers(
    tasks: Sequence[Task], jobs: int, scheduler: str | None, interrupt: Interrupt
) -> Generator[Done]:
    """Solve `tasks` on the Dask cluster at `scheduler`, or without one in processes, `jobs` at most.

    As many as this machine can bear if that is 0; threads and memory are shared out among them. Yields
    each as it is done; raises what `analysis.workers.on_workers` does.
    """
    doing = Work(work, _stopped, _failed)
    if scheduler is not None:
        return workers.on_cluster(doing, tasks, scheduler, interrupt)
    jobs = min(jobs or num_processes(tasks), len(tasks))
    return workers.on_processes(doing, _shares(tasks, jobs), jobs, interrupt)


def _shares(tasks: Sequence[Task], jobs: int) -> list[Task]:
    """Return the tasks with what each may take of this machine."""
    from solver.hidden_hands import memory_limit

    shares = []
    for task in tasks:
        effort = replace(
            task.effort,
            threads=task.effort.threads or max(1, processors() // jobs),
            memory_bytes=memory_limit(task.effort.memory_bytes) // jobs,
        )
        shares.append(replace(task, effort=effort))
    return shares
