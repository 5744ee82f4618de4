"""Ends at any moment: questions that are stopped, whatever they are at, and an app that is killed."""

from __future__ import annotations

import json
import random
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

pytest.importorskip("starlette", reason="the app needs the extra `app`")

from tests.app.client import Client, running

pytestmark = [pytest.mark.slow, pytest.mark.kernels]
LONG = [
    "/bidding/match?deals=2000000",
    "/ragers/solve?patron=arianna&cheers=two-bashers&set=cards.basher.gp%3D4",
    "/ragers/match?deals=200000",
    "/ragers/checkup?ask=1",
    "/warage/match?deals=400000",
    "/ophidian/match?deals=40000",
    "/ophidian/balance?ask=1",
    "/clash/match?deals=2000",
    "/clash/checkup?ask=1",
    "/raverun/match?deals=4000000",
]
APP = (
    "import sys; from pathlib import Path; from tests.front.games import brought; brought();"
    "from app.serving import serve; serve(Path(sys.argv[1]), browser=False, say=lambda s:"
    " print(s, flush=True))"
)


def test_ten_questions_stop_within_two_seconds_and_the_next_one_begins(tmp_path: Path) -> None:
    chance = random.Random(0)
    with running(tmp_path) as client:
        for path in LONG:
            found = re.search(r'data-job="(\w+)"', client.get(path).text)
            assert found, path
            time.sleep(chance.uniform(0, 10))
            begun = time.monotonic()
            client.post(f"/jobs/{found[1]}", {"do": "stop"})
            while "data-live" in client.get(path).text:
                time.sleep(0.05)
            assert time.monotonic() - begun <= 2.0, path
            assert client.answered(f"/bidding/match?deals={chance.randint(20, 900)}").status == 200


def test_who_is_killed_at_ten_moments_loses_nothing(tmp_path: Path) -> None:
    """Answers, rules and questions at work are there the next time, and every file is a whole one."""
    chance = random.Random(0)
    answers: dict[str, str] = {}
    for number in range(10):
        command = [sys.executable, "-c", APP, str(tmp_path)]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
            assert process.stdout is not None
            found = re.search(r":(\d+)/\?token=(\S+)", process.stdout.readline())
            assert found
            client = Client(int(found[1]), tmp_path)
            client.cookie = client.raw("GET", f"/?token={found[2]}").headers["set-cookie"].partition(";")[0]
            for path, said in answers.items():
                assert said in client.get(path).text
            assert len(re.findall(r'class="chip interrupted"', client.get("/jobs").text)) == number
            assert all(client.get(f"/bidding/rules/mine-{each}").status == 200 for each in range(number))
            path = f"/bidding/match?deals={chance.randint(20, 2000)}"
            headline = re.search(r'<h1 class="headline">[^<]*', client.answered(path).text)
            assert headline
            answers[path] = headline[0]
            client.post("/bidding/rules", {"name": f"Mine {number}", "like": "box"})
            client.get(f"/bidding/match?deals={4_000_000 + number}")
            time.sleep(chance.uniform(0, 3))
            process.send_signal(signal.SIGKILL)
        for file in tmp_path.rglob("*.json"):
            json.loads(file.read_text())
