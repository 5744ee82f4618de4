"""How long solves take: the curves by method, what an iteration takes here, and merged days' sizes."""

from __future__ import annotations

import itertools
import math
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest

from analysis.ragers.answers import estimating, library, pace, solving
from analysis.ragers.answers.estimating import EstimateReport
from analysis.ragers.answers.merged_sizes import _num_hands, merged_size
from analysis.ragers.answers.solving import Effort
from analysis.ragers.scenarios import Scenario, scenarios
from arena_solver.folders import CACHE_VARIABLE
from engine.ragers.rules import load_rules
from solver.hidden_hands import Estimate
from tests.analysis.test_trust import answer

GIB = 2**30


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv(CACHE_VARIABLE, str(tmp_path))
    return tmp_path


def day(patron: str = "arianna", *changes: str) -> Scenario:
    return scenarios(load_rules([], changes), [patron], ["two-bashers"], "redraw")[0]


# ---- curves ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("method", "row_length", "every_type", "iterations"),
    [
        ("exact", 5, False, (13, 25, 46, 70, 120)),
        ("exact", 6, True, (13, 25, 46, 70, 120)),
        ("exact", 4, False, (8, 16, 30, 46, 78)),
        ("merged", 5, False, (15, 35, 85, 160, 400)),
        ("merged", 5, True, (24, 56, 136, 256, 640)),
        ("merged", 4, True, (7, 14, 36, 60, 140)),
    ],
)
def test_after_how_many_iterations_a_day_pays_nothing_to_deviate(
    method: str, row_length: int, every_type: bool, iterations: tuple[float, ...]
) -> None:
    falls = pace.fall(method, row_length, every_type=every_type)
    shares = (1.0, 0.3, 0.1, 0.05, 0.02)
    assert [pace.iterations_to(share, falls) for share in shares] == pytest.approx(iterations)
    assert [pace.share_after(number, falls) for number in iterations] == pytest.approx(shares)
    # In between it falls as a power of the iterations, from point to point.
    middle = [math.sqrt(one * two) for one, two in itertools.pairwise(iterations)]
    between = [math.sqrt(one * two) for one, two in itertools.pairwise(shares)]
    assert [pace.share_after(number, falls) for number in middle] == pytest.approx(between)
    # Before the first point and after the last one it goes on as it did beside them.
    before = iterations[0] ** 2 / iterations[1]
    assert pace.share_after(before, falls) == pytest.approx(shares[0] ** 2 / shares[1])
    assert pace.share_after(0, falls) == pace.share_after(1, falls) > pace.share_after(1.5, falls) > 1.0
    beyond = pace.share_after(4 * iterations[-1], falls)
    assert pace.iterations_to(beyond, falls) == pytest.approx(4 * iterations[-1])
    assert beyond < shares[-1] / 2


@pytest.mark.parametrize(("row_length", "last"), [(5, 190), (4, 124)])
def test_exact_solves_were_watched_to_one_per_cent(row_length: int, last: int) -> None:
    falls = pace.fall("exact", row_length, every_type=False)
    assert falls[-1] == pytest.approx((last, 0.011))
    (n0, s0), (n1, s1) = falls[-2:]
    power = math.log(s0 / s1) / math.log(n1 / n0)
    assert pace.share_after(2 * last, falls) == pytest.approx(0.011 * 2**-power)


def test_a_solve_is_said_to_take_a_quarter_more_than_its_iterations() -> None:
    assert pace.seconds_after(100, 0.5) == pytest.approx(62.5)
    assert pace.iterations_within(62.5, 0.5) == pytest.approx(100)
    # Iterations that take no time are as many as one can think of, not infinitely many.
    assert pace.iterations_within(1.25, 0.0) == pytest.approx(1e9)


