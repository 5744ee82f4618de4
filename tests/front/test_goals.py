"""What figures are to be, by how much they miss it, and which change is the smallest that does it."""

from __future__ import annotations

import itertools
import json
from typing import Any

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from analysis.errors import RequestError
from analysis.estimates import Estimate
from analysis.front.goals import Goal, meant, missed, read_goal
from analysis.front.question import Amount
from cli.front import group_of
from tests.front.games import game


@pytest.mark.parametrize(
    "goal",
    [Goal("win", 45.0, 55.0), Goal("win", None, 0.5), Goal("win", 3.0, 3.0), Goal("a=b", None, None, 3.0)],
)
def test_a_goal_is_read_as_it_is_written(goal: Goal) -> None:
    assert read_goal(goal.text) == goal


@pytest.mark.parametrize(
    "text",
    [
        *("win", "win=", "=1:2", "win=1", "win=a:b", "win=:", "win=3:2", "win=nan:", "win=1:inf", "=a=b"),
        *("a=a", "a=b within -1", "a=b within x", "win=1:2 within 3"),
    ],
)
def test_what_is_no_goal_is_refused(text: str) -> None:
    with pytest.raises(RequestError) as refused:
        read_goal(text)
    assert refused.value.option == "--goal"


def meets(amounts: list[Amount], *goals: str, exact: bool = True) -> bool | None:
    wanted = [read_goal(text) for text in goals]
    found = missed(wanted, meant(wanted, amounts), amounts, exact=exact)
    assert found is not None
    return found.meets


@pytest.mark.parametrize(
    ("value", "kind", "met"),
    [
        (0.5, "share", True),
        (0.45, "share", True),
        (0.44, "share", False),
        (50.0, "number", True),
        (0.5, "number", False),
        (Estimate(0.5, 0.45, 0.55, 9), "share", True),
        (Estimate(0.5, 0.44, 0.56, 9), "share", None),
        (Estimate(0.3, 0.2, 0.45, 9), "share", None),
        (Estimate(0.8, 0.551, 0.9, 9), "share", False),
        (Estimate(0.5, None, None, 1), "share", True),
    ],
)
def test_a_goal_is_met_for_certain_perhaps_or_not(value: Any, kind: Any, met: bool | None) -> None:
    amounts = [Amount("win", "wins", value, kind)]
    assert meets(amounts, "win=45:55") is met
    if not isinstance(value, Estimate) or value.low is None:
        # A number that nothing tests may be what it is to be; that it is, nobody knows.
        assert meets(amounts, "win=45:55", exact=False) is (None if met else False)


ends = st.tuples(st.integers(0, 12), st.integers(0, 12)).map(sorted)


@given(st.lists(ends, min_size=2, max_size=3), st.sampled_from(["each", "even"]), ends)
def test_what_is_missed_lies_in_its_interval(spans: list[list[int]], kind: str, goal: list[int]) -> None:
    """Whatever numbers the intervals allow, what is missed lies between what is said, which is reached."""
    names = [f"f.{number}" for number in range(len(spans))]
    text = f"f.each={goal[0]}:{goal[1]}" if kind == "each" else f"{'='.join(names)} within {goal[0]}"
    if kind == "each":
        spans = [[low + 1, high + 2] for low, high in spans]  # what is nothing for certain is left out
    wanted = [read_goal(text)]
    amounts = [Amount(n, n, Estimate(None, *span, 0)) for n, span in zip(names, spans, strict=True)]
    keys = meant(wanted, amounts)
    found = missed(wanted, keys, amounts, exact=True)
    assert found is not None
    assert found.span is not None
    seen = []
    for numbers in itertools.product(*(range(low, high + 1) for low, high in spans)):
        exact = [Amount(name, name, float(number)) for name, number in zip(names, numbers, strict=True)]
        one = missed(wanted, keys, exact, exact=True)
        assert one is not None
        seen.append(one.amount)
    assert (min(seen), max(seen)) == pytest.approx(found.span)


