"""Curves, bars and shades: marks stand where they are to stand, and labels at round numbers."""

from __future__ import annotations

import re
from typing import Any

import pytest

from analysis.estimates import Estimate
from analysis.front.page import Board, Column, Curve, Fact, Facts, Format, Heat, Mix, Page, Section, Table
from analysis.front.render import in_format
from analysis.front.render.drawings import curve_svg, ticks
from analysis.front.render.html import _groups, shown_sections
from analysis.front.render.numbers import number_text


@pytest.mark.parametrize(
    ("low", "high", "marks"),
    [
        (0, 1, [0.0, 0.2, 0.4, 0.6, 0.8, 1.0]),
        (0, 6, [0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0]),
        (0, 6.1, [0.0, 2.0, 4.0, 6.0, 8.0]),
        (-1, 1, [-1.0, -0.5, 0.0, 0.5, 1.0]),
        (0, 1e-3, [0.0, 0.0002, 0.0004, 0.0006, 0.0008, 0.001]),
        (3, 1003, [0.0, 200.0, 400.0, 600.0, 800.0, 1000.0, 1200.0]),
        (0.2, 0.4, [0.2, 0.25, 0.3, 0.35, 0.4]),
        (0.3, 0.9, [0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9]),
        (1, 10, [0.0, 2.0, 4.0, 6.0, 8.0, 10.0]),
        (0, 45, [0.0, 10.0, 20.0, 30.0, 40.0, 50.0]),
        (5, 5, [5]),
    ],
)
def test_marks_are_round_numbers_around_a_range(low: float, high: float, marks: list[float]) -> None:
    assert ticks(low, high) == marks


def test_more_marks_can_be_asked_for() -> None:
    assert ticks(0, 6.1, 8) == [0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0]
    assert ticks(0.13, 0.87, 8) == [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9]
    assert len(ticks(0, 100, 3)) == 3


def test_a_curve_in_full() -> None:
    section = Curve("c", "x", "y", "share", [1.0, 2.0, 3.0], {"a": [0.1, None, 0.3], "b": [0.2, 0.4, 0.25]})
    marks = [(254, 10), (214, 15), (174, 20), (134, 25), (94, 30), (54, 35), (14, 40)]
    grid = "".join(
        f'<line x1="70" x2="624" y1="{at}.0" y2="{at}.0"/>'
        f'<text x="62" y="{at + 4}.0" text-anchor="end">{text} %</text>'
        for at, text in marks
    )
    across = "".join(
        f'<text x="{at}.0" y="272" text-anchor="middle">{text}</text>'
        for at, text in ((70, 1), (347, 2), (624, 3))
    )
    first = [(70, 254), (624, 94)]
    second = [(70, 174), (347, 14), (624, 134)]
    dots, others = (
        "".join(f'<circle cx="{x}.0" cy="{y}.0" r="3.5"/>' for x, y in each) for each in (first, second)
    )
    assert curve_svg(section) == (
        '<svg class="curve" viewBox="0 0 640 300" aria-hidden="true" focusable="false">'
        f'<g class="grid">{grid}</g><g class="across">{across}</g><g class="series series-0">{dots}</g>'
        f'<g class="series series-1"><polyline points="70.0,174.0 347.0,14.0 624.0,134.0"/>{others}</g>'
        '<text class="axis" x="347.0" y="294" text-anchor="middle">x</text></svg>'
    )


def labels(section: Curve) -> tuple[list[str], list[str]]:
    """Return what stands beside a curve's marks, and beneath it."""
    drawn = curve_svg(section)
    beside, beneath = (
        drawn.partition(f'<g class="{name}">')[2].partition("</g>")[0] for name in ("grid", "across")
    )
    return re.findall(">([^<]+)</text>", beside), re.findall(">([^<]+)</text>", beneath)


@pytest.mark.parametrize(
    ("number", "shown"), [(1, "a"), (8, "abcdefgh"), (9, "acegi"), (16, "acegikmo"), (17, "adgjmp")]
)
def test_no_more_than_eight_words_stand_beneath_a_curve(number: int, shown: str) -> None:
    words = "abcdefghijklmnopqr"[:number]
    _, beneath = labels(Curve("c", "x", "y", "number", [*words], {"a": [1.0] * number}))
    assert beneath == list(shown)


