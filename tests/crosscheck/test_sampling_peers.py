"""External sampling beside OpenSpiel's: the benchmark runs, and both find the same equilibria."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

pytestmark = pytest.mark.crosscheck
SIDE = "nodes as rules"


def test_the_benchmark_runs_and_both_sides_converge() -> None:
    pytest.importorskip("pyspiel")
    script = ["-m", "benchmarks.bench_external_sampling", "--seconds", "0.3", "--rounds", "2"]
    done = subprocess.run(
        [sys.executable, "-W", "error", *script, "--games", "kuhn,goofspiel-4"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    rows = [
        [cell.strip() for cell in line.strip("|").split("|")]
        for line in done.stdout.splitlines()
        if line.startswith("|")
    ]
    assert "open-spiel" in done.stdout
    # The last column of a measured row is NashConv.
    conv = {side: [float(row[-1]) for row in rows if row[0] == side] for side in ("OpenSpiel", SIDE)}
    assert all(0.0 < value < 0.05 for values in conv.values() for value in values)
    assert len(conv["OpenSpiel"]) == len(conv[SIDE]) == 2
    assert len([row for row in rows if row[0] == "rules"]) == 1
