"""Many solves at once: on processes of this machine (joblib), or on a Dask cluster.

A worker only solves; finding stored answers and storing new ones is the caller's business, so a worker that
dies takes nothing with it but the solve it was at.
"""

from __future__ import annotations

import os
import signal
import sys
import tempfile
import warnings
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from analysis.interrupt import Interrupt
from analysis.ragers.answers.answer import Answer, HandStrategy
from analysis.ragers.answers.solving import Effort, Keeping
from analysis.ragers.scenarios import Scenario
from analysis.version import __version__
from arena_solver.commands import call, packed
from arena_solver.compiling import leave_with


class WorkersError(Exception):
    """Workers that cannot be used; the message says why and what to do."""


class WorkersLost(Exception):
    """Workers died half way; what they had handed back before counts."""


@dataclass(frozen=True)
class Task:
    """A scenario to solve.

    Attributes
    ----------
    number
        The caller's.
    keeping
        Where its running solve is saved, or None.
    quiet
        Whether to say nothing about that.
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
    number
        That of the task.
    answer, strategy
        None where it was not solved.
    refused
        Why there is no room for it in memory or on disk, or empty.
    error
        Why it failed, or empty.
    stopped
        Whether it was not begun because somebody had stopped the others.
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
    stop
        Polled; once it returns true, the solve ends with the best it has.
    """
    from analysis.ragers.answers import solving
    from solver.hidden_hands import DiskRefused, MemoryRefused

    try:
        note = _say_nothing if task.quiet else _say
        saved = None if task.keeping is None else task.keeping.checkpoint(task.scenario, note)
        answer, strategy = solving.solve(task.scenario, task.effort, stop=stop, checkpoint=saved)
    except (DiskRefused, MemoryRefused) as refused:
        return Done(task.number, refused=str(refused))
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
    return max(1, min(len(tasks), _num_cores(), limit // max(1, largest)))


def on_workers(
    tasks: Sequence[Task], jobs: int, scheduler: str | None, interrupt: Interrupt
) -> Generator[Done]:
    """Solve `tasks` on the Dask cluster at `scheduler`, or without one in processes, `jobs` at most.

    As many as this machine can bear if that is 0. Yields each as it is done; raises what
    :func:`on_cluster` and :func:`on_processes` do.
    """
    if scheduler is not None:
        return on_cluster(tasks, scheduler, interrupt)
    return on_processes(tasks, min(jobs or num_processes(tasks), len(tasks)), interrupt)


def on_processes(tasks: Sequence[Task], jobs: int, interrupt: Interrupt) -> Generator[Done]:
    """Solve `tasks` in `jobs` processes, and yield each as it is done.

    Threads and memory are shared out among the processes. After a first interrupt those under way end with
    the best they have, and no others are begun.

    Raises
    ------
    WorkersLost
        If a process dies.
    """
    from solver.hidden_hands import memory_limit

    cores = _num_cores()
    shares = []
    for task in tasks:
        effort = replace(
            task.effort,
            threads=task.effort.threads or max(1, cores // jobs),
            memory_bytes=memory_limit(task.effort.memory_bytes) // jobs,
        )
        shares.append(replace(task, effort=effort))
    # A file is what all processes can see: once it is there, they stop.
    with tempfile.TemporaryDirectory(prefix="ragers-") as folder:
        brake = Path(folder) / "stop"
        interrupt.then = brake.touch
        if interrupt.requested:
            brake.touch()
        try:
            yield from _in_processes(shares, jobs, brake)
        finally:
            interrupt.then = None


def _in_processes(tasks: Sequence[Task], jobs: int, brake: Path) -> Generator[Done]:
    import joblib
    from joblib.externals.loky.process_executor import TerminatedWorkerError

    parallel = joblib.Parallel(n_jobs=jobs, return_as="generator_unordered", batch_size=1, pre_dispatch=jobs)
    results = parallel(
        joblib.delayed(call)(packed(_work_in_process, task, os.getpid(), brake)) for task in tasks
    )
    try:
        for done in results:  # noqa: UP028 - closed below, with care
            yield done
    except TerminatedWorkerError as error:
        raise WorkersLost(
            "a process died; if it was killed for memory, use fewer (--jobs) or allow less (--memory)"
        ) from error
    finally:
        # Whoever wants no more results knows that what is not done yet is given up.
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)
            results.close()


def _work_in_process(task: Task, parent: int, brake: Path) -> Done:
    if brake.exists():
        return Done(task.number, stopped=True)
    if os.getpid() == parent:
        return work(task, stop=brake.exists)
    # Ctrl-C reaches the whole group of processes, and so may the others; the parent sees to them.
    for name in ("SIGINT", "SIGTERM", "SIGHUP"):
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), signal.SIG_IGN)
    leave_with(parent)

    def is_alone() -> bool:
        return os.getppid() != parent

    # Whoever is killed leaves nobody behind who solves for nothing, or waits for ever to hand a result back.
    done = work(task, stop=lambda: is_alone() or brake.exists())
    if is_alone():
        os._exit(1)
    return done


def _num_cores() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _give_up() -> None:
    raise KeyboardInterrupt


def on_cluster(tasks: Sequence[Task], address: str, interrupt: Interrupt) -> Generator[Done]:
    """Solve `tasks` on the Dask cluster at `address`, and yield each as it is done.

    What a lost worker was at is given to another one. An interrupt gives up what is not done yet.

    Raises
    ------
    WorkersError
        If Dask is not installed, nobody answers at `address`, or its workers lack this version.
    """
    try:
        import distributed
    except ImportError:
        raise WorkersError(
            "--scheduler needs Dask; install it with: pip install 'arena-solver[distributed]'"
        ) from None
    # Not all of these have types, and which do depends on the version.
    connect: Any = distributed.Client
    as_completed: Any = distributed.as_completed
    try:
        client: Any = connect(address, timeout="10s", set_as_default=False)
    except (OSError, ValueError) as error:
        raise WorkersError(f"no Dask scheduler answers at {address!r} ({error})") from None
    with client:
        try:
            versions = set(client.run(call, packed(worker_version)).values())
        except Exception as error:
            raise WorkersError(f"a worker of {address} cannot import this package: {error}") from None
        if not versions:
            raise WorkersError(f"the cluster at {address} has no workers")
        if versions != {__version__}:
            raise WorkersError(f"workers of {address} have version {', '.join(sorted(versions))}, not ours")
        interrupt.then = _give_up
        if interrupt.requested:
            _give_up()
        futures = client.map(call, [packed(work, task) for task in tasks], pure=False)
        numbers = {future.key: task.number for future, task in zip(futures, tasks, strict=True)}
        try:
            for future in as_completed(futures, loop=client.loop):
                try:
                    yield future.result()
                except Exception as error:
                    yield Done(numbers[future.key], error=f"{type(error).__name__}: {error}")
        finally:
            interrupt.then = None
            client.cancel(futures, force=True)


def worker_version() -> str:
    """Return the version of this package; run on the workers."""
    return __version__
