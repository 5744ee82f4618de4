"""Who does a lot of the same work: this process, processes of this machine, or a cluster, here a stand-in."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import CancelledError
from types import SimpleNamespace
from typing import Any

import pytest

from analysis import workers
from analysis.interrupt import Interrupt
from analysis.version import __version__
from analysis.workers import Work, WorkersError, WorkersLost, here_or_on_workers, on_cluster, on_workers


def double(task: int, stop: Callable[[], bool] | None) -> int:
    return 2 * task


def stopped(task: int) -> int:
    return -1


def failed(task: int, why: str) -> str:
    return f"{task}: {why}"


WORK: Work[Any, Any] = Work(double, stopped, failed)


@pytest.fixture
def given(monkeypatch: pytest.MonkeyPatch) -> list[tuple[Any, ...]]:
    """What was given to processes, and to a cluster."""
    found: list[tuple[Any, ...]] = []

    def processes(work: Any, tasks: Sequence[int], jobs: int, interrupt: Interrupt) -> Iterator[int]:
        found.append(("processes", jobs))
        return iter([2 * task for task in tasks])

    def cluster(work: Any, tasks: Sequence[int], address: str, interrupt: Interrupt) -> Iterator[int]:
        found.append(("cluster", address))
        return iter([2 * task for task in tasks])

    monkeypatch.setattr(workers, "on_processes", processes)
    monkeypatch.setattr(workers, "on_cluster", cluster)
    monkeypatch.setattr(workers, "processors", lambda: 4)
    return found


@pytest.mark.parametrize(
    ("tasks", "jobs", "processes"), [(9, 3, 3), (9, 0, 4), (2, 0, 2), (2, 9, 2), (0, 3, 1), (1, 1, 1)]
)
def test_there_are_no_more_processes_than_tasks_and_at_least_one(
    given: list[tuple[Any, ...]], tasks: int, jobs: int, processes: int
) -> None:
    assert list(on_workers(WORK, range(tasks), jobs, None, Interrupt())) == [
        2 * each for each in range(tasks)
    ]
    assert given == [("processes", processes)]


@pytest.mark.parametrize(
    ("jobs", "scheduler", "where"),
    [
        (1, None, []),
        (2, None, [("processes", 2)]),
        (0, None, [("processes", 3)]),
        (1, "there", [("cluster", "there")]),
        (2, "there", [("cluster", "there")]),
    ],
)
def test_one_job_is_done_here(
    given: list[tuple[Any, ...]], jobs: int, scheduler: str | None, where: list[tuple[Any, ...]]
) -> None:
    assert list(here_or_on_workers(WORK, [1, 2, 3], jobs, scheduler, Interrupt())) == [2, 4, 6]
    assert given == where
    assert list(here_or_on_workers(WORK, [], jobs, scheduler, Interrupt())) == []
    assert given == where, "for nothing nobody is asked"


def test_after_an_interrupt_what_there_was_time_for_is_there(monkeypatch: pytest.MonkeyPatch) -> None:
    interrupt = Interrupt()
    found = []
    for result in here_or_on_workers(WORK, [1, 2, 3], 1, None, interrupt):
        found.append(result)
        interrupt.requested = len(found) == 2
    assert found == [2, 4]

    def cut(*_: Any) -> Iterator[int]:
        yield 2
        raise KeyboardInterrupt

    monkeypatch.setattr(workers, "on_processes", cut)
    assert list(here_or_on_workers(WORK, [1, 2], 2, None, interrupt)) == [2]
    # One that nobody has noted is not swallowed.
    with pytest.raises(KeyboardInterrupt):
        list(here_or_on_workers(WORK, [1, 2], 2, None, Interrupt()))


class Cluster:
    """A stand-in for Dask: its workers have these versions, and tasks end as they are told."""

    def __init__(
        self, versions: Sequence[str], ends: Sequence[Exception | int] = (), status: str = "running"
    ):
        self.versions, self.ends, self.status = versions, ends, status
        self.loop, self.cancelled = None, 0

    def __enter__(self) -> Cluster:
        return self

    def __exit__(self, *_: object) -> None: ...

    def run(self, function: Any, *arguments: Any) -> dict[str, Any]:
        assert function(*arguments) == __version__
        return {f"worker {place}": version for place, version in enumerate(self.versions)}

    def map(self, function: Any, calls: Sequence[bytes], pure: bool) -> list[Any]:
        def result(place: int) -> Any:
            end = self.ends[place]
            if isinstance(end, Exception):
                raise end
            return function(calls[place])

        return [
            SimpleNamespace(key=f"key {place}", result=lambda place=place: result(place))
            for place in range(len(calls))
        ]

    def cancel(self, futures: Sequence[Any], force: bool) -> None:
        self.cancelled += 1


def asked(
    monkeypatch: pytest.MonkeyPatch, cluster: Cluster, interrupt: Interrupt | None = None
) -> Iterator[Any]:
    dask = SimpleNamespace(
        Client=lambda address, **_: cluster, as_completed=lambda futures, loop: reversed(futures)
    )
    monkeypatch.setitem(sys.modules, "distributed", dask)
    return on_cluster(WORK, range(len(cluster.ends)), "there", interrupt or Interrupt())


def test_results_of_a_cluster_come_as_they_are_there(monkeypatch: pytest.MonkeyPatch) -> None:
    cluster = Cluster([__version__] * 2, [0, ValueError("odd"), CancelledError(), OSError("gone"), 0])
    assert list(asked(monkeypatch, cluster)) == [
        8,
        "3: OSError: gone",
        "2: CancelledError: ",
        "1: ValueError: odd",
        0,
    ]
    assert cluster.cancelled == 1


@pytest.mark.parametrize(
    ("versions", "said"),
    [
        ([], "has no workers"),
        (["0.0.1"], "have version 0.0.1, not ours"),
        ([__version__, "0.0.1"], "not ours"),
        (["9.9", "0.0.1"], r"0\.0\.1, 9\.9, not ours"),
    ],
)
def test_workers_of_another_version_are_refused(
    monkeypatch: pytest.MonkeyPatch, versions: list[str], said: str
) -> None:
    with pytest.raises(WorkersError, match=said):
        list(asked(monkeypatch, Cluster(versions, [0])))


def test_a_scheduler_that_is_lost_is_told_from_a_task_that_failed(monkeypatch: pytest.MonkeyPatch) -> None:
    for error in (CancelledError(), OSError("gone"), RuntimeError("closed")):
        with pytest.raises(WorkersLost, match="scheduler at there was lost"):
            list(asked(monkeypatch, Cluster([__version__], [error], status="closed")))
    # What a task itself raised says nothing of the scheduler.
    [found] = asked(monkeypatch, Cluster([__version__], [KeyError("x")], status="closed"))
    assert found == "0: KeyError: 'x'"


def test_an_interrupt_gives_up_what_a_cluster_has_not_done(monkeypatch: pytest.MonkeyPatch) -> None:
    interrupt = Interrupt()
    interrupt.requested = True
    with pytest.raises(KeyboardInterrupt):
        list(asked(monkeypatch, Cluster([__version__], [0]), interrupt))
    interrupt = Interrupt()
    results = asked(monkeypatch, Cluster([__version__], [0, 0]), interrupt)
    assert next(results) == 2
    then = interrupt.then
    assert then is not None
    with pytest.raises(KeyboardInterrupt):
        then()
    assert next(results) == 0
    assert list(results) == []
    assert interrupt.then is None
