"""The scripts in `examples/`: each answers a designer's question, and draws it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.front.games import ROOT

SCRIPTS = sorted((ROOT / "examples").glob("*.py"))
GAMES = ("clash", "ophidian", "ragers", "raverun", "warage")


def test_there_is_one_for_every_game() -> None:
    assert {path.stem.partition("_")[0] for path in SCRIPTS} == set(GAMES)


@pytest.mark.parametrize(
    "path",
    [
        pytest.param(path, marks=[] if path.stem.startswith("ragers") else pytest.mark.kernels, id=path.stem)
        for path in SCRIPTS
    ],
)
def test_it_answers_and_draws(path: Path, tmp_path: Path) -> None:
    picture = tmp_path / "picture.html"
    done = subprocess.run(
        [sys.executable, str(path), str(picture)],
        capture_output=True,
        text=True,
        check=False,
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip().endswith(".")
    page = picture.read_text(encoding="utf-8")
    assert "<svg" in page or 'class="heat' in page
    assert done.stdout.split(":")[0].split(",")[0].strip()[:20] in page