# ---- what an iteration takes here --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("stored", "seconds"),
    [
        (None, 0.2 * 3 * 2),
        (("exact", 5, 60.0), 12.0),
        (("exact", 4, 60.0), 0.2 * 3 * 2),  # too few to tell
        (("merged", 50, 60.0), 0.2 * 3 * 2),
    ],
)
def test_a_stored_solve_of_the_day_tells_what_an_iteration_takes(
    stored: tuple[str, int, float] | None, seconds: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = None
    if stored is not None:
        method, iterations, took = stored
        solved = answer(0.1, seconds=took)
        solved = msgspec.structs.replace(solved, method=method, iterations=iterations)
        found = SimpleNamespace(entry=SimpleNamespace(answer=solved))
    monkeypatch.setattr(library, "own", lambda: SimpleNamespace(find=lambda scenario: found))
    monkeypatch.setattr(pace, "slower", lambda: 3.0)
    monkeypatch.setattr(pace, "busy", lambda: 2.0)
    assert pace.seconds_per_iteration(day(), "exact", 0.2) == pytest.approx(seconds)


@pytest.mark.parametrize(
    ("work_s", "slower"),
    [(0.03, 2.0), (0.015, 1.0), (0.035, 2.333), (0.0001, 0.2), (0.0031, 0.207), (9.0, 5.0)],
)
def test_the_machine_is_between_a_fifth_and_five_times_the_reference(
    work_s: float, slower: float, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pace, "_work", lambda: work_s)
    assert pace.slower() == pytest.approx(slower, abs=5e-4)
    kept = (cache / "speed.json").read_bytes()
    assert msgspec.json.decode(kept) == {"slower": slower}


def test_a_damaged_measurement_is_made_again(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (cache / "speed.json").write_text('{"slower": "very"}')
    monkeypatch.setattr(pace, "_work", lambda: 0.03)
    assert pace.slower() == pytest.approx(2.0)


def test_a_measurement_that_cannot_be_kept_still_counts(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(CACHE_VARIABLE, str(cache / "file"))
    (cache / "file").write_text("")
    monkeypatch.setattr(pace, "_work", lambda: 0.03)
    assert pace.slower() == pytest.approx(2.0)


@pytest.mark.parametrize(("waits", "busy"), [(0, 1.0), (4, 1.0), (6, 1.5), (8, 2.0)])
def test_others_at_work_count_from_one_for_each_processor_on(
    waits: int, busy: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pace, "waiting", lambda: waits)
    monkeypatch.setattr(pace, "processors", lambda: 4)
    assert pace.busy() == busy


def test_work_is_measured_in_time_of_the_processor(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = iter((10.0, 10.25))
    monkeypatch.setattr(pace, "time", SimpleNamespace(process_time=lambda: next(clock)))
    assert pace._work() == 0.25


# ---- sizes of merged days ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("changed", "quotient", "size"),
    [
        # Decisions, child slots, regrets, averages, states of either player, final steps, batches of them.
        (("arianna",), False, (186140, 2680416, 424026920, 254416152, 134206940, 67653, 70359)),
        (("arianna",), True, (267038, 3444790, 394148088, 236488853, 203482956, 35563, 40186)),
        (("the-nameless",), False, (2000000, 28800000, 4556000000, 273360000, 1442000000, 800000, 832000)),
        (("the-nameless",), True, (2070000, 26703000, 3055320000, 183319200, 1577340000, 280000, 316400)),
        (("gharan-zul",), False, (1250000, 18000000, 2847500000, 170850000, 901250000, 490000, 509600)),
        (("gharan-zul",), True, (1790000, 23091000, 2642040000, 158522400, 1363980000, 258000, 291540)),
        (("greybeard",), False, (1070000, 15408000, 2437460000, 146247600, 771470000, 510000, 530400)),
        (("greybeard",), True, (1530000, 19737000, 2258280000, 135496800, 1165860000, 268000, 302840)),
    ],
)
def test_sizes_of_the_merged_days_of_the_box(
    changed: tuple[str, ...], quotient: bool, size: tuple[int, ...]
) -> None:
    found = merged_size(day(*changed).day, quotient=quotient)
    assert found is not None
    assert found.how.quotient == quotient
    assert found.states[0] == found.states[1]
    tree = found.tree
    assert (tree.nodes, tree.children, tree.regrets) == size[:3]
    assert (found.averages, found.states[0], found.records, found.batches) == size[3:]
    assert (tree.batches, tree.records, tree.ends, tree.lazy, found.refined) == (0, 0, 0, 0, 0.0)


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


def test_what_is_kept_of_each_hand_grows_with_the_number_of_hands() -> None:
    """The first player's hands count; decks of the second that are larger change nothing."""
    changes = ("match.hand_size=4", "cards.basher.copies.defenders=2", "cards.slasher.copies.defenders=1")
    smaller, box = (merged_size(day("arianna", *each).day, quotient=False) for each in (changes, ()))
    assert smaller is not None
    assert box is not None
    hands = [_num_hands((4, 4, 4, 2, 2, 2, 2, 2), size) for size in (4, 5)]
    assert smaller.tree.regrets / box.tree.regrets == pytest.approx(hands[0] / hands[1], rel=1e-6)
    assert smaller.states[1] / box.states[1] == pytest.approx(hands[0] / hands[1], rel=1e-6)


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
    ("patron", "method", "least", "likely"),
    [
        ("arianna", "exact", 1000, 1000),
        ("arianna", "merged", 1000, 1900),  # four slots
        ("the-nameless", "merged", 1000, 1400),  # five
        ("the-nameless", "merged", 2000, 2048),  # what may be used
        ("the-nameless", "merged", 2048, 2048),
        ("the-nameless", "merged", 2049, 2049),  # does not fit
        ("the-nameless", "exact", 2049, 2049),
    ],
)
def test_merged_days_use_more_where_they_may(
    patron: str, method: str, least: int, likely: int, guessed: dict[str, Any]
) -> None:
    guessed |= {"method": method, "memory_bytes": least * 2**20}
    found = estimated(day(patron))
    assert (found.least_mb, found.memory_mb) == (least, likely)
    assert found.fits == (least <= 2048)
    assert (found.num_nodes, found.disk_mb, found.seconds_per_iteration) == (1000, 3.0, 0.5)


@pytest.mark.parametrize(
    ("changed", "method", "seconds"),
    [
        (("arianna",), "exact", (30, 46, 78)),
        (("the-nameless",), "exact", (46, 70, 120)),
        (("the-nameless",), "merged", (136, 256, 640)),
        (("greybeard",), "merged", (85, 160, 400)),  # no Cheaters
        (("the-nameless", "cards.stopper.copies=0"), "merged", (85, 160, 400)),
        (("the-nameless", "cards.stopper.copies.accusers=0"), "merged", (136, 256, 640)),
    ],
)
def test_when_an_answer_is_fair_good_and_exact(
    changed: tuple[str, ...], method: str, seconds: tuple[int, ...], guessed: dict[str, Any]
) -> None:
    guessed["method"] = method
    found = estimated(day(*changed))
    after = (found.fair_after_s, found.good_after_s, found.exact_after_s)
    assert after == pytest.approx([0.625 * each for each in seconds])


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


def test_days_with_the_same_moves_are_reckoned_once(guessed: dict[str, Any]) -> None:
    box = load_rules()
    todo = scenarios(box, ["arianna"], ["two-bashers", "two-slashers"], "redraw")
    todo += scenarios(box, ["arianna"], ["two-bashers"], "none")
    todo += scenarios(box, ["solennos"], ["two-bashers"], "redraw")
    told: list[tuple[str, int]] = []
    found = estimating.estimated(todo, Effort(threads=2), lambda title, number: told.append((title, number)))
    assert [number for _, number in told] == [1, 2, 3, 4]
    assert [title for title, _ in told] == [each.title for each in todo]
    assert len(guessed["threads"]) == 3
    assert [(each.patron, each.cheers, each.preparation) for each in found] == [
        (each.patron.id, each.cheers.id, each.preparation) for each in todo
    ]
    assert all(each.in_library and each.stored_grade == "fair" for each in found[:2])


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


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (0.2, "1 s"),
        (89.4, "89 s"),
        (90, "2 min"),
        (91, "2 min"),
        (149, "2 min"),
        (151, "3 min"),
        (5340, "89 min"),
        (5400, "2 h"),
        (5401, "2 h"),
        (9010, "3 h"),
    ],
)
def test_durations_in_round_words(seconds: float, words: str) -> None:
    assert estimating._about(seconds) == words


def test_what_is_said_to_those_about_to_wait(guessed: dict[str, Any]) -> None:
    one = estimated(day("arianna", "cards.basher.gp=4"))
    guessed["memory_bytes"] = 3 * GIB // 2
    longer = estimated(day("the-nameless"), iterations=48)
    free = estimated(day("the-nameless"), target_gp=0.1)
    assert estimating.in_words([one]) == (
        "To solve: about 1.0 GiB; fair after about 19 s, exact after 49 s. Limits end it after 5 min: exact."
    )
    assert estimating.in_words([free]) == "To solve: about 1.5 GiB; fair after about 29 s, exact after 75 s."
    assert estimating.in_words([one, longer, free]) == (
        "3 days to solve, each up to 1.5 GiB; fair after about 29 s each, exact after 75 s."
        " Limits end it after 30 s: fair."
    )
