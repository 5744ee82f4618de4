"""Sheets as designers damage them: each is refused by its cell, or read right, in every game."""

from __future__ import annotations

import contextlib
import datetime
import io
import itertools
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from analysis.errors import RequestError
from analysis.front.sheets import SheetRows, sheets_of
from engine.sheetfiles import cell_name
from tests.front.games import game
from tests.front.test_sheets import ods

pytest.importorskip("python_calamine", reason="workbooks need the extra `sheets`")
xlsxwriter = pytest.importorskip("xlsxwriter", reason="workbooks need the extra `sheets`")

GAMES = ("ragers", "raverun", "clash", "warage", "ophidian")


class Table(NamedTuple):
    """A sheet of a game, and where in it is a whole number of the second row that is no name."""

    name: str
    cells: list[list[Any]]
    column: int


def table_of(name: str, folder: Path) -> Table:
    """Return a sheet that has a number which may be one more than it is; of entries if there is one."""
    for sheet in sorted(sheets_of(game(name).read()), key=lambda sheet: sheet.heads[0] == "key"):
        for column, row in itertools.product(range(1, len(sheet.heads)), range(2, len(sheet.rows) + 1)):
            cells = [[*sheet.heads], *([*row] for row in sheet.rows)]
            cells[2], cells[row] = cells[row], cells[2]
            if type(cells[2][column]) is not int or type(cells[1][column]) is not int:
                continue
            cells[2][column] += 1
            with contextlib.suppress(RequestError):
                if changed(name, sheet.name, cells, folder):
                    cells[2][column] -= 1
                    return Table(sheet.name, cells, column)
    raise AssertionError(name)


def book(title: str, cells: list[list[Any]]) -> bytes:
    """Return a workbook of one sheet; a tuple is a formula and its value, a function writes itself."""
    stream = io.BytesIO()
    made = xlsxwriter.Workbook(stream, {"in_memory": True})
    page = made.add_worksheet(title[:31])
    for row, line in enumerate(cells):
        for column, cell in enumerate(line):
            if callable(cell):
                cell(made, page, row, column)
            elif isinstance(cell, tuple):
                page.write_formula(row, column, cell[0], None, cell[1])
            elif cell != "":
                page.write(row, column, cell)
    made.close()
    return stream.getvalue()


def changed(name: str, title: str, cells: list[list[Any]], folder: Path) -> list[str]:
    """Return which values a sheet changes."""
    path = folder / f"{name}-mine.xlsx"
    path.write_bytes(book(title, cells))
    found: list[str] = game(name).read([path]).changed
    return found


def date(made: Any, page: Any, row: int, column: int) -> None:
    """A number that a spreadsheet program has taken for a date."""
    page.write_datetime(row, column, datetime.datetime(2026, 1, 2), made.add_format({"num_format": "d/m"}))


CELLS: dict[str, Callable[[int], Any]] = {
    "a formula without its value": lambda _: ("=1+1", ""),
    "a formula that nobody has computed": lambda _: ("=1+1", 0),
    "an error of reference": lambda _: ("=A1", "#REF!"),
    "an error of look-up": lambda _: ("=A1", "#N/A"),
    "an error of division": lambda _: ("=A1", "#DIV/0!"),
    "the text of an error": lambda _: "#VALUE!",
    "true for one": lambda _: True,
    "a date": lambda _: date,
    "a fraction": lambda value: value + 0.5,
    "a thousand or one": lambda _: "1,000",
    "words": lambda _: "lots",
    "out of range": lambda _: 10**7,
    "half an answer": lambda _: "1/2",
}
"""What may stand where a whole number should."""


@pytest.mark.parametrize("name", GAMES)
def test_what_is_no_value_is_refused_by_its_cell(name: str, tmp_path: Path) -> None:
    found = table_of(name, tmp_path)
    place = f"{found.name}, {cell_name(found.column, 2)}: "
    for damage, cell in CELLS.items():
        cells = [[*row] for row in found.cells]
        cells[2][found.column] = cell(cells[2][found.column])
        with pytest.raises(RequestError) as refused:
            changed(name, found.name, cells, tmp_path)
        assert len(str(refused.value).splitlines()) == 1, (damage, str(refused.value))
        assert place in str(refused.value), damage


