"""Who does a lot of the same work: this process, processes of this machine, or a cluster, here a stand-in."""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from analysis import workers
from analysis.interrupt import Interrupt
from analysis.workers import Work, here_or_on_workers


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


def test_who_is_stopped_begins_nothing_more_and_leaves_no_process_behind() -> None:
    interrupt = Interrupt()
    results = workers.on_processes(WORK, list(range(200)), 2, interrupt)
    first = next(results)
    interrupt.requested = True
    assert interrupt.then is not None
    interrupt.then()
    rest = list(results)
    assert first in range(0, 400, 2)
    assert len(rest) < 100
    assert multiprocessing.active_children() == []
