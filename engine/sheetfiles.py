"""Spreadsheet files as rows of cells; what a file does not hold, though a cell shows it, is `Damage`.

Reading workbooks takes python-calamine (extra `sheets`); CSV takes nothing. Calamine reads errors, and
formulas whose value is not there, as empty cells, so that these are looked for in the XML beneath.
"""

from __future__ import annotations

import csv
import datetime
import io
import re
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any, NamedTuple

from engine.bounded import read_bounded
from engine.rulefiles import RulesError, file_problem

__all__ = ["Damage", "Sheet", "cell_name", "cells_of", "damage", "says"]

_MOST_BYTES = 8 << 20
_MOST_UNPACKED = 64 << 20
_MOST_ROWS, _MOST_COLUMNS = 20_000, 400
_ERROR = re.compile(r"#(REF!|N/A|DIV/0!|VALUE!|NAME\?|NULL!|NUM!|SPILL!|CALC!)|Err:\d{3}", re.IGNORECASE)
_NO_VALUE = "is a formula whose value the file does not hold: save it once with a spreadsheet program"
_DATES = (datetime.date, datetime.time, datetime.timedelta)


class Damage(str):
    """What is wrong with a cell, in words."""


class Sheet(NamedTuple):
    """A sheet: its name, and its rows of cells as they are."""

    name: str
    rows: list[list[Any]]


def cell_name(column: int, row: int) -> str:
    """Return what spreadsheets call a cell, both counted from 0: ``D7``."""
    letters = ""
    column += 1
    while column:
        column, rest = divmod(column - 1, 26)
        letters = chr(65 + rest) + letters
    return f"{letters}{row + 1}"


def says(row: list[Any]) -> bool:
    """Whether any cell of a row holds something."""
    return any(str(cell).strip() for cell in row)


def damage(cell: Any) -> str:
    """Say what is wrong with a cell whatever it is for; nothing if it can be read."""
    if isinstance(cell, Damage):
        return cell
    if isinstance(cell, str) and _ERROR.fullmatch(cell.strip()):
        return f"is the error {cell.strip()}"
    return f"is the date or time {cell}, which no value is" if isinstance(cell, _DATES) else ""


def cells_of(path: Path) -> list[Sheet]:
    """Read the sheets of a file; RulesError if it cannot be read."""
    try:
        data = read_bounded(path, _MOST_BYTES)
        is_text = path.suffix.casefold() in (".csv", ".tsv")
        sheets = [Sheet(path.stem, _csv_rows(data))] if is_text else _workbook(data)
        for sheet in sheets:
            if any(map(says, sheet.rows[_MOST_ROWS:])):
                raise OSError(0, f"the sheet {sheet.name} has more than {_MOST_ROWS:,} rows")
            if any(says(row[_MOST_COLUMNS:]) for row in sheet.rows):
                raise OSError(0, f"the sheet {sheet.name} has more than {_MOST_COLUMNS} columns")
    except OSError as error:
        raise RulesError([file_problem(str(path), f"cannot be read: {error.strerror or error}")]) from None
    return sheets


def _csv_rows(data: bytes) -> list[list[Any]]:
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        text = data.decode("utf-16", "replace")
    else:
        try:
            text = data.decode("utf-8-sig")
        except UnicodeDecodeError:
            text = data.decode("cp1252", "replace")  # what spreadsheets on Windows write
    line = next((line for line in text.splitlines() if line.strip()), "")
    mark = max("\t;,", key=line.count)
    csv.field_size_limit(1 << 20)
    try:
        return [list(row) for row in csv.reader(io.StringIO(text, newline=""), delimiter=mark)]
    except csv.Error as error:
        raise OSError(0, f"no CSV: {error}") from None


def _workbook(data: bytes) -> list[Sheet]:
    try:
        import python_calamine as calamine
    except ImportError:
        said = "reading workbooks needs more: pip install 'arena-solver[sheets]'; or save it as CSV"
        raise OSError(0, said) from None
    if not data.startswith(b"PK"):
        raise OSError(0, "no workbook; save it as xlsx, ods or CSV")
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as packed:
            if sum(each.file_size for each in packed.infolist()) > _MOST_UNPACKED:
                raise OSError(0, f"it unpacks to more than {_MOST_UNPACKED >> 20} MiB")
            damaged = list(_damaged(packed))
        book = calamine.CalamineWorkbook.from_filelike(io.BytesIO(data))
        names = book.sheet_names
        sheets = []
        for name in names:
            sheet = book.get_sheet_by_name(name)
            sheets.append(Sheet(name, sheet.to_python(skip_empty_area=False)))
            _spread(sheets[-1].rows, sheet.merged_cell_ranges or ())
    except OSError:
        raise
    except Exception as error:  # the library has kinds of its own for each format
        raise OSError(0, f"no workbook: {error}") from None
    for name, column, row, said in damaged:
        rows = sheets[names.index(name)].rows
        rows += [[] for _ in range(len(rows), row + 1)]
        rows[row] += [""] * (column + 1 - len(rows[row]))
        rows[row][column] = Damage(said)
    return sheets


