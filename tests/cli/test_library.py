"""The solution library: written whole, found by what matters, checked, built in pieces."""

from __future__ import annotations

import json
import shutil
import sys
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest

import results
from analysis.ragers.answers import library, solving
from analysis.ragers.answers.library import Library
from analysis.ragers.answers.solving import Effort
from analysis.ragers.scenarios import Scenario, scenarios
from engine.ragers.rules import load_rules

BUILD = ("library", "build", "--patron", "solennos", "--cheers", "two-bashers", "--iterations", "5", "-q")


def scenario(cheers: str = "two-bashers") -> Scenario:
    """Return a day of the box's rules."""
    return scenarios(load_rules(), ["solennos"], [cheers], "redraw")[0]


def test_what_is_stored_is_found(fake_solver: Any, tmp_path: Path) -> None:
    answer, strategy = solving.solve(scenario(), Effort(iterations=4))
    shelf = Library(tmp_path / "shelf", "shelf", by_names=True)
    assert shelf.find(scenario()) is None
    shelf.store(scenario(), answer, strategy)
    found = shelf.find(scenario())
    assert found is not None
    assert found.folder == tmp_path / "shelf" / "solennos" / "two-bashers" / "redraw"
    assert found.entry.answer == answer
    again = found.strategy()
    assert again is not None
    for name in ("hands", "deal_probability", "reach", "opening", "opening_ev", "preparation_mix"):
        np.testing.assert_array_equal(getattr(again, name), getattr(strategy, name), err_msg=name)


def test_entries_of_other_days_formats_and_models_do_not_count(fake_solver: Any, tmp_path: Path) -> None:
    answer, strategy = solving.solve(scenario(), Effort(iterations=4))
    shelf = Library(tmp_path, "shelf", by_names=True)
    report = shelf.store(scenario(), answer, strategy).folder / library.REPORT
    good = report.read_bytes()
    entry = json.loads(good)
    answer_of_another = [{"day_sha256": "0" * 64}, {"preparation": "none"}, {"certified": False}]
    for change in (
        {"format": library.FORMAT + 1},
        {"model": library.MODEL + 1},
        *({"answer": entry["answer"] | other} for other in answer_of_another),
    ):
        report.write_text(json.dumps(entry | change), encoding="utf-8")
        assert shelf.find(scenario()) is None, change
    report.write_bytes(good[:-40])
    assert shelf.find(scenario()) is None
    report.write_bytes(good)
    assert shelf.find(scenario()) is not None


def test_estimates_and_answers_to_other_days_are_not_stored(fake_solver: Any, tmp_path: Path) -> None:
    answer, strategy = solving.solve(scenario(), Effort(iterations=4))
    shelf = Library(tmp_path, "shelf", by_names=True)
    with pytest.raises(ValueError, match="certified"):
        shelf.store(scenario(), msgspec.structs.replace(answer, certified=False), strategy)
    with pytest.raises(ValueError, match="another day"):
        shelf.store(scenario("basher-deadeye"), answer, strategy)
    assert list(tmp_path.rglob("*.*")) == []


def test_build_saves_running_solves_and_takes_them_up(
    fake_solver: Any, run: Any, carried_library: Library, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = (*BUILD, "--fresh", "--checkpoints", str(tmp_path / "saved"))
    path = tmp_path / "saved" / "solennos-two-bashers-redraw.solve"
    assert run(*words).exit_code == 0
    assert (fake_solver.kept[-1].save_to, fake_solver.kept[-1].resume_from) == (path, None)
    path.write_bytes(b"something else")
    refused = run(*words)
    assert refused.exit_code == 1
    assert len(fake_solver.solved) == 1
    assert f"{path.name} is no saved solve" in " ".join(refused.stderr.split())
    monkeypatch.setattr(sys.modules["solver.hidden_hands"], "check_checkpoint", lambda path, identity: None)
    assert run(*words).exit_code == 0
    assert (fake_solver.kept[-1].save_to, fake_solver.kept[-1].resume_from) == (path, path)
    assert fake_solver.kept[-1].identity["preparation"] == "redraw"
    nowhere = run(*BUILD, "--checkpoints", str(path / "below a file"))
    assert nowhere.exit_code == 2
    assert "cannot make" in " ".join(nowhere.stderr.split())


def test_build_relabels_instead_of_solving(fake_solver: Any, run: Any, carried_library: Library) -> None:
    words = ("--cheers", "two-prodders", "--cheers", "two-slashers")
    assert run(*BUILD, *words).exit_code == 0
    assert len(fake_solver.solved) == 1
    for cheers in ("two-prodders", "two-slashers"):
        found = carried_library.find(scenario(cheers))
        assert found is not None
        assert found.entry.relabelled_from == "two-bashers"
        assert found.strategy() is not None
    assert "it comes from" not in run("library", "list", "--verify").stdout


def test_build_adds_sampled_days_to_better_answers(
    fake_solver: Any, run: Any, carried_library: Library
) -> None:
    """What a shorter solve adds is its sampled days alone, for renamed days, too; nothing is solved twice."""
    answer, strategy = solving.solve(scenario(), Effort(iterations=20))
    assert answer.profile is None
    carried_library.store(scenario(), msgspec.structs.replace(answer, iterations=3), strategy)
    for _ in range(2):
        assert run(*BUILD, "--cheers", "two-prodders").exit_code == 0
        for cheers in ("two-bashers", "two-prodders"):
            found = carried_library.find(scenario(cheers))
            assert found is not None
            stored = found.entry.answer
            assert (stored.nash_conv_gp, stored.iterations) == (1 / 20, 3)
            assert stored.profile is not None
            assert stored.profile.nash_conv_gp == 1 / 5
    assert len(fake_solver.solved) == 3
    # A longer one replaces them.
    assert run(*BUILD, "--iterations", "10").exit_code == 0
    found = carried_library.find(scenario())
    assert found is not None
    assert found.entry.answer.profile is not None
    assert found.entry.answer.profile.nash_conv_gp == 1 / 10


def copy_carried(target: Library, *cheers: str) -> None:
    """Copy some of Solennos' carried days."""
    for card in cheers:
        part = Path("solennos") / card
        shutil.copytree(Path(results.__file__).parent / "ragers" / part, target.root / part)


def test_verify_by_solving_again(
    fake_solver: Any, run: Any, carried_library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    copy_carried(carried_library, "two-bashers")
    monkeypatch.setattr(fake_solver, "VALUE_GP", 0.0)
    assert run("library", "list", "--verify", "--resolve", "1", "--time-limit", "0.2").exit_code == 0
    with monkeypatch.context() as cut:
        cut.setattr(fake_solver, "certifies", False)
        result = run("library", "list", "--verify", "--resolve", "1", "--time-limit", "0.2")
        assert (result.exit_code, "not compared" in result.stdout) == (0, True)
    monkeypatch.setattr(fake_solver, "VALUE_GP", 0.5)
    result = run("library", "list", "--verify", "--resolve", "1", "--time-limit", "0.2")
    assert result.exit_code == 1
    assert "by one solve" in result.stdout


def test_the_carried_library_is_sound(run: Any) -> None:
    result = run("library", "list", "--verify")
    assert result.exit_code == 0, result.stdout
