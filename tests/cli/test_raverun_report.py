"""`raverun report`, on the carried files and on changed copies of them."""

from __future__ import annotations

import contextlib
import importlib.util
import json
import re
from pathlib import Path
from typing import Any

import msgspec
import pytest
from click.testing import CliRunner, Result

pytest.importorskip("jinja2", reason="the page needs the extra `report`")
pytest.importorskip("vl_convert", reason="the page needs the extra `report`")

from analysis.estimates import Estimate, number, percent, signed
from analysis.raverun import approximate_answers, exact_answers, report_files
from cli.output import to_json
from cli.raverun.main import raverun
from cli.raverun.page.charts import effort_chart, interval_chart
from engine.raverun.rules import load_rules
from tests.cli.page_reader import PageReader

ALL = {name: path for path, name in report_files.carried()}
#: Those of two players, who have a page of their own here.
CARRIED = {name: path for name, path in ALL.items() if json.loads(path.read_text("utf-8"))["players"] == 2}


def run(*words: str, exit_code: int = 0) -> Result:
    result = CliRunner().invoke(raverun, ["report", *words], prog_name="raverun")
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    assert result.exit_code == exit_code, result.output
    return result


def held(name: str) -> Any:
    return json.loads(CARRIED[name].read_text(encoding="utf-8"))


def estimate(value: Any) -> Estimate:
    return msgspec.convert(value, Estimate)


def changed(folder: Path, name: str, **values: Any) -> str:
    """Return the path of a copy of a carried file in which some keys are others."""
    path = folder / name
    path.write_text(json.dumps(held(name) | values), encoding="utf-8")
    return str(path)


def page_of_two() -> str:
    (folder,) = {path.parent for path in CARRIED.values()}
    with contextlib.chdir(folder):
        return str(run(*CARRIED, "-o", "-", "-q").stdout)


@pytest.fixture(scope="module")
def text() -> str:
    return page_of_two()


@pytest.fixture(scope="module")
def page(text: str) -> PageReader:
    return PageReader(text)


def test_it_needs_no_network_and_nothing_beside_it(text: str, page: PageReader) -> None:
    for tag, attributes in page.attributes:
        assert tag not in ("iframe", "object", "embed", "base")
        for name in ("src", "href", "xlink:href", "action", "srcset"):
            assert attributes.get(name, "#").startswith(("#", "data:")), (tag, attributes)
    assert "default-src 'none'" in text
    assert not re.search(r"@import|url\(|fetch\(|XMLHttpRequest|import\(", text)
    assert len(text) < 500_000


def test_every_link_and_label_leads_somewhere(page: PageReader) -> None:
    assert len(page.ids) == len(set(page.ids))
    assert {link[1:] for link in page.links} <= set(page.ids)
    for _, attributes in page.attributes:
        for name in ("aria-labelledby", "aria-describedby", "for"):
            assert set(attributes.get(name, "").split()) <= set(page.ids)


def test_tables_have_captions_and_headings(page: PageReader) -> None:
    for table in page.tables:
        assert table.caption.strip()
        assert all(table.head)
        assert {len(row) for row in table.rows} == {len(table.head)}
    heads = [attributes for tag, attributes in page.attributes if tag == "th"]
    assert all(attributes.get("scope") in ("col", "row") for attributes in heads)


def test_charts_have_words_and_intervals(text: str) -> None:
    assert text.count("<figure>") == 7 == text.count('<svg aria-hidden="true"')
    card = held("full-2.json")["first_cards"][3]
    assert f"{card['card']} {signed(estimate(card['worth']))}" in text
    lines = [("a", Estimate(0.25, 0.0, 0.5, 9)), ("b'\\", Estimate(0.5, None, None, 1))]
    chart = interval_chart("", "x", [*lines, ("c", Estimate(None, None, None, 0))])
    (long, none) = re.findall(r'x2="([\d.]+)" y2="0" stroke="currentColor" stroke-width="2"', chart.svg)
    assert float(long) == pytest.approx(260)  # the whole width, from 0 to 0.5
    assert float(none) == 0
    assert chart.svg.count("<path transform") == 2
    assert "b'\\</text>" in chart.svg
    assert chart.words == "x: a +0.250 ±0.250, b'\\ +0.500, c unknown."


