"""Compiled kernels that are damaged on disk cost time and nothing else."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import ROOT

pytestmark = pytest.mark.kernels

COMMANDS = {
    "clash": ("solve", "--attacker", "bohorg: 1 Pummeler", "--defender", "elves: 1 Templar"),
    "ophidian": ("solve", "--team", "Thorn", "--against", "Scrap"),
    "warage": ("solve", "orc/warrior", "elf/mage"),
}


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


DAMAGE = (emptied, cut, one_bit, a_folder)


def answer(program: str, kernels: Path) -> tuple[dict[str, Any], str]:
    code = f"from cli.programs import run_program; run_program({program!r})"
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(kernels)}
    words = [*COMMANDS[program], "--format", "json"]
    done = subprocess.run(
        [sys.executable, "-c", code, *words],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return without_times(json.loads(done.stdout)), done.stderr


def without_times(document: Any) -> Any:
    if isinstance(document, dict):
        return {
            name: without_times(value)
            for name, value in document.items()
            if not name.endswith(("_s", "seconds")) and name not in ("time", "timing")
        }
    return [without_times(each) for each in document] if isinstance(document, list) else document


@pytest.mark.parametrize("program", COMMANDS)
def test_whatever_is_damaged_is_compiled_again(program: str, tmp_path: Path) -> None:
    kernels = tmp_path / "kernels"
    right, _ = answer(program, kernels)
    files = sorted(kernels.rglob("*.kernel"))
    assert files
    assert sorted(path for path in kernels.rglob("*") if path.is_file()) == files
    for number, file in enumerate(files):
        damage: Callable[[Path], None] = DAMAGE[number % len(DAMAGE)]
        damage(file)
    again, said = answer(program, kernels)
    assert again == right
    assert len([line for line in said.splitlines() if "damaged" in line]) == 1
    warm, said = answer(program, kernels)
    assert warm == right
    assert "damaged" not in said
