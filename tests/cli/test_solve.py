"""`ragers-solve` around the solve: usage, formats, screens, exit codes, what is found again."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from analysis.ragers.answers.library import Library
from analysis.ragers.game import GAME
from tests.cli.conftest import SMALL

SCHEMA = GAME.question("solve").schema()


SOLVE = ("solve", "--patron", "arianna", "--cheers", "two-bashers", "--iterations", "10")


def parsed(result: Any) -> dict[str, Any]:
    """Return a run's JSON, after checking it against the schema."""
    assert result.exit_code in (0, 3, 130), result.output
    report: dict[str, Any] = json.loads(result.stdout)
    jsonschema.Draft202012Validator(SCHEMA).validate(report)
    return report


def test_all_scenarios_by_default(fake_solver: Any, run: Any) -> None:
    report = parsed(run("solve", *SMALL, "--iterations", "3", "--format", "json", "-q"))
    pairs = [(scenario["patron"], scenario["cheers"]) for scenario in report["scenarios"]]
    assert len(set(pairs)) == 30
    # Three of the six cheers cards are one game under other names of the attacks, and Arianna, now with no
    # row length of her own, is The Nameless.
    assert len(fake_solver.solved) == 4 * 4
    renamed = [scenario for scenario in report["scenarios"] if scenario["relabelled_from"]]
    assert {scenario["relabelled_from"] for scenario in renamed} == {"two-bashers"}


def test_relabelled_answer_has_the_attacks_renamed(fake_solver: Any, run: Any) -> None:
    # A rule set still symmetric under rotation, but with an opening that tells the attacks apart once solved.
    words = ("solve", "--patron", "arianna", "--cheers", "two-bashers", "--cheers", "two-slashers")
    first, second = parsed(run(*words, "--iterations", "3", "--format", "json"))["scenarios"]
    rotate = {"basher": "slasher", "slasher": "prodder", "prodder": "basher"}
    for name, share in first["opening_mix"].items():
        assert second["opening_mix"][rotate.get(name, name)] == share
    assert second["relabelled_from"] == "two-bashers"


def test_hand(fake_solver: Any, run: Any) -> None:
    (scenario,) = parsed(run(*SOLVE, "--format", "json", "--hand", "B B S C V"))["scenarios"]
    hand = scenario["hand"]
    assert hand["cards"] == ["basher", "basher", "slasher", "chancer", "veteran"]
    assert hand["mix"] == pytest.approx({"basher": 0.25, "slasher": 0.25, "chancer": 0.25, "veteran": 0.25})
    assert hand["ev_gp"] == pytest.approx({"basher": 0, "slasher": 0.25, "chancer": 0.75, "veteran": 1.75})
    # C(4,2) * 4 * 2 * 2 of C(22,5) deals
    assert hand["dealt"] == pytest.approx(96 / 26334)
    assert hand["discard"]["keep"] == 1
    assert set(hand["discard"]) == {"keep", "basher", "slasher", "chancer", "veteran"}


def test_no_answer_is_dressed_as_one(fake_solver: Any, run: Any) -> None:
    """NashConv of 1 GP where a day pays 4.1: no percentages, but what is missing and how long it takes."""
    words = ("solve", "--patron", "arianna", *SMALL, "--cheers", "two-bashers", "--cheers", "basher-deadeye")
    for more in ((), ("--details",), ("--hand", "B S"), ("--format", "md")):
        coarse = " ".join(run(*words, *more, "--iterations", "1").stdout.split())
        assert coarse.count("no answer yet") >= 2
        assert not re.search(r"\d %", coarse)
        assert "No answer yet: Two Bashers and Basher and Deadeye. Fair after about 1m" in coarse
        assert "as such days usually go: repeat with" in coarse
    in_full = run(*words, "--iterations", "1", "--format", "md").stdout
    assert "off by up to 1.00 GP where a day pays 4.1" in in_full
    rough = " ".join(run(*words, "--iterations", "2").stdout.split())
    assert "no answer yet" not in rough
    assert "0.50 rough" in rough
    assert "Rough: Two Bashers and Basher and Deadeye. Fair after about" in rough
    assert "Rough" not in run(*words, "--iterations", "3").stdout