def _spread(rows: list[list[Any]], merged: Any) -> None:
    """Let all cells of a merged one, beneath the heads, hold what its first one holds."""
    head = next((number for number, row in enumerate(rows) if says(row)), len(rows))
    for (top, left), (bottom, right) in merged:
        if head < top < len(rows):
            for row in rows[top : bottom + 1]:
                row[left : right + 1] = [rows[top][left]] * len(row[left : right + 1])


# ---- the XML beneath: a sheet's name, column and row, and what is wrong there -----------------------------


def _damaged(packed: zipfile.ZipFile) -> Iterator[tuple[str, int, int, str]]:
    if "content.xml" in packed.namelist():
        with packed.open("content.xml") as file:
            yield from _damaged_in_ods(file)
        return
    from xml.etree import ElementTree

    with packed.open("xl/_rels/workbook.xml.rels") as file:
        places = {each.get("Id"): each.get("Target", "") for each in ElementTree.parse(file).iter()}
    with packed.open("xl/workbook.xml") as file:
        book = list(ElementTree.parse(file).iter())
    # Such programs as write 0 for what they have not computed say so here.
    computed = not any(_own(each.tag) == "calcPr" and each.get("fullCalcOnLoad") == "1" for each in book)
    for each in book:
        if _own(each.tag) == "sheet":
            place = places[next(value for key, value in each.items() if _own(key) == "id")]
            with packed.open(place.lstrip("/") if place.startswith("/") else f"xl/{place}") as file:
                for column, row, said in _damaged_in_xlsx(file, computed):
                    yield each.get("name", ""), column, row, said


def _own(tag: str) -> str:
    return tag.rpartition("}")[2]


def _attributes(element: Any) -> dict[str, str]:
    return {_own(key): value for key, value in element.items()}


def _elements(file: IO[bytes]) -> Iterator[tuple[str, Any]]:
    """The elements as they end, with their names."""
    from xml.etree import ElementTree

    for _, each in ElementTree.iterparse(file):
        yield _own(each.tag), each


def _damaged_in_xlsx(file: IO[bytes], computed: bool) -> Iterator[tuple[int, int, str]]:
    row = 0
    for name, each in _elements(file):
        if name != "row":
            continue
        row, column = int(each.get("r", row + 1)), 0
        for cell in each:
            letters = re.sub(r"\d", "", cell.get("r", ""))
            column = _number_of(letters) if letters else column + 1
            inside = {_own(part.tag): part.text or "" for part in cell}
            kind, value = cell.get("t", ""), inside.get("v", "")
            if kind == "e":
                yield column - 1, row - 1, f"is the error {value}"
            elif "f" in inside and ((not value and kind != "str") or (value == "0" and not computed)):
                yield column - 1, row - 1, _NO_VALUE
        each.clear()


def _number_of(letters: str) -> int:
    number = 0
    for letter in letters:
        number = number * 26 + ord(letter) - 64
    return number


def _damaged_in_ods(file: IO[bytes]) -> Iterator[tuple[str, int, int, str]]:
    rows: list[tuple[int, list[Any]]] = []
    for name, each in _elements(file):
        said = _attributes(each)
        if name == "table-row":
            rows.append((int(said.get("number-rows-repeated", 1)), list(each)))
        elif name == "table":
            row = 0
            for repeated, cells in rows:
                column = 0
                for cell in cells:
                    own = _attributes(cell)
                    text = "".join(cell.itertext()).strip()
                    if "formula" in own and _ERROR.fullmatch(text):
                        yield said.get("name", ""), column, row, f"is the error {text}"
                    elif "formula" in own and not text and not {"value", "string-value"} & set(own):
                        yield said.get("name", ""), column, row, _NO_VALUE
                    column += int(own.get("number-columns-repeated", 1))
                row += repeated
            rows = []
            each.clear()
