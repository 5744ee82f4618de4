"""What figures are to be: ``--vary`` with ``--goal``."""

from __future__ import annotations

import json
from typing import Any

import pytest
from click.testing import CliRunner

from analysis.errors import RequestError
from analysis.estimates import Estimate
from analysis.front.goals import Goal, nearest, read_goal, within
from analysis.front.question import Amount
from cli.front import group_of
from tests.front.games import game


@pytest.mark.parametrize("goal", [Goal("win", 45.0, 55.0), Goal("win", None, 0.5), Goal("win", -3.0, None)])
def test_a_goal_is_read_as_it_is_written(goal: Goal) -> None:
    assert read_goal(goal.text) == goal


@pytest.mark.parametrize("text", ["win", "win=", "=1:2", "win=1", "win=a:b", "win=:", "win=3:2"])
def test_what_is_no_goal_is_refused(text: str) -> None:
    with pytest.raises(RequestError) as refused:
        read_goal(text)
    assert repr(text) in str(refused.value)
    assert refused.value.option == "--goal"


@pytest.mark.parametrize(
    ("value", "kind", "met"),
    [
        (0.5, "share", True),
        (0.45, "share", True),
        (0.44, "share", False),
        (50.0, "number", True),
        (0.5, "number", False),
        (Estimate(0.5, 0.46, 0.54, 9), "share", True),
        (Estimate(0.5, 0.44, 0.56, 9), "share", None),
        (Estimate(0.3, 0.2, 0.449, 9), "share", False),
        (Estimate(0.8, 0.551, 0.9, 9), "share", False),
        (Estimate(0.5, None, None, 1), "share", None),
        (None, "share", None),
    ],
)
def test_a_goal_is_met_for_certain_perhaps_or_not(value: Any, kind: Any, met: bool | None) -> None:
    assert within([Amount("win", "wins", value, kind)], [read_goal("win=45:55")]) is met


def test_all_goals_have_to_be_met_and_figures_have_to_be_there() -> None:
    amounts = [Amount("win", "wins", 0.5, "share"), Amount("turns", "turns", Estimate(9.0, 8.0, 10.0, 4))]
    assert within(amounts, [read_goal("win=45:"), read_goal("turns=:10")]) is True
    assert within(amounts, [read_goal("win=45:"), read_goal("turns=:9")]) is None
    assert within(amounts, [read_goal("win=51:"), read_goal("turns=:9")]) is False
    with pytest.raises(RequestError, match="none of the figures: win, turns"):
        within(amounts, [read_goal("draws=:9")])


def test_the_smallest_change_is_taken_and_what_is_certain_first() -> None:
    points = [(["1", "a"], True), (["1", "b"], None), (["2", "a"], False), (["2", "b"], True)]
    assert nearest(points, ["1", "b"]) == 0
    assert nearest(points, ["2", "b"]) == 3
    assert nearest(points[1:3], ["2", "a"]) == 0
    assert nearest(points[2:3], ["2", "a"]) is None


def asked(*words: str) -> Any:
    return CliRunner().invoke(group_of(game("bidding")), [*words, "-q"])


def test_a_game_that_another_package_brings_is_tuned() -> None:
    words = ("match", "--player", "rank", "--player", "high", "--deals", "8", "--goal", "draws=:80")
    done = asked(*words, "--vary", "prizes.gold.worth=1:4", "--format", "json")
    found = json.loads(done.stdout)
    assert [point["meets"] for point in found["points"]] == [False, False, True, True]
    assert found["best"] in (2, 3)
    table = asked(*words, "--vary", "prizes.gold.worth=1:3").stdout
    assert "The smallest change that meets draws=:80: prizes.gold.worth = 3." in table
    # Nearest to what is asked without any change, wherever it stands: a value of the rules, an option.
    for change, best in (("prizes.gold.worth=4,3", 1), ("--deals=200,9,8", 2), ("--deals=9,8,200", 1)):
        done = asked(*words, "--goal", "draws=:100", "--vary", change, "--format", "json")
        assert json.loads(done.stdout)["best"] == best


def test_a_goal_that_cannot_be_met_says_so_and_ends_so() -> None:
    words = ("solve", "--vary", "prizes.gold.worth=1:2")
    key = json.loads(asked(*words, "--format", "json").stdout)["points"][0]["amounts"][0]["key"]
    done = asked(*words, "--goal", f"{key}=1e6:")
    assert done.exit_code == 3
    assert "None of these points meets" in done.stdout
    assert asked("solve", "--goal", "x=1:2").exit_code == 2
    assert "--vary" in asked("solve", "--goal", "x=1:2").stderr


@pytest.mark.parametrize(
    ("value", "kind", "met"),
    [
        (0.55, "share", True),
        (0.551, "share", False),
        (0.5, "gain", True),
        (55.0, "count", True),
        (0.5, "signed", False),
        # An interval that ends where the goal does lies within it, or may touch it; rounding changes neither.
        (Estimate(0.5, 0.45, 0.55, 9), "share", True),
        (Estimate(0.5, 0.45 - 1e-13, 0.55 + 1e-13, 9), "share", True),
        (Estimate(0.3, 0.2, 0.45, 9), "share", None),
        (Estimate(0.8, 0.55, 0.9, 9), "share", None),
        (Estimate(0.5, 0.46, 0.9, 9), "share", None),
        (Estimate(0.5, 0.1, 0.54, 9), "share", None),
        (Estimate(0.5, 0.46, None, 9), "share", None),
        (Estimate(0.5, None, 0.54, 9), "share", None),
        (Estimate(None, None, None, 0), "share", None),
    ],
)
def test_the_ends_of_a_goal_belong_to_it(value: Any, kind: Any, met: bool | None) -> None:
    assert within([Amount("win", "wins", value, kind)], [read_goal("win=45:55")]) is met


@pytest.mark.parametrize(
    ("goal", "value", "met"),
    [("win=:9", -1e12, True), ("win=:9", 9.1, False), ("win=3:", 1e12, True), ("win=3:", 2.9, False)],
)
def test_a_goal_with_one_end_has_no_other(goal: str, value: float, met: bool) -> None:
    assert within([Amount("win", "wins", value)], [read_goal(goal)]) is met


def test_a_goal_without_room_is_refused_and_one_of_a_single_value_is_not() -> None:
    assert read_goal("win = 3 : 3") == Goal("win", 3.0, 3.0)
    with pytest.raises(RequestError, match=r"nothing is at least 3 and at most 2\.5"):
        read_goal("win=3:2.5")
    assert within([], []) is True


def test_steps_count_on_all_axes_from_what_is_there() -> None:
    values = [(one, other) for one in ("1", "2", "3", "4") for other in ("a", "b", "c")]

    def best(met: dict[tuple[str, str], bool | None], *present: str | None) -> tuple[str, str] | None:
        points = [(list(each), met.get(each, False)) for each in values]
        place = nearest(points, present)
        return None if place is None else values[place]

    far, near = ("4", "c"), ("2", "b")
    assert best({far: True, near: True}, "3", "c") == far  # one step, and two
    assert best({far: True, near: True}, "2", "a") == near
    assert best({far: True, near: True}, "3", "b") == near
    # Where nobody knows what there is, or that is no point, an axis does not count.
    assert best({("1", "c"): True, ("4", "b"): True}, None, "a") == ("4", "b")
    assert best({("1", "c"): True, ("4", "b"): True}, "9", "c") == ("1", "c")
    assert best({far: None, near: None, ("1", "a"): True}, "4", "c") == ("1", "a")
    assert best({far: None, near: None}, "4", "b") == far
    assert best({}, "4", "b") is None
