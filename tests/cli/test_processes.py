"""What only shows in a process of its own: start-up, Ctrl-C, closed pipes, killed writers."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import ROOT, SMALL, started, wait_for

DAY = ("--patron", "arianna", "--cheers", "two-bashers", *SMALL)


def test_closed_pipe_is_quiet(start: Any) -> None:
    # Sleeping until the reader is gone makes sure that the pipe is closed when the answer comes.
    process = start(*DAY, "--iterations", "2", "--format", "json", pause_s=0.5)
    process.stdout.close()
    with process.stderr as stream:
        err = stream.read()
    assert process.wait(60) == 0
    assert "Broken" not in err
    assert "Traceback" not in err


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full")
@pytest.mark.parametrize(
    "words",
    [
        ("solve", "--patron", "arianna", "--format", "json"),
        ("rules", "show"),
    ],
    ids=" ".join,
)
def test_an_answer_redirected_to_a_full_disk_is_an_error(words: tuple[str, ...]) -> None:
    code = "from arena_solver.commands import ragers; ragers()"
    with Path("/dev/full").open("w") as full:
        result = subprocess.run(
            [sys.executable, "-c", code, *words],
            cwd=ROOT,
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    assert result.returncode == 1
    assert "No space left on device" in result.stderr
    assert "Traceback" not in result.stderr


def test_closed_stdout_and_stderr_are_no_error() -> None:
    code = "from arena_solver.commands import ragers_solve; ragers_solve()"
    command = f"{sys.executable} -c '{code}' --patron arianna"
    for closed in (">&-", "2>&-"):
        result = subprocess.run(
            ["bash", "-c", f"{command} {closed}"], cwd=ROOT, capture_output=True, text=True, check=False
        )
        assert result.returncode == 0
        assert result.stderr == ""
        assert ("How far to trust it" in result.stdout) == (closed == "2>&-")


def test_killed_build_leaves_whole_entries_and_is_resumed(tmp_path: Path) -> None:
    # The carried library follows the box's rules, so the days are full-sized; Solennos' is the smallest.
    words = ("library", "build", "--patron", "solennos", "--iterations", "20", "--into", str(tmp_path))
    process = started(*words, program="ragers", pause_s=0.02)
    wait_for("Basher and Deadeye", process.stderr)  # the first three are stored
    os.kill(process.pid, signal.SIGKILL)
    process.communicate()
    assert len(list(tmp_path.rglob("report.json"))) == 3
    again = started(*words, program="ragers")
    _, err = again.communicate(timeout=120)
    assert again.returncode == 0, err
    assert err.count("finished before") == 3
    assert len(list(tmp_path.rglob("report.json"))) == 6