def test_all_estimates_of_an_answer_are_there(page: PageReader) -> None:
    answer = held("full-2.json")
    first = page.table("First cards")
    assert first.rows[1:] == [
        [
            each["card"],
            percent(estimate(each["chosen"])),
            *(signed(estimate(each[name])) for name in ("worth", "advantage", "holding")),
        ]
        for each in answer["first_cards"]
    ]
    for caption, key in (("First cards", "bid_groups"), ("Cards played", "play_groups")):
        groups = page.table(f"{caption} by character and by letter")
        assert groups.rows[1:] == [
            [each["name"], signed(estimate(each["advantage"])), signed(estimate(each["holding"]))]
            for each in (*answer[key]["characters"], *answer[key]["letters"])
        ]
    for caption, key, show in (
        ("Over the hand's rest in round", "advantage", signed),
        ("Chosen when held in round, %", "chosen", percent),
    ):
        table = page.table(caption)
        assert table.head[1:] == [str(each["round"]) for each in answer["rounds"]]
        for each in answer["rounds"]:
            told = [show(estimate(card[key])) if card[key]["observations"] else "–" for card in each["cards"]]
            assert table.column(str(each["round"])) == told
    actions = page.table("Actions")
    assert actions.head[:2] == ["character", "action"]
    assert actions.rows[1:] == [
        [
            each["character"],
            each["action"],
            number(estimate(each["offered"])),
            percent(estimate(each["used"])),
            signed(estimate(each["gain"])),
            signed(estimate(each["worth"])),
        ]
        for each in answer["actions"]
    ]
    rest = dict(page.table("Order, bidding, first move and length").rows[1:])
    assert rest["deciding the order, over a lot: payoff"] == signed(estimate(answer["order"]["right"]))
    advantage = answer["advantage"]
    assert rest["having the highest first card: payoff"] == signed(estimate(advantage["highest_bid"]))
    assert rest["playing first in round 1: payoff"] == signed(estimate(advantage["first_mover"]))
    assert rest["playing first in round 1: wins, %"] == percent(estimate(advantage["first_mover_wins"]))
    assert rest["rounds in a game"] == number(estimate(answer["length"]["rounds"]))
    hands = page.table("Hands by sum of ranks (1A is 1)")
    assert hands.column("wins %") == [percent(estimate(each["wins"])) for each in answer["strengths"]]
    (asked,) = [table for table in page.tables if table.caption.startswith("This hand")]
    assert asked.column("first card") == [each["card"] for each in answer["hand"]["cards"]]
    behind = [signed(estimate(each["behind"])) for each in answer["hand"]["cards"]]
    assert asked.column("behind the best") == ["–", *behind[1:]]


def test_all_matches_are_there_with_intervals(page: PageReader) -> None:
    listed = page.table("Every match")
    told = {
        (name, match["opponent"], estimate(match["payoff"]), match["wins"], match["losses"])
        for name in CARRIED
        for match in held(name)["matches"]
    }
    shown = [dict(zip(listed.head, row, strict=True)) for row in listed.rows[1:]]
    assert len(shown) == len(told) >= 6
    for name, opponent, payoff, wins, losses in told:
        (row,) = [
            row
            for row in shown
            if (row["file"], row["payoff a game"], row["won"]) == (name, signed(payoff), str(wins))
            and row["against"].split(" (")[0] == opponent
        ]
        assert row["lost"] == str(losses)
        assert row["deals"] == str(payoff.observations)
    crossed = page.table("Players against each other: payoff a game")
    row = next(row for row in crossed.rows if row[0] == "guided (300 iterations a decision, values-2.npz)")
    cells = dict(zip(crossed.head, row, strict=True))
    matches = {each["opponent"]: each["payoff"] for each in held("match-guided-2.json")["matches"]}
    assert cells["greedy"] == signed(estimate(matches["greedy"]))
    assert cells["values (values-2.npz)"] == signed(estimate(matches["values"]))
    assert cells["random"] == "–"


def test_bounds_are_lower_bounds_and_no_more(text: str, page: PageReader) -> None:
    bounds = page.table("Lower bounds on exploitability")
    for row in bounds.rows[1:]:
        shown = dict(zip(bounds.head, row, strict=True))
        report = held(shown["file"])
        bound = max(report["bounds"], key=lambda each: each["lower_bound"])
        assert report.get("bound", bound) == bound
        assert shown["NashConv at least"] == f"{bound['lower_bound']:.3f}"
        assert float(shown["exploitability at least"]) == pytest.approx(bound["lower_bound"] / 2, abs=6e-4)
        for seat, response in enumerate(bound["responses"]):
            assert shown[f"response in seat {seat}"].endswith(signed(estimate(response)))
    assert len(bounds.rows) == 3
    assert "Approximations, no equilibria." in text
    assert "not an equilibrium" in text
    assert "certified" not in text.lower()


def test_what_more_search_wins_is_a_curve(text: str) -> None:
    bounds = sorted(held("values-2.json")["bounds"], key=lambda each: each["iterations"])
    assert len(bounds) > 2
    words = ", ".join(
        f"{each['iterations']} iterations {each['nash_conv']:.2f}, at least {each['lower_bound']:.2f}"
        for each in bounds
    )
    # The answer of the learned player repeats the measurements of his values, and the page does not.
    assert text.count(f"NashConv: {words}.") == 1
    chart = effort_chart("", [msgspec.convert(each, approximate_answers.BoundReport) for each in bounds])
    assert chart.svg.count('stroke-dasharray="3,3"') == 1
    # A point for each estimate and each bound, from the left to the right, estimates above their bounds.
    points = [
        tuple(map(float, found)) for found in re.findall(r'translate\(([\d.]+),([\d.]+)\)" d="M', chart.svg)
    ]
    assert len(points) == 2 * len(bounds)
    estimates, least = points[: len(bounds)], points[len(bounds) :]
    assert [x for x, _ in estimates] == [x for x, _ in least] == sorted(x for x, _ in estimates)
    assert all(above[1] < below[1] for above, below in zip(estimates, least, strict=True))