def test_keys_stand_for_all_that_end_or_begin_so() -> None:
    days = [
        Amount(f"{day}/{key}", key, 0.5, "share") for day in ("a/x", "b/x") for key in ("open.s", "open.p")
    ]
    banned = Amount("b/x/open.v", "v", Estimate(0.0, 0.0, 0.0, 0), "share")
    amounts = [*days, banned]
    keys = meant([read_goal(text) for text in ("open.s=1:2", "open.each=1:2", "a/x/open.p=1:")], amounts)
    assert [len(each) for each in keys] == [2, 4, 1]
    even = meant([read_goal("open.s=open.p within 3")], amounts)
    assert even == [[["a/x/open.s", "a/x/open.p"], ["b/x/open.s", "b/x/open.p"]]]
    for text, said in (("draws=:9", "none of the figures: a/x/open.s"), ("open.s=110:", "0 to 100")):
        with pytest.raises(RequestError, match=said):
            meant([read_goal(text)], amounts)


def asked(*words: str) -> Any:
    return CliRunner().invoke(group_of(game("bidding")), [*words, "-q"])


MATCH = ("match", "--player", "rank", "--player", "high", "--deals", "8")


def test_a_goal_is_met_by_the_smallest_change_from_what_is_asked() -> None:
    for change, best in (("prizes.gold.worth=4,3", "4"), ("--deals=200,9,8", "9"), ("--deals=9,8,200", "9")):
        done = asked(*MATCH, "--goal", "draws=:100", "--vary", change, "--format", "json")
        found = json.loads(done.stdout)
        points = found["points"]
        # Draws have no interval: that they are so is not certain at any point, the present one included.
        assert {point["meets"] for point in points} == {None}
        assert points[found["best"]]["values"] == [best]
        assert found["present"]["meets"] is None


def test_what_meets_a_goal_as_it_is_needs_no_change() -> None:
    done = asked("solve", "--goal", "value=-9:9", "--vary", "prizes.gold.worth=1:2", "--format", "json")
    found = json.loads(done.stdout)
    assert (found["best"], found["present"]["meets"], found["reached"], done.exit_code) == (
        None,
        True,
        True,
        0,
    )
    assert (
        "The present value meets value=-9:9 already"
        in asked("solve", "--goal", "value=-9:9", "--vary", "prizes.gold.worth=1:2").stdout
    )


def test_a_search_within_a_budget_finds_what_trying_everything_finds() -> None:
    vary = ("--vary", "prizes.gold.worth=1:6", "--vary", "prizes.silver.worth=1:6", "--format", "json")
    solve = ("solve", "--second", "one, two, two", "--set", "cards.two.value=9")
    key = json.loads(asked(*solve, *vary).stdout)["points"][0]["amounts"][0]["key"]
    whole = json.loads(asked(*solve, *vary, "--goal", f"{key}=-1:-0.1").stdout)
    some = json.loads(asked(*solve, *vary, "--goal", f"{key}=-1:-0.1", "--budget", "20").stdout)
    assert len(whole["points"]) == 36
    assert len(some["points"]) <= 20
    if whole["best"] is None:
        assert some["best"] is None
    else:
        assert some["points"][some["best"]]["missed"] == whole["points"][whole["best"]]["missed"]


def test_what_cannot_be_met_says_so_and_ends_so() -> None:
    words = ("solve", "--vary", "prizes.gold.worth=1:2")
    key = json.loads(asked(*words, "--format", "json").stdout)["points"][0]["amounts"][0]["key"]
    done = asked(*words, "--goal", f"{key}=1e6:")
    assert done.exit_code == 3
    assert "None of these points meets" in done.stdout
    for option in (("--goal", "x=1:2"), ("--budget", "3"), ("--jobs", "2")):
        done = asked("solve", *option)
        assert done.exit_code == 2
        assert "--vary" in done.stderr
