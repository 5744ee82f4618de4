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
from analysis.workers import Work, WorkersError, WorkersLost, here_or_on_workers, on_cluster


def double(task: int, stop: Callable[[], bool] | None) -> int:
    return 2 * task


def stopped(task: int) -> int:
    return -1


def failed(task: int, why: str) -> str:
    return f"{task}: {why}"


WORK: Work[Any, Any] = Work(double, stopped, failed)


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
