"""`ragers tune`: goals, the search, and what is reported."""

from __future__ import annotations

import csv
import io
import json
import signal
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from analysis.ragers.workbench import tuning
from analysis.ragers.workbench.goals import Goal, Missed, parse_goal, total
from analysis.ragers.workbench.searching import Place, Search
from analysis.ragers.workbench.tuning import frontier
from engine.ragers.rules import load_rules
from tests.cli.conftest import SMALL, started, wait_for

DAY = ("--patron", "arianna", "--cheers", "two-bashers", "--preparation", "none", *SMALL)
ONE = ("--iterations", "4", "--jobs", "1", "-q")
COPIES = ("--vary", "cards.basher.copies=0:6")


# ---- goals -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "goal"),
    [
        ("opening.each=5:35", Goal("opening.each=5:35", ("opening.each",), 5, 35)),
        ("draw=:10", Goal("draw=:10", ("draw",), high=10)),
        ("mean_gp = 2.5:", Goal("mean_gp = 2.5:", ("mean_gp",), low=2.5)),
        (
            "opening.basher=opening.slasher within 3",
            Goal("opening.basher=opening.slasher within 3", ("opening.basher", "opening.slasher"), within=3),
        ),
        ("win=draw=decisive", Goal("win=draw=decisive", ("win", "draw", "decisive"), within=5)),
    ],
)
def test_goal(text: str, goal: Goal) -> None:
    assert parse_goal(text) == goal


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("draw", "no goal"),
        ("draw=:", "no end"),
        ("draw=10", "no metric"),
        ("draw=20:10", "high to low"),
        ("draw=a:10", "no number"),
        ("draw=nan:10", "no number"),
        ("fun=1:2", "no metric"),
        ("opening.wizard=1:2", "no metric"),
        ("win=win", "no goal"),
        ("win=draw within x", "no number"),
        ("win=draw within -1", "no distance"),
        ("win=1:2 within 3", "no goal"),
        ("opening.each=opening.basher", "name the types"),
    ],
)
def test_no_goal(text: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        parse_goal(text)


def test_missed() -> None:
    band = parse_goal("opening.each=5:35")
    assert band.missed([4, 20, 40]) == pytest.approx(6)
    assert band.missed([5, 35]) == 0
    assert band.missed_span([(4, 10), (30, 50)]) == (0, 16)
    assert band.missed_span([(1, 2), (36, 37)]) == (3 + 1, 4 + 2)
    even = parse_goal("win=draw=decisive within 3")
    assert even.missed([10, 14, 11]) == pytest.approx(1)
    assert even.missed_span([(0, 4), (2, 9)]) == (0, 6)
    assert even.missed_span([(0, 1), (8, 9)]) == (4, 6)


def test_missed_lies_in_its_span() -> None:
    """Whatever numbers the intervals allow, what is missed lies between what the goal says."""
    import itertools

    for goal in (parse_goal("opening.each=5:35"), parse_goal("win=draw within 3")):
        spans = [(0.0, 12.0), (20.0, 41.0)]
        low, high = goal.missed_span(spans)
        seen = [goal.missed(pair) for pair in itertools.product((0, 3, 7, 12), (20, 25, 33, 41))]
        assert min(seen) == pytest.approx(low)
        assert max(seen) == pytest.approx(high)


def test_what_is_unknown_stays_unknown() -> None:
    assert total([Missed(1.0, (0.0, 2.0)), Missed(2.0, (1.0, 3.0))]) == Missed(3.0, (1.0, 5.0))
    assert total([Missed(1.0, (0.0, 2.0)), Missed(2.0, None)]) == Missed(3.0, None)


# ---- the search --------------------------------------------------------------------------------------------


def search_of(
    amount: Callable[[Place], float | None], sizes: tuple[int, ...], start: Place, budget: int
) -> Search:
    def evaluate(places: Sequence[Place]) -> tuple[list[float | None], bool]:
        return [amount(place) for place in places], True

    def distance(place: Place) -> float:
        return sum(abs(one - other) for one, other in zip(place, start, strict=True))

    return Search(sizes, start, distance, evaluate, budget)


def bowl(place: Place) -> float:
    return float(sum((at - goal) ** 2 for at, goal in zip(place, (7, 2, 5), strict=False)))


def test_small_spaces_are_searched_whole() -> None:
    search = search_of(bowl, (9, 4), (0, 0), 36)
    assert search.run(0) == "all combinations"
    assert len(search.found) == 36
    assert search.best() == (7, 2)
    assert next(iter(search.found)) == (0, 0)  # the nearest come first


def test_large_ones_find_the_best_within_the_budget() -> None:
    for seed in range(5):
        search = search_of(bowl, (12, 12, 12), (0, 0, 0), 90)
        search.run(seed)
        assert search.best() == (7, 2, 5)
        assert len(search.found) <= 90
        assert all(near in search.found for near in search.neighbours((7, 2, 5)))


def test_the_same_seed_tries_the_same() -> None:
    tried = []
    for seed in (3, 3, 4):
        search = search_of(bowl, (20, 20), (1, 1), 30)
        search.run(seed)
        tried.append(list(search.found))
    assert tried[0] == tried[1] != tried[2]


def test_of_equals_the_nearest() -> None:
    search = search_of(lambda place: 0.0 if place[0] >= 3 else 1.0, (9, 9), (1, 4), 81)
    search.run(0)
    assert search.best() == (3, 4)


@pytest.mark.parametrize("budget", [1, 2, 5, 6])
def test_no_budget_is_exceeded(budget: int) -> None:
    search = search_of(bowl, (30, 30), (15, 15), budget)
    search.run(0)
    assert 1 <= len(search.found) <= budget


def test_what_cannot_be_solved_is_left_out() -> None:
    search = search_of(lambda place: None if place[0] > 4 else bowl(place), (12, 12, 12), (0, 0, 0), 120)
    search.run(1)
    assert search.best() == (4, 2, 5)
    nothing = search_of(lambda _: None, (3, 3), (0, 0), 20)
    nothing.run(0)
    assert nothing.best() is None


def test_a_fixed_value_is_no_axis() -> None:
    search = search_of(bowl, (12, 1, 12), (0, 0, 0), 60)
    search.run(0)
    assert search.best() == (7, 0, 5)


def test_a_stop_ends_it() -> None:
    search = search_of(bowl, (30, 30), (0, 0), 50)
    search.evaluate = lambda places: ([bowl(place) for place in places], False)
    search.run(0)
    assert list(search.found) == [(0, 0)]


# ---- the command -------------------------------------------------------------------------------------------


def test_every_variant_is_tried_where_that_is_cheap(fake_solver: Any, run: Any) -> None:
    words = ("tune", *COPIES, "--goal", "opening.basher=20:30", *DAY, *ONE)
    result = run(*words, "--format", "json")
    report = json.loads(result.stdout)
    assert result.exit_code == 0
    assert report["method"] == "all combinations"
    assert report["num_tried"] == report["num_possible"] == 7
    assert report["complete"] is True
    shares = {
        each["at"]["cards.basher.copies"]: 100 * each["opening"]["basher"] for each in report["variants"]
    }
    assert sorted(shares) == list(range(7))
    (axis,) = report["axes"]
    meets = [n for n, share in shares.items() if 20 <= share <= 30]
    proposed = report["proposal"]["at"]["cards.basher.copies"]
    assert proposed in meets
    assert report["proposal"]["met"] is True
    assert report["proposal"]["distance"] == min(abs(n - axis["present"]) for n in meets)
    for each in report["variants"]:
        share = shares[each["at"]["cards.basher.copies"]]
        assert each["missed"] == pytest.approx(max(0, 20 - share, share - 30))
    assert {each["at"]["cards.basher.copies"] for each in report["neighbours"]} == {
        proposed - 1,
        proposed + 1,
    }
    solved = len(fake_solver.solved)
    assert json.loads(run(*words, "--format", "json").stdout)["variants"] == report["variants"]
    assert len(fake_solver.solved) == solved  # all were kept


def test_a_budget_and_two_values(fake_solver: Any, run: Any) -> None:
    words = ("tune", *COPIES, "--vary", "cards.slasher.copies=0:6", "--budget", "20", *DAY, *ONE)
    words += ("--goal", "opening.basher=opening.slasher within 0.1", "--goal", "opening.basher=25:")
    result = run(*words, "--format", "json")
    report = json.loads(result.stdout)
    assert 10 <= report["num_tried"] <= 20
    assert report["proposal"]["at"]["cards.basher.copies"] == report["proposal"]["at"]["cards.slasher.copies"]
    front = report["frontier"]
    assert front[0] == report["present"]
    assert [each["distance"] for each in front] == sorted({each["distance"] for each in front})
    assert [each["missed"] for each in front] == sorted((each["missed"] for each in front), reverse=True)
    rows = list(csv.DictReader(io.StringIO(run(*words, "--format", "csv").stdout)))
    assert len(rows) == len(report["variants"])
    assert [row["proposal"] for row in rows].count("true") == 1


@pytest.mark.parametrize("form", ["table", "md"])
def test_tables(form: str, fake_solver: Any, run: Any) -> None:
    result = run("tune", *COPIES, "--goal", "opening.each=1:90", *DAY, *ONE, "--format", form, "--details")
    for text in ("proposal", "Frontier", "One step from the proposal", "Robustness:", "every type"):
        assert text in result.stdout
    if form == "table":
        assert max(map(len, result.stdout.splitlines())) <= 80


def test_a_goal_out_of_reach(fake_solver: Any, run: Any) -> None:
    result = run("tune", *COPIES, "--goal", "mean_gp=9:", *DAY, *ONE, "--format", "json")
    report = json.loads(result.stdout)
    assert result.exit_code == 3
    assert report["proposal"] == report["present"]  # no change is the best of equals
    assert report["proposal"]["missed_bracket"] is None  # nothing is known of other equilibria
    assert report["effect"] is False


def test_over_the_mean(fake_solver: Any, run: Any) -> None:
    words = ("--patron", "arianna", "--cheers", "two-bashers", "--cheers", "two-slashers", *DAY[4:])
    for over in ("each", "mean"):
        result = run(
            "tune",
            *COPIES,
            "--goal",
            "opening.basher=20:30",
            *words,
            *ONE,
            "--over",
            over,
            "--format",
            "json",
        )
        report = json.loads(result.stdout)
        assert report["over"] == over
        assert len(report["scenarios"]) == 2
        assert report["proposal"]["met"] is True


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--vary", "cards.basher.gp=2:99", "--goal", "draw=:5"), "0 to 20"),
        (("--vary", "cards.basher.gp=2,x", "--goal", "draw=:5"), "whole numbers"),
        (("--vary", "patrons.arianna.forbidden=veteran", "--goal", "draw=:5"), "whole numbers"),
        ((*COPIES, *COPIES, "--goal", "draw=:5"), "twice"),
        ((*COPIES, "--goal", "fun=:5"), "no metric"),
        (COPIES, "--goal"),
        (("--goal", "draw=:5"), "--vary"),
    ],
)
def test_usage(words: tuple[str, ...], message: str, fake_solver: Any, run: Any) -> None:
    result = run("tune", *DAY, *words)
    assert result.exit_code == 2
    assert message in " ".join(result.output.split())