@pytest.mark.parametrize("name", GAMES)
def test_what_is_said_twice_is_refused_by_its_cell(name: str, tmp_path: Path) -> None:
    title, cells, column = table_of(name, tmp_path)
    row = [*cells[2]]
    row[column] += 1
    with pytest.raises(RequestError, match=rf"{title}, [A-Z]+{len(cells) + 1}: .* stands already in") as it:
        changed(name, title, [*cells, row], tmp_path)
    assert len(str(it.value).splitlines()) == 1
    twice = [[*line, line[column]] for line in cells]
    with pytest.raises(
        RequestError, match=rf"{title}, {cell_name(len(row), 0)}: the column {cell_name(column, 0)}"
    ):
        changed(name, title, twice, tmp_path)


@pytest.mark.parametrize("name", GAMES)
def test_a_row_about_nothing_known_is_one_message(name: str, tmp_path: Path) -> None:
    title, cells, column = table_of(name, tmp_path)
    at = title.count(".")  # beneath others these are named first
    cells[2][at] = f"{cells[2][at]}x"
    cells[2] = [cell if place in (*range(at + 1), column) else "" for place, cell in enumerate(cells[2])]
    with pytest.raises(RequestError, match=rf"^.*{title}, [A-Z]3: [^\n]*$") as refused:
        changed(name, title, cells, tmp_path)
    assert len(str(refused.value).splitlines()) == 1


@pytest.mark.parametrize("name", GAMES)
def test_what_is_written_otherwise_is_read_right(name: str, tmp_path: Path) -> None:
    title, cells, column = table_of(name, tmp_path)
    value = cells[2][column] + 1
    for written in (f"{value}", f" {value}\u00a0", f"{value}.0", f"{value},0", ("=1+1", value), float(value)):
        cells[2][column] = written
        assert len(changed(name, title, cells, tmp_path)) == 1, written
    cells[1][column], cells[2][column] = "", ""
    merged = [[*row] for row in cells[:3]]
    merged[1][column] = lambda _made, page, row, at: page.merge_range(row, at, row + 1, at, value)
    plain = [[*row] for row in cells[:3]]
    plain[1][column] = plain[2][column] = value
    assert changed(name, title, merged, tmp_path) == changed(name, title, plain, tmp_path) != []


@pytest.mark.parametrize("name", GAMES)
def test_lists_are_written_as_words_and_read_with_any_quotation_marks(name: str, tmp_path: Path) -> None:
    box = game(name).read()
    for sheet in sheets_of(box):
        words = [cell for row in sheet.rows for cell in row if isinstance(cell, str)]
        assert not [cell for cell in words if cell.startswith('["')], sheet.name
        if sheet.heads[0] == "key":
            continue
        curly = [
            [cell.replace('"', "“") if isinstance(cell, str) and "{" in cell else cell for cell in row]
            for row in sheet.rows
        ]
        assert changed(name, sheet.name, [sheet.heads, *curly], tmp_path) == []


def test_open_documents_say_what_is_wrong_with_a_cell(tmp_path: Path) -> None:
    empty = ["<table:table-cell/>"] * 2
    file = tmp_path / "my.ods"

    def read(cell: str) -> str:
        file.write_bytes(ods([SheetRows("cards", ["card", "cost"], [empty, empty, ["fireball", cell]])]))
        try:
            return str(game("warage").read([file]).changed)
        except RequestError as error:
            return str(error)

    cell = '<table:table-cell table:formula="of:=1/0" office:value-type="{}"{}>{}</table:table-cell>'
    wrong = cell.format("string", ' office:string-value=""', "<text:p>#DIV/0!</text:p>")
    assert "cards, B4: is the error #DIV/0!" in read(wrong)
    assert "cards, B4: is a formula" in read('<table:table-cell table:formula="of:=1+1"/>')
    assert read(cell.format("float", ' office:value="6"', "<text:p>6</text:p>")) == "['cards.fireball.cost']"
