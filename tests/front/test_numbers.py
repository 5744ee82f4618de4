"""How numbers are written, and the interval that all shares have."""

from __future__ import annotations

import re

import msgspec
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.estimates import Estimate
from analysis.front.page import Board, Cell, Column, Curve, Follow, Heat, Page, Sides, Table
from analysis.front.render import in_format
from analysis.front.render.drawings import curve_svg, sides_drawn, ticks
from analysis.front.render.html import shown_sections
from analysis.front.render.numbers import cell_text


@given(st.floats(0, 1), st.integers(0, 3))
def test_a_share_is_shown_within_half_a_digit_and_only_nothing_and_all_as_such(
    share: float, digits: int
) -> None:
    text = cell_text(share, "share", digits)
    number = float(text.lstrip("<>"))
    assert abs(number - 100 * share) <= (1.0 if text[0] in "<>" else 0.5001) * 10.0**-digits
    assert (number == 0) == (share <= 1e-13)
    assert (number == 100) == (share >= 1 - 1e-13)


@pytest.mark.parametrize(
    ("cell", "kind", "text"),
    [
        (-0.00001, "signed", "0.000"),
        (1.5, "signed", "+1.500"),
        (-0.031, "gain", "-3.1"),
        (1234.5, "number", "1,234.50"),
        (None, "share", "-"),
        (Estimate(1.0, 0.9999, 1.0, 100), "share", "100.0 (>99.9 to 100.0)"),
        (Estimate(0.5, None, None, 1), "share", "50.0 (not known)"),
        (Estimate(0.5, None, None, 0), "share", "50.0"),
        (Estimate(None, None, None, 0), "share", "-"),
    ],
)
def test_numbers_as_people_read_them(cell: object, kind: str, text: str) -> None:
    assert cell_text(cell, kind) == text  # type: ignore[arg-type]


def test_markdown_and_html_escape_what_they_must() -> None:
    table = Table([Column("a", "name"), Column("b", "wins", "share")], [["x | y", 0.25]])
    assert "| x \\| y | 25.0 |" in in_format(Page(headline="It is so.", sections=[table]), None, "md")
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


@given(st.floats(-1e3, 1e3), st.floats(1e-2, 1e3))
def test_marks_are_even_steps_of_round_numbers_around_a_range(low: float, span: float) -> None:
    marks = ticks(low, low + span)
    steps = np.diff(marks)
    assert marks[0] <= low + 1e-9 * span
    assert marks[-1] >= low + span - 1e-9 * span
    assert 2 <= len(marks) <= 9
    assert steps == pytest.approx(steps[0])
    assert f"{steps[0]:.0e}"[0] in "125"
    assert np.array(marks) / steps[0] == pytest.approx(np.round(np.array(marks) / steps[0]), abs=1e-3)


def test_a_curve_stands_where_its_numbers_are_and_has_gaps_where_there_are_none() -> None:
    known: list[float | None] = [0.0, 1.0, None, 2.0, None, 3.0, 4.0, 5.0]
    drawn = curve_svg(Curve("c", "<x>", "y", "number", [float(x) for x in range(8)], {"a": known}))
    assert [len(each.split()) for each in re.findall('points="([^"]*)"', drawn)] == [2, 3]
    places = [(float(x), float(y)) for x, y in re.findall('<circle cx="([^"]+)" cy="([^"]+)"', drawn)]
    assert len(places) == 6
    (x0, y0), (x1, y1), *_ = places
    for (x, y), number in zip(places, [each for each in known if each is not None], strict=True):
        assert y - y0 == pytest.approx(number * (y1 - y0), abs=0.11 * (1 + number))
        assert x - x0 == pytest.approx(known.index(number) * (x1 - x0), abs=0.11 * (1 + known.index(number)))
    assert y1 < y0
    assert "&lt;x&gt;" in drawn
    assert curve_svg(Curve("c", "x", "y", "share", [1.0], {"a": [None]})) == ""
    # What only rounding moves is drawn flat.
    assert (
        curve_svg(Curve("t", "x", "y", "number", [1.0, 2.0], {"a": [0.0, -1.1e-17]})).count("<polyline") == 1
    )


@given(st.lists(st.tuples(*[st.floats(0, 1)] * 4), min_size=1, max_size=12))
def test_two_sides_stand_in_the_order_of_their_figures_on_one_scale(found: list[tuple[float, ...]]) -> None:
    columns = [Column(key, key) for key in ("figure", "before", "after", "change", "certain")]
    rows: list[list[Cell]] = []
    for number, (one, other, low, high) in enumerate(found):
        before = Estimate(one, min(one, low), max(one, high), 9)
        rows.append([f"f{number}", before, other, Estimate(other - one, None, None, 9), "no"])
    drawn = sides_drawn(Sides(columns, rows, kinds=["share"] * len(rows)))
    moved = [place for place, (one, other, *_) in enumerate(found) if abs(other - one) > 1e-9]
    assert len(drawn) == min(len(moved), 10)
    places = []
    for each in drawn:
        one, other, low, high = found[int(each["figure"].removeprefix("f"))]
        dots = [float(x) for x in re.findall('cx="([^"]+)"', each["svg"])]
        places += zip((one, other), dots, strict=True)
        for x, width in re.findall('x="([^"]+)" y="5"[^>]* width="([^"]+)"', each["svg"]):
            # An interval has its figure in it.
            assert float(x) - 0.2 <= dots[0] <= float(x) + float(width) + 0.2
    assert [x for _, x in sorted(places)] == sorted(x for _, x in places)
    # What changes most is among those that are drawn.
    if moved:
        most = max(moved, key=lambda place: abs(found[place][1] - found[place][0]))
        assert f"f{most}" in [each["figure"] for each in drawn]


def test_sides_are_a_table_wherever_nothing_is_drawn() -> None:
    columns = [Column(key, key) for key in ("figure", "before", "after", "change", "certain")]
    page = Page(headline="h", sections=[Sides(columns, [["a", 1.0, 2.0, 1.0, "yes"]], kinds=["number"])])
    assert page.rows() == [{"figure": "a", "before": 1.0, "after": 2.0, "change": 1.0, "certain": "yes"}]
    assert "certain" in in_format(page, None, "table")
    assert "<svg" in in_format(page, None, "html")
    assert msgspec.convert(msgspec.to_builtins(page), Page) == page


@given(st.lists(st.floats(-1, 1), min_size=2, max_size=9))
def test_shades_of_a_map_rise_with_its_numbers(values: list[float]) -> None:
    heat = Heat("h", "x", "y", "signed", [*map(float, range(len(values)))], ["r"], [[*values]])
    [[_, cells]] = shown_sections([heat])[0]["rows"]
    shades = [cell["shade"].split("-") for cell in cells]
    if max(values) - min(values) > 1e-6:
        in_order = sorted(zip(values, shades, strict=True))
        rising = [int(step) * (1 if side == "above" else -1) for _, (side, step) in in_order]
        assert rising == sorted(rising)
        assert all((side == "below") <= (value < 0) for value, (side, _) in zip(values, shades, strict=True))
        assert max(map(abs, rising)) == 9 or min(values) > 0 or max(values) < 0


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
