"""`ragers-solve` and what it stored before: what is found again, what is solved anew."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

from analysis.ragers.answers.library import Library
from tests.cli.conftest import SMALL
from tests.cli.test_solve import parsed

DAY = ("--patron", "arianna", "--cheers", "two-bashers", *SMALL)
SOLVE = ("solve", *DAY, "--iterations", "10")


def test_second_time_answers_from_the_cache(fake_solver: Any, run: Any) -> None:
    (live,) = parsed(run(*SOLVE, "--format", "json"))["scenarios"]
    (stored,) = parsed(run(*SOLVE, "--format", "json"))["scenarios"]
    assert len(fake_solver.solved) == 1
    assert (live["from_library"], stored["from_library"]) == (False, True)
    same = set(live) - {"from_library", "source"}
    assert {key: live[key] for key in same} == {key: stored[key] for key in same}


def test_cache_answers_the_same_game_under_other_names(fake_solver: Any, run: Any) -> None:
    run(*SOLVE)
    (scenario,) = parsed(run(*SOLVE[:4], "two-prodders", *SOLVE[5:], "--format", "json"))["scenarios"]
    assert scenario["from_library"] is True
    assert scenario["relabelled_from"] == "two-bashers"
    assert len(fake_solver.solved) == 1


def test_a_better_target_solves_again(fake_solver: Any, run: Any) -> None:
    run(*SOLVE)
    words = ("solve", *DAY, "--format", "json")
    assert parsed(run(*words, "--target", "0.1"))["scenarios"][0]["from_library"] is True
    assert parsed(run(*words, "--target", "0.05"))["scenarios"][0]["from_library"] is False
    # The better answer has replaced the other one.
    assert parsed(run(*words, "--target", "0.1"))["scenarios"][0]["nash_conv_gp"] == pytest.approx(0.05)


def test_a_worse_answer_replaces_nothing(fake_solver: Any, run: Any) -> None:
    run(*SOLVE)
    run("solve", *DAY, "--iterations", "2", "--fresh")
    assert len(fake_solver.solved) == 2
    report = parsed(run(*SOLVE, "--format", "json"))
    assert report["scenarios"][0]["from_library"] is True
    assert report["scenarios"][0]["nash_conv_gp"] == pytest.approx(0.1)


def test_a_short_try_is_no_answer_to_a_longer_one(fake_solver: Any, run: Any) -> None:
    run(*SOLVE)
    run("solve", *DAY, "--iterations", "11")
    run("solve", *DAY, "--time-limit", "0.2")
    assert len(fake_solver.solved) == 3


def test_days_of_the_box_are_never_solved_unasked(run: Any) -> None:
    found = parsed(run("solve", "--format", "json"))["scenarios"]
    assert len(found) == 30
    assert all(each["from_library"] for each in found)


def test_what_is_no_answer_is_not_found_again(fake_solver: Any, run: Any, own_library: Path) -> None:
    for _ in range(2):
        run("solve", *DAY[:4], "--iterations", "1")
    assert len(fake_solver.solved) == 2
    run("library", "build", *DAY[:4], "--iterations", "1", "--into", str(own_library), "-q")
    assert len(list(own_library.rglob("report.json"))) == 1
    (scenario,) = parsed(run("solve", *DAY[:4], "--iterations", "1", "--format", "json"))["scenarios"]
    assert not scenario["from_library"]


def test_a_limit_that_is_over_before_anything_is_known_is_said(
    fake_solver: Any, run: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    def left(*_: object, **__: object) -> None:
        raise fake_solver.Left

    monkeypatch.setattr(sys.modules["solver.hidden_hands"], "solve", left)
    for words in (SOLVE[1:5], (*DAY, "--cheers", "basher-deadeye")):
        found = run("solve", *words, "--time-limit", "2")
        assert found.exit_code == 3
        assert found.stderr.count("the limit of 0:02 was over before") == words.count("--cheers")


def test_the_carried_library_answers_whatever_the_effort(
    fake_solver: Any, run: Any, carried_library: Library
) -> None:
    run("library", "build", *DAY[:4], "--iterations", "10", "-q")
    (scenario,) = parsed(run("solve", *DAY[:4], "--time-limit", "1h", "--format", "json"))["scenarios"]
    assert scenario["from_library"] is True
    assert scenario["source"].startswith("solution library")
    assert len(fake_solver.solved) == 1


def test_estimates_are_not_stored(fake_solver: Any, run: Any) -> None:
    fake_solver.certifies = False
    run(*SOLVE)
    assert parsed(run(*SOLVE, "--format", "json"))["scenarios"][0]["from_library"] is False


def test_other_values_that_matter_are_solved_anew(fake_solver: Any, run: Any) -> None:
    run(*SOLVE)
    run(*SOLVE, "--set", "cards.basher.gp=4")
    assert len(fake_solver.solved) == 2


def test_values_that_do_not_matter_are_found(fake_solver: Any, run: Any) -> None:
    run(*SOLVE)
    for change in ("cheers.two-slashers.gp=4", "patrons.solennos.row_length=3", "match.days=2"):
        run(*SOLVE, "--set", change)
    assert len(fake_solver.solved) == 1


def test_a_cache_that_cannot_be_written_is_no_failure(fake_solver: Any, run: Any, own_library: Path) -> None:
    own_library.write_text("a file where the folder should be", encoding="utf-8")
    result = run(*SOLVE)
    assert result.exit_code == 0
    assert "Could not keep the answer" in result.stderr
