"""Many askings of one question: in turn, or several at once on processes or a Dask cluster."""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from analysis import interrupt
from analysis.errors import RequestError, WorkError
from analysis.exit_codes import EXIT_INTERRUPTED
from analysis.front.axes import files_of
from analysis.front.question import Answer, Question, Running, imported
from analysis.front.sizes import read_memory
from analysis.front.store import answered

__all__ = ["Point", "at_points"]


@dataclass(frozen=True)
class Point:
    """What became of one asking.

    Attributes
    ----------
    number : its place among all.
    answer : None where there is none.
    deals : what each deal came to, by the keys of figures; none if the question plays no deals.
    failed : why there is no answer; empty where there is one, or it was not asked.
    """

    number: int
    answer: Answer | None = None
    deals: Mapping[str, Sequence[float]] = field(default_factory=dict)
    failed: str = ""


@dataclass(frozen=True)
class _Task:
    number: int
    place: str
    question: str
    given: Mapping[str, Any]
    fresh: bool
    memory_bytes: int | None
    rules: tuple[tuple[str, bytes], ...] = ()
    """Names and contents of rules files, for machines that do not have them."""


def at_points(
    question: Question[Any, Any],
    todo: Sequence[Mapping[str, Any]],
    running: Running,
    jobs: int = 1,
    scheduler: str | None = None,
) -> Generator[Point]:
    """Ask a question with each of several values of its parameters; yield what comes of each as it is there.

    A question that shares its own work out does so where there are fewer points than processes.

    Parameters
    ----------
    jobs : processes; 0 is one for each processor.
    scheduler : address of a Dask cluster to ask on instead, or None.
    """
    from arena_solver.machine import processors

    jobs = min(jobs or processors(), len(todo))
    own = {each.name for each in question.parameters}
    if scheduler is None and (jobs < 2 or ("jobs" in own and len(todo) < jobs)):
        for number, given in enumerate(todo):
            if running.interrupt():
                return
            point = _asked(question, number, given, running)
            if point.answer is not None or point.failed:
                yield point
            if not point.failed and (point.answer is None or not point.answer.complete):
                return
        return
    from analysis import workers

    memory = None if scheduler is not None else running.memory_bytes // jobs
    tasks = [
        _Task(
            number,
            question.needs.place,
            question.name,
            _share(given, own, 1 if scheduler is not None else jobs, processors()),
            running.fresh,
            memory,
            () if scheduler is None else tuple((path.name, path.read_bytes()) for path in files_of(given)[0]),
        )
        for number, given in enumerate(todo)
    ]
    work = workers.Work(_do, _stopped, _failed)
    with closing(workers.on_workers(work, tasks, jobs, scheduler, running.interrupt)) as results:
        try:
            for point in results:
                if point.answer is not None or point.failed:
                    yield point
        except KeyboardInterrupt:
            if not running.interrupt():
                raise


def _share(given: Mapping[str, Any], own: set[str], jobs: int, processors: int) -> dict[str, Any]:
    """What one of several askings at once may take of a machine."""
    found = {key: value for key, value in given.items() if key not in ("jobs", "scheduler")}
    if jobs > 1 and "threads" in own and not int(given.get("threads") or 0):
        found["threads"] = max(1, processors // jobs)
    if jobs > 1 and given.get("memory"):
        found["memory"] = f"{read_memory(str(given['memory'])) // jobs}B"
    return found


def _asked(question: Question[Any, Any], number: int, given: Mapping[str, Any], running: Running) -> Point:
    asked = question.build(**given)
    try:
        if question.observed is None:
            return Point(number, answered(question, asked, running))
        found, deals = question.observe(asked, running)
        return Point(number, found, deals)
    except WorkError as error:
        return Point(number, failed="" if error.exit_code == EXIT_INTERRUPTED else str(error))


def _do(task: _Task, stop: Callable[[], bool] | None) -> Point:
    """Ask in a worker; what stops it is its parent, no signal."""
    question = imported(task.place).question(task.question)
    with interrupt.heeding(stop), TemporaryDirectory(prefix="arena-") as folder:
        given = dict(task.given)
        for number, (name, content) in enumerate(task.rules):
            path = Path(folder) / str(number) / name
            path.parent.mkdir()
            path.write_bytes(content)
            given["rules"] = (*(given["rules"] if number else ()), path)
        running = Running(limit_bytes=task.memory_bytes, fresh=task.fresh)
        try:
            return _asked(question, task.number, given, running)
        except RequestError:
            raise
        except Exception as error:
            return Point(task.number, failed=f"{type(error).__name__}: {error}")


def _stopped(task: _Task) -> Point:
    return Point(task.number)


def _failed(task: _Task, why: str) -> Point:
    return Point(task.number, failed=why)
