"""Rules files as spreadsheets: a sheet a kind, a row a thing, a column a value.

Designers keep cards so. A sheet is told by its name (`cards`, `units`), a file of one sheet also by its own
name or its first column; a row by an id, or by the name that people see. Heads match loosely. An empty cell,
and a column that is not there, leaves the value as it is. What is wrong is said with its cell.
"""

from __future__ import annotations

import contextlib
import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

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
from engine.sheetfiles import Sheet, cell_name, cells_of, damage, says

__all__ = ["EMPTY", "add_sheets", "left_alone"]

EMPTY = "-"
"""An empty list, or no parts at all; an empty cell is no value."""
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
_WHOLE = re.compile(r"[+-]?\d+([.,]0{1,2})?")
"""Not 1,000, which is a thousand to some and one to others."""
_CURLY = str.maketrans("“”„‟‘’", '""""\'\'')
_YES, _NO = ("yes", "true", "y", "x", "1"), ("no", "false", "n", "0")


class _Place(NamedTuple):
    """Where rows of a sheet go: the table with `*` for ids above, and its kind; None for single values."""

    path: str
    kind: EntryTable | None


def add_sheets(draft: Any, path: Path) -> None:
    """Lay the sheets of a file over a draft; RulesError at once if the file cannot be read."""
    sheets = cells_of(path)
    found = [(sheet, _place_of(draft.schema, sheet, path)) for sheet in sheets]
    if not any(place for _, place in found):
        known = ", ".join(_sheet_names(draft.schema))
        reason = "no sheet says what its rows are"
        raise RulesError([file_problem(str(path), reason, f"a sheet, or a file, called one of {known}")])
    problems: list[Problem] = []
    said: dict[str, str] = {}  # in which cell of this file each value stands
    for sheet, place in found:
        if place is not None:
            problems += _add(draft, path, sheet, place, said)
    if problems:
        raise RulesError(problems)


def left_alone(path: Path, schema: Schema) -> list[str]:
    """Return a line for each sheet of a file on what means nothing in it."""
    lines = []
    for sheet in cells_of(path):
        place = _place_of(schema, sheet, path)
        if place is None:
            lines.append(f"{path.name}: the sheet {sheet.name!r} means nothing here and is left alone.")
            continue
        start = _head(sheet)
        heads = [] if start is None else sheet.rows[start]
        known = _columns(place, schema, heads)
        odd = [str(head) for number, head in enumerate(heads) if str(head).strip() and number not in known]
        if odd:
            what = "column" if len(odd) == 1 else "columns"
            means = "means" if len(odd) == 1 else "mean"
            lines.append(f"{path.name}: {sheet.name}: the {what} {', '.join(odd)} {means} nothing here.")
    return lines


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
    first = next(filter(says, sheet.rows), [])
    heads = {_plain(cell) for cell in first}
    for table, kind in reversed(kinds.items()):  # what is inside entries names those, too
        if _plain(kind.word) in heads:
            return _Place(table, kind)
    return None


def _head(sheet: Sheet) -> int | None:
    """The row of heads: the first one that says something."""
    return next((n for n, row in enumerate(sheet.rows) if says(row)), None)


def _columns(place: _Place, schema: Schema, heads: Sequence[object]) -> dict[int, tuple[str, ...]]:
    """What the columns hold that mean something; what is called so counts before what may be meant."""
    found = {number: words for number, head in enumerate(heads) if (words := _column(place, schema, head))}
    plain = {words for number, words in found.items() if _plain(heads[number]) == _plain("".join(words))}
    return {
        number: words
        for number, words in found.items()
        if words not in plain or _plain(heads[number]) == _plain("".join(words))
    }


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


