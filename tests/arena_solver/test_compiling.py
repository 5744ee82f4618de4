"""Signals while kernels compile: one line at once, and gone, whatever the main thread is at."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from arena_solver import kernel_files

ROOT = Path(__file__).resolve().parents[2]
SIGNALS = [signal.SIGINT, signal.SIGTERM, *([signal.SIGHUP] if hasattr(signal, "SIGHUP") else [])]
#: Two seconds are promised; machines that run tests are busy.
MOST_S = 4.0
#: Works without Python's lock, as LLVM does, and minds no signals.
COMPILER = "import hashlib; compiler = lambda work: hashlib.pbkdf2_hmac('sha256', b'', b'', work)\n"
PROGRAM = """
import ctypes, os, sys, time, click
from arena_solver import compiling
from cli.entry import run
from analysis.interrupt import Interrupt

@click.command()
def command():
    interrupt = Interrupt()
    with interrupt.installed():
{body}
        click.echo('over')

run(command, 'program')
"""
IN_C = """
        compiling.began('kernel')
        click.echo('compiling', err=True)
        compiler(10**9)
        compiling.ended()
"""
IN_PYTHON = IN_C.replace("compiler(10**9)", "while True: pass")
#: LLVM calls Python, which cannot pass an exception on.
LOST = """
        def called_by_llvm():
            click.echo('compiling', err=True)
            time.sleep(60)
        compiling.began('kernel')
        ctypes.CFUNCTYPE(None)(called_by_llvm)()
        compiling.ended()
"""
ONE_AFTER_THE_OTHER = """
        click.echo('compiling', err=True)
        for kernel in range(1000):
            compiling.began('kernel')
            compiler(1000)
            compiling.ended()
            time.sleep(0.1)
"""
AFTERWARDS = """
        compiling.began('kernel')
        compiling.ended()
        time.sleep(compiling.GAP_S + 0.1)
        click.echo('compiling', err=True)
        while not interrupt(): time.sleep(0.01)
        compiling.began('kernel')
        compiling.ended()
"""
DEAF = """
        compiling.TERMINATED_S = 0.2
        click.echo('compiling', err=True)
        while True: compiler(10**9)
"""
Start = Callable[..., subprocess.Popen[str]]


STOPPING = "Stopping; again to leave at once."


@pytest.fixture
def start() -> Iterator[Start]:
    """Start a program, and wait until it says that it is compiling."""
    running = []

    def popen(body: str, program: str = PROGRAM) -> subprocess.Popen[str]:
        process = subprocess.Popen(
            [sys.executable, "-c", COMPILER + program.format(body=body)],
            cwd=ROOT,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        running.append(process)
        assert process.stderr is not None
        assert process.stderr.readline() == "compiling\n"
        return process

    yield popen
    for process in running:
        process.kill()
        process.communicate()


def stopped(process: subprocess.Popen[str], *numbers: signal.Signals) -> tuple[str, str]:
    for number in numbers:
        process.send_signal(number)
    begin = time.monotonic()
    out, err = process.communicate(timeout=20)
    assert time.monotonic() - begin < MOST_S
    return out, err


@pytest.mark.parametrize(
    ("body", "number"),
    [
        *((IN_C, number) for number in SIGNALS),
        (IN_PYTHON, signal.SIGTERM),
        (LOST, signal.SIGINT),
        (ONE_AFTER_THE_OTHER, signal.SIGTERM),
    ],
)
def test_a_signal_ends_the_wait(body: str, number: signal.Signals, start: Start) -> None:
    process = start(body)
    out, err = stopped(process, number)
    assert process.returncode == 130
    assert out == ""
    lines = [line for line in err.splitlines() if line]
    # Between two kernels the signal may have been taken as at other times first.
    if body == ONE_AFTER_THE_OTHER and lines[0] == STOPPING:
        del lines[0]
    assert lines == ["Interrupted while kernels are compiled: leaving; what is ready is kept."]


def test_a_signal_at_other_times_is_for_whoever_waits_for_it(start: Start) -> None:
    process = start(AFTERWARDS)
    out, err = stopped(process, signal.SIGINT)
    assert process.returncode == 0
    assert out == "over\n"
    assert err.splitlines() == [STOPPING]


def test_whoever_looks_at_no_signal_is_ended_by_sigterm_all_the_same(start: Start) -> None:
    process = start(DEAF)
    out, _ = stopped(process, signal.SIGTERM)
    assert (process.returncode, out) == (143, "")


@pytest.mark.skipif(not hasattr(os, "fork"), reason="parents of Unix")
def test_who_compiles_for_another_one_leaves_with_it(start: Start) -> None:
    program = (
        "import os, sys, time\nfrom arena_solver import compiling\nparent = os.getpid()\n"
        "if os.fork(): time.sleep(60)\n"
        "compiling.leave_with(parent)\ncompiling.began('kernel')\n"
        "print('compiling', file=sys.stderr, flush=True)\ncompiler(10**9)\n{body}"
    )
    process = start("", program)
    process.kill()
    begin = time.monotonic()
    process.communicate(timeout=20)  # the pipes close when the other one is gone
    assert time.monotonic() - begin < MOST_S


@pytest.mark.kernels
def test_warming_up_is_interrupted_and_leaves_whole_files(tmp_path: Path) -> None:
    process = subprocess.Popen(
        [sys.executable, "-c", "from arena_solver.commands import ragers; ragers()", "warmup"],
        cwd=ROOT,
        env=os.environ | {"NUMBA_CACHE_DIR": str(tmp_path)},
        stderr=subprocess.PIPE,
        text=True,
    )
    deadline = time.monotonic() + 120
    while len(list(tmp_path.rglob("*.kernel"))) < 8:
        assert time.monotonic() < deadline
        time.sleep(0.1)
    _, err = stopped(process, signal.SIGTERM)
    assert process.returncode == 130
    assert "Interrupted while" in err
    assert "Traceback" not in err
    for path in tmp_path.rglob("*.kernel"):
        assert kernel_files.is_whole(path.read_bytes())