def test_refused_for_memory(fake_solver: Any, run: Any) -> None:
    result = run("tune", *COPIES, "--goal", "draw=:5", *DAY, *ONE, "--memory", "1")
    assert result.exit_code == 4
    assert "The search has no answer" in result.output


def test_interrupted(own_library: Path) -> None:
    words = (*COPIES, "--goal", "opening.basher=20:30", *DAY, "--iterations", "50", "--jobs", "1")
    process = started("tune", *words, "--format", "json", program="ragers", pause_s=0.02)
    wait_for("[3/", process.stderr)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 130, err
    assert "Traceback" not in err
    report = json.loads(out)
    assert report["complete"] is False
    assert report["proposal"] is not None
    assert 3 <= len(report["variants"]) <= 5
    assert len(list(own_library.rglob("report.json"))) >= 3  # and are there for the next time


def test_frontier_keeps_what_nothing_nearer_beats(fake_solver: Any, run: Any) -> None:
    report = json.loads(
        run("tune", *COPIES, "--goal", "opening.basher=40:", *DAY, *ONE, "--format", "json").stdout
    )
    kept = {each["rules_sha256"] for each in report["frontier"]}
    for each in report["variants"]:
        beaten = any(
            other["distance"] <= each["distance"] and other["missed"] < each["missed"] - 1e-6
            for other in report["variants"]
        )
        assert (
            (each["rules_sha256"] in kept)
            or beaten
            or each["missed"]
            >= min(other["missed"] for other in report["variants"] if other["distance"] <= each["distance"])
        )
    assert frontier([]) == []


