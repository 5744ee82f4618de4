"""Rules as spreadsheets, as `engine.rulesheets` reads them: a sheet a kind, a column a value."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from analysis.errors import RequestError, WorkError
from analysis.front.page import Cell as PageCell
from analysis.front.page import Column, Page, Table
from engine.rulefiles import EntryTable, Schema, toml_value
from engine.rulesheets import EMPTY

__all__ = ["SheetRows", "csv_of", "sheets_of", "workbook_of", "written"]

Cell = str | int | float


class SheetRows(msgspec.Struct, frozen=True):
    """A sheet: its name, the heads of its columns, and its rows."""

    name: str
    heads: list[str]
    rows: list[list[Cell]]


def sheets_of(rules: Any) -> list[SheetRows]:
    """Return rules as sheets: one of keys and values for each table of single values, one for each kind."""
    schema: Schema = rules.schema
    tables: Mapping[str, Mapping[str, Any]] = rules.tables()
    found = [SheetRows(name, ["key", "value"], _single(tables.get(name, {}))) for name in schema.tables]
    for path, kind in schema.kinds().items():
        entries = {table: values for table, values in tables.items() if schema.is_entry(table, path)}
        found.append(_entries(path, kind, entries))
    return found


def _single(values: Mapping[str, Any]) -> list[list[Cell]]:
    rows: list[list[Cell]] = []
    for key, value in values.items():
        parts = value.items() if isinstance(value, Mapping) else [("", value)]
        rows += [[f"{key}.{part}" if part else key, _cell(one)] for part, one in parts]
    return rows


def _entries(path: str, kind: EntryTable, entries: Mapping[str, Mapping[str, Any]]) -> SheetRows:
    above = path.split(".")[:-1:2]
    columns = [
        (key, part)
        for key, field in kind.fields.items()
        if any(key in values for values in entries.values())
        for part in (field.parts or ("",))
    ]
    heads = [*above, kind.word, *(f"{key} {part}".strip() for key, part in columns)]
    rows: list[list[Cell]] = []
    for table, values in entries.items():
        parts = table.split(".")
        ids = [*parts[1:-1:2], parts[-1]]
        rows.append([*ids, *(_of(values, key, part) for key, part in columns)])
    return SheetRows(path.replace(".*", ""), heads, rows)


def _of(values: Mapping[str, Any], key: str, part: str) -> Cell:
    if key not in values:
        return ""
    value = values[key]
    if part and isinstance(value, Mapping):
        value = value.get(part, 0)
    return _cell(value)


def _cell(value: Any) -> Cell:
    """A value as a cell from which the same is read again."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int | float | str):
        return value
    if not value:
        return EMPTY
    plain = isinstance(value, list | tuple) and all(
        isinstance(each, str) and "," not in each for each in value
    )
    return ", ".join(value) if plain else toml_value(value)


def csv_of(sheets: Sequence[SheetRows], name: str) -> str:
    """Return one sheet as CSV.

    Raises
    ------
    RequestError
        If there is no sheet of that name.
    """
    known = {sheet.name: sheet for sheet in sheets} | {
        sheet.name.rpartition(".")[2]: sheet for sheet in sheets
    }
    if name not in known:
        said = (
            f"a CSV holds one sheet, named by the file: {', '.join(f'{sheet.name}.csv' for sheet in sheets)}"
        )
        raise RequestError(said, "--output")
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerows([known[name].heads, *known[name].rows])
    return stream.getvalue()


def workbook_of(sheets: Sequence[SheetRows]) -> bytes:
    """Return all sheets as a workbook (xlsx).

    Raises
    ------
    WorkError
        If XlsxWriter is not installed.
    """
    try:
        import xlsxwriter  # type: ignore[import-untyped]
    except ImportError:
        raise WorkError("workbooks need more: pip install 'arena-solver[sheets]'; or write CSV") from None
    stream = io.BytesIO()
    # In memory, and without the time of writing: the same rules give the same file.
    book = xlsxwriter.Workbook(stream, {"in_memory": True})
    book.set_properties({"created": None})
    bold = book.add_format({"bold": True})
    for sheet in sheets:
        page = book.add_worksheet(sheet.name[:31])
        page.freeze_panes(1, 1)
        for column, head in enumerate(sheet.heads):
            page.write_string(0, column, head, bold)
        for number, row in enumerate(sheet.rows, 1):
            for column, cell in enumerate(row):
                write = page.write_string if isinstance(cell, str) else page.write_number
                write(number, column, cell)
        page.autofit()
    book.close()
    return stream.getvalue()


def written(rules: Any, file: Path) -> tuple[bytes, Page] | None:
    """Return rules as the spreadsheet that a file's name asks for, and what is in it; None for other names.

    Raises
    ------
    RequestError
        If a CSV is called like no sheet.
    """
    sheets = sheets_of(rules)
    suffix, name = file.suffix.casefold(), file.stem
    if suffix == ".csv":
        data = csv_of(sheets, name).encode()
        sheets = [sheet for sheet in sheets if name in (sheet.name, sheet.name.rpartition(".")[2])]
    elif suffix == ".xlsx":
        data = workbook_of(sheets)
    else:
        return None
    return data, _page(f"{file} holds {rules.name}.", sheets)


def _page(headline: str, sheets: Sequence[SheetRows]) -> Page:
    columns = [Column("sheet", "sheet"), *(Column(key, key, "count") for key in ("rows", "columns"))]
    rows: list[list[PageCell]] = [[each.name, len(each.rows), len(each.heads)] for each in sheets]
    return Page(
        headline=headline,
        sections=[Table(columns, rows)],
        notes=[
            "An empty cell, and a column that is left out, keeps the box's value; - is an empty list.",
            "Columns that mean nothing here, such as art, are left alone; `rules check` names them.",
        ],
    )
