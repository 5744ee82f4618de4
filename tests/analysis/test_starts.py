"""Tables of earlier solves: found by the decisions of a day, the most similar one first, within a limit."""

from __future__ import annotations

import json
import os
import zipfile
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from analysis.ragers.answers import solving, starts
from analysis.ragers.scenarios import Scenario, scenarios
from arena_solver import ragers
from arena_solver.folders import CACHE_VARIABLE
from engine.ragers.rules import load_rules
from solver.hidden_hands import checkpoint


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv(CACHE_VARIABLE, str(tmp_path))
    return tmp_path


def day(*changes: str, patron: str = "solennos", cheers: str = "two-bashers") -> Scenario:
    rules = load_rules(overrides=("match.row_length=3", *changes))
    return scenarios(rules, [patron], [cheers], "none")[0]


def keep(scenario: Scenario, size: int = 0) -> Path:
    """Write a file as a solve of that day would leave it, without tables."""
    start = starts.warm_start(scenario, print)
    path = start.keep_in
    assert path is not None
    path.parent.mkdir(parents=True, exist_ok=True)
    header = {
        "format": checkpoint.FORMAT,
        "kind": "running solve of a hidden-hands game",
        "iterations": 20,
        "numbers": {},
        "arrays": {},
        "identity": dict(start.identity),
        "title": start.title,
        "values": dict(start.values),
    }
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("header.json", json.dumps(header))
        archive.writestr("room", bytes(size))
    return path


def test_another_value_leaves_the_decisions_and_another_row_does_not() -> None:
    base = keep(day())
    assert starts.warm_start(day("cards.basher.gp=4"), print).candidates == (base,)
    assert starts.warm_start(day(cheers="two-slashers"), print).candidates == (base,)
    for changes in (("match.row_length=4",), ("cards.basher.copies=3",), ("match.hand_size=4",)):
        assert starts.warm_start(day(*changes), print).candidates == ()


def test_the_most_similar_day_comes_first() -> None:
    box, cheers = keep(day()), keep(day(cheers="two-slashers"))
    four, six = keep(day("cards.basher.gp=4")), keep(day("cards.basher.gp=6"))
    assert starts.warm_start(day("cards.basher.gp=7"), print).candidates == (six, four, box, cheers)
    assert starts.warm_start(day(), print).candidates == (box, four, six, cheers)


def test_the_first_what_if_of_a_day_has_nothing_to_begin_from() -> None:
    assert starts.are_missing(day("cards.basher.gp=4"))
    keep(day("cards.basher.gp=5"))
    assert not starts.are_missing(day("cards.basher.gp=4"))
    (box,) = scenarios(load_rules(), ["solennos"], ["two-bashers"], "none")
    assert not starts.are_missing(box)


def test_damaged_and_foreign_files_are_no_candidates() -> None:
    path = keep(day())
    path.write_bytes(path.read_bytes()[:40])
    (path.parent / f"none-strange{starts.ENDING}").write_text("notes")
    assert starts.warm_start(day("cards.basher.gp=4"), print).candidates == ()


def test_what_was_not_used_for_the_longest_goes_first(monkeypatch: pytest.MonkeyPatch) -> None:
    paths = [keep(day(f"cards.basher.gp={gp}"), size=1000) for gp in (1, 2, 4)]
    for age, path in enumerate(reversed(paths)):
        os.utime(path, (1000.0 - age, 1000.0 - age))
    monkeypatch.setattr(starts, "MOST_BYTES", 8000)
    monkeypatch.setattr(starts, "_MOST_OF_ONE", 4000)
    starts.warm_start(day("match.row_length=2"), print)
    left = [path.exists() for path in paths]
    assert left[2]
    assert not left[0]


def test_warming_up_makes_tables_of_days_that_have_none(monkeypatch: pytest.MonkeyPatch) -> None:
    small, large = (day(patron=patron) for patron in ("solennos", "arianna"))
    there = day(cheers="two-slashers")
    keep(there)
    solved: list[str] = []

    def solve(scenario: Scenario, effort: Any, note: Any, **_: object) -> tuple[Any, None]:
        assert effort.warm
        assert effort.time_limit_s == 120
        solved.append(scenario.title)
        keep(scenario)
        return SimpleNamespace(nash_conv_gp=0.25), None

    def estimate(scenario: Scenario, effort: Any) -> Any:
        return SimpleNamespace(method="exact", memory_bytes=1 << (40 if scenario == large else 20))

    monkeypatch.setattr(solving, "solve", solve)
    monkeypatch.setattr(solving, "estimate", estimate)
    monkeypatch.setattr("solver.hidden_hands.warmup", lambda progress: None)
    ask = partial(ragers.warmup, preparation="none", set=["match.row_length=3"])
    assert ask().days == []
    assert solved == []
    first = ask(patron=["solennos", "arianna"], cheers=["two-bashers", "two-slashers"])
    said = {(each.patron, each.cheers): each.tables for each in first.days}
    assert said[small.patron.id, "two-bashers"] == "made"
    assert said[small.patron.id, "two-slashers"] == "there"
    assert said[large.patron.id, "two-bashers"] == "none"
    assert solved[0] == small.title
    assert next(each.nash_conv_gp for each in first.days if each.tables == "made") == 0.25
    assert ask(patron="solennos", cheers="two-bashers").days[0].tables == "there"
