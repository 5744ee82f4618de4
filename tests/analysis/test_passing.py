"""What solves tell, passed on as words and numbers: each check once, and not every iteration."""

from __future__ import annotations

import time
from typing import Any

import pytest

from analysis import progress
from analysis.front import contest
from analysis.front.question import Running
from analysis.progress import Passing, Silent
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


def test_between_checks_it_says_how_far_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    _, _, *rest = told(often_s=0.0, monkeypatch=monkeypatch)
    assert len(rest) == 4
    assert [line.get("point") for line in rest] == [None, (2.0, 4.0), None, (4.0, 1.0)]


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


def report(phase: str = "solve", fraction: float | None = None, **more: Any) -> Progress:
    given: dict[str, Any] = {
        "iteration": 7,
        "nash_conv": None,
        "elapsed_s": 30.0,
        "memory_bytes": 0,
        "message": "",
    }
    return Progress(phase, fraction, **(given | more))


@pytest.mark.parametrize(
    ("given", "limit", "text"),
    [
        (report(), None, "iteration 7, 0:30"),
        (report(), 90.0, "iteration 7, 1:00 left"),
        (report(), 20.0, "iteration 7, 0:00 left"),
        (report(fraction=0.25), None, "iteration 7, 1:30 left"),
        (report(fraction=1.0), None, "iteration 7, 0:00 left"),
        (report(fraction=0.0), None, "iteration 7, 0:30"),
        # What is granted says more than what is done.
        (report(fraction=0.25), 40.0, "iteration 7, 0:10 left"),
        (report("compile", 0.5), 90.0, "compiling, 0:30"),
        (report("build", 0.5), None, "building, 0:30"),
        (report("certify", None, nash_conv=0.25), None, "certifying, NashConv 0.250, 0:30"),
        (
            report(message="one of two", nash_conv=1.0, memory_bytes=2**30),
            None,
            "iteration 7, one of two, NashConv 1.000, 0:30, 1.0 GiB",
        ),
    ],
)
def test_progress_in_words(given: Progress, limit: float | None, text: str) -> None:
    assert progress.describe(given, limit) == text


def test_what_nash_conv_should_be_by_now_stands_beside_it() -> None:
    assert "NashConv 0.250 (now about 0.12)," in progress.describe(report(nash_conv=0.25), None, 0.1234)
    assert "now" not in progress.describe(report(), None, 0.1234)


def heard(monkeypatch: pytest.MonkeyPatch, *times: float) -> tuple[Passing, list[dict[str, Any]]]:
    """A reporter whose clock shows these times one after the other, the first when it is made."""
    clock = iter(times)
    monkeypatch.setattr(time, "monotonic", lambda: next(clock))
    lines: list[dict[str, Any]] = []
    return Passing(lambda **what: lines.append(what)), lines


def test_a_single_solve_has_no_number_and_shares_are_in_thousandths(monkeypatch: pytest.MonkeyPatch) -> None:
    passing, lines = heard(monkeypatch, 100.0, 101.0, 102.0, 103.0, 104.0)
    passing.begin("A day", 1, None)
    for fraction in (None, 0.0, 0.25, 1.0):
        passing(report(fraction=fraction))
    assert lines[0] == {"begins": True, "phase": "A day", "done": 0, "total": 0}
    assert [(line["done"], line["total"]) for line in lines[1:]] == [
        (0, 0),
        (1, 1000),
        (250, 1000),
        (1000, 1000),
    ]
    assert lines[1]["phase"] == "A day"
    assert all("point" not in line for line in lines)
    passing.total = 3
    passing.reading("Stored", 2)
    assert lines[-1] == {"phase": "Stored", "done": 1, "total": 3}
    passing.begin("Next", 3, 5.0)
    assert lines[-1]["phase"] == "Next (3 of 3)"


def test_a_report_soon_after_another_is_left_out_unless_it_is_a_check(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    passing, lines = heard(monkeypatch, 0.0, 0.1, 0.25, 0.35, 0.44, 0.455, 0.6, 0.62, 0.7, 2.5)
    passing.begin("A day", 1, None)
    lines.clear()
    seen = []
    for gap in (None, None, None, None, None, 2.0, 2.0, 2.0):
        passing(report(nash_conv=gap))
        seen.append(len(lines))
    # At 0.25, at 0.455, and the check at 0.6 at once; 0.7 is too soon after it.
    assert seen == [0, 1, 1, 1, 2, 3, 3, 3]
    assert lines[2]["point"] == (30.0, 2.0)
    passing.measured(0.125)
    assert lines[-1] == {"point": (2.5, 0.125)}


def test_each_solve_has_checks_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    passing, lines = heard(monkeypatch, *(float(number) for number in range(9)))
    for title in ("One", "Two"):
        passing.begin(title, 1, 60.0)
        passing(report(nash_conv=2.0))
    assert [line["point"] for line in lines if "point" in line] == [(30.0, 2.0)] * 2
    assert lines[-1]["told"] == "iteration 7, NashConv 2.000, 0:30 left"
    passing.say("Two\n lines")
    assert lines[-1] == {"said": "Two lines"}
    assert (Passing.total, Silent.total, Passing.quiet, Silent.quiet) == (1, 1, False, True)
