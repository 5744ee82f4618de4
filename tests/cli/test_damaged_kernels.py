"""Compiled kernels that are damaged on disk, or lie where nobody can write, cost time and nothing else."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import ROOT
from tests.front.games import SMALL_DAY

pytestmark = pytest.mark.kernels

COMMANDS = {
    "clash": ("clash-solve", "--attacker", "bohorg: 1 Pummeler", "--defender", "elves: 1 Templar"),
    "ophidian": ("ophidian-solve", "--team", "Thorn", "--against", "Scrap"),
    "ragers": ("ragers-solve", *SMALL_DAY, "--fresh", "--iterations", "20"),
    "raverun": (
        *("raverun-solve", "--set", "match.characters=2", "--set", "match.hand_size=2"),
        *("--iterations", "40", "--games", "40", "--deals", "8"),
    ),
    "warage": ("warage-solve", "orc/warrior", "elf/mage"),
}
READ_ONLY = "import arena_solver.folders as folders; folders._why_not_writable = lambda _: 'Read-only'; "
"""What the system would say of a read-only file system: permissions do not bind root."""


def emptied(path: Path) -> None:
    path.write_bytes(b"")


def cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def one_bit(path: Path) -> None:
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(bytes(content))


def a_folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


DAMAGE: tuple[Callable[[Path], None], ...] = (emptied, cut, one_bit, a_folder)


def answer(game: str, kernels: Path, before: str = "") -> tuple[Any, list[str]]:
    """Ask in a process of its own; return the answer, and what was said of kernels."""
    program, *words = COMMANDS[game]
    code = f"{before}from cli.programs import run_program; run_program({program!r})"
    folders = {
        "NUMBA_CACHE_DIR": kernels,
        "TMPDIR": kernels.parent,
        "ARENA_SOLVER_CACHE": kernels.parent / "cache",
    }
    done = subprocess.run(
        [sys.executable, "-c", code, *words, "--format", "json", "-q"],
        cwd=ROOT,
        env=os.environ | {name: str(folder) for name, folder in folders.items()},
        capture_output=True,
        text=True,
        check=False,
    )
    # Few iterations do not reach what a solve aims at, which 3 says.
    assert done.returncode in (0, 3), done.stderr
    said = [line for line in done.stderr.splitlines() if "ompiled kernel" in line]
    return without_times(json.loads(done.stdout)), said


def without_times(document: Any) -> Any:
    if isinstance(document, dict):
        return {
            name: without_times(value)
            for name, value in document.items()
            if not name.endswith(("_s", "seconds", "_mb")) and name not in ("time", "timing", "created")
        }
    if isinstance(document, str):  # "solved now (exact, 20 iterations in 0:02)"
        return re.sub(r" in \d+:\d\d", "", document)
    return [without_times(each) for each in document] if isinstance(document, list) else document


def cases() -> list[Any]:
    """Every game, and which damage the first file has; the others follow in turn, so four cases are all."""
    slow = [pytest.mark.slow]  # a day's kernels take a minute and a half to compile, too
    return [
        pytest.param(game, first, marks=slow if first or game == "ragers" else [])
        for game in COMMANDS
        for first in range(len(DAMAGE))
    ]


@pytest.mark.parametrize(("game", "first"), cases())
def test_whatever_is_damaged_is_compiled_again(game: str, first: int, tmp_path: Path) -> None:
    kernels = tmp_path / "kernels"
    right, _ = answer(game, kernels)
    files = sorted(kernels.rglob("*.kernel"))
    assert files
    assert sorted(path for path in kernels.rglob("*") if path.is_file()) == files
    for number, file in enumerate(files, first):
        DAMAGE[number % len(DAMAGE)](file)
    again, said = answer(game, kernels)
    assert again == right
    assert [("damaged" in line) for line in said] == [True]
    # Where nobody can write, what is there is taken.
    whole = {file: file.read_bytes() for file in files}
    assert answer(game, kernels, READ_ONLY) == (right, [])
    assert {file: file.read_bytes() for file in kernels.rglob("*") if file.is_file()} == whole
