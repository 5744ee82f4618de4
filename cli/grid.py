"""Plain tables of all commands but `ragers solve`: as text, Markdown and CSV from one description."""

from __future__ import annotations

import csv
import io
import textwrap
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from cli.output import to_json

WIDTH = 80
_Report = TypeVar("_Report")


@dataclass(frozen=True)
class Section:
    """A titled table.

    Attributes
    ----------
    title
        Heading, or empty.
    head, rows
        Cells; the first `left` columns hold words, the others numbers.
    lines
        Preformatted lines beneath (curves, heat-maps).
    """

    title: str
    head: Sequence[str] = ()
    rows: Sequence[Sequence[str]] = ()
    left: int = 1
    lines: Sequence[str] = field(default=())


def aligned(rows: Sequence[Sequence[str]], left: Container[int]) -> list[str]:
    """Return lines in which the columns stand under each other, those of `left` to the left."""
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    return [
        "  ".join(
            text.ljust(width) if column in left else text.rjust(width)
            for column, (text, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]


def folded(rows: Sequence[Sequence[str]], left: int) -> list[str]:
    """Return the lines of a table; a wide one goes on below, its first columns repeated.

    Parameters
    ----------
    left
        How many columns, from the first on, hold words.
    """
    fixed = range(max(left, 1))
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    lines: list[str] = []
    part: list[int] = []

    def flush() -> None:
        chosen = [*fixed, *part]
        lines.extend(["", *aligned([[row[column] for column in chosen] for row in rows], range(left))])

    for column in range(len(fixed), len(widths)):
        if part and sum(widths[each] + 2 for each in (*fixed, *part, column)) - 2 > WIDTH:
            flush()
            part.clear()
        part.append(column)
    flush()
    return lines[1:]


def ruled(head: Sequence[str], rows: Iterable[Sequence[str]], rule: Sequence[str] | None = None) -> list[str]:
    """Return the lines of a Markdown table; `rule` is the line under its head."""
    return [f"| {' | '.join(cells)} |" for cells in (head, rule or ["---"] * len(head), *rows)]


def to_text(sections: Sequence[Section], notes: Sequence[str]) -> str:
    """Return sections and notes as text for a terminal."""
    parts = []
    for section in sections:
        lines = [section.title, ""] if section.title else []
        if section.rows:
            lines += folded([section.head, *section.rows], section.left)
        if section.rows and section.lines:
            lines.append("")
        parts.append("\n".join([*lines, *section.lines]))
    wrapped = [textwrap.fill(note, WIDTH, subsequent_indent="  ") for note in notes]
    return "\n\n".join([*parts, "\n".join(wrapped)] if wrapped else parts) + "\n"


def to_markdown(sections: Sequence[Section], notes: Sequence[str]) -> str:
    """Return sections and notes as GitHub-flavoured Markdown."""
    lines: list[str] = []
    for section in sections:
        lines += [f"## {section.title}", ""] if section.title else []
        if section.rows:
            rule = ["---" if column < section.left else "---:" for column in range(len(section.head))]
            lines += [*ruled(section.head, section.rows, rule), ""]
        if section.lines:
            lines += ["```", *section.lines, "```", ""]
    return "\n".join([*lines, *(f"- {note}" for note in notes)]) + "\n"


def to_csv(rows: Sequence[Mapping[str, object]]) -> str:
    """Return a line of names, then a line per row; names missing in a row leave their cell empty."""
    names = list(dict.fromkeys(name for row in rows for name in row))
    text = io.StringIO()
    writer = csv.DictWriter(text, names, lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()


@dataclass(frozen=True)
class Brief:
    """The first screen of a report: a plain answer, and how far to trust it; the rest comes with details.

    Attributes
    ----------
    sections, notes
        What it is made of.
    more
        What the details hold, in words.
    """

    sections: Sequence[Section]
    notes: Sequence[str]
    more: str


def in_format(
    report: _Report,
    form: str,
    rows: Callable[[_Report], Sequence[Mapping[str, object]]],
    sections: Callable[[_Report], Sequence[Section]],
    notes: Callable[[_Report], Sequence[str]],
    brief: Callable[[_Report], Brief] | None = None,
) -> str:
    """Return a report as ``json``, as ``csv``, as ``md``, or as text for a terminal.

    Parameters
    ----------
    rows, sections, notes
        What CSV, and what the tables for people, are made of; only what the format needs is called.
    brief
        What a terminal shows instead of the tables; None for the tables.
    """
    if form == "json":
        return to_json(report)
    if form == "csv":
        return to_csv(rows(report))
    if form == "md":
        return to_markdown(sections(report), notes(report))
    if brief is None:
        return to_text(sections(report), notes(report))
    shown = brief(report)
    return to_text(shown.sections, [*shown.notes, f"{shown.more}: --details"])
