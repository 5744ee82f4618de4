"""How long solves take: the curves by method, what an iteration takes here, and merged days' sizes."""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import Any

import pytest

from analysis.ragers.answers import estimating, pace, solving
from analysis.ragers.answers.estimating import EstimateReport
from analysis.ragers.answers.merged_sizes import _num_hands, merged_size
from analysis.ragers.answers.solving import Effort
from analysis.ragers.scenarios import Scenario, scenarios
from arena_solver.folders import CACHE_VARIABLE
from engine.ragers.rules import load_rules
from solver.hidden_hands import Estimate

GIB = 2**30


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv(CACHE_VARIABLE, str(tmp_path))
    return tmp_path


def day(patron: str = "arianna", *changes: str) -> Scenario:
    return scenarios(load_rules([], changes), [patron], ["two-bashers"], "redraw")[0]


# ---- sizes of merged days ----------------------------------------------------------------------------------


def test_days_without_a_type_are_as_large_as_those_whose_patron_forbids_it() -> None:
    for patron, card in (("gharan-zul", "deadeye"), ("greybeard", "cheater")):
        for quotient in (False, True):
            forbidden = merged_size(day(patron).day, quotient=quotient)
            without = merged_size(day("the-nameless", f"cards.{card}.copies=0").day, quotient=quotient)
            assert forbidden is not None
            assert without is not None
            assert (forbidden.tree.nodes, forbidden.records) == (without.tree.nodes, without.records)
    # One side has them: they are in play.
    one = merged_size(day("the-nameless", "cards.cheater.copies.defenders=0").day, quotient=False)
    assert one is not None
    assert one.tree.nodes == 2_000_000


def test_nothing_is_merged_without_veterans_and_nothing_counted_of_other_rows() -> None:
    for changed in (("solennos",), ("arianna", "cards.veteran.copies=0")):
        assert merged_size(day(*changed).day, quotient=False) is None
    for length in (3, 6):
        assert merged_size(day("the-nameless", f"match.row_length={length}").day, quotient=True) is None


@pytest.mark.parametrize("copies", [(1,), (2, 1), (3, 0, 2), (1, 1, 1, 1), (4, 4, 4, 2, 2, 2, 2, 2)])
def test_hands_are_counted_as_by_listing_them(copies: tuple[int, ...]) -> None:
    deck = [card for card, number in enumerate(copies) for _ in range(number)]
    for size in range(min(len(deck), 4) + 1):
        assert _num_hands(copies, size) == len(set(itertools.combinations(deck, size)))
    assert _num_hands(copies, len(deck) + 1) == 1, "at least one, so that sizes can be divided by it"


# ---- what is said before a solve ---------------------------------------------------------------------------


@pytest.fixture
def guessed(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """What solves are guessed to take; iterations take half a second here, and 2 GiB may be used."""
    guess: dict[str, Any] = {"method": "exact", "memory_bytes": GIB, "threads": []}

    def estimate(scenario: Scenario, effort: Effort) -> Estimate:
        guess["threads"].append(effort.threads)
        memory = guess["memory_bytes"] // (2 if effort.threads == 1 and guess.get("halves") else 1)
        return Estimate(guess["method"], memory, 0.5, 1000, 3 * 2**20)

    monkeypatch.setattr(solving, "estimate", estimate)
    monkeypatch.setattr(pace, "seconds_per_iteration", lambda scenario, method, by_size_s: by_size_s)
    monkeypatch.setattr("solver.hidden_hands.memory_limit", lambda asked: 2 * GIB)
    return guess


def estimated(scenario: Scenario, **effort: Any) -> EstimateReport:
    return estimating.estimated([scenario], Effort(**effort))[0]


@pytest.mark.parametrize(
    ("effort", "ends_after_s", "ends_at"),
    [
        ({}, 300.0, "exact"),  # the default limit
        ({"target_gp": 0.1}, None, None),
        ({"time_limit_s": 30.0}, 30.0, "good"),  # 48 iterations
        ({"iterations": 31}, 19.375, "fair"),
        ({"iterations": 29}, 18.125, "rough"),
        ({"iterations": 48, "time_limit_s": 9.0}, 9.0, "no answer yet"),
        ({"iterations": 8, "time_limit_s": 900.0}, 5.0, "no answer yet"),
    ],
)
def test_when_limits_end_a_solve_and_how_good_it_is_then(
    effort: dict[str, Any], ends_after_s: float | None, ends_at: str | None, guessed: dict[str, Any]
) -> None:
    found = estimated(day("arianna", "cards.basher.gp=4"), **effort)
    assert found.ends_after_s == (None if ends_after_s is None else pytest.approx(ends_after_s))
    assert found.ends_at == ends_at
    assert (found.in_library, found.stored_grade) == (False, None)


@pytest.mark.parametrize(
    ("memory", "threads", "halves", "ended", "fewer"),
    [
        (1.0, 4, True, 0, False),
        (3.0, 4, True, 5, True),
        (4.0, 2, True, 5, True),
        (4.5, 2, True, 5, False),
        (3.0, 1, True, 0, False),  # one already, so it fits
        (3.0, 4, False, 5, False),
        (3.0, 1, False, 5, False),
    ],
)
def test_a_dry_run_says_whether_fewer_threads_would_fit(
    memory: float, threads: int, halves: bool, ended: int, fewer: bool, guessed: dict[str, Any]
) -> None:
    guessed |= {"memory_bytes": int(memory * GIB), "halves": halves}
    found = estimating.dry_run([day()], Effort(threads=threads), lambda title, number: None)
    assert found.limit_bytes == 2 * GIB
    assert found.schema == 2
    assert found.fewer_threads == fewer
    assert bool(found.ended) == bool(ended)
    assert found.exit_code == found.ended
