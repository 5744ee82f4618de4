"""Answers that were computed once are found again, where that is right."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from analysis.front import store
from analysis.front.asking import function_of
from analysis.front.question import Running
from arena_solver.folders import CACHE_VARIABLE
from tests.front.games import game


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Keep every answer, however quick it was."""
    monkeypatch.setenv(CACHE_VARIABLE, str(tmp_path))
    monkeypatch.setenv(store.ANSWERS_VARIABLE, "on")
    monkeypatch.setattr(store, "LEAST_S", 0.0)
    return tmp_path / "answers"


def match(**given: Any) -> Any:
    return function_of(game("bidding").question("match"))(player=["rank", "high"], deals=4, **given)


def test_the_same_question_is_found_again_and_says_so(kept: Path) -> None:
    first, second = match(), match()
    assert not first.found_again
    assert second.found_again
    assert second.rows() == first.rows()
    assert second.timing == first.timing
    assert "--fresh computes it anew" in second.page().notes[-1]
    assert not match(running=Running(fresh=True)).found_again
    assert len(list(kept.iterdir())) == 1


@pytest.mark.parametrize(
    "given", [{"seed": 1}, {"set": ("match.ties=shared",)}, {"set": ("prizes.gold.worth=3",)}], ids=str
)
def test_another_seed_or_value_is_another_question(kept: Path, given: dict[str, Any]) -> None:
    match()
    assert not match(**given).found_again
    assert match(**given).found_again


def test_rules_count_by_their_values_and_processes_do_not_count(kept: Path, tmp_path: Path) -> None:
    rules = tmp_path / "rules.toml"
    rules.write_text('[match]\nties = "shared"\n')
    assert not match(rules=[rules], jobs=1).found_again
    assert match(rules=[rules], jobs=2).found_again
    rules.write_text('[match]\nties = "lost"\n')
    assert not match(rules=[rules]).found_again


@pytest.mark.parametrize("harm", [b"", b"0\n{}", b"cut"], ids=["empty", "wrong sum", "cut"])
def test_a_damaged_file_is_computed_anew_and_mended(kept: Path, harm: bytes) -> None:
    first = match()
    (path,) = kept.iterdir()
    path.write_bytes(path.read_bytes()[:-9] if harm == b"cut" else harm)
    second = match()
    assert not second.found_again
    assert second.rows() == first.rows()
    assert match().found_again


def test_what_depends_on_a_file_or_on_seconds_is_not_kept(kept: Path, tmp_path: Path) -> None:
    match(keep=tmp_path / "kept.jsonl")
    assert not kept.exists()
    question = game("raverun").question("match")
    timed = question.build(player=["search:seconds=1", "greedy"])
    counted = question.build(player=["search:iterations=1", "greedy"])
    note = question.rules_note(counted)
    assert store.place_of(question, timed, note) is None
    assert store.place_of(question, counted, note) is not None


def test_quick_answers_and_those_that_are_not_complete_are_not_kept(
    kept: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stopped = Running()
    stopped.interrupt.requested = True
    match(running=stopped)
    assert not kept.exists()
    # One without figures is none yet, however complete.
    function_of(replace(game("bidding").question("match"), amounts=lambda _: []))(player=["high"], deals=4)
    assert not kept.exists()
    monkeypatch.setattr(store, "LEAST_S", 100.0)
    match()
    assert not kept.exists()


def test_what_was_used_longest_ago_gives_way(kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    match(seed=1)
    (first,) = kept.iterdir()
    monkeypatch.setattr(store, "MOST_BYTES", first.stat().st_size * 3 // 2)
    match(seed=2)
    assert first not in list(kept.iterdir())
    assert match(seed=2).found_again
