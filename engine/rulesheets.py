"""Rules files as spreadsheets: a sheet a kind, a row a thing, a column a value.

Designers keep cards so. A sheet is told by its name (`cards`, `units`), a file of one sheet also by its own
name or its first column; a row by an id, or by the name that people see. Heads match loosely. An empty cell,
and a column that is not there, leaves the value as it is. What is wrong is said with its cell. Reading
workbooks takes python-calamine (extra `sheets`); CSV takes nothing.
"""

from __future__ import annotations

import contextlib
import csv
import io
import re
import tomllib
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from engine.bounded import read_bounded
from engine.rulefiles import (
    EntryTable,
    Field,
    Problem,
    RulesError,
    Schema,
    canonical_id,
    check_value,
    file_problem,
    unknown,
)

__all__ = ["EMPTY", "add_sheets", "cell_name", "left_alone"]

EMPTY = "-"
"""An empty list, or no parts at all; an empty cell is no value."""
_MOST_BYTES = 8 << 20
_MOST_UNPACKED = 64 << 20
_MOST_ROWS, _MOST_COLUMNS = 20_000, 400
_ALSO = {
    "copies": ("copy", "count", "qty", "quantity", "numberofcopies", "number"),
    "cost": ("price", "costs", "costhp"),
    "hp": ("life", "health", "hitpoints"),
    "life": ("hp", "health", "hitpoints"),
    "gp": ("glory", "glorypoints", "points"),
    "points": ("pts", "value"),
    "effects": ("effect", "text", "rulestext"),
    "name": ("title", "cardname"),
}
"""What spreadsheets call a value that ours call by the first word."""
_WHOLE = re.compile(r"[+-]?\d+([.,]0+)?")
_YES, _NO = ("yes", "true", "y", "x", "1"), ("no", "false", "n", "0")


class Sheet(NamedTuple):
    """A sheet: its name, and its rows of cells as they are."""

    name: str
    rows: list[list[Any]]


class _Place(NamedTuple):
    """Where rows of a sheet go: the table with `*` for ids above, and its kind; None for single values."""

    path: str
    kind: EntryTable | None


def add_sheets(draft: Any, path: Path) -> None:
    """Lay the sheets of a file over a draft; RulesError at once if the file cannot be read."""
    sheets = _read(path)
    found = [(sheet, _place_of(draft.schema, sheet, path)) for sheet in sheets]
    if not any(place for _, place in found):
        known = ", ".join(_sheet_names(draft.schema))
        reason = "no sheet says what its rows are"
        raise RulesError([file_problem(str(path), reason, f"a sheet, or a file, called one of {known}")])
    problems: list[Problem] = []
    for sheet, place in found:
        if place is not None:
            problems += _add(draft, path, sheet, place)
    if problems:
        raise RulesError(problems)


def left_alone(path: Path, schema: Schema) -> list[str]:
    """Return a line for each sheet of a file on what means nothing in it."""
    lines = []
    for sheet in _read(path):
        place = _place_of(schema, sheet, path)
        if place is None:
            lines.append(f"{path.name}: the sheet {sheet.name!r} means nothing here and is left alone.")
            continue
        start = _head(sheet, place)
        heads = [] if start is None else sheet.rows[start]
        odd = [str(head) for head in heads if str(head).strip() and _column(place, schema, head) is None]
        if odd:
            what = "column" if len(odd) == 1 else "columns"
            means = "means" if len(odd) == 1 else "mean"
            lines.append(f"{path.name}: {sheet.name}: the {what} {', '.join(odd)} {means} nothing here.")
    return lines


def cell_name(column: int, row: int) -> str:
    """Return what spreadsheets call a cell, both counted from 0: ``D7``."""
    letters = ""
    column += 1
    while column:
        column, rest = divmod(column - 1, 26)
        letters = chr(65 + rest) + letters
    return f"{letters}{row + 1}"


# ---- files -------------------------------------------------------------------------------------------------


def _read(path: Path) -> list[Sheet]:
    file = str(path)
    try:
        data = read_bounded(path, _MOST_BYTES)
        if path.suffix.casefold() in (".csv", ".tsv"):
            return [Sheet(path.stem, _csv_rows(data))]
        return _workbook(file, data)
    except OSError as error:
        raise RulesError([file_problem(file, f"cannot be read: {error.strerror or error}")]) from None


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
        rows: list[list[Any]] = [
            list(row) for row in csv.reader(io.StringIO(text, newline=""), delimiter=mark)
        ]
    except csv.Error as error:
        raise OSError(0, f"no CSV: {error}") from None
    return rows[:_MOST_ROWS]