def test_output_that_fails_late_is_printed_instead(
    tmp_path: Path, fake_solver: Any, run: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(path: Path, data: bytes) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("cli.output.write_atomically", full)
    result = run(*SOLVE, "--format", "json", "--output", str(tmp_path / "answer.json"))
    assert result.exit_code == 1
    assert "No space left" in result.stderr
    assert json.loads(result.stdout)["scenarios"]


def test_target_not_reached_exits_3_with_the_best_so_far(fake_solver: Any, run: Any) -> None:
    result = run(*SOLVE, "--target", "0.01", "--format", "json")
    assert result.exit_code == 3
    assert parsed(result)["scenarios"][0]["nash_conv_gp"] == pytest.approx(0.1)


def test_an_estimate_does_not_reach_a_target(fake_solver: Any, run: Any) -> None:
    fake_solver.certifies = False
    result = run("solve", *SOLVE[1:5], "--target", "0.5", "--format", "json")
    assert result.exit_code == 3
    assert parsed(result)["scenarios"][0]["certified"] is False


def test_what_does_not_fit_may_lie_on_disk(
    fake_solver: Any, run: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = (*SOLVE, "--memory", str(fake_solver.NEEDED_BYTES // 2))
    refused = run(*words)
    assert refused.exit_code == 4
    assert "--disk" in refused.stderr
    assert run(*words, "--disk", str(tmp_path)).exit_code == 0
    dry = run(*words, "--disk", str(tmp_path), "--dry-run", "--format", "json")
    assert dry.exit_code == 0
    (guess,) = json.loads(dry.stdout)["estimates"]
    assert (guess["memory_mb"], guess["disk_mb"], guess["fits"]) == (0.5, 0.5, True)
    assert "  disk " in run(*words, "--disk", str(tmp_path), "--dry-run").stdout
    nowhere = run(*words, "--disk", str(tmp_path / "nowhere"))
    assert nowhere.exit_code == 2
    assert "there is no folder" in nowhere.stderr

    monkeypatch.setattr(fake_solver, "disk_is_full", True)
    full = run(*words, "--disk", str(tmp_path), "--fresh")
    assert full.exit_code == 4
    assert "No space left on device" in full.stderr
    assert "--disk" in full.stderr


def test_failure_exits_1_and_keeps_what_was_answered(
    fake_solver: Any, run: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    import sys

    module = sys.modules["solver.hidden_hands"]
    good = module.solve

    def breaks_on_the_second(*arguments: Any, **named: Any) -> Any:
        if fake_solver.solved:
            raise RuntimeError("out of luck")
        return good(*arguments, **named)

    monkeypatch.setattr(module, "solve", breaks_on_the_second)
    words = ("--cheers", "two-bashers", "--cheers", "basher-deadeye")
    result = run("solve", "--patron", "arianna", *words, "--iterations", "2", "--format", "json")
    assert result.exit_code == 1
    assert "out of luck" in result.stderr
    assert [scenario["cheers"] for scenario in json.loads(result.stdout)["scenarios"]] == ["two-bashers"]


DAY = ("--patron", "arianna", "--cheers", "two-bashers", *SMALL)


AGAIN = ("solve", *DAY, "--iterations", "10")


def test_second_time_answers_from_the_cache(fake_solver: Any, run: Any) -> None:
    (live,) = parsed(run(*AGAIN, "--format", "json"))["scenarios"]
    (stored,) = parsed(run(*AGAIN, "--format", "json"))["scenarios"]
    assert len(fake_solver.solved) == 1
    assert (live["from_library"], stored["from_library"]) == (False, True)
    same = set(live) - {"from_library", "source"}
    assert {key: live[key] for key in same} == {key: stored[key] for key in same}


def test_cache_answers_the_same_game_under_other_names(fake_solver: Any, run: Any) -> None:
    run(*AGAIN)
    (scenario,) = parsed(run(*AGAIN[:4], "two-prodders", *AGAIN[5:], "--format", "json"))["scenarios"]
    assert scenario["from_library"] is True
    assert scenario["relabelled_from"] == "two-bashers"
    assert len(fake_solver.solved) == 1


def test_a_better_target_solves_again(fake_solver: Any, run: Any) -> None:
    run(*AGAIN)
    words = ("solve", *DAY, "--format", "json")
    assert parsed(run(*words, "--target", "0.1"))["scenarios"][0]["from_library"] is True
    assert parsed(run(*words, "--target", "0.05"))["scenarios"][0]["from_library"] is False
    # The better answer has replaced the other one.
    assert parsed(run(*words, "--target", "0.1"))["scenarios"][0]["nash_conv_gp"] == pytest.approx(0.05)


def test_a_worse_answer_replaces_nothing(fake_solver: Any, run: Any) -> None:
    run(*AGAIN)
    run("solve", *DAY, "--iterations", "2", "--fresh")
    assert len(fake_solver.solved) == 2
    report = parsed(run(*AGAIN, "--format", "json"))
    assert report["scenarios"][0]["from_library"] is True
    assert report["scenarios"][0]["nash_conv_gp"] == pytest.approx(0.1)


def test_a_short_try_is_no_answer_to_a_longer_one(fake_solver: Any, run: Any) -> None:
    run(*AGAIN)
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
    for words in (AGAIN[1:5], (*DAY, "--cheers", "basher-deadeye")):
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
    run(*AGAIN)
    assert parsed(run(*AGAIN, "--format", "json"))["scenarios"][0]["from_library"] is False


def test_other_values_that_matter_are_solved_anew(fake_solver: Any, run: Any) -> None:
    run(*AGAIN)
    run(*AGAIN, "--set", "cards.basher.gp=4")
    assert len(fake_solver.solved) == 2


def test_values_that_do_not_matter_are_found(fake_solver: Any, run: Any) -> None:
    run(*AGAIN)
    for change in ("cheers.two-slashers.gp=4", "patrons.solennos.row_length=3", "match.days=2"):
        run(*AGAIN, "--set", change)
    assert len(fake_solver.solved) == 1


def test_a_cache_that_cannot_be_written_is_no_failure(fake_solver: Any, run: Any, own_library: Path) -> None:
    own_library.write_text("a file where the folder should be", encoding="utf-8")
    result = run(*AGAIN)
    assert result.exit_code == 0
    assert "Could not keep the answer" in result.stderr
