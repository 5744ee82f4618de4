"""Every comparison of benchmarks/ still runs: a few seconds each, nothing said about speed."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = [pytest.mark.crosscheck, pytest.mark.slow]

ROOT = Path(__file__).resolve().parents[2]
SCRIPTS = sorted(path.stem for path in (ROOT / "benchmarks").glob("bench_*.py"))


@pytest.mark.parametrize("script", SCRIPTS)
def test_quick_run(script: str) -> None:
    pytest.importorskip("pyspiel")
    result = subprocess.run(
        # Other people's packages may warn.
        [sys.executable, "-W", "ignore", "-m", f"benchmarks.{script}", "--quick"],
        cwd=ROOT,
        env=os.environ,
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 0, result.stderr
    assert result.stdout.startswith("## ")
    assert result.stdout.count("\n|") >= 3
