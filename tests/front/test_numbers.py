"""How numbers are written, and the interval that all shares have."""

from __future__ import annotations

import re

import numpy as np
import pytest

from analysis import estimates
from analysis.estimates import Estimate
from analysis.front.page import Board, Cell, Column, Curve, Fact, Facts, Follow, Heat, Mix, Page, Table
from analysis.front.render import in_format
from analysis.front.render.drawings import curve_svg, ticks
from analysis.front.render.html import shown_sections
from analysis.front.render.numbers import cell_text


@pytest.mark.parametrize(
    ("cell", "kind", "text"),
    [
        (0.0, "share", "0.0"),
        (0.0001, "share", "<0.1"),
        (0.0005, "share", "0.1"),
        (0.9999, "share", ">99.9"),
        (0.9994, "share", "99.9"),
        (1.0, "share", "100.0"),
        (1.0 - 1e-15, "share", "100.0"),
        (1.0 - 1e-12, "share", ">99.9"),
        (1e-16, "share", "0.0"),
        (1e-12, "share", "<0.1"),
        (0.5, "share", "50.0"),
        (-0.00001, "signed", "0.000"),
        (1.5, "signed", "+1.500"),
        (-0.031, "gain", "-3.1"),
        (1234.5, "number", "1,234.50"),
        (1234567, "count", "1,234,567"),
        (None, "share", "-"),
        ("word", "share", "word"),
        (2.0, "word", "2"),
        (Estimate(0.5, 0.41, 0.59, 100), "share", "50.0 (41.0 to 59.0)"),
        (Estimate(1.0, 0.9999, 1.0, 100), "share", "100.0 (>99.9 to 100.0)"),
        (Estimate(0.5, None, None, 1), "share", "50.0"),
        (Estimate(None, None, None, 0), "share", "-"),
    ],
)
def test_numbers_as_people_read_them(cell: object, kind: str, text: str) -> None:
    assert cell_text(cell, kind) == text  # type: ignore[arg-type]


def test_digits_can_be_asked_for() -> None:
    assert cell_text(0.12345, "share", 3) == "12.345"
    assert cell_text(0.000001, "share", 3) == "<0.001"
    assert cell_text(0.25, "signed", 1) == "+0.2"


PAGE = Page(
    headline="It is so.",
    sections=[
        Facts([Fact("plays", "plays", 1200, "count"), Fact("won", "wins", 0.5, "share")]),
        Table(
            [Column("a", "name"), Column("b", "wins", "share")],
            [["x | y", 0.25], ["z", Estimate(0.5, 0.4, 0.6, 9)]],
            "All",
            {"of": 3},
        ),
        Mix("Opens with", [("one", 0.75), ("two", 0.25)]),
        Board(["  board"]),
    ],
    notes=["A note."],
    method=["How."],
    details=2,
)


def test_details_are_shown_on_request_only() -> None:
    brief, whole = (in_format(PAGE, None, "table", details=details) for details in (False, True))
    assert "Opens with" not in brief
    assert "How." not in brief
    assert "--details shows everything." in brief
    assert "one      75.0" in whole
    assert "How." in whole
    assert "--details" not in whole
    assert "plays  1,200\nwins   50.0 %" in brief
    assert "  board" in whole


def test_csv_repeats_the_context_and_spreads_estimates() -> None:
    lines = in_format(PAGE, None, "csv").splitlines()
    assert lines == ["of,a,b,b_low,b_high", "3,x | y,0.25,,", "3,z,0.5,0.4,0.6"]


def test_markdown_and_html_escape_what_they_must() -> None:
    assert "| x \\| y | 25.0 |" in in_format(PAGE, None, "md")
    page = Page(headline="<b>bold</b>.", sections=[Board(["<script>"])])
    html = in_format(page, None, "html")
    assert "<script>" not in html
    assert "&lt;b&gt;bold" in html


def test_a_table_too_wide_for_a_terminal_takes_heads_apart_then_comes_in_parts() -> None:
    def shown(columns: list[Column], rows: list[list[Cell]]) -> str:
        text = in_format(Page(headline="Wide.", sections=[Table(columns, rows)]), None, "table")
        assert max(map(len, text.splitlines())) <= 80
        return text

    nine = [Column(f"c{number}", f"a long head {number}", "number") for number in range(9)]
    assert len(shown(nine, [[1.5] * 9, [2.5] * 9]).splitlines()) == 2 + 4 + 2
    many = [Column("name", "name"), *(Column(f"c{number}", "headword", "number") for number in range(16))]
    parts = shown(many, [["one", *[1.5] * 16], ["two", *[2.5] * 16]])
    assert parts.split().count("one") > 1
    assert parts.split().count("2.50") == 16
    single = shown(many, [["one", *[1.5] * 16]])
    assert single.splitlines().count("headword  1.50") == 16
    words = Table([Column("a", "words"), Column("b", "number", "number")], [["word " * 40, 1.0]])
    folded = in_format(Page(headline="Long.", sections=[words]), None, "table")
    assert max(map(len, folded.splitlines())) <= 80
    assert folded.split().count("word") == 40


