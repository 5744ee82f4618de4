"""What solves tell, passed on as words and numbers: each check once, and not every iteration."""

from __future__ import annotations

from typing import Any

import pytest

from analysis import progress
from analysis.front import contest
from analysis.front.question import Running
from analysis.progress import Passing
from solver.hidden_hands import Progress
from tests.front.games import game


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


def test_how_exact_a_match_is_by_now_is_told_as_it_narrows(monkeypatch: pytest.MonkeyPatch) -> None:
    lines: list[dict[str, Any]] = []
    passing = Passing(lambda **what: lines.append(what))
    monkeypatch.setattr(contest, "_TOLD_S", -1.0)
    match = game("bidding").question("match")
    match.answer(match.build(player=["rank", "high"], deals=400), Running(reporter=passing))
    found = [line["point"] for line in lines]
    seconds, widths = zip(*found, strict=True)
    assert len(found) > 2
    assert sorted(seconds) == list(seconds)
    assert widths[0] > 1.5 * widths[-1] > 0
    wins = match.answer(match.build(player=["rank", "high"], deals=400)).sides[0].won
    assert widths[-1] == pytest.approx(wins.width, rel=0.1)