@pytest.mark.kernels
def test_a_real_solve(run: Any) -> None:
    """What is reported is what a solve of the proposal says, and lies in its interval."""
    words = ("--patron", "arianna", "--cheers", "two-bashers", "--preparation", "none", *SMALL)
    words += (
        "--set",
        "cards.veteran.copies=0",
        "--set",
        "cards.deadeye.copies=0",
        "--set",
        "cards.stopper.copies=0",
    )
    words += ("--iterations", "200", "--threads", "1", "-q", "--format", "json")
    result = run(
        "tune", "--vary", "cards.basher.gp=0:4", "--goal", "opening.basher=30:60", *words, "--jobs", "1"
    )
    report = json.loads(result.stdout)
    assert result.exit_code == 0
    for each in report["variants"]:
        low, high = each["missed_bracket"]
        assert low - 1e-4 <= each["missed"] <= high + 1e-4
    shares = {each["at"]["cards.basher.gp"]: each["opening"]["basher"] for each in report["variants"]}
    assert shares[0] < shares[4]  # a Basher worth more is opened with more
    gp = report["proposal"]["at"]["cards.basher.gp"]
    solved = json.loads(run("solve", *words, "--set", f"cards.basher.gp={gp}").stdout)["scenarios"][0]
    assert solved["opening_mix"]["basher"] == pytest.approx(report["proposal"]["opening"]["basher"])
    assert report["proposal"]["met"] is (0.3 <= solved["opening_mix"]["basher"] <= 0.6)


