"""Where compiled kernels are kept."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from analysis import caches


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv(caches.CACHE_VARIABLE, str(tmp_path))
    monkeypatch.delenv(caches.KERNELS_VARIABLE)
    return tmp_path


def test_an_edited_source_means_another_folder(tmp_path: Path) -> None:
    for package in ("engine", "solver"):
        (tmp_path / package / "inner").mkdir(parents=True)
    source = tmp_path / "solver" / "inner" / "callee.py"
    source.write_text("one = 1\n")
    before = caches._state_of_sources(tmp_path)
    assert caches._state_of_sources(tmp_path) == before
    source.write_text("one = 10\n")
    assert caches._state_of_sources(tmp_path) != before


def test_kernels_lie_in_the_cache_folder(cache: Path) -> None:
    caches.keep_kernels_apart()
    folder = Path(os.environ[caches.KERNELS_VARIABLE])
    assert folder == cache / "kernels" / caches._state_of_sources()
    assert folder.is_dir()


def test_folders_not_used_for_a_month_go(cache: Path) -> None:
    old, recent = cache / "kernels" / "old", cache / "kernels" / "recent"
    for folder in (old, recent):
        folder.mkdir(parents=True)
        (folder / "kernel.nbc").touch()
    os.utime(old, (0.0, 0.0))
    caches.keep_kernels_apart()
    assert not old.exists()
    assert recent.exists()


def test_who_chose_a_folder_keeps_it(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(caches.KERNELS_VARIABLE, "elsewhere")
    caches.keep_kernels_apart()
    assert os.environ[caches.KERNELS_VARIABLE] == "elsewhere"
    assert not list(cache.iterdir())


def test_no_folder_is_no_error(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (cache / "file").touch()
    monkeypatch.setenv(caches.CACHE_VARIABLE, str(cache / "file"))
    caches.keep_kernels_apart()
    assert caches.KERNELS_VARIABLE not in os.environ


def test_what_is_compiled_afterwards_lies_there(cache: Path) -> None:
    program = """
from analysis.caches import keep_kernels_apart
keep_kernels_apart()
import numpy as np
from solver.hidden_hands.halves import whole
whole(np.uint16(0))
"""
    subprocess.run([sys.executable, "-c", program], check=True, capture_output=True)
    assert list((cache / "kernels").rglob("*.nbi"))