def _workbook(file: str, data: bytes) -> list[Sheet]:
    try:
        import python_calamine as calamine
    except ImportError:
        said = "reading workbooks needs more: pip install 'arena-solver[sheets]'; or save it as CSV"
        raise RulesError([file_problem(file, said)]) from None
    if data.startswith(b"PK"):
        import zipfile  # here, since help reads this module and no workbooks

        try:
            with zipfile.ZipFile(io.BytesIO(data)) as packed:
                if sum(each.file_size for each in packed.infolist()) > _MOST_UNPACKED:
                    raise OSError(0, f"it unpacks to more than {_MOST_UNPACKED >> 20} MiB")
        except zipfile.BadZipFile as error:
            raise OSError(0, f"no workbook: {error}") from None
    try:
        book = calamine.CalamineWorkbook.from_filelike(io.BytesIO(data))
        names = book.sheet_names
        return [
            Sheet(name, book.get_sheet_by_name(name).to_python(skip_empty_area=False)[:_MOST_ROWS])
            for name in names
        ]
    except Exception as error:  # the library has kinds of its own for each format
        raise OSError(0, f"no workbook: {error}") from None


# ---- what is what ------------------------------------------------------------------------------------------


def _plain(text: object) -> str:
    return re.sub(r"[^a-z0-9]", "", str(text).casefold())


def _words(path: str, kind: EntryTable) -> set[str]:
    """What a sheet of a table, or its first column, may be called."""
    last = path.rpartition(".")[2]
    return {_plain(each) for each in (path.replace(".*", ""), last, last.removesuffix("s"), kind.word)}


def _sheet_names(schema: Schema) -> list[str]:
    return [*schema.tables, *(path.replace(".*", "") for path in schema.kinds())]


def _place_of(schema: Schema, sheet: Sheet, path: Path) -> _Place | None:
    name = _plain(sheet.name)
    for table in schema.tables:
        if _plain(table) == name:
            return _Place(table, None)
    kinds = schema.kinds()
    for table, kind in kinds.items():
        if name in _words(table, kind):
            return _Place(table, kind)
    first = next((row for row in sheet.rows if any(str(cell).strip() for cell in row)), [])
    heads = {_plain(cell) for cell in first}
    for table, kind in reversed(kinds.items()):  # what is inside entries names those, too
        if _plain(kind.word) in heads:
            return _Place(table, kind)
    return None


def _head(sheet: Sheet, place: _Place) -> int | None:
    """The row of heads: the first one that says something."""
    return next((n for n, row in enumerate(sheet.rows) if any(str(cell).strip() for cell in row)), None)


def _column(place: _Place, schema: Schema, head: object) -> tuple[str, ...] | None:
    """What a column holds: ("id",), ("above", table), (key,), (key, part); None if it means nothing."""
    word = _plain(head)
    if place.kind is None:
        return (word,) if word in ("key", "value") else None
    above = place.path.split(".")[:-1:2]
    if word in {"id", _plain(place.kind.word), _plain(place.path.rpartition(".")[2])}:
        return ("id",)
    for table in above:
        if word in _words(table, schema.entries[table]):
            return ("above", table)
    fields = place.kind.fields
    for key, field in fields.items():
        if word == _plain(key):
            return (key,)
        for part in field.parts:
            if word in (_plain(key + part), _plain(part + key)):
                return (key, part)
    for key in fields:
        if word in _ALSO.get(key, ()):
            return (key,)
    return None


# ---- rows --------------------------------------------------------------------------------------------------


def _add(draft: Any, path: Path, sheet: Sheet, place: _Place) -> Iterator[Problem]:
    start = _head(sheet, place)
    if start is None:
        return
    columns = {
        number: found
        for number, head in enumerate(sheet.rows[start][:_MOST_COLUMNS])
        if (found := _column(place, draft.schema, head)) is not None
    }

    def where(column: int, row: int) -> str:
        return f"{path}: {sheet.name}, {cell_name(column, row)}"

    if place.kind is None:
        yield from _add_values(draft, sheet, place, columns, start, where)
        return
    if not {("id",), ("name",)} & set(columns.values()):
        reason = f"no column says what each row is about: {place.kind.word}, id or name"
        yield file_problem(f"{path}: {sheet.name}", reason)
        return
    for row in range(start + 1, len(sheet.rows)):
        cells = {
            found: (column, sheet.rows[row][column])
            for column, found in columns.items()
            if column < len(sheet.rows[row]) and str(sheet.rows[row][column]).strip()
        }
        if cells:
            yield from _add_row(draft, place, cells, row, where)