def _add(draft: Any, path: Path, sheet: Sheet, place: _Place, said: dict[str, str]) -> Iterator[Problem]:
    start = _head(sheet)
    if start is None:
        return

    def where(column: int, row: int) -> str:
        return f"{path}: {sheet.name}, {cell_name(column, row)}"

    columns: dict[tuple[str, ...], int] = {}
    for number, words in _columns(place, draft.schema, sheet.rows[start]).items():
        if words in columns:
            reason = f"the column {cell_name(columns[words], start)} says that already"
            yield file_problem(where(number, start), reason)
        columns.setdefault(words, number)
    if place.kind is None and set(columns) != {("key",), ("value",)}:
        yield file_problem(where(0, start), f"the sheet {sheet.name} has two columns, key and value")
    elif place.kind is not None and not {("id",), ("name",)} & set(columns):
        reason = f"no column says what each row is about: {place.kind.word}, id or name"
        yield file_problem(f"{path}: {sheet.name}", reason)
    else:
        for row in range(start + 1, len(sheet.rows)):
            cells = {
                words: (where(column, row), sheet.rows[row][column])
                for words, column in columns.items()
                if column < len(sheet.rows[row]) and str(sheet.rows[row][column]).strip()
            }
            damaged = [(file, reason) for file, cell in cells.values() if (reason := damage(cell))]
            if damaged:
                yield from (file_problem(file, reason) for file, reason in damaged)
            elif cells:
                yield from (_add_row if place.kind else _add_value)(draft, place, cells, said)


_Cells = Mapping[tuple[str, ...], tuple[str, Any]]
"""What a row says by what its columns hold: where that stands, and the cell."""


def _add_value(draft: Any, place: _Place, cells: _Cells, said: dict[str, str]) -> Iterator[Problem]:
    """A single value: a row a key, ``hand_size.two`` for a part."""
    if len(cells) < 2:
        return
    (file, cell), (there, value) = cells["key",], cells["value",]
    key = str(cell).strip()
    head, _, part = key.partition(".")
    field = draft.schema.tables[place.path].get(head)
    if field is None:
        words = list(draft.schema.tables[place.path])
        yield file_problem(file, f"{key}: {unknown('key', head, words)}")
    elif key in said:
        yield file_problem(file, f"{key} stands already in {said[key]}")
    else:
        said[key] = file.rpartition(": ")[2]
        value = _value(field._replace(parts=()) if part else field, value)
        draft.add({place.path: {head: {part: value} if part else value}}, there)


def _add_row(draft: Any, place: _Place, cells: _Cells, said: dict[str, str]) -> Iterator[Problem]:
    assert place.kind is not None
    first, table = next(iter(cells.values()))[0], place.path
    for words, (file, cell) in cells.items():
        if words[0] == "above":
            above = _id_of(draft, words[1], str(cell))
            if above not in draft.entries.get(words[1], {}):
                yield file_problem(file, f"{cell}: {unknown(words[1], above, draft.entries[words[1]])}")
                return
            table = table.replace(f"{words[1]}.*", f"{words[1]}.{above}")
    if "*" in table:
        yield file_problem(first, f"the row does not say which of the {place.path.split('.')[0]} it is of")
        return
    there, named = cells.get(("id",)) or cells.get(("name",)) or (first, "")
    entry = _id_of(draft, table, str(named))
    if not entry:
        yield file_problem(first, f"the row does not say which {place.kind.word} it is about")
        return

    def add(data: Any, file: str) -> bool:
        for part in reversed([*table.split("."), entry]):
            data = {part: data}
        return bool(draft.add(data, file))

    if not add({}, there):  # said once, not for each value
        return
    for words, (file, cell) in cells.items():
        key = ".".join((table, entry, *words))
        if words[0] in ("id", "above"):
            continue
        if key in said:
            yield file_problem(file, f"{named}: {' '.join(words)} stands already in {said[key]}")
            return
        said[key] = file.rpartition(": ")[2]
        field = place.kind.fields[words[0]]
        value = _value(field._replace(parts=()) if len(words) > 1 else field, cell)
        add({words[0]: {words[1]: value} if len(words) > 1 else value}, file)


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
        yield cell
        return
    if isinstance(cell, float | int):
        number = int(cell) if float(cell).is_integer() else cell
        yield from (number, str(number))
        return
    text = str(cell).strip()
    if _WHOLE.fullmatch(text):
        yield int(re.split("[.,]", text)[0])
    yield text
    if text == EMPTY:
        yield from ([], {})
    straight = text.translate(_CURLY)
    if straight[:1] in "[{\"'" and "\n" not in text:
        with contextlib.suppress(ValueError, RecursionError):
            yield tomllib.loads(f"value = {straight}")["value"]
    low = text.casefold()
    if low in (*_YES, *_NO):
        yield low in _YES
    yield [word.strip("'\" ") for word in re.split("[,;]", straight) if word.strip()]
