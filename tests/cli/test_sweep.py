"""`ragers sweep`: points, resuming, processes, a cluster, and what is shown."""

from __future__ import annotations

import csv
import io
import json
import os
import signal
import threading
import time
from pathlib import Path
from typing import Any

import joblib
import pytest

from analysis.interrupt import Interrupt
from analysis.ragers.workbench.sweeping import metric
from analysis.ragers.workbench.workers import Task, num_processes
from tests.cli.conftest import SMALL, started, wait_for

DAY = ("--patron", "arianna", "--cheers", "two-bashers", *SMALL)
GP = ("--vary", "cards.basher.gp=2:5")
ONE = ("--iterations", "4", "--jobs", "1", "-q")


def test_no_metric() -> None:
    with pytest.raises(ValueError, match="placed"):
        metric("openings")


def test_one_axis(fake_solver: Any, run: Any) -> None:
    result = run("sweep", *GP, *DAY, *ONE, "--format", "json")
    report = json.loads(result.stdout)
    assert report["axes"] == [{"key": "cards.basher.gp", "values": ["2", "3", "4", "5"]}]
    assert [point["at"]["cards.basher.gp"] for point in report["points"]] == ["2", "3", "4", "5"]
    assert len({point["rules_sha256"] for point in report["points"]}) == 4
    assert report["unsolved"] == []
    assert len(fake_solver.solved) == 4
    screen = run("sweep", *GP, *DAY, *ONE).stdout
    rows = [line.split()[0] for line in screen.splitlines() if line[:1].isdigit()]
    assert rows[:4] == ["2", "3", "4", "5"]
    assert max(map(len, screen.splitlines())) <= 80
    text = run("sweep", *GP, *DAY, *ONE, "--details").stdout
    assert "NashConv is at most 0.250 GP at every point." in text
    assert max(map(len, text.splitlines())) <= 80
    assert len(fake_solver.solved) == 4  # all were kept
    more = run("sweep", "--vary", "cards.basher.gp=1:3", *DAY, *ONE[:-1])
    assert "3 points: 2 stored, 1 to solve, 0 the same game as one of these." in " ".join(more.stderr.split())


def test_two_axes(fake_solver: Any, run: Any) -> None:
    words = ("sweep", "--vary", "cards.basher.gp=2:3", "--vary", "cheers.two-bashers.gp=1:3", *DAY, *ONE)
    rows = list(csv.DictReader(io.StringIO(run(*words, "--format", "csv").stdout)))
    assert [(row["cards.basher.gp"], row["cheers.two-bashers.gp"]) for row in rows] == [
        (one, other) for one in "23" for other in "123"
    ]
    text = run(*words, "--metric", "nash_conv").stdout
    assert "cards.basher.gp \\ cheers.two-bashers.gp" in text
    assert text.count(" 0.25") == 6 + 1  # and in the notes
    assert "opening.basher" in run(*words).stdout  # the default follows the key


def test_points_that_are_one_game_are_solved_once(fake_solver: Any, run: Any) -> None:
    # Another patron's ban does not touch this day; two kinds of two attacks are one game renamed.
    words = ("--vary", "patrons.solennos.forbidden=veteran,cheater", *DAY, "--cheers", "two-slashers")
    result = run("sweep", *words, *ONE[:-1], "--format", "json")
    report = json.loads(result.stdout)
    assert len(report["points"]) == 4
    assert len(fake_solver.solved) == 1
    told = " ".join(result.stderr.split())
    assert "4 points: 0 stored, 1 to solve, 3 the same game as one of these." in told


@pytest.mark.parametrize("jobs", [1, 2])
def test_refused_points_are_named(fake_solver: Any, run: Any, jobs: int) -> None:
    words = ("sweep", *GP, *DAY, "--iterations", "4", "--jobs", str(jobs), "--memory", "1")
    with joblib.parallel_config("threading"):
        result = run(*words)
    assert result.exit_code == 4
    run("sweep", "--vary", "cards.basher.gp=3", *DAY, *ONE)
    with joblib.parallel_config("threading"):
        result = run(*words, "--format", "json")
    assert result.exit_code == 4
    report = json.loads(result.stdout)
    assert [point["at"]["cards.basher.gp"] for point in report["points"]] == ["3"]
    assert [each["cards.basher.gp"] for each in report["unsolved"]] == ["2", "4", "5"]


def test_processes_find_the_same(fake_solver: Any, run: Any) -> None:
    words = ("sweep", *GP, *DAY, "--iterations", "4", "-q", "--fresh", "--format", "csv")
    alone = run(*words, "--jobs", "1").stdout
    with joblib.parallel_config("threading"):
        together = run(*words, "--jobs", "3").stdout
    assert together == alone
    assert len(fake_solver.solved) == 8


def test_target_not_reached(fake_solver: Any, run: Any) -> None:
    words = ("sweep", *GP, *DAY, "--iterations", "4", "-q", "--target", "0.1")
    assert run(*words, "--jobs", "1").exit_code == 3
    with joblib.parallel_config("threading"):
        assert run(*words, "--jobs", "2").exit_code == 3


