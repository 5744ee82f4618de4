"""Which state of the sources a kernel belongs to, and what becomes of the others."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from arena_solver import folders

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(autouse=True)
def forgetful() -> None:
    folders._state_of_package.cache_clear()


def package(folder: Path, name: str) -> Path:
    inner = folder / name / "inner"
    inner.mkdir(parents=True)
    for path in (inner.parent, inner):
        (path / "__init__.py").touch()
    source = inner / "callee.py"
    source.write_text("one = 1\n")
    return source


def state(source: Path) -> str:
    folders._state_of_package.cache_clear()
    return folders.state_of(source)


def test_an_edited_source_means_another_folder_for_its_package_only(tmp_path: Path) -> None:
    ours, other = package(tmp_path, "solver"), package(tmp_path, "engine")
    before = state(ours), state(other)
    assert before == (state(ours.parents[1] / "any.py"), state(other))
    ours.write_text("one = 10\n")
    assert state(ours) != before[0]
    assert state(other) == before[1]


def test_what_is_installed_again_is_the_same(tmp_path: Path) -> None:
    once, again = package(tmp_path / "here", "solver"), package(tmp_path / "there", "solver")
    os.utime(again, (0.0, 0.0))
    assert state(once) == state(again)


def test_text_that_moves_to_another_file_is_another_state(tmp_path: Path) -> None:
    source = package(tmp_path, "solver")
    before = state(source)
    source.rename(source.with_name("renamed.py"))
    assert state(source) != before


def test_a_file_outside_of_packages_belongs_to_its_folder(tmp_path: Path) -> None:
    source = tmp_path / "game.py"
    source.touch()
    before = state(source)
    package(tmp_path, "below")
    assert state(source) == before
    (tmp_path / "beside.py").touch()
    assert state(source) != before


def test_engine_and_solver_are_kept_apart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(folders.KERNELS_VARIABLE, str(tmp_path))
    assert folders.folder_of(ROOT / "engine" / "jit.py").name.startswith("engine-")
    below = {folders.folder_of(path) for path in (ROOT / "solver").rglob("*.py")}
    (only,) = below
    assert only.parent == tmp_path
    assert only.name.startswith("solver-")


def test_kernels_lie_in_the_cache_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(folders.CACHE_VARIABLE, str(tmp_path))
    monkeypatch.delenv(folders.KERNELS_VARIABLE)
    assert folders.kernels_root() == tmp_path / "kernels"


def test_folders_not_used_for_a_month_go(tmp_path: Path) -> None:
    old = [tmp_path / name for name in ("solver-0123456789abcdef", "0123456789abcdef")]
    others = [tmp_path / name for name in ("engine-0123456789abcdef", "somebody-else's")]
    for folder in (*old, *others):
        folder.mkdir()
        (folder / "one.kernel").touch()
    for folder in (*old, others[1]):
        os.utime(folder, (0.0, 0.0))
    folders.tidy(tmp_path)
    assert sorted(tmp_path.iterdir()) == sorted(others)


def test_asking_where_kernels_lie_imports_nothing_slow() -> None:
    code = "import sys; from arena_solver import commands, compiling, folders; print('numba' in sys.modules)"
    result = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, check=True)
    assert result.stdout == b"False\n"
