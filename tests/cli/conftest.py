"""Fixtures of the command-line tests: an empty user library, and a solver that needs no time."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from analysis.ragers.answers import library, solving
from analysis.ragers.scenarios import Scenario
from arena_solver.folders import CACHE_VARIABLE
from cli.programs import program_of

ragers = program_of("ragers")

ROOT = Path(__file__).resolve().parents[2]
SMALL = ("--set", "match.row_length=2", "--set", "match.hand_size=2", "--set", "patrons.arianna.row_length=2")
"""A day of two slots and two cards."""


@pytest.fixture(autouse=True)
def own_library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give every test an empty library of its own."""
    folder = tmp_path / "cache"
    monkeypatch.setenv(CACHE_VARIABLE, str(folder))
    return folder


@pytest.fixture
def carried_library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> library.Library:
    """Put an empty library in the place of the carried one."""
    carried = library.Library(tmp_path / "carried", "library", by_names=True)
    monkeypatch.setattr(library, "carried", lambda: carried)
    return carried


@pytest.fixture(scope="module")
def no_nameless() -> Iterator[None]:
    """Hide what is carried of The Nameless, so that something is missing."""
    find = library.Library.find

    def without(self: library.Library, scenario: Scenario) -> library.Found | None:
        hidden = self.by_names and scenario.patron.id == "the-nameless"
        return None if hidden else find(self, scenario)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(library.Library, "find", without)
        yield


_tables: dict[str, object] = {}


@pytest.fixture
def fake_solver(carried_library: library.Library, monkeypatch: pytest.MonkeyPatch) -> object:
    """Put the stand-in of `fake_solver.py` in the solver's place; nothing is carried either."""
    from tests.cli import fake_solver

    # Registers the present module (or its absence) to be put back afterwards.
    monkeypatch.setitem(sys.modules, "solver.hidden_hands", fake_solver.stand_in())
    fake_solver.solved.clear()
    monkeypatch.setattr(fake_solver, "pause_s", 0.0)
    monkeypatch.setattr(fake_solver, "certifies", True)

    def tables_once(scenario: Scenario) -> object:
        if scenario.day.sha256 not in _tables:
            _tables[scenario.day.sha256] = build_tables(scenario)
        return _tables[scenario.day.sha256]

    build_tables = solving.tables
    monkeypatch.setattr(solving, "tables", tables_once)
    return fake_solver


@pytest.fixture
def run() -> Callable[..., Result]:
    """Run ``ragers`` with some words, in this process."""

    def invoke(*words: str) -> Result:
        return CliRunner().invoke(ragers, list(words), catch_exceptions=False)

    return invoke


def started(
    *words: str, pause_s: float = 0.0, before: str = "", program: str = "ragers_solve", **further: Any
) -> subprocess.Popen[str]:
    """Start a program with some words in a process of its own, on the stand-in by default."""
    code = before or f"from tests.cli import fake_solver as f; f.install(); f.pause_s = {pause_s}"
    code += f"\nfrom arena_solver.commands import {program}\n{program}()"
    return subprocess.Popen(
        [sys.executable, "-c", code, *words],
        cwd=ROOT,
        env=os.environ | {"PYTHONWARNINGS": "default"},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        **further,
    )


@pytest.fixture
def start() -> Callable[..., subprocess.Popen[str]]:
    """Start ``ragers-solve`` with some words, see `started`."""
    return started


def wait_for(words: str, stream: Any) -> str:
    """Return the line with these words."""
    for line in stream:
        if words in line:
            return str(line)
    raise AssertionError(words)
