"""Figures over values: points are separate answers, and what cannot vary is refused at once."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import pytest

from analysis.errors import RequestError
from analysis.front.grid import GridAnswer, over, read_axis
from analysis.front.page import Curve, Heat, Page, Table
from analysis.front.question import Question, Running
from analysis.interrupt import Interrupt
from tests.front.games import game
from tests.front.test_questions import run


def match() -> Question[Any, Any]:
    return game("bidding").question("match")


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("a.b=1:4", ("1", "2", "3", "4")),
        ("a.b=4:8:2", ("4", "6", "8")),
        ("a.b=0:1:.25", ("0.00", "0.25", "0.50", "0.75", "1.00")),
        ("a.b=x, y", ("x", "y")),
        ("player=rank;high:least=1", ("rank", "high:least=1")),
        ("a.b=7", ("7",)),
        ("player=high:least", ("high:least",)),
    ],
)
def test_values_of_an_axis(text: str, values: tuple[str, ...]) -> None:
    axis = read_axis(text)
    assert axis.values == values
    assert axis.key == text.split("=")[0]


@pytest.mark.parametrize(
    "text", ["a.b", "=1:2", "a.b=", "a.b=3:1", "a.b=1:9:0", "a.b=1:9999999", "a.b=1,1", "a.b=1,,2"]
)
def test_what_is_no_axis_is_refused(text: str) -> None:
    with pytest.raises(RequestError) as caught:
        read_axis(text)
    assert caught.value.option == "--vary"


def test_points_are_the_answers_to_the_question_asked_there() -> None:
    found = over(match(), {"deals": 30, "seed": 4}, [read_axis("prizes.gold.worth=1:3")])
    assert [point.values for point in found.points] == [["1"], ["2"], ["3"]]
    for worth, point in zip((1, 2, 3), found.points, strict=True):
        alone = match().python()(deals=30, seed=4, set=[f"prizes.gold.worth={worth}"])
        assert point.amounts == match().amounts(alone)  # type: ignore[misc]
    assert len({str(point.amounts) for point in found.points}) > 1
    assert found.complete
    assert found.seed == 4
    best = max(found.points, key=lambda point: point.amounts[0].value.mean)  # type: ignore[union-attr]
    expected = f"player 1 wins is largest at prizes.gold.worth = {best.values[0]}"
    assert expected in found.page().headline


def test_one_value_is_a_curve_and_two_are_a_heat_map() -> None:
    words = ("match", "--deals", "10", "-q", "--vary", "prizes.gold.worth=1,3")
    one = msgspec.json.decode(run("bidding", *words, "--format", "page").stdout, type=Page)
    curve, table = one.sections
    assert isinstance(curve, Curve)
    assert isinstance(table, Table)
    assert curve.points == [1.0, 3.0]
    assert curve.kind == "share"
    assert list(curve.series)[:4] == ["player 1 wins", "player 2 wins", "first seat wins", "draws"]
    both = (*words, "--vary", "deals=5:7")
    page = msgspec.json.decode(run("bidding", *both, "--format", "page").stdout, type=Page)
    heat, table, *others = page.sections
    assert isinstance(heat, Heat)
    assert isinstance(table, Table)
    # One for each figure; those after the first are shown on request.
    assert [heat.title, *(each.title for each in others)] == [each.head for each in table.columns[2:]]
    assert page.details == 2
    assert (heat.columns, heat.rows) == ([1.0, 3.0], [5.0, 6.0, 7.0])
    rows = list(csv.DictReader(io.StringIO(run("bidding", *both, "--format", "csv").stdout)))
    at = {(row["prizes.gold.worth"], row["deals"]): float(row["won_1"]) for row in rows}
    assert len(at) == 6
    for place, worth in enumerate(("1.0", "3.0")):
        assert [cells[place] for cells in heat.cells] == [at[worth, f"{deals}.0"] for deals in (5, 6, 7)]
    assert "above-9" in run("bidding", *both, "--format", "html").stdout
    found = json.loads(run("bidding", *both, "--format", "json").stdout)
    assert found["keys"] == ["prizes.gold.worth", "deals"]


def test_a_function_varies_as_the_command_does() -> None:
    found = match().python()(deals=10, vary="prizes.gold.worth=1,3")
    words = ("match", "--deals", "10", "-q", "--vary", "prizes.gold.worth=1,3", "--format", "json")
    assert (
        json.loads(msgspec.json.encode(found))["points"]
        == json.loads(run("bidding", *words).stdout)["points"]
    )
    assert [row["prizes.gold.worth"] for row in found.rows()] == [1.0, 3.0]


def test_a_file_of_kept_work_is_refused_beside_vary(tmp_path: Path) -> None:
    kept = tmp_path / "kept.jsonl"
    result = run("bidding", "match", "--vary", "deals=1:2", "--keep", str(kept), check=False)
    assert result.exit_code == 2
    assert "'--keep'" in result.output
    assert not kept.exists()


def test_the_first_of_several_players_varies() -> None:
    given = {"deals": 20, "player": ["random", "high"]}
    found = over(match(), given, [read_axis("player=rank,high")])
    alone = match().python()(deals=20, player=["high", "high"])
    assert found.points[1].amounts == match().amounts(alone)  # type: ignore[misc]
    solo = over(match(), {"deals": 20}, [read_axis("player=rank,high")])
    assert solo.points[1].amounts == found.points[1].amounts


@pytest.mark.parametrize(
    ("vary", "words"),
    [
        (("nothing=1:2",), "neither a value of the rules nor one of"),
        (("prizes.gold.wort=1:2",), "worth"),
        (("deals=1:3", "deals=4:5"), "one or two different values"),
        (("deals=1:1000", "seed=1:1000"), "1,000,000 points"),
        (("deals=0:2",), "'0' is not a whole number"),
        (("deals=1:2", "seed=1:2", "jobs=1:2"), "one or two"),
    ],
)
def test_what_cannot_vary_is_refused_before_anything_is_asked(vary: tuple[str, ...], words: str) -> None:
    def never(phase: str, done: int, total: int) -> None:
        raise AssertionError("something was asked")

    with pytest.raises(RequestError) as caught:
        over(match(), {}, [read_axis(text) for text in vary], Running(note=never))
    assert words in str(caught.value)


def test_a_question_without_figures_cannot_vary() -> None:
    with pytest.raises(RequestError, match="no figures"):
        over(game("bidding").question("export"), {}, [read_axis("max_nodes=1:2")])
    assert "--vary" not in run("bidding", "export", "--help").output


def test_what_is_interrupted_says_how_far_it_came() -> None:
    interrupt = Interrupt()

    def stop(phase: str, done: int, total: int) -> None:
        interrupt.requested = phase == "points" and done == 2

    axes = [read_axis("prizes.gold.worth=1:9")]
    found = over(match(), {"deals": 5}, axes, Running(note=stop, interrupt=interrupt))
    assert isinstance(found, GridAnswer)
    assert (len(found.points), found.complete) == (2, False)
    assert "2 of 9 points are finished." in found.page().notes


@pytest.mark.kernels
def test_what_has_to_go_with_every_answer_goes_with_a_grid() -> None:
    clash = game("clash")
    found = clash.question("solve").python()(
        attacker="bohorg: 1 I",
        defender="elves: 1 Templar",
        vary="clans.bohorg.units.pummeler.power=4:5",
    )
    assert found.rules.said in found.page().notes
    assert [point.amounts[0].value > 0 for point in found.points] == [True, True]


def test_points_with_more_figures_than_others_are_compared_by_those_of_all() -> None:
    question = game("bidding").question("match")
    amounts = question.amounts
    lengths = iter((5, 3))
    fewer = replace(question, amounts=lambda found: list(amounts(found))[: next(lengths)])
    found = over(fewer, {"deals": 4}, [read_axis("prizes.gold.worth=1,3")])
    assert [len(point.amounts) for point in found.points] == [3, 3]
    assert found.page().sections


@pytest.mark.parametrize(
    "text", ["nan:3", "1:nan", "1:2:nan", "snan:1", "1:inf", "inf:inf", "1:2:inf", "2:1", "1:2:-1", "1:2:0"]
)
def test_what_is_no_number_makes_no_range(text: str) -> None:
    with pytest.raises(RequestError, match="a step above 0"):
        read_axis(f"a.b={text}")


@pytest.mark.parametrize("text", ["0:1e999999", "0:1:1e-999999", "0:1e999999:1e-999999", "-1e30:1e30"])
def test_a_range_beyond_all_digits_is_refused_at_once(text: str) -> None:
    with pytest.raises(RequestError, match="more than 2,000 values"):
        read_axis(f"a.b={text}")
