"""Figures over values: points are separate answers, and what cannot vary is refused at once."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import pytest

from analysis import workers
from analysis.errors import RequestError
from analysis.estimates import Estimate
from analysis.front.asking import ask, function_of
from analysis.front.axes import read_axis
from analysis.front.goals import Goal
from analysis.front.grid import GridAnswer, GridPoint, with_links
from analysis.front.page import Curve, Follow, Format, Heat, Page, Table
from analysis.front.question import Amount, Exactness, Question, Running, imported
from analysis.front.varying import over
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
    ("texts", "said"),
    [
        (
            ["a.b", "=1:2", "a.b=", "a.b=1,1", "a.b=1,,2", "=", "a", "a=", "=a", "a= , ", "a=1,,", "a=;1"],
            None,
        ),
        (
            [f"a.b={ends}" for ends in ("3:1", "1:9:0", "nan:3", "1:nan", "1:2:nan", "snan:1", "1:inf")],
            "a step",
        ),
        ([f"a.b={ends}" for ends in ("inf:inf", "1:2:inf", "2:1", "1:2:-1", "1:2:0")], "a step above 0"),
        (
            ["a.b=1:9999999", "a.b=0:1e999999", "a.b=0:1:1e-999999", "a.b=-1e30:1e30"],
            "more than 2,000 values",
        ),
        (["a.b=0:1e999999:1e-999999"], "more than 2,000 values"),
    ],
)
def test_what_is_no_axis_is_refused_at_once(texts: list[str], said: str | None) -> None:
    for text in texts:
        with pytest.raises(RequestError, match=said) as caught:
            read_axis(text)
        assert caught.value.option == "--vary"


def test_points_are_the_answers_to_the_question_asked_there() -> None:
    found = over(match(), {"deals": 30, "seed": 4}, [read_axis("prizes.gold.worth=1:3")])
    assert [point.values for point in found.points] == [["1"], ["2"], ["3"]]
    for worth, point in zip((1, 2, 3), found.points, strict=True):
        alone = function_of(match())(deals=30, seed=4, set=[f"prizes.gold.worth={worth}"])
        assert point.amounts == match().amounts(alone)  # type: ignore[misc]
    assert len({str(point.amounts) for point in found.points}) > 1
    assert found.complete
    assert found.seed == 4


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


def test_a_file_of_kept_work_is_refused_beside_vary(tmp_path: Path) -> None:
    kept = tmp_path / "kept.jsonl"
    result = run("bidding", "match", "--vary", "deals=1:2", "--keep", str(kept), check=False)
    assert result.exit_code == 2
    assert "'--keep'" in result.output
    assert not kept.exists()


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


def test_points_with_more_figures_than_others_are_compared_by_those_of_all() -> None:
    question = game("bidding").question("match")
    amounts = question.amounts
    lengths = iter((5, 3))
    fewer = replace(question, amounts=lambda found: list(amounts(found))[: next(lengths)])
    found = over(fewer, {"deals": 4}, [read_axis("prizes.gold.worth=1,3")])
    assert [len(point.amounts) for point in found.points] == [3, 3]
    assert found.page().sections


def test_a_range_has_as_many_values_as_there_may_be_points_and_no_more() -> None:
    assert len(read_axis("a.b=1:2000").values) == 2000
    assert read_axis("a.b=5:5").values == ("5",)
    assert read_axis("a.b=1:2.9").values == ("1", "2")
    assert read_axis("a.b=0:1:0.3").values == ("0.0", "0.3", "0.6", "0.9")
    assert read_axis("a.b=-2:-1").values == ("-2", "-1")
    assert read_axis(" a.b = 1:2,3 ").values == ("1:2", "3")
    assert read_axis("a.b=1:2;3,4").values == ("1:2", "3,4")
    assert read_axis("a.b=1:2:3:4").values == ("1:2:3:4",)
    with pytest.raises(RequestError, match="more than 2,000 values"):
        read_axis("a.b=0:2000")


def answer_of(
    keys: Sequence[str],
    figures: Mapping[Any, Sequence[float | Estimate | None]],
    kinds: Sequence[Format] = ("share", "number"),
    **more: Any,
) -> GridAnswer:
    """Return an answer with these figures at these points."""
    points = [
        GridPoint(
            list(values),
            [
                Amount(f"f{place}", f"figure {place}", value, kind)
                for place, (value, kind) in enumerate(zip(row, kinds, strict=False))
            ],
        )
        for values, row in figures.items()
    ]
    given: dict[str, Any] = {
        "asked_points": len(points),
        "question": "match",
        "keys": list(keys),
        "points": points,
    }
    return GridAnswer(**(given | more))


SOLVED: dict[int, Any] = {}
"""By the prize: what is made of them does not change them."""


def solves(figure: Callable[[int], float | Estimate | None], exactness: Exactness) -> GridAnswer:
    """Ask a question whose first figure is made up, at four prizes."""
    question = game("bidding").question("solve")

    def function(asked: Any, running: Running) -> Any:
        prize = question.needs.rules_of(asked.rules).values()["prizes.gold.worth"]
        if prize not in SOLVED:
            SOLVED[prize] = imported(question.function)(asked, running)
        return msgspec.structs.replace(SOLVED[prize], exactness=exactness, seed=prize)

    def amounts(found: Any) -> list[Amount]:
        value = figure(found.seed)
        return [] if value is None else [Amount("f", "figure", value)]

    made = replace(question, function=function, amounts=amounts, exactness=exactness, kept=False)
    return over(made, {}, [read_axis("prizes.gold.worth=1:4")])


@pytest.mark.parametrize("exactness", ["exact", "bounded", "measured"])
@pytest.mark.parametrize("width", [0.0, 0.3, 3.0, None])
def test_largest_is_said_only_where_it_is_so_beyond_doubt(exactness: Exactness, width: float | None) -> None:
    def figure(prize: int) -> float | Estimate:
        value = float(prize * (5 - prize))  # 4, 6, 6, 4
        value += 0.5 * (prize == 3)
        if width is None:
            return value
        return Estimate(value, value - width, value + width, 0 if exactness != "measured" else 50)

    found = solves(figure, exactness)
    said = found.page().headline
    known = (width is None and exactness == "exact") or (width is not None and width < 0.25)
    assert ("Figure: of these points it is largest at" in said) == known, said
    assert ("= 3 (" in said) or not known
    flat = solves(lambda _: 2.0, exactness).page().headline
    assert "largest at" not in flat
    assert exactness != "exact" or flat == "Figure: the same at all points, 2.00."


@pytest.mark.parametrize("goals", [(), (Goal("f0", 55.0, None),)])
def test_points_without_an_answer_are_said_and_break_nothing(goals: tuple[Goal, ...]) -> None:
    """An answer may have no figures: a solve that stopped too early, one that was refused."""
    for figures in ({("1",): [], ("2",): []}, {("1",): [0.25], ("2",): []}):
        found = answer_of(["a"], figures, goals=goals)  # type: ignore[arg-type]
        failed = msgspec.structs.replace(found.points[1], failed="no memory")
        page = msgspec.structs.replace(found, points=[found.points[0], failed]).page()
        assert "No answer at a = 2: no memory" in page.notes
        assert "largest at" not in page.headline
    assert solves(lambda _: None, "bounded").page().headline == "No point has an answer yet."
    mixed = solves(lambda prize: 1.0 if prize > 2 else None, "exact")
    assert "largest at" not in mixed.page().headline
    with pytest.raises(RequestError, match="none of the figures"):
        over(match(), {"deals": 3}, [read_axis("deals=1:2")], goals=[Goal("nothing", 1.0, None)])


def test_points_on_processes_are_those_asked_in_turn() -> None:
    vary = ["prizes.gold.worth=1:3"]
    for verb, given in (("match", {"deals": 6, "jobs": 2}), ("solve", {})):
        question = game("bidding").question(verb)
        own = {} if "jobs" in given else {"jobs": 2}
        alone = ask(question, {**given, "jobs": 1} if given else {}, vary=vary)
        together = ask(question, given, vary=vary, **own)  # type: ignore[arg-type]
        assert isinstance(alone, GridAnswer)
        assert isinstance(together, GridAnswer)
        assert together.points == alone.points
        assert together.complete


def test_points_lead_on_to_their_own_answers() -> None:
    question = match()
    axes = [read_axis("deals=5,7"), read_axis("prizes.gold.worth=1:2")]
    given: dict[str, Any] = {"seed": "3", "player": ["rank", "high"]}
    figures: dict[Any, list[float | Estimate | None]] = {
        (one, two): [0.5] for one in ("5", "7") for two in ("1", "2")
    }
    both = answer_of(["deals", "prizes.gold.worth"], figures, ("share",)).page()
    heat, table = with_links(both, question, given, ["a.b=1"], axes).sections
    assert isinstance(heat, Heat)
    assert isinstance(table, Table)
    assert heat.follow == [
        [
            Follow("match", {**given, "deals": deals, "set": ["a.b=1", f"prizes.gold.worth={worth}"]})
            for deals in ("5", "7")
        ]
        for worth in ("1", "2")
    ]
    assert table.follow == []
    # A map of another size, or a table of other rows, leads nowhere.
    for axis in (read_axis("deals=5,7,8"), read_axis("deals=5")):
        for other in (
            with_links(both, question, given, [], [axis, axes[1]]),
            with_links(both, question, given, [], [axis]),
        ):
            assert not any(section.follow for section in other.sections if isinstance(section, Heat | Table))
    single = answer_of(["player"], {("rank",): [0.5], ("high",): [0.25]}, ("share",)).page()
    varied = read_axis("player=rank,high")
    [curve, table] = with_links(single, question, given, [], [varied]).sections
    assert isinstance(table, Table)
    assert [each.given["player"] for each in table.follow if each] == [["rank", "high"], ["high", "high"]]
    [_, table] = with_links(single, question, {}, [], [varied]).sections
    assert isinstance(table, Table)
    assert [each.given["player"] for each in table.follow if each] == [["rank"], ["high"]]
    assert curve == single.sections[0]


def test_the_players_after_the_first_stay_whatever_it_is() -> None:
    given = {"deals": 4, "player": ["random", "high"], "set": "prizes.gold.worth=2"}
    axes = [read_axis("player=rank,high"), read_axis("prizes.copper.worth=1:2")]
    found = over(match(), given, axes)
    assert found.rules is not None
    assert found.rules.changed == ["prizes.gold.worth"]
    alone = function_of(match())(
        deals=4, player=["high", "high"], set=["prizes.gold.worth=2", "prizes.copper.worth=1"]
    )
    assert found.points[2].amounts == match().amounts(alone)  # type: ignore[misc]
    three = over(match(), {"deals": 4, "player": "random"}, [axes[0]])
    assert (
        three.points[1].amounts == over(match(), {"deals": 4}, [read_axis("player=high")]).points[0].amounts
    )


def test_machines_that_have_no_rules_files_are_sent_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On a cluster, here a stand-in that asks elsewhere, with the files gone."""
    files = [tmp_path / "one" / "mine.toml", tmp_path / "two" / "mine.toml"]
    for worth, file in enumerate(files, 2):
        file.parent.mkdir()
        file.write_text(f"[prizes.gold]\nworth = {worth}\n", encoding="utf-8")
    question, vary = game("bidding").question("solve"), "prizes.copper.worth=1:2"
    here = ask(question, {"rules": files}, vary=vary)

    def elsewhere(work: Any, tasks: Sequence[Any], jobs: int, scheduler: str, stop: Any) -> Iterator[Any]:
        for file in files:
            file.unlink()
        yield from (work.do(task, None) for task in tasks)
        for file in files:
            file.touch()

    monkeypatch.setattr(workers, "on_workers", elsewhere)
    there = ask(question, {"rules": files}, vary=vary, scheduler="nowhere")
    assert isinstance(here, GridAnswer)
    assert isinstance(there, GridAnswer)
    assert there.points == here.points
