"""What solves tell, passed on as words and numbers: each check once, and not every iteration."""

from __future__ import annotations

from typing import Any

import pytest

from analysis import progress
from analysis.progress import Passing
from solver.hidden_hands import Progress


def told(*, often_s: float, monkeypatch: pytest.MonkeyPatch) -> list[dict[str, Any]]:
    """What is passed on of a solve that was checked twice."""
    monkeypatch.setattr(progress, "_OFTEN_S", often_s)
    lines: list[dict[str, Any]] = []
    passing = Passing(lambda **what: lines.append(what))
    passing.total = 2
    passing.note("To solve:\n  a little")
    passing.begin("A day", 1, 60.0)
    for iteration, gap in enumerate((None, 4.0, 4.0, 1.0), 1):
        passing(Progress("solve", iteration / 4, iteration, gap, float(iteration), 2**20, ""))
    return lines


def test_each_check_is_passed_on_once(monkeypatch: pytest.MonkeyPatch) -> None:
    said, begins, *rest = told(often_s=1e9, monkeypatch=monkeypatch)
    assert said == {"said": "To solve: a little"}
    assert begins["begins"]
    assert begins["phase"] == "A day (1 of 2)"
    assert [line["point"] for line in rest] == [(2.0, 4.0), (4.0, 1.0)]
    assert [(line["done"], line["total"]) for line in rest] == [(500, 1000), (1000, 1000)]
    assert "iteration 2" in rest[0]["told"]
    assert "NashConv 4" in rest[0]["told"]


def test_between_checks_it_says_how_far_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    _, _, *rest = told(often_s=0.0, monkeypatch=monkeypatch)
    assert len(rest) == 4
    assert [line.get("point") for line in rest] == [None, (2.0, 4.0), None, (4.0, 1.0)]
