"""Much of the same work at once: on processes of this machine (joblib), or on a Dask cluster.

A worker only works; finding stored answers and storing new ones is the caller's business, so a worker that
dies takes nothing with it but the task it was at.
"""

from __future__ import annotations

import contextlib
import itertools
import os
import signal
import tempfile
import warnings
from collections.abc import Callable, Generator, Sequence
from concurrent.futures import CancelledError
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, TypeVar

from analysis.errors import WorkError
from analysis.interrupt import Interrupt
from analysis.version import __version__
from arena_solver.commands import call, packed
from arena_solver.compiling import leave_with
from arena_solver.machine import STOP_SIGNALS, has_ended, processors

_Task = TypeVar("_Task")
_Result = TypeVar("_Result")


class WorkersError(WorkError):
    """Workers that cannot be used; the message says why and what to do."""


class WorkersLost(WorkError):
    """Workers died half way; what they had handed back before counts."""


@dataclass(frozen=True)
class Work(Generic[_Task, _Result]):
    """What is done with a task; all three are functions of a module, so that workers find them.

    Attributes
    ----------
    do : (task, stop) -> result
        Runs in a worker; `stop`, if it is not None, is polled: once it returns true, the work ends with the
        best it has.
    stopped : task -> result
        What stands for a task that was not begun because somebody had stopped the others.
    failed : (task, why) -> result
        What stands for a task of which a worker of a cluster raised an exception.
    """

    do: Callable[[_Task, Callable[[], bool] | None], _Result]
    stopped: Callable[[_Task], _Result]
    failed: Callable[[_Task, str], _Result]


def on_workers(
    work: Work[_Task, _Result],
    tasks: Sequence[_Task],
    jobs: int,
    scheduler: str | None,
    interrupt: Interrupt,
) -> Generator[_Result]:
    """Do `tasks` on the Dask cluster at `scheduler`, or without one in processes, `jobs` at most.

    As many as there are processors if that is 0. Yields each result as it is there; raises what
    :func:`on_cluster` and :func:`on_processes` do.
    """
    if scheduler is not None:
        return on_cluster(work, tasks, scheduler, interrupt)
    return on_processes(work, tasks, max(1, min(jobs or processors(), len(tasks))), interrupt)


def here_or_on_workers(
    work: Work[_Task, _Result],
    tasks: Sequence[_Task],
    jobs: int,
    scheduler: str | None,
    interrupt: Interrupt,
) -> Generator[_Result]:
    """Do `tasks` one after another in this process, or, with several jobs or a scheduler, on workers.

    Yields each result as it is there; after an interrupt, those that there was time for.
    """
    if jobs == 1 and scheduler is None:
        for task in tasks:
            if interrupt():
                return
            yield work.do(task, interrupt)
    elif tasks:
        try:
            yield from on_workers(work, tasks, jobs, scheduler, interrupt)
        except KeyboardInterrupt:
            if not interrupt():
                raise


def on_processes(
    work: Work[_Task, _Result], tasks: Sequence[_Task], jobs: int, interrupt: Interrupt
) -> Generator[_Result]:
    """Do `tasks` in `jobs` processes, and yield each result as it is there.

    After a first interrupt those under way end with the best they have, and no others are begun.

    Raises
    ------
    WorkersLost
        If a process dies.
    """
    # A file is what all processes can see: once it is there, they stop.
    with tempfile.TemporaryDirectory(prefix="arena-") as folder:
        brake = Path(folder) / "stop"
        interrupt.then = brake.touch
        if interrupt.requested:
            brake.touch()
        try:
            yield from _in_processes(work, tasks, jobs, brake)
        finally:
            interrupt.then = None
            if interrupt.requested:
                _let_go()


def _let_go() -> None:
    """End processes that wait for more work: who was stopped would wait minutes for them at exit."""
    from joblib.externals.loky import get_reusable_executor

    get_reusable_executor().shutdown(wait=True, kill_workers=True)


def _in_processes(
    work: Work[_Task, _Result], tasks: Sequence[_Task], jobs: int, brake: Path
) -> Generator[_Result]:
    import joblib
    from joblib.externals.loky.process_executor import TerminatedWorkerError

    parallel = joblib.Parallel(n_jobs=jobs, return_as="generator_unordered", batch_size=1, pre_dispatch=jobs)
    # Tasks are handed out as processes get free, and no more of them once somebody has stopped the work.
    begun = itertools.takewhile(lambda _: not brake.exists(), tasks)
    results = parallel(
        joblib.delayed(call)(packed(_work_in_process, work, task, os.getpid(), brake)) for task in begun
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


def _work_in_process(work: Work[_Task, _Result], task: _Task, parent: int, brake: Path) -> _Result:
    if brake.exists():
        return work.stopped(task)
    if os.getpid() == parent:
        return work.do(task, brake.exists)
    # Ctrl-C reaches the whole group of processes, and so may the others; the parent sees to them.
    for each in STOP_SIGNALS:
        signal.signal(each, signal.SIG_IGN)
    leave_with(parent)

    def is_alone() -> bool:
        return has_ended(parent)

    # Whoever is killed leaves nobody behind who solves for nothing, or waits for ever to hand a result back.
    done = work.do(task, lambda: is_alone() or brake.exists())
    if is_alone():
        os._exit(1)
    return done


def _give_up() -> None:
    raise KeyboardInterrupt


def on_cluster(
    work: Work[_Task, _Result], tasks: Sequence[_Task], address: str, interrupt: Interrupt
) -> Generator[_Result]:
    """Do `tasks` on the Dask cluster at `address`, and yield each result as it is there.

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
        futures = client.map(call, [packed(work.do, task, None) for task in tasks], pure=False)
        given = {future.key: task for future, task in zip(futures, tasks, strict=True)}
        try:
            for future in as_completed(futures, loop=client.loop):
                try:
                    yield future.result()
                except (CancelledError, OSError, RuntimeError) as error:
                    if client.status != "running":
                        raise WorkersLost(f"the scheduler at {address} was lost") from None
                    yield work.failed(given[future.key], f"{type(error).__name__}: {error}")
                except Exception as error:
                    yield work.failed(given[future.key], f"{type(error).__name__}: {error}")
        finally:
            interrupt.then = None
            # With a scheduler that is gone there is nobody to tell.
            with contextlib.suppress(Exception):
                client.cancel(futures, force=True)


def worker_version() -> str:
    """Return the version of this package; run on the workers."""
    return __version__