def _add_values(
    draft: Any,
    sheet: Sheet,
    place: _Place,
    columns: Mapping[int, tuple[str, ...]],
    start: int,
    where: Callable[[int, int], str],
) -> Iterator[Problem]:
    """Single values: a row a key, ``hand_size.two`` for a part."""
    found = {words[0]: column for column, words in columns.items()}
    if set(found) != {"key", "value"}:
        yield file_problem(where(0, start), f"the sheet {sheet.name} has two columns, key and value")
        return
    for row in range(start + 1, len(sheet.rows)):
        cells = [*sheet.rows[row], "", ""]
        key, cell = str(cells[found["key"]]).strip(), cells[found["value"]]
        if not key or not str(cell).strip():
            continue
        head, _, part = key.partition(".")
        field = draft.schema.tables[place.path].get(head)
        if field is None:
            words = list(draft.schema.tables[place.path])
            yield file_problem(where(found["key"], row), f"{key}: {unknown('key', head, words)}")
            continue
        value = _value(field._replace(parts=()) if part else field, cell)
        data = {place.path: {head: {part: value} if part else value}}
        draft.add(data, where(found["value"], row))


def _add_row(
    draft: Any,
    place: _Place,
    cells: Mapping[tuple[str, ...], tuple[int, Any]],
    row: int,
    where: Callable[[int, int], str],
) -> Iterator[Problem]:
    assert place.kind is not None
    table = place.path
    for words, (column, cell) in cells.items():
        if words[0] == "above":
            above = _id_of(draft, words[1], str(cell))
            if above not in draft.entries.get(words[1], {}):
                yield file_problem(
                    where(column, row), f"{cell}: {unknown(words[1], above, draft.entries[words[1]])}"
                )
                return
            table = table.replace(f"{words[1]}.*", f"{words[1]}.{above}")
    if "*" in table:
        first = min(column for column, _ in cells.values())
        yield file_problem(
            where(first, row), f"the row does not say which of the {place.path.split('.')[0]} it is of"
        )
        return
    column, named = (
        cells.get(("id",)) or cells[("name",)] if ("name",) in cells or ("id",) in cells else (0, "")
    )
    entry = _id_of(draft, table, str(named))
    if not entry:
        first = min(column for column, _ in cells.values())
        yield file_problem(where(first, row), f"the row does not say which {place.kind.word} it is about")
        return
    for words, (column, cell) in cells.items():
        if words[0] in ("id", "above"):
            continue
        field = place.kind.fields[words[0]]
        value = _value(field._replace(parts=()) if len(words) > 1 else field, cell)
        data: Any = {words[0]: {words[1]: value} if len(words) > 1 else value}
        for part in reversed([*table.split("."), entry]):
            data = {part: data}
        draft.add(data, where(column, row))


def _id_of(draft: Any, table: str, text: str) -> str:
    """The id of what is called so; of something new the id that its name makes."""
    known = draft.entries.get(table, {})
    wanted = canonical_id(text)
    if text.strip() in known:
        return text.strip()
    if wanted in known:
        return wanted
    for entry in known:
        leaf = draft.leaves.get(f"{table}.{entry}.name")
        if leaf is not None and canonical_id(str(leaf.value)) == wanted:
            return str(entry)
    return wanted


def _value(field: Field, cell: Any) -> Any:
    """The value that a cell holds: the first reading that fits the field, or else the plainest."""
    readings = list(_readings(cell))
    for value in readings:
        if not (isinstance(value, dict) and field.parts) and check_value(field, value, lambda *_: None):
            return value
    return readings[0]


def _readings(cell: Any) -> Iterator[Any]:
    """What a cell may mean, the plainest first."""
    if isinstance(cell, bool):
        yield from (cell, int(cell))
        return
    if isinstance(cell, float | int):
        yield int(cell) if float(cell).is_integer() else cell
        yield f"{cell:g}"
        return
    text = str(cell).strip()
    if _WHOLE.fullmatch(text):
        yield int(re.split("[.,]", text)[0])
    yield text
    if text == EMPTY:
        yield from ([], {})
    if text[:1] in "[{\"'" and "\n" not in text:
        with contextlib.suppress(ValueError, RecursionError):
            yield tomllib.loads(f"value = {text}")["value"]
    low = text.casefold()
    if low in (*_YES, *_NO):
        yield low in _YES
    yield [word.strip() for word in re.split("[,;]", text) if word.strip()]