def test_processes_are_limited_by_memory(fake_solver: Any) -> None:
    from analysis.ragers.answers.solving import Effort
    from analysis.ragers.scenarios import scenarios
    from engine.ragers.rules import load_rules

    (scenario,) = scenarios(load_rules(overrides=SMALL[1::2]), ["arianna"], ["two-bashers"], "none")
    for limit, most in ((fake_solver.NEEDED_BYTES, 1), (10 * fake_solver.NEEDED_BYTES, os.cpu_count() or 1)):
        tasks = [Task(0, scenario, Effort(memory_bytes=limit))] * 100
        assert 1 <= num_processes(tasks) <= most


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--vary", "cards.basher.gp=2:99"), "0 to 20"),
        (("--vary", "cards.basher.gp"), "KEY=FROM:TO"),
        ((*GP, *GP), "twice"),
        ((*GP, "--vary", "a=1", "--vary", "b=2"), "at most two"),
        ((*GP, "--metric", "fun"), "opening.TYPE"),
        ((), "--vary"),
    ],
)
def test_usage(fake_solver: Any, run: Any, words: tuple[str, ...], message: str) -> None:
    result = run("sweep", *DAY, *words)
    assert result.exit_code == 2
    assert message in result.output


def test_nobody_at_the_scheduler(fake_solver: Any, run: Any) -> None:
    pytest.importorskip("distributed")
    from analysis.ragers.workbench import workers
    from analysis.workers import WorkersError

    with pytest.raises(WorkersError, match="no Dask scheduler"):
        next(workers.on_workers([], 1, "nonsense://nowhere", Interrupt()))


def test_a_killed_sweep_is_resumed(own_library: Path) -> None:
    words = (*GP, *DAY, "--iterations", "20", "--jobs", "1", "--format", "csv")
    whole, err = started("sweep", *words, program="ragers").communicate(timeout=60)
    assert err.count("starting") == 4
    for entry in own_library.rglob("*"):
        if entry.is_file():
            entry.unlink()
    process = started("sweep", *words, program="ragers", pause_s=0.02)
    wait_for("[3/4]", process.stderr)
    process.kill()
    process.communicate()
    assert len(list(own_library.rglob("report.json"))) == 2
    again, err = started("sweep", *words, program="ragers").communicate(timeout=60)
    assert "4 points: 2 stored, 2 to solve" in err
    assert again == whole


def test_interrupted_sweep_prints_what_there_is() -> None:
    words = ("sweep", *GP, *DAY, "--iterations", "50", "--jobs", "1", "--format", "csv")
    process = started(*words, program="ragers", pause_s=0.02)
    wait_for("[2/4]", process.stderr)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert out.count("\n") == 3  # names, the finished point, the best so far of the one cut short
    assert "Traceback" not in err


@pytest.mark.slow
def test_real_processes_interrupted_and_resumed(own_library: Path) -> None:
    deck = [
        word for name in ("deadeye", "stopper", "veteran") for word in ("--set", f"cards.{name}.copies=0")
    ]
    words = (*GP, *DAY, *deck, "--jobs", "2", "--time-limit", "5", "--format", "csv")
    # A session of its own, so that the signal reaches the workers as well, as from a terminal.
    process = started("sweep", *words, program="ragers", before="import sys", start_new_session=True)
    wait_for("[1/4]", process.stderr)
    os.killpg(process.pid, signal.SIGINT)
    _, err = process.communicate(timeout=120)
    assert process.returncode == 130, err
    assert "Traceback" not in err
    kept = len(list(own_library.rglob("report.json")))
    assert 1 <= kept < 4
    again = started("sweep", *words, program="ragers", before="import sys")
    out, err = again.communicate()
    assert again.returncode == 0
    assert f"{kept} stored, {4 - kept} to solve" in err
    assert out.count("\n") == 5


class Stand:
    """Puts the stand-in on every worker of a cluster, also on those that come later."""

    name = "stand-in"
    idempotent = False

    def setup(self, worker: Any) -> None:
        from tests.cli import fake_solver

        fake_solver.install()
        fake_solver.pause_s = 0.05


@pytest.mark.slow
@pytest.mark.filterwarnings("default")
def test_a_cluster_that_loses_a_worker(fake_solver: Any, run: Any) -> None:
    distributed = pytest.importorskip("distributed")

    class Plugin(Stand, distributed.WorkerPlugin):  # type: ignore[misc]
        pass

    words = (
        "sweep",
        "--vary",
        "cards.basher.gp=0:7",
        *DAY,
        "--iterations",
        "20",
        "--fresh",
        "--format",
        "csv",
    )
    alone = run(*words, "--jobs", "1", "-q").stdout
    with (
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, host="127.0.0.1", dashboard_address=None
        ) as cluster,
        distributed.Client(cluster, set_as_default=False) as client,
    ):
        client.register_plugin(Plugin())
        pids = list(client.run(os.getpid).values())
        killed = threading.Event()

        def kill() -> None:
            while not any(client.processing().values()):
                time.sleep(0.05)
            time.sleep(1.5)
            os.kill(pids[0], signal.SIGKILL)
            killed.set()

        killer = threading.Thread(target=kill)
        killer.start()
        result = run(*words, "--scheduler", cluster.scheduler_address)
        in_time = killed.is_set()
        killer.join()
        assert in_time
    assert result.exit_code == 0, result.output
    assert result.stderr.count("NashConv") == 8
    assert result.stdout == alone