def test_provenance(text: str, page: PageReader) -> None:
    files = page.table("files")
    assert files.column("file") == sorted(CARRIED)
    assert set(files.column("hash of the rules")) == {load_rules().sha256}
    assert files.column("seed")[files.column("file").index("values-2.json")] == str(
        held("values-2.json")["seed"]
    )
    assert set(files.column("confidence")) == {"95%"}
    training = held("full-2.json")["training"]
    assert f"{training['iterations']} plays in {training['seconds']:.0f} s" in text
    assert f"{training['num_hidden']} hidden units" in text


def test_same_files_same_page(text: str) -> None:
    assert page_of_two() == text


def test_without_files_it_shows_all_that_is_carried() -> None:
    page = PageReader(run("-o", "-", "-q").stdout)
    files = [table.column("file") for table in page.tables if table.id == "files"]
    assert sorted(name for names in files for name in names) == sorted(ALL)
    assert [table.caption for table in page.tables].count("Every match") == 2


def test_other_rules_and_three_players_stand_apart(tmp_path: Path) -> None:
    files = [
        changed(tmp_path, "full-2.json", players=3, bound=None, bounds=[], label=approximate_answers.THREE),
        changed(
            tmp_path,
            "match-guided-2.json",
            rules={"name": "<b>Small", "sha256": "0" * 64, "changed": ["match.letters"]},
        ),
        changed(tmp_path, "values-2.json", matches=[], bounds=[]),
    ]
    text = run(*files, "-o", "-", "-q").stdout
    page = PageReader(text)
    assert {"matches-1", "matches-2", "matches-3"} <= set(page.ids)
    assert [table.caption for table in page.tables].count("Every match") == 2
    assert not [table for table in page.tables if table.caption.startswith("Lower bounds")]
    assert "With three players all of this is a heuristic" in text
    assert "No lower bound on exploitability was measured" in text
    assert "No match was played" in text
    assert "not measured" in text
    assert "A heuristic: with three players these strategies are no equilibrium" in text
    assert "<b>" not in text
    assert "<b>Small" in page.title
    assert "0" * 64 in page.table("files").column("hash of the rules")


def test_reduced_games_solved_exactly(tmp_path: Path) -> None:
    report = exact_answers.ExactReport(
        schema=2,
        game="raverun",
        version="0.1.0",
        rules=exact_answers.RulesReport("Tiny", "1" * 64, ["match.characters"]),
        num_nodes=12,
        num_infosets=3,
        value=-0.25,
        nash_conv=1e-9,
        cfr=None,
        cards=[
            exact_answers.CardReport("1A", 0.5, 1.0, -0.25),
            exact_answers.CardReport("2A", 0.5, 0.0, None),
        ],
        hands=[],
        order=exact_answers.ExactOrderReport(0.0, None, None),
        actions=[],
    )
    path = tmp_path / "exact.json"
    path.write_text(to_json(report), encoding="utf-8")
    text = run(str(path), "-o", "-", "-q").stdout
    page = PageReader(text)
    assert page.table("exact-1").rows[1:] == [["1A", "50.0", "100.0", "-0.250"], ["2A", "50.0", "0.0", "–"]]
    assert "-0.250000" in text
    assert "Approximations" not in text
    assert "No file is about players of the full game" in text


def test_a_file_says_what_was_written(tmp_path: Path) -> None:
    out = tmp_path / "page.html"
    result = run("-o", str(out), str(CARRIED["full-2.json"]))
    assert out.read_text(encoding="utf-8").startswith("<!DOCTYPE html>")
    assert f"{out}, " in result.stderr
    assert "made from 1 file\n" in result.stderr
    assert "no folder" in run("-o", str(tmp_path / "missing" / "page.html"), exit_code=2).stderr
    run(exit_code=2)


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ("nothing", "is no JSON"),
        ("[1]", "was not written by raverun"),
        ('{"game": "ragers", "deals": 1}', "was not written by raverun"),
        ('{"game": "raverun", "schema": 2, "deals": 1}', "has layout 2, this version knows 1"),
        ('{"game": "raverun", "schema": 1, "deals": "x"}', "is not as raverun match writes it"),
    ],
)
def test_files_of_another_kind(tmp_path: Path, content: str, told: str) -> None:
    path = tmp_path / "odd.json"
    path.write_text(content, encoding="utf-8")
    error = run(str(path), "-o", "-", exit_code=2).stderr
    assert told in error
    assert str(path) in error


def test_the_extra_is_missing(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    real = importlib.util.find_spec
    monkeypatch.setattr(
        importlib.util, "find_spec", lambda name, *rest: None if name == "jinja2" else real(name, *rest)
    )
    error = run("-o", str(tmp_path / "page.html"), exit_code=1).stderr
    assert "pip install 'arena-solver[report]'" in error
    assert "jinja2" in error
    assert not (tmp_path / "page.html").exists()


def test_nothing_is_carried(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(report_files, "carried", list)
    assert "name files" in run("-o", "-", exit_code=1).stderr
