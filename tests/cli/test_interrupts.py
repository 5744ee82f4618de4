"""Ctrl-C, SIGTERM and SIGHUP: said at once, once for the proof, twice for what is known, and nothing lost."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from analysis.interrupt import LEAVING, STOPPING, Interrupt
from analysis.ragers.game import GAME
from tests.cli.conftest import ROOT, SMALL, wait_for

fcntl, pty, termios = map(pytest.importorskip, ("fcntl", "pty", "termios"))
DAY = ("--patron", "arianna", "--cheers", "two-bashers", *SMALL)
FAKE = "from tests.cli import fake_solver as f; f.install(); f.pause_s = 0.02; f.proof_s = {proof_s}"


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_the_second_one_leaves_with_what_is_known(start: Any, number: signal.Signals) -> None:
    """And the first one says at once what happens, though the proof takes its time; SIGTERM is both."""
    process = start(*DAY, "--iterations", "100000", "--format", "json", before=FAKE.format(proof_s=60))
    wait_for("iteration", process.stderr)
    process.send_signal(number)
    wait_for(STOPPING, process.stderr)
    assert process.poll() is None
    if number == signal.SIGINT:
        process.send_signal(number)
    out, err = process.communicate(timeout=30)
    assert process.returncode == 130, err
    assert (LEAVING in err) == (number == signal.SIGINT)
    report = json.loads(out)
    jsonschema.Draft202012Validator(GAME.question("solve").schema()).validate(report)
    (scenario,) = report["scenarios"]
    assert not scenario["certified"]
    assert sum(scenario["opening_mix"].values()) == pytest.approx(1)
    assert scenario["outcome"] == dict.fromkeys(("win", "draw", "loss", "two_losers"))
    assert "Traceback" not in err


def test_what_is_known_is_shown_in_every_form(
    fake_solver: Any, run: Any, own_library: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fake_solver, "proof_s", 30.0)
    monkeypatch.setattr(Interrupt, "leaves", lambda _: True)
    words = ("solve", *DAY, "--iterations", "5", "--hand", "B S")
    assert "Cut short before it was proved: Two Bashers." in " ".join(run(*words).stdout.split())
    row = next(
        line for line in run(*words, "--format", "md").stdout.splitlines() if "| Two Bashers |" in line
    )
    assert row.endswith("| - | - | - |")
    assert "no answer yet" in row
    head, row = run(*words, "--format", "csv").stdout.splitlines()
    cells = dict(zip(head.split(","), row.split(","), strict=True))
    assert (cells["outcome_win"], cells["mean_gp_1"], cells["certified"]) == ("", "", "false")
    assert float(cells["hand_mix_basher"]) == 0.5
    # It is no answer to anybody else, and none to be kept.
    assert list(own_library.rglob("report.json")) == []


def test_a_lost_terminal_costs_no_answer(tmp_path: Path) -> None:
    """The connection is gone, and with it stdout and stderr: what was solved is proved and written."""
    output = tmp_path / "answer.json"
    code = FAKE.format(proof_s=0.5) + "; from arena_solver.commands import ragers_solve; ragers_solve()"
    words = (*DAY, "--iterations", "100000", "--format", "json", "--output", str(output))
    terminal, its_side = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-c", code, *words],
        cwd=ROOT,
        stdin=its_side,
        stdout=its_side,
        stderr=its_side,
        start_new_session=True,
        preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),
    )
    os.close(its_side)
    seen = b""
    while b"iteration" not in seen:
        seen += os.read(terminal, 4096)
    os.close(terminal)
    assert process.wait(60) == 130
    (scenario,) = json.loads(output.read_text())["scenarios"]
    assert scenario["certified"]


def test_nohup_is_respected() -> None:
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        interrupt = Interrupt()
        with interrupt.installed():
            signal.raise_signal(signal.SIGHUP)
        assert not interrupt.requested
    finally:
        signal.signal(signal.SIGHUP, before)