def test_the_proposal_is_a_rules_file() -> None:
    axes = [
        tuning.AxisReport("cards.basher.gp", (1, 2, 3, 4), 3),
        tuning.AxisReport("match.hand_size", (4, 5), 5),
    ]
    blank = dict.fromkeys(tuning.VariantReport.__struct_fields__)
    variant = tuning.VariantReport(**(blank | {"at": {"cards.basher.gp": 2, "match.hand_size": 5}}))  # type: ignore[arg-type]
    text = tuning.as_toml(axes, variant)
    assert text == "cards.basher.gp = 2  # was 3\n"
    present = tuning.VariantReport(**(blank | {"at": {"cards.basher.gp": 3, "match.hand_size": 5}}))  # type: ignore[arg-type]
    assert tuning.as_toml(axes, present) is None


def test_the_first_screen_says_what_to_change_or_that_nothing_does_better(
    fake_solver: Any, run: Any, tmp_path: Path
) -> None:
    met = run("tune", *COPIES, "--goal", "opening.each=1:90", *DAY, *ONE)
    assert "no change does better than the present rules." in " ".join(met.stdout.split())
    goal = ("--goal", "mean_gp=:3")
    found = json.loads(
        run("tune", "--vary", "cards.basher.copies=2:5", *goal, *DAY, *ONE, "--format", "json").stdout
    )
    screen = run("tune", "--vary", "cards.basher.copies=2:5", *goal, *DAY, *ONE).stdout
    assert max(map(len, screen.splitlines())) <= 80
    assert len(screen.splitlines()) <= 24
    if found["toml"] is not None:
        file = tmp_path / "proposal.toml"
        file.write_text(found["toml"], encoding="utf-8")
        assert found["toml"].strip() in screen
        assert load_rules([file]).sha256 != load_rules().sha256
