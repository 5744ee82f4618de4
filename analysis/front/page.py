"""How an answer looks, without layout: a headline, typed sections, notes. Cells are numbers, never text.

`analysis.front.render` is the only place where a number of a page becomes characters. A page is a struct: it
goes out as JSON like anything else.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from typing import Any, Literal

import msgspec

from analysis.estimates import Estimate

__all__ = [
    "Board",
    "Cell",
    "Column",
    "Curve",
    "Fact",
    "Facts",
    "Follow",
    "Format",
    "Heat",
    "Mix",
    "Page",
    "Section",
    "Sides",
    "Table",
    "data_of",
    "flat",
]

Format = Literal["word", "count", "number", "signed", "share", "gain", "row"]
"""How a cell is written: a share lies within 0 and 1, a gain is a difference of two shares; `row`: see
`Table.kinds`."""
_ID = re.compile(r"(?<![\w-])[a-z][a-z0-9]*(?:-[a-z0-9]+)*(?![\w-])")
_SAID_ID = re.compile(
    r"--[a-z][a-z-]*[ =]\S+|(?<![\w./:=,-])[a-z][a-z0-9]*(?:-[a-z0-9]+)*(?![\w/=-]|[.:,]\w)"
)
_NO_WORDS = ("given", "key", "kind", "kinds", "question", "type")
Cell = str | int | float | Estimate | None


class Column(msgspec.Struct, frozen=True):
    """A column of a table: `key` in CSV, `head` for people."""

    key: str
    head: str
    kind: Format = "word"
    digits: int | None = None


class Fact(msgspec.Struct, frozen=True):
    """One figure with its name."""

    key: str
    head: str
    value: Cell
    kind: Format = "word"
    digits: int | None = None


class Follow(msgspec.Struct, frozen=True):
    """A question of the same game that leads on from here, by the same rules.

    Attributes
    ----------
    question : its name; ``play`` for a game with a person in it.
    given : its parameters that are not as usual, as they are typed.
    head : what it is called; empty where the cell that leads there says it.
    """

    question: str
    given: dict[str, str | list[str]] = {}
    head: str = ""


class Facts(msgspec.Struct, frozen=True, tag="facts"):
    """Figures, a line each."""

    facts: list[Fact]
    title: str = ""


class Table(msgspec.Struct, frozen=True, tag="table"):
    """Rows of cells. The first table of a page is its CSV, if it has none apart.

    Attributes
    ----------
    context : cells that CSV repeats in every row.
    follow : what each row leads on to; empty if none does.
    kinds : how the cells of each row are written in columns of the kind `row`.
    """

    columns: list[Column]
    rows: list[list[Cell]]
    title: str = ""
    context: dict[str, Cell] = {}
    follow: list[Follow | None] = []
    kinds: list[Format] = []


class Sides(Table, frozen=True, tag="sides"):
    """Figures on two sides, with columns `before`, `after`, `change` and `certain`; a browser draws them."""


def data_of(rows: Sequence[Mapping[str, Cell]]) -> Table:
    """Return a page's `data` from rows by key; keys that a row lacks leave their cells empty."""
    keys = dict.fromkeys(key for row in rows for key in row)
    return Table([Column(key, key) for key in keys], [[row.get(key) for key in keys] for row in rows])


def flat(part: Any, *without: str, under: str = "") -> dict[str, Cell]:
    """Return what a struct says as cells by key; what its parts say stands behind an underscore.

    Words of a list are one cell, its numbers are counted from 1; lists of parts are left out.

    Parameters
    ----------
    without : keys that are left out, at any depth.
    """
    fields = part if isinstance(part, Mapping) else msgspec.structs.asdict(part)
    found: dict[str, Cell] = {}
    for key, value in fields.items():
        name = f"{under}{key}"
        if key in without or value is msgspec.UNSET:
            continue
        if isinstance(value, bool):
            found[name] = str(value).lower()
        elif isinstance(value, Estimate | str | int) or value is None:
            found[name] = value
        elif isinstance(value, float):
            found[name] = None if math.isnan(value) else value
        elif isinstance(value, msgspec.Struct | Mapping):
            found |= flat(value, *without, under=f"{name}_")
        elif all(isinstance(each, str) for each in value):
            found[name] = " ".join(value)
        elif all(isinstance(each, int | float) for each in value):
            found |= flat({f"{at}": each for at, each in enumerate(value, 1)}, under=f"{name}_")
    return found