@pytest.mark.parametrize(
    ("values", "kind", "beside"),
    [
        ([1.0, 1.0], "number", ["0.90", "0.95", "1.00", "1.05", "1.10"]),
        ([0.0, 0.0], "number", ["-1.0", "-0.5", "0.0", "0.5", "1.0"]),
        ([-20.0], "number", ["-22", "-21", "-20", "-19", "-18"]),
        ([1.0, 1.0 + 1e-10], "number", ["0.90", "0.95", "1.00", "1.05", "1.10", "1.15"]),
        ([0.0, 8.0], "number", ["0", "2", "4", "6", "8"]),
        ([0.0, 1.0], "signed", ["0.0", "+0.2", "+0.4", "+0.6", "+0.8", "+1.0"]),
        ([0.0, 0.04], "gain", ["0", "+1", "+2", "+3", "+4"]),
        ([0.0, 0.004], "share", ["0.0 %", "0.1 %", "0.2 %", "0.3 %", "0.4 %"]),
        ([1.5, 3.5], "word", ["1.5", "2", "2.5", "3", "3.5"]),
        ([0.0, 4000.0], "count", ["0", "1,000", "2,000", "3,000", "4,000"]),
    ],
)
def test_marks_have_as_many_digits_as_they_take(values: list[float], kind: Format, beside: list[str]) -> None:
    points: list[float | str] = [float(each) for each in range(len(values))]
    assert labels(Curve("c", "x", "y", kind, points, {"a": [*values]}))[0] == beside


def test_a_line_has_gaps_and_colours_begin_anew_after_eight() -> None:
    known: list[float | None] = [0.0, 1.0, None, 2.0, None, 3.0, 4.0, 5.0]
    points: list[float | str] = [*"abcdefgh"]
    drawn = curve_svg(Curve("c", "x", "y", "number", points, {"a": known}))
    assert [len(each.split()) for each in re.findall('points="([^"]*)"', drawn)] == [2, 3]
    assert drawn.count("<circle") == 6
    many = {str(number): [*known] for number in range(9)}
    found = re.findall(r"series-(\d)", curve_svg(Curve("c", "x", "y", "number", points, many)))
    assert found == [*"012345670"]
    assert curve_svg(Curve("c", "x", "y", "number", [], {"a": []})) == ""
    # A single point stands in the middle.
    assert 'cx="347.0" cy="134.0"' in curve_svg(Curve("c", "x", "y", "number", [3.0], {"a": [1.0]}))


def shades(kind: Format, *values: float | None) -> list[str]:
    heat = Heat("h", "x", "y", kind, [*map(float, range(len(values)))], ["r"], [[*values]])
    [[_, cells]] = shown_sections([heat])[0]["rows"]
    return [cell["shade"] for cell in cells]


def test_shades_of_a_map_are_even_steps() -> None:
    assert shades("share", 0.0, 0.5, 1.0, None) == ["above-0", "above-4", "above-9", "none"]
    assert shades("number", 2.0, 3.0, 11.0) == ["above-0", "above-1", "above-9"]
    # Around nothing both sides have the same scale, that of the larger one.
    assert shades("signed", -9.0, -1.0, 0.0, 1.0, 3.0) == [
        "below-9",
        "below-1",
        "above-0",
        "above-1",
        "above-3",
    ]
    assert shades("gain", -0.25, 0.5, 0.1) == ["below-4", "above-9", "above-2"]
    assert shades("signed", 0.0, 1.0, 9.0) == ["above-0", "above-1", "above-9"]
    assert shades("signed", -9.0, -1.0, 0.0) == ["above-0", "above-8", "above-9"]
    assert shades("number", -1.0, 0.0, 1.0) == ["above-0", "above-4", "above-9"]
    assert shades("share", 0.5, 0.5) == ["none", "none"]
    assert shades("share", None) == ["none"]


def cells(*values: Any, kind: Format = "share", **table: Any) -> list[dict[str, Any]]:
    rows = [[value] for value in values]
    shown = shown_sections([Table([Column("a", "A", kind)], rows, **table)])[0]
    return [row[0] for row in shown["rows"]]


def test_bars_stand_for_shares_only() -> None:
    found = cells(
        0.25,
        Estimate(0.5, 0.25, 0.875, 9),
        Estimate(0.5, None, 0.75, 9),
        Estimate(None, None, None, 0),
        None,
        "x",
        1.5,
        -0.5,
    )
    assert [cell["bar"] for cell in found] == [
        {"mean": 25.0, "low": 0.0, "width": 0.0},
        {"mean": 50.0, "low": 25.0, "width": 62.5},
        {"mean": 50.0, "low": 50.0, "width": 25.0},
        None,
        None,
        None,
        {"mean": 100.0, "low": 0.0, "width": 0.0},
        {"mean": 0.0, "low": 0.0, "width": 0.0},
    ]
    assert cells(1 / 3)[0]["bar"]["mean"] == 33.33
    assert cells(0.5, kind="signed")[0]["bar"] is None