def test_deals_that_all_end_alike_have_the_interval_of_wilson() -> None:
    for won, number in ((1.0, 20), (0.0, 20), (1.0, 1), (0.0, 500)):
        wilson = estimates.share(won * number, number)
        found = estimates.share_of_deals([won] * number)
        assert (found.mean, found.low, found.high) == pytest.approx((wilson.mean, wilson.low, wilson.high))
    assert estimates.share_of_deals([1.0] * 20).low == pytest.approx(0.839, abs=0.001)
    even = estimates.share_of_deals([0.5] * 200)
    assert (even.low, even.high) == pytest.approx((0.4906, 0.5094), abs=0.0001)
    assert estimates.share_of_deals([]) == estimates.NOTHING_KNOWN


def test_deals_that_differ_have_the_interval_of_bounded_means() -> None:
    deals = [1.0, 0.5, 0.0, 1.0, 1.0]
    assert estimates.share_of_deals(deals) == estimates.estimate(deals, (0.0, 1.0))


@pytest.mark.parametrize(
    "shares", [(0.02, 0.0, 0.98), (0.0, 0.05, 0.95), (0.3, 0.4, 0.3), (0.01, 0.98, 0.01)]
)
@pytest.mark.parametrize("number", [10, 40, 200])
def test_intervals_hold_about_as_often_as_they_say(shares: tuple[float, float, float], number: int) -> None:
    rng = np.random.default_rng(3)
    truth = shares[1] / 2 + shares[2]
    samples = rng.choice([0.0, 0.5, 1.0], size=(400, number), p=shares)
    found = [estimates.share_of_deals(list(sample)) for sample in samples]
    held = sum(
        each.low <= truth <= each.high for each in found if each.low is not None and each.high is not None
    )
    assert held >= 0.92 * len(found)


def test_a_curve_is_drawn_with_gaps_and_round_ticks() -> None:
    assert ticks(0.13, 0.87) == [0.0, 0.2, 0.4, 0.6, 0.8, 1.0]
    assert ticks(3.0, 3.0) == [3.0]
    curve = Curve("c", "<x>", "y", "share", [1.0, 2.0, 3.0, 4.0], {"a": [0.1, None, 0.3, 0.4]})
    drawn = curve_svg(curve)
    assert drawn.count("<circle") == 3
    assert drawn.count("<polyline") == 1
    assert "&lt;x&gt;" in drawn
    assert curve_svg(Curve("c", "x", "y", "share", [1.0], {"a": [None]})) == ""
    # Whole numbers have whole marks, and a single point its own.
    for points, marks in (
        ([1.0, 2.0, 3.0, 4.0], "1 2 3 4"),
        ([1.0, 1.5], "1 1.1 1.2 1.3 1.4 1.5"),
        ([7.0], "7"),
    ):
        drawn = curve_svg(Curve("c", "x", "y", "share", [*points], {"a": [0.5] * len(points)}))
        across = drawn.partition('<g class="across">')[2].partition("</g>")[0]
        assert re.findall(">([^<]+)</text>", across) == marks.split()


def test_what_leads_on_is_a_link_in_a_site_only() -> None:
    follow = Follow("day", {"patron": "arianna"})
    table = Table([Column("a", "A"), Column("b", "B", "share")], [["x", 0.5]], follow=[follow])
    heat = Heat("h", "x", "y", "signed", ["c", "d"], ["r"], [[-1.0, 2.0]], follow=[[follow, None]])
    shown = shown_sections([table, heat], lambda each: f"/{each.question}")
    assert [cell["href"] for cell in shown[0]["rows"][0]] == ["/day", ""]
    assert shown[0]["rows"][0][1]["bar"] == {"mean": 50.0, "low": 0.0, "width": 0.0}
    assert [cell["href"] for cell in shown[1]["rows"][0][1]] == ["/day", ""]
    assert [cell["shade"] for cell in shown[1]["rows"][0][1]] == ["below-4", "above-9"]
    page = Page(headline="Leads on.", sections=[table, heat])
    assert "href" not in in_format(page, None, "html")


def test_a_curve_that_only_rounding_moves_is_drawn_flat() -> None:
    section = Curve("t", "x", "y", "number", [1.0, 2.0], {"a": [0.0, -1.1e-17]})
    assert curve_svg(section).count("<polyline") == 1


def test_ids_are_shown_by_the_names_that_a_rules_file_gives_them() -> None:
    table = Table([Column("big-club", "big-club", "share")], [[0.5], [0.25]], "A big-club")
    curve = Curve("c", "x", "y", "share", ["big-club"], {"big-club": [0.5]})
    page = Page(headline="The big-club wins, no big-clubs do.", sections=[table, curve], notes=["big-club."])
    named = page.with_names({"big-club": "Old Club"})
    assert named.headline == "The Old Club wins, no big-clubs do."
    assert named.notes == ["Old Club."]
    first, second = named.sections
    assert isinstance(first, Table)
    assert isinstance(second, Curve)
    assert (first.title, first.columns[0].key, first.columns[0].head) == (
        "A Old Club",
        "big-club",
        "Old Club",
    )
    assert first.rows == table.rows
    assert second.points == ["Old Club"]
    assert second.series == {"Old Club": [0.5]}
    assert page.with_names({}) is page
