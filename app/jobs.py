"""Questions at work, each in a process of its own: queue, progress, pause, stop, and what a restart finds.

One cheap question and one long one are at work at a time. Nobody knows beforehand which is which: one is long
after `LONG_S`; if another long one is at work then, it waits in memory, so that cheap ones have their turn.
"""

from __future__ import annotations

import asyncio
import hashlib
import secrets
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec

from analysis import registry
from analysis.errors import RequestError
from analysis.front.bundles import Kept, RulesFiles
from analysis.front.forms import needs_file
from analysis.front.page import Curve
from analysis.front.render.drawings import curve_svg
from analysis.version import __version__
from app import texts
from app.folder import Asked, Folder, JobRecord
from app.forms import keywords, transcript_of
from app.workers import Worker
from arena_solver.machine import free_bytes

__all__ = ["Job", "Jobs", "key_of", "keys_of", "names_file"]

LONG_S = 10.0
MOST_WAITING = 20
MOST_PAUSED = 3
"""Jobs that may wait in memory."""
KEPT_JOBS = 200
MOST_POINTS = 200
"""Of the curve of a job."""
_GIVES_WAY_S = 10.0
"""A question waits so long for one that gives way."""
_IDLE = 1
"""Processes that are kept warm for the next question."""
STOPS_S = 1.4
"""What does not stop within this is ended with what it has shown; in the middle of it, it is told again."""
_TIRED_BYTES = 1_500 * 2**20
"""A process that has grown to this is not used again."""


def key_of(asked: Asked, folder: Folder) -> str:
    """Return the name under which an answer is kept: the same question by the same rules has the same one.

    Raises
    ------
    RequestError
        If the question cannot be asked so.
    """
    question = _question(asked)
    built = question.build(**keywords(question, asked, folder))
    played = transcript_of(question)
    here = played is not None and isinstance(folder.given(asked.given).get(played.name), Path)
    if not here and (names_file(built) or needs_file(question)):
        raise RequestError(texts.NO_FILES)
    return next(keys_of([asked], folder))


def keys_of(several: Sequence[Asked], folder: Folder) -> Iterator[str]:
    """Yield the names of answers to questions by the same rules, each of which can be asked."""
    first, rules = several[0], []
    question = _question(first)
    if question.has_rules:
        # The name goes with the answer; what they are is told by their values alone.
        files = (folder.rules_files(first.game, name) for name in (first.rules, first.diff))
        both = [RulesFiles(rules=each) for each in files][: 1 + bool(first.diff)]
        both[0] = msgspec.structs.replace(both[0], set=tuple(first.set))
        rules = [f"{found.name}/{found.sha256}" for found in map(question.needs.rules_of, both)]
    for each in several:
        given = sorted(each.given.items())
        what = [__version__, each.game, each.question, given, rules, each.vary, each.goal, each.diff]
        yield hashlib.sha256(msgspec.json.encode(what)).hexdigest()[:32]


def _question(asked: Asked) -> Any:
    return registry.game_named(asked.game).question(asked.question)


def names_file(value: Any) -> bool:
    """Tell whether somebody named a file of this machine; rules and kept work are the app's own."""
    if isinstance(value, msgspec.Struct) and not isinstance(value, RulesFiles | Kept):
        return any(names_file(getattr(value, name)) for name in value.__struct_fields__)
    return isinstance(value, Path) or (isinstance(value, tuple) and any(map(names_file, value)))


class Job:
    """A question at work, or waiting for it."""

    def __init__(self, record: JobRecord) -> None:
        self.record = record
        self.worker: Worker | None = None
        self.worked_s = 0.0
        self.memory = 0
        self.limit = 0
        self.yields = False
        """Whether it stands still for another long one."""
        self.stopping = 0
        """How often it was told to stop."""
        self.finished = asyncio.Event()

    @property
    def is_long(self) -> bool:
        """Whether it has worked for long."""
        return self.worked_s > LONG_S

    @property
    def gives_way(self) -> bool:
        """Whether it stops for whatever else is asked."""
        return bool(_question(self.record.asked).gives_way)

    @property
    def at_work(self) -> bool:
        """Whether it uses a processor."""
        return self.record.state == "running" and not self.yields

    def shown(self) -> dict[str, Any]:
        """Return where it stands, for its page."""
        record = self.record
        points = [(round(seconds, 1), gap) for seconds, gap in record.curve]
        drawn = Curve(
            "",
            texts.SECONDS,
            texts.GAP,
            "number",
            [at for at, _ in points],
            {texts.GAP: [gap for _, gap in points]},
        )
        return {
            "id": record.id,
            "state": record.state,
            "share": round(100 * min(record.done / record.total, 1.0), 1) if record.total else None,
            "words": texts.standing(record, self.worked_s, yields=self.yields, stopping=bool(self.stopping)),
            "said": record.said,
            "memory": texts.memory(self.memory, self.limit) if self.memory else "",
            "curve": curve_svg(drawn) if len(points) > 1 else "",
        }