class Mix(msgspec.Struct, frozen=True, tag="mix"):
    """How often each of several things is chosen."""

    title: str
    parts: list[tuple[str, float]]


class Curve(msgspec.Struct, frozen=True, tag="curve"):
    """Figures over one value."""

    title: str
    x: str
    y: str
    kind: Format
    points: list[float | str]
    series: dict[str, list[float | None]]


class Heat(msgspec.Struct, frozen=True, tag="heat"):
    """One figure over two values: `cells` has a row for each of `rows`, and so has `follow`, if not empty."""

    title: str
    x: str
    y: str
    kind: Format
    columns: list[float | str]
    rows: list[float | str]
    cells: list[list[float | None]]
    follow: list[list[Follow | None]] = []


class Board(msgspec.Struct, frozen=True, tag="board"):
    """Lines that keep their places, such as a table in play."""

    lines: list[str]
    title: str = ""


Section = Facts | Table | Sides | Mix | Curve | Heat | Board


class Page(msgspec.Struct, frozen=True, kw_only=True):
    """What an answer says.

    Attributes
    ----------
    headline : one sentence that is true without the rest.
    notes : what a reader has to know to take the figures for what they are.
    method : how they were found; shown with the details.
    details : sections from this one on are shown on request; None if all are shown at once.
    data : the rows of the page's CSV, where none of its tables holds all of them.
    follow : questions that lead on from here.
    path : the way to what is asked about, step by step, this page last; each leads there.
    sure : how sure the headline is, in a few words; empty: as sure as the answer's exactness says.
    """

    headline: str
    sections: list[Section] = []
    notes: list[str] = []
    method: list[str] = []
    details: int | None = None
    data: Table | Sides | None = None
    follow: list[Follow] = []
    path: list[Follow] = []
    sure: str = ""

    def brief(self) -> Page:
        """Return the page without its details."""
        return msgspec.structs.replace(self, sections=self.sections[: self.details], method=[], details=None)

    def with_said(self, names: Mapping[str, str]) -> Page:
        """Return the page with names in place of ids wherever people read them.

        Commands, files and lines that keep their places stay as they are, and so do the rows of CSV.
        """
        kept = [each for each in self.sections if isinstance(each, Board)]
        page = self._renamed(names, _SAID_ID)
        sections = [kept.pop(0) if isinstance(each, Board) else each for each in page.sections]
        return msgspec.structs.replace(page, sections=sections, data=self.table())

    def with_names(self, names: Mapping[str, str]) -> Page:
        """Return the page with names in place of ids: id -> name."""
        return self._renamed(names, _ID) if names else self

    def _renamed(self, names: Mapping[str, str], ids: re.Pattern[str]) -> Page:
        def shown(value: Any, key: str = "") -> Any:
            if isinstance(value, dict):
                return {
                    shown(name) if key == "series" else name: each if name in _NO_WORDS else shown(each, name)
                    for name, each in value.items()
                }
            if isinstance(value, list | tuple):
                return [shown(each) for each in value]
            if isinstance(value, str):
                return ids.sub(lambda found: names.get(found[0], found[0]), value)
            return value

        return msgspec.convert(shown(msgspec.to_builtins(self)), Page)

    def table(self) -> Table | None:
        """Return the table that is the page's CSV; facts make one of two columns if there is no other."""
        if self.data is not None:
            return self.data
        for section in self.sections:
            if isinstance(section, Table):
                return section
        facts = [fact for section in self.sections if isinstance(section, Facts) for fact in section.facts]
        if not facts:
            return None
        columns = [Column(fact.key, fact.head, fact.kind, fact.digits) for fact in facts]
        return Table(columns, [[fact.value for fact in facts]])

    def rows(self) -> list[dict[str, str | int | float | None]]:
        """Return the rows of the page's CSV at full precision; an estimate takes three columns."""
        table = self.table()
        if table is None:
            return []
        found: list[dict[str, str | int | float | None]] = []
        keys = [*table.context, *(column.key for column in table.columns)]
        for row in table.rows:
            flat: dict[str, str | int | float | None] = {}
            for key, cell in zip(keys, [*table.context.values(), *row], strict=True):
                if isinstance(cell, Estimate):
                    flat |= {key: cell.mean, f"{key}_low": cell.low, f"{key}_high": cell.high}
                else:
                    flat[key] = cell
            found.append(flat)
        return found
