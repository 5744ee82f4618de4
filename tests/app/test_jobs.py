"""Questions at work: progress, stop, pause, the queue, and what a restart finds."""

from __future__ import annotations

import asyncio
import html
import io
import json
import re
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl, urlsplit

import pytest

pytest.importorskip("starlette", reason="the app needs the extra `app`")

import msgspec
import psutil

from analysis.interrupt import Interrupt
from app.folder import Asked, Folder, JobRecord
from app.jobs import MOST_WAITING, Job, Jobs, key_of
from app.working import _Channel
from tests.app.client import running

if TYPE_CHECKING:
    from tests.app.client import Client, Reply

LONG = "/bidding/match?deals=400000"


@pytest.fixture(autouse=True)
def pace(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever runs beside these tests, what is told to stop has the time to say what it has.

    Pages come at once, and a match is long from the beginning.
    """
    monkeypatch.setattr("app.jobs.STOPS_S", 60.0)
    monkeypatch.setattr(Job, "is_long", property(lambda job: job.record.asked.question == "match"))
    monkeypatch.setattr("app.server.QUICK_S", 0.1)


def jobs_of(folder: Path) -> list[JobRecord]:
    found = [
        msgspec.json.decode(path.read_bytes(), type=JobRecord) for path in (folder / "jobs").glob("*.json")
    ]
    return sorted(found, key=lambda each: each.begun)


def begun(client: Client, path: str = LONG) -> str:
    reply = client.get(path)
    return job_in(reply)


def job_in(reply: Reply) -> str:
    """The job that is at what a page asks."""
    found = re.search(r'data-job="(\w+)"', reply.text)
    assert found, reply.seen
    return found[1]


def wait(what: Any, seconds: float = 30.0) -> Any:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        found = what()
        if found:
            return found
        time.sleep(0.1)
    raise AssertionError("that did not come")


def words(client: Client, path: str = LONG) -> str:
    """What the page of a question at work says of it."""
    found = re.search(r'<p class="words"[^>]*>([^<]*)', client.get(path).text)
    return found[1] if found else ""


def test_a_long_question_shows_progress_and_stops_with_what_there_is(tmp_path: Path) -> None:
    with running(tmp_path) as client:
        id = begun(client)
        assert wait(lambda: "deals" in words(client))
        share = re.search(r'<progress max="100" value="([\d.]+)"', client.get(LONG).text)
        assert share
        assert 0 <= float(share[1]) < 100
        # Whoever asks again gets the job that is at it.
        assert begun(client) == id
        assert "at work" in client.get("/jobs").seen.lower()
        # What is cheap does not wait for it.
        assert "Neither seat is better" in client.answered("/bidding/solve?ask=1").seen
        assert client.post(f"/jobs/{id}", {"do": "pause"}).status == 303
        assert wait(lambda: "paused" in client.get(LONG).seen)
        assert client.post(f"/jobs/{id}", {"do": "go-on"}).status == 303
        wait(lambda: "deals" in words(client))
        client.post(f"/jobs/{id}", {"do": "stop"})
        reply = client.answered(LONG)
        assert "stopped early" in reply.seen
        assert json.loads(client.saved(reply).text)["complete"] is False
        done = json.loads(client.saved(reply).text)["deals"]
        # It goes on where it was.
        assert 'ask=again">' in reply.text
        again = client.get(f"{LONG}&ask=again")
        id = job_in(again)
        client.post(f"/jobs/{id}", {"do": "stop"})
        assert json.loads(client.saved(client.answered(LONG)).text)["deals"] >= done


def test_what_gives_way_stops_for_whatever_else_is_asked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Job, "gives_way", property(lambda job: job.record.asked.question == "match"))
    with running(tmp_path) as client:
        begun(client)
        wait(lambda: "deals" in words(client))
        reply = client.answered("/bidding/solve?ask=1")
        assert "Neither seat is better" in reply.seen
        assert [each.state for each in jobs_of(tmp_path)] == ["stopped", "done"]
        # What it had done is there, and nobody waits for it.
        assert "stopped early" in client.get(LONG).seen


def test_a_restart_loses_nothing(tmp_path: Path) -> None:
    with running(tmp_path) as client:
        answered = client.answered("/bidding/solve?ask=1")
        begun(client)
    assert [each.state for each in jobs_of(tmp_path)][-1] in ("running", "stopped")
    with running(tmp_path) as client:
        assert client.get("/bidding/solve?ask=1").text == answered.text
        page = client.get("/jobs")
        assert "interrupted" in page.seen
        assert "interrupted" in client.get("/").seen
        id = jobs_of(tmp_path)[-1].id
        sent = client.post(f"/jobs/{id}", {"do": "again"})
        assert sent.status == 303
        again = client.get(sent.where)
        new = job_in(again)
        client.post(f"/jobs/{new}", {"do": "stop"})
        client.answered(LONG)


def test_a_job_that_fails_says_why_in_its_form(client: Client) -> None:
    reply = client.answered("/bidding/solve?max_nodes=3")
    # Nothing is wrong with the question: what it needs is not there.
    assert reply.status == 200
    assert "There is no answer yet" in reply.seen
    assert "more than 3 nodes" in reply.seen


def test_stopped_at_once_it_is_not_begun_again_by_looking(tmp_path: Path) -> None:
    with running(tmp_path) as client:
        id = begun(client)
        client.post(f"/jobs/{id}", {"do": "pause"})
        client.post(f"/jobs/{id}", {"do": "stop"})
        client.post(f"/jobs/{id}", {"do": "stop"})
        reply = client.answered(LONG)
        assert "stopped" in reply.seen
        assert len(jobs_of(tmp_path)) == 1


def test_what_hears_nothing_is_ended_and_the_next_question_begins(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As a process that compiles or proves, one that stands still takes no word."""
    monkeypatch.setattr("app.jobs.STOPS_S", 1.0)
    others = psutil.Process().children()
    with running(tmp_path) as client:
        id = begun(client)
        wait(lambda: "deals" in words(client))
        workers = [each for each in psutil.Process().children() if each not in others]
        for each in workers:
            each.suspend()
        client.post(f"/jobs/{id}", {"do": "stop"})
        reply = client.answered(LONG)
        assert "stopped" in reply.seen
        assert not any(each.is_running() and each.status() != "zombie" for each in workers)
        assert client.answered("/bidding/match?deals=31").status == 200


def test_the_best_answer_so_far_is_kept_as_one_that_was_stopped(tmp_path: Path) -> None:
    with running(tmp_path) as client:
        client.answered("/bidding/solve?ask=1")
        (path,) = (tmp_path / "answers").glob("*.json")
        folder = Folder(tmp_path)
        path.rename(folder.so_far_path(path.stem))
        folder.keep_so_far(path.stem)
        found = folder.result(path.stem)
        assert found is not None
        assert not found.complete
        assert folder.so_far(path.stem) is None
        folder.keep_so_far(path.stem)
        folder.close()


def test_what_takes_long_asks_before_it_begins(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # It compiles when it is told to stop, and hears nothing.
    monkeypatch.setattr("app.jobs.STOPS_S", 1.0)
    with running(tmp_path) as client:
        path = "/ragers/solve?patron=gharan-zul&set=cards.basher.gp%3D5&fresh=true"
        reply = client.answered(path)
        assert "would take long" in client.get("/jobs").seen
        assert "days to solve" in reply.seen
        # Looking again begins nothing; a smaller question, or this one all the same, is a click.
        assert "data-live" not in client.get(path).text
        (smaller,) = re.findall(r'href="([^"]*)">Less of it first', reply.text)
        assert (
            dict(parse_qsl(urlsplit(html.unescape(smaller)).query)).items()
            >= {"cheers": "two-bashers"}.items()
        )
        (job,) = jobs_of(tmp_path)
        assert client.post(f"/jobs/{job.id}", {"do": "long"}).status == 303
        id = begun(client, path)
        client.post(f"/jobs/{id}", {"do": "stop"})
        assert "stopped" in client.answered(path).seen


def test_what_has_to_be_asked_first_is_a_click(client: Client) -> None:
    reply = client.answered("/ragers/balance?only=basher&set=cards.basher.gp%3D4")
    assert reply.status == 200
    (first,) = re.findall(r'href="([^"]*)">Ask this first', reply.text)
    assert first.startswith("/ragers/solve?")
    assert dict(parse_qsl(urlsplit(html.unescape(first)).query))["set"] == "cards.basher.gp=4"
    assert "--" not in reply.seen.partition("As a command")[0]


def test_pages_go_on_after_a_restart(tmp_path: Path) -> None:
    with running(tmp_path) as first:
        assert json.loads(first.get("/here").text) == {"work": 0}
        secret = first.cookie.partition("=")[2]
    assert (tmp_path / "cookie").stat().st_mode & 0o077 == 0
    with running(tmp_path) as second:
        second.cookie = f"arena-{second.port}={secret}"
        assert second.get("/").status == 200
        begun(second)
        assert json.loads(second.get("/here").text) == {"work": 1}
    assert Folder(tmp_path).port(4711) == Folder(tmp_path).port() == 4711


def test_what_is_at_work_is_said_in_words(client: Client) -> None:
    client.post("/ragers/rules", {"name": "Strong Bashers", "like": "box", "set": "cards.basher.gp=4"})
    client.answered("/ragers/solve?patron=solennos&cheers=two-bashers")
    client.answered(
        "/ragers/balance?only=basher&rules=strong-bashers&set=cards.basher.gp%3D5&diff=strong-bashers"
    )
    seen = client.get("/jobs").seen
    assert "What is the best play? · Solennos, Two Bashers" in seen
    assert "Is one of them too strong? · Basher · Strong Bashers, Basher GP 5 against Strong Bashers" in seen


def test_a_worker_that_dies_is_said_and_the_next_one_answers(tmp_path: Path) -> None:
    with running(tmp_path) as client:
        begun(client)
        children = [each for each in psutil.Process().children() if "app.working" in " ".join(each.cmdline())]
        for each in children:
            each.kill()
        assert "is gone" in client.answered(LONG).seen
        assert client.answered("/bidding/match?deals=30").status == 200
        # Sent once more, the form asks once more.
        where = client.post("/bidding/match", [("deals", "400000")]).where
        id = begun(client, where)
        client.post(f"/jobs/{id}", {"do": "stop"})
        client.answered(where)


def test_a_question_with_an_interrupt_of_its_own_is_stopped_as_by_ctrl_c() -> None:
    channel, outer = _Channel(io.StringIO()), Interrupt()
    with channel.interruptible("this", outer), Interrupt("", "").installed() as inner:
        channel._stop("another")
        time.sleep(0.05)
        assert not inner.requested
        threading.Thread(target=channel._stop, args=("this",)).start()
        assert wait(lambda: inner.requested)
        assert not inner.insisted
        threading.Thread(target=channel._stop, args=("this",)).start()
        assert wait(lambda: inner.insisted)
    # Told so before it began, it does not begin.
    with channel.interruptible("this", outer):
        assert outer.requested


def test_too_many_are_refused(tmp_path: Path) -> None:
    from analysis.errors import RequestError

    async def fill() -> None:
        jobs = Jobs(Folder(tmp_path))
        jobs._fill = lambda: None  # type: ignore[method-assign]
        for number in range(MOST_WAITING):
            await jobs.ask(Asked(game="bidding", question="match", given={"deals": str(number + 1)}))
        with pytest.raises(RequestError, match="too many"):
            await jobs.ask(Asked(game="bidding", question="match"))

    asyncio.run(fill())


def test_what_waits_may_be_done_first(tmp_path: Path) -> None:
    async def ask() -> list[str]:
        jobs, begun = Jobs(Folder(tmp_path)), []

        def spawn(work: Any) -> None:
            begun.append(work.cr_frame.f_locals["job"])
            work.close()

        jobs.spawn = spawn  # type: ignore[method-assign,assignment]
        several = [
            Asked(game="bidding", question="solve", given={"max_nodes": number}) for number in ("7", "8", "9")
        ]
        *_, (_, last) = [await jobs.ask(each) for each in several]
        assert last is not None
        jobs.first(last.record.id)
        begun[0].record.state = "done"
        jobs._fill()
        return [job.record.asked.given["max_nodes"] for job in begun]

    assert asyncio.run(ask()) == ["7", "9"]


def test_the_name_of_an_answer_is_that_of_its_values(tmp_path: Path) -> None:
    folder = Folder(tmp_path)
    one = Asked(game="bidding", question="match", given={"deals": "5", "seed": "1"})
    other = Asked(game="bidding", question="match", given={"seed": "1", "deals": "5"})
    assert key_of(one, folder) == key_of(other, folder)
    changed = msgspec.structs.replace(one, set=["cards.three.value=4"])
    assert key_of(changed, folder) != key_of(one, folder)
    folder.write_rules("bidding", "mine", "name = 'mine'\n[cards.three]\nvalue = 4\n")
    named = msgspec.structs.replace(one, rules="mine")
    before = key_of(named, folder)
    folder.write_rules("bidding", "mine", "name = 'mine'\n[cards.three]\nvalue = 5\n")
    assert key_of(named, folder) != before