class Jobs:
    """All questions at work."""

    def __init__(self, folder: Folder) -> None:
        self.folder = folder
        self.live: dict[str, Job] = {}
        self._idle: list[Worker] = []
        self._tasks: set[asyncio.Task[None]] = set()
        self._wake = asyncio.Event()

    async def open(self) -> None:
        """Begin; a process is started, so that the first question need not wait for one."""
        self.spawn(self._warmed())
        self.spawn(self._watched())

    def spawn(self, work: Any) -> asyncio.Task[None]:
        """Do something beside what is asked."""
        task: asyncio.Task[None] = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    async def close(self) -> None:
        """End: what is under way is kept, as far as it can be."""
        for task in list(self._tasks):
            task.cancel()
        workers = [*self._idle, *(job.worker for job in self.live.values() if job.worker is not None)]
        for worker in workers:
            worker.rest(still=False)
            worker.leave()
        for worker in workers:
            try:
                await asyncio.wait_for(worker.process.wait(), 3.0)
            except TimeoutError:
                worker.kill()
                await worker.process.wait()

    async def _warmed(self) -> None:
        worker = await Worker.started(self.folder)
        await worker.send(do="warm")
        self._idle.append(worker)

    # ---- asking --------------------------------------------------------------------------------------------

    async def ask(self, asked: Asked, *, again: bool = False, long: bool = False) -> tuple[str, Job | None]:
        """Return the name of an answer, and the job that is at it; None if it is there.

        Parameters
        ----------
        again : whether an answer that was stopped early is gone on with.
        long : whether it may take as long as it takes.

        Raises
        ------
        RequestError
            If the question cannot be asked so, or too many wait.
        """
        key = await asyncio.to_thread(key_of, asked, self.folder)
        for job in self.live.values():
            if job.record.key == key and not job.finished.is_set():
                return key, job
        if not again and self.folder.answer_path(key).exists():
            return key, None
        lost = [job for job in self.live.values() if job.record.key == key and job.record.state != "done"]
        if lost and not again:
            # Stopped or failed without an answer: to look at it again asks nothing.
            return key, lost[-1]
        if sum(job.record.state == "waiting" for job in self.live.values()) >= MOST_WAITING:
            raise RequestError(texts.MANY_WAIT)
        self._tidied()
        record = JobRecord(
            id=secrets.token_hex(6),
            asked=asked,
            key=key,
            server=self.folder.server,
            begun=time.time(),
            long=long,
        )
        job = Job(record)
        self.live[record.id] = job
        self.folder.write_job(record)
        self._fill()
        return key, job

    def forget(self, asked: Asked) -> None:
        """Forget how a question ended before: it is asked once more."""
        for name, job in list(self.live.items()):
            if job.record.asked == asked and job.finished.is_set():
                del self.live[name]

    def _tidied(self) -> None:
        over = [each for each in self.folder.jobs() if each.state in ("done", "stopped", "failed", "asks")]
        for each in sorted(over, key=lambda each: each.begun)[:-KEPT_JOBS]:
            self.folder.forget_job(each.id)
            self.live.pop(each.id, None)

    def all(self) -> list[JobRecord]:
        """Return all jobs, the newest first; what a server that is gone was at has been interrupted."""
        found = {each.id: each for each in self.folder.jobs()} | {
            name: job.record for name, job in self.live.items()
        }
        for each in found.values():
            lost = each.server == self.folder.server or not self.folder.is_alive(each.server)
            if each.id not in self.live and each.state in ("waiting", "running", "paused") and lost:
                each.state = "interrupted"
        return sorted(found.values(), key=lambda each: -each.begun)

    def record(self, id: str) -> JobRecord | None:
        """Return a job; None if there is no such one."""
        job = self.live.get(id)
        if job is not None:
            return job.record
        return next((each for each in self.all() if each.id == id), None)

    # ---- working -------------------------------------------------------------------------------------------

    def _fill(self) -> None:
        """Start what waits, as far as there is room."""
        jobs = list(self.live.values())
        long = [job for job in jobs if job.at_work and job.is_long]
        for job in long[1:]:
            if sum(each.yields for each in jobs) < MOST_PAUSED and job.worker is not None:
                job.yields = True
                job.worker.rest(still=True)
        if not long:
            still = [job for job in jobs if job.yields and job.record.state == "running"]
            if still and still[0].worker is not None:
                still[0].yields = False
                still[0].worker.rest(still=False)
        if any(job.at_work and not (job.is_long or job.gives_way) for job in jobs):
            return
        waiting = next((job for job in jobs if job.record.state == "waiting"), None)
        if waiting is not None:
            waiting.record.state = "running"
            self.spawn(self._worked(waiting))

    async def _watched(self) -> None:
        """Look at what is at work twice a second."""
        while True:
            await asyncio.sleep(0.5)
            for job in list(self.live.values()):
                if job.record.state != "running" or job.worker is None:
                    continue
                if job.at_work:
                    job.worked_s += 0.5
                job.memory = await asyncio.to_thread(job.worker.memory)
            self._fill()

    async def _worker(self) -> Worker:
        while self._idle:
            worker = self._idle.pop()
            if worker.alive:
                return worker
        return await Worker.started(self.folder)

    async def _worked(self, job: Job) -> None:
        record, folder = job.record, self.folder
        begun = time.monotonic()
        for other in list(self.live.values()):
            if other is not job and other.worker is not None and other.gives_way:
                await self.stop(other.record.id)
                await self.waited(other, _GIVES_WAY_S)
        worker = await self._worker()
        job.worker = worker
        job.limit = int(free_bytes() * 0.6)
        try:
            asked = record.asked
            names = (asked.rules, asked.diff)
            rules, diff = ([str(file) for file in folder.rules_files(asked.game, name)] for name in names)
            await worker.send(
                do="answer",
                id=record.id,
                asked=msgspec.to_builtins(asked),
                files=rules,
                diff=diff,
                memory=job.limit,
                keep=str(folder.work_path(record.key)),
                to=str(folder.answer_path(record.key)),
                so_far=str(folder.so_far_path(record.key)),
                long=record.long,
                given={
                    name: value if isinstance(value, list) else str(value)
                    for name, value in folder.given(asked.given).items()
                },
            )
            await self._followed(job, worker)
        except RequestError as error:
            record.state, record.error, record.option = "failed", str(error), error.option or ""
            record.wrong = True
        except asyncio.CancelledError:
            record.seconds = time.monotonic() - begun
            folder.write_job(record)
            raise
        record.seconds = time.monotonic() - begun
        folder.write_job(record)
        job.worker = None
        job.yields = False
        if worker.alive and len(self._idle) < _IDLE and worker.memory() < _TIRED_BYTES:
            self._idle.append(worker)
        else:
            worker.leave()
        job.finished.set()
        self._fill()

    async def _followed(self, job: Job, worker: Worker) -> None:
        """Take what a process says of a question, to its end."""
        record = job.record
        while True:
            line = await worker.line()
            # Who is told to stop before there is anything to show may say so as an error.
            if line is None or "left" in line or ("error" in line and job.stopping):
                record.state = "stopped" if job.stopping else "failed"
                record.error = "" if job.stopping else texts.LOST
                if job.stopping:
                    self.folder.keep_so_far(record.key)
                return
            if "asks" in line:
                record.state = "asks"
                return
            if "error" in line:
                record.state, record.error, record.option = "failed", line["error"], line["option"]
                record.wrong = line["wrong"]
                if line["first"] is not None:
                    question, given = line["first"]
                    record.first = msgspec.structs.replace(record.asked, question=question, given=given)
                return
            if line.get("finished"):
                record.state = "done" if line["complete"] else "stopped"
                return
            if "said" in line:
                record.said = [*record.said, line["said"]][-3:]
            if line.get("begins"):
                record.curve = []
            if "point" in line:
                record.curve = [*record.curve, tuple(line["point"])][-MOST_POINTS:]
            if "phase" in line:
                record.phase, record.done, record.total = line["phase"], line["done"], line["total"]
                record.told = line.get("told", "")

    async def stop(self, id: str) -> None:
        """Stop a job with the best so far; asked again, with less, or without."""
        job = self.live.get(id)
        if job is None or job.finished.is_set():
            record = self.record(id)
            if record is not None and record.state == "interrupted":
                self.folder.forget_job(id)
            return
        if job.worker is None:
            job.record.state = "stopped"
            self.folder.write_job(job.record)
            job.finished.set()
        elif job.stopping > _question(job.record.asked).leaves:
            job.worker.kill()
        else:
            job.stopping += 1
            self._resumed(job)
            await job.worker.send(do="stop", id=id)
            if job.stopping == 1:
                self.spawn(self._ended(job))

    async def _ended(self, job: Job) -> None:
        """End a job that was told to stop: what compiles or proves hears nothing meanwhile."""
        leaves = _question(job.record.asked).leaves
        for last in (False, True):
            if await self.waited(job, STOPS_S / 2) or job.worker is None:
                return
            if leaves and not last:
                job.stopping += 1
                await job.worker.send(do="stop", id=job.record.id)
        if job.worker is not None:
            job.worker.kill()

    def first(self, id: str) -> None:
        """Let a job that waits be the next one."""
        if id in self.live:
            self.live = {id: self.live.pop(id), **self.live}
            self._fill()

    async def pause(self, id: str, *, still: bool) -> None:
        """Let a job stand still, or go on."""
        job = self.live.get(id)
        if job is None or job.worker is None or job.finished.is_set():
            return
        if not still:
            self._resumed(job)
        elif job.record.state == "running":
            job.record.state = "paused"
            job.worker.rest(still=True)
        self._fill()

    def _resumed(self, job: Job) -> None:
        assert job.worker is not None
        if job.record.state == "paused" or job.yields:
            job.record.state, job.yields = "running", False
            job.worker.rest(still=False)

    async def waited(self, job: Job, seconds: float) -> bool:
        """Wait for a job's end, but no longer than that; return whether it has ended."""
        with suppress(TimeoutError):
            await asyncio.wait_for(asyncio.shield(job.finished.wait()), seconds)
        return job.finished.is_set()