@pytest.mark.parametrize(("rows", "many"), [(11, False), (12, True)])
def test_long_tables_are_sorted_by_who_reads_them(rows: int, many: bool) -> None:
    table = Table([Column("a", "A")], [["x"]] * rows)
    assert shown_sections([table])[0]["many"] is many
    assert ("<script" in in_format(Page(headline="Long.", sections=[table]), None, "html")) is many


@pytest.mark.parametrize(("key", "word"), [("certain", "yes"), ("verdict", "effect"), ("other", None)])
def test_only_what_is_certain_is_coloured(key: str, word: str | None) -> None:
    table = Table([Column("a", "A"), Column(key, "B")], [["x", "yes"], ["yes", "effect"], ["effect", "no"]])
    assert shown_sections([table])[0]["sure"] == [word == "yes", word == "effect", False]


def test_a_mix_shows_what_is_chosen_most_first() -> None:
    shown = shown_sections([Mix("m", [("a", 0.25), ("b", 0.5), ("c", 0.0), ("d", 0.25)])])[0]
    assert [row[0]["text"] for row in shown["rows"]] == ["b", "a", "d", "c"]


def test_facts_without_a_line_head_what_follows() -> None:
    head, other = Facts([], "Head"), Facts([], "Other")
    full, plain, board = Facts([Fact("a", "a", 1)], "Full"), Facts([]), Board(["x"])

    def grouped(*sections: Section) -> list[tuple[str, list[Section]]]:
        return _groups(sections)

    assert grouped(board, head, full, other, board) == [
        ("", [board]),
        ("Head", [full]),
        ("Other", [board]),
    ]
    assert grouped(head, full, plain) == [("Head", [full, plain])]
    assert grouped(full) == [("", [full])]
    assert grouped() == [("", [])]


@pytest.mark.parametrize(
    ("number", "kind", "digits", "text"),
    [
        (0.0004, "share", None, "<0.1"),
        (0.00051, "share", None, "0.1"),
        (0.99951, "share", None, ">99.9"),
        (0.99949, "share", None, "99.9"),
        (0.4, "share", 0, "40"),
        (0.004, "share", 0, "<1"),
        (0.996, "share", 0, ">99"),
        (5e-14, "share", None, "0.0"),
        (2e-13, "share", None, "<0.1"),
        (1.0 - 5e-14, "share", None, "100.0"),
        (1.0 - 3e-13, "share", None, ">99.9"),
        (0.1234, "gain", None, "+12.3"),
        (-0.00049, "gain", None, "0.0"),
        (-0.1239, "signed", None, "-0.124"),
        (0.0004, "signed", None, "0.000"),
        (-2.0, "number", None, "-2.00"),
        (2.5, "count", None, "2"),
        (1234567.25, "word", None, "1.23457e+06"),
    ],
)
def test_numbers_at_the_edges_of_their_digits(
    number: float, kind: Format, digits: int | None, text: str
) -> None:
    assert number_text(number, kind, digits) == text


def table_text(columns: list[Column], *rows: list[Any]) -> list[str]:
    lines = in_format(Page(headline="It.", sections=[Table(columns, [*rows])]), None, "table").splitlines()
    return lines[2:]


def test_a_table_as_wide_as_a_terminal_is_not_folded() -> None:
    columns = [Column("a", "words"), Column("b", "n", "count")]
    words = "x" * 36 + " " + "y" * 36
    assert [len(line) for line in table_text(columns, [words, 123])] == [78, 78]
    assert [len(line) for line in table_text(columns, [words, 1234])] == [80, 80]
    assert len(table_text(columns, [words, 12345])) == 3


def folded(key: str, *numbers: int) -> list[str]:
    """Return a table of words, one letter each, and numbers of so many digits."""
    columns = [Column(key, "h"), *(Column(f"n{at}", "n", "count") for at in range(len(numbers)))]
    row = [int("9" * width) for width in numbers]
    return table_text(columns, ["a " * 40, *row], ["b", *row])


@pytest.mark.parametrize(("key", "least", "room"), [("word", 12, 68), ("id", 40, 40), ("key", 40, 40)])
def test_words_are_folded_to_twelve_letters_and_ids_to_forty(key: str, least: int, room: int) -> None:
    """Beside numbers that leave as much they are; beside more the table comes in parts."""
    widths = [2] * (room // 4)
    lines = folded(key, *widths)
    assert sum(line.startswith("h") for line in lines) == 1
    assert len(lines[1].split("  ")[0]) == least - 1
    wider = folded(key, 3, *widths[1:])
    assert sum(line.startswith("h") for line in wider) == 2


def test_words_of_a_table_in_parts_have_up_to_twenty_letters() -> None:
    lines = folded("word", *[2] * 20)
    assert sum(line.startswith("h") for line in lines) == 2
    assert lines[1].split("  ")[0] == " ".join("a" * 10)
