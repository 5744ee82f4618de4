"""`ragers-solve --checkpoint` and `--resume`, killed and stopped in the middle."""

from __future__ import annotations

import json
import signal
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.kernels

REAL = "import sys"
DAY = ("--patron", "solennos", "--cheers", "two-bashers", "--preparation", "redraw")
#: Four slots: rarely reached histories are deferred.
SMALL = ("--set", "match.row_length=4", "--set", "match.hand_size=4")
LONG = ("--iterations", "34", "--threads", "1", "--format", "json", "--fresh")
EVERY = ("--checkpoint-every", "0.05")


@pytest.fixture(scope="module", autouse=True)
def compiled() -> None:
    """Compile the solver outside of any time limit."""
    from solver.hidden_hands import warmup

    warmup()


def answer(out: str) -> dict[str, Any]:
    """The one scenario, without what depends on the clock."""
    (scenario,) = json.loads(out)["scenarios"]
    return {
        name: value
        for name, value in scenario.items()
        if name not in ("seconds", "peak_memory_mb", "source", "from_library")
    }


def uninterrupted(run: Any) -> dict[str, Any]:
    """The answer of the whole solve, found once."""
    if not _whole:
        _whole.append(answer(run("solve", *DAY, *SMALL, *LONG).stdout))
    return _whole[0]


_whole: list[dict[str, Any]] = []


def wait_for(ready: Callable[[], bool], process: Any) -> None:
    deadline = time.monotonic() + 300
    while not ready():
        assert process.poll() is None, process.communicate()
        assert time.monotonic() < deadline
        time.sleep(0.01)


@pytest.mark.slow
def test_killed_twice_and_resumed(start: Any, run: Any, tmp_path: Path) -> None:
    """SIGKILL at any moment: the file is a whole one, and the answer that of an uninterrupted solve."""
    words = (*DAY, *SMALL, *LONG)
    path = tmp_path / "solve"
    keep: tuple[str, ...] = ("--checkpoint", str(path))
    seen = [b""]
    for _ in range(2):
        process = start(*words, *keep, *EVERY, "-q", before=REAL)
        wait_for(lambda: path.exists() and path.read_bytes() != seen[-1], process)
        process.kill()
        process.communicate()
        assert process.returncode == -signal.SIGKILL
        seen.append(path.read_bytes())
        keep = ("--resume", str(path))
    resumed = run("solve", *words, *keep)
    assert resumed.exit_code == 0, resumed.output
    assert answer(resumed.stdout) == uninterrupted(run)
    assert uninterrupted(run)["iterations"] == 34


def test_stopped_and_resumed(start: Any, run: Any, tmp_path: Path) -> None:
    path = tmp_path / "solve"
    words = (*DAY, *SMALL, *LONG)
    process = start(*words, "--checkpoint", str(path), before=REAL)
    for line in process.stderr:
        if "iteration" in line:
            break
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=300)
    assert process.returncode == 130, err
    assert answer(out)["iterations"] < 34
    assert f"is saved: --resume {path} goes on from there." in err
    resumed = run("solve", *words, "--resume", str(path))
    assert resumed.exit_code == 0
    assert answer(resumed.stdout) == uninterrupted(run)
