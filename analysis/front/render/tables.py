"""Sections as columns of text, for a terminal and for Markdown alike."""

from __future__ import annotations

from collections.abc import Sequence

from analysis.front.page import Cell, Column, Curve, Facts, Format, Heat, Mix, Section, Table
from analysis.front.render.numbers import cell_text

__all__ = ["as_table", "head_of", "shared_head", "unit_of"]


def unit_of(kind: str) -> str:
    """Return what stands behind a head for its unit."""
    return {"share": " %", "gain": " points"}.get(kind, "")


def shared_head(heads: Sequence[str]) -> str:
    """Return what all heads have before a colon, such as the day that all are about; it may be empty."""
    begin = {head.rpartition(": ")[0] for head in heads}
    return begin.pop() if len(begin) == 1 and len(heads) > 1 else ""


def head_of(column: Column) -> str:
    """Return a column's head with its unit."""
    return column.head + unit_of(column.kind)


def as_table(section: Section) -> Table | None:
    """Return a section as a table; None if it is none: facts stand in lines, a board keeps its places."""
    if isinstance(section, Table):
        return section
    if isinstance(section, Mix):
        columns = [Column("move", "move"), Column("share", "share", "share")]
        return Table(columns, [[name, share] for name, share in section.parts], section.title)
    if isinstance(section, Curve):
        columns = [Column("x", section.x)]
        columns += [Column(name, name, section.kind) for name in section.series]
        rows: list[list[Cell]] = [
            [point, *(series[place] for series in section.series.values())]
            for place, point in enumerate(section.points)
        ]
        return Table(columns, rows, section.title)
    if isinstance(section, Heat):
        corner = f"{section.y} \\ {section.x}"
        columns = [Column("row", corner)]
        columns += [
            Column(f"{each}", f"{each:g}" if isinstance(each, float) else each, section.kind)
            for each in section.columns
        ]
        return Table(
            columns,
            [[row, *cells] for row, cells in zip(section.rows, section.cells, strict=True)],
            section.title,
        )
    return None


def texts(table: Table) -> tuple[list[str], list[list[str]]]:
    """Return a table's heads and cells as texts."""
    kinds: list[Format] = table.kinds or ["word"] * len(table.rows)
    rows = [
        [
            cell_text(cell, kind if column.kind == "row" else column.kind, column.digits)
            for cell, column in zip(row, table.columns, strict=True)
        ]
        for row, kind in zip(table.rows, kinds, strict=True)
    ]
    return [head_of(column) for column in table.columns], rows


def fact_lines(section: Facts) -> list[tuple[str, str]]:
    """Return facts as names and texts."""
    return [
        (fact.head, cell_text(fact.value, fact.kind, fact.digits) + unit_of(fact.kind))
        for fact in section.facts
    ]
