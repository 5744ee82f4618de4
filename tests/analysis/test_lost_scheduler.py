"""A Dask scheduler that is lost midway: what is finished counts, and one sentence says what happened."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest

from analysis.interrupt import Interrupt
from analysis.workers import Work, WorkersLost, on_cluster

pytestmark = pytest.mark.crosscheck


def slow(task: int, stop: Callable[[], bool] | None) -> int:
    time.sleep(0.5)
    return task


def stopped(task: int) -> int:
    return -1


def failed(task: int, why: str) -> int:
    return -2


@pytest.mark.filterwarnings("ignore")
def test_a_scheduler_that_is_lost_is_said_in_a_sentence() -> None:
    distributed = pytest.importorskip("distributed")
    cluster = distributed.LocalCluster(n_workers=1, threads_per_worker=1, dashboard_address=None)
    results = on_cluster(Work(slow, stopped, failed), range(20), cluster.scheduler_address, Interrupt())
    assert next(results) >= 0
    cluster.close(timeout=10)
    with pytest.raises(WorkersLost, match="was lost"):
        list(results)
