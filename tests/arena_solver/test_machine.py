"""What a process may use of the machine is asked in one place, on every system."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

from arena_solver import machine

ROOT = Path(__file__).resolve().parents[2]


def test_figures_that_can_be() -> None:
    assert 1 << 20 < machine.free_bytes() < 1 << 50
    assert 1 << 20 < machine.peak_bytes() < 1 << 50
    assert 1 <= machine.processors() < 1 << 16


def test_systems_without_resource_say_what_there_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "resource", None)
    assert 1 << 20 < machine.peak_bytes() < 1 << 50


def test_nothing_else_asks_the_system() -> None:
    words = (r"^\s*import resource", r"os\.sysconf", "/proc/(?:mem|cpu)info", r"getaffinity|cpu_count\(")
    asks = re.compile("|".join(words), re.M)
    found = [
        path.relative_to(ROOT).as_posix()
        for folder in ("analysis", "arena_solver", "cli", "engine", "solver")
        for path in sorted((ROOT / folder).rglob("*.py"))
        if asks.search(path.read_text(encoding="utf-8"))
    ]
    assert found == ["arena_solver/machine.py"]
