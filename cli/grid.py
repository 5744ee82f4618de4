"""Reports as text for a terminal, as Markdown and as CSV, from one description of their tables."""

from __future__ import annotations

import csv
import io
import textwrap
from collections.abc import Callable, Collection, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Generic, Protocol, TypeVar

import msgspec

from analysis.front.render import as_json

WIDTH = 80
_CUT = 200
"""Characters of the longest name that rules can have."""
_Report = TypeVar("_Report")
_Viewed = TypeVar("_Viewed", contravariant=True)


@dataclass(frozen=True)
class Section:
    """A titled part of a report, of which any may be missing: facts, a table, lines.

    Attributes
    ----------
    title
        Heading, or empty.
    head, rows
        Cells; the columns `left` hold words, the others numbers. A head without words is not shown.
    left
        How many columns, from the first on, or which.
    lines
        Preformatted lines beneath (curves, heat-maps).
    facts
        Names and sentences, above the table.
    level
        Of the heading in Markdown.
    """

    title: str
    head: Sequence[str] = ()
    rows: Sequence[Sequence[str]] = ()
    left: int | Collection[int] = 1
    lines: Sequence[str] = field(default=())
    facts: Sequence[tuple[str, str]] = ()
    level: int = 2

    @property
    def words(self) -> Collection[int]:
        """The columns that hold words."""
        return range(self.left) if isinstance(self.left, int) else self.left


class View(Protocol[_Viewed]):
    """How a report looks; a module with these functions will do."""

    def csv_rows(self, report: _Viewed, /) -> Sequence[Mapping[str, object]]:
        """Return its rows as CSV has them."""

    def sections(self, report: _Viewed, /) -> Sequence[Section]:
        """Return its tables for people."""

    def notes(self, report: _Viewed, /) -> Sequence[str]:
        """Return what has to be said beside them."""


@dataclass(frozen=True)
class Shown(Generic[_Report]):
    """A `View` made of functions, where a module shows several reports or has to be told more."""

    csv_rows: Callable[[_Report], Sequence[Mapping[str, object]]]
    sections: Callable[[_Report], Sequence[Section]]
    notes: Callable[[_Report], Sequence[str]]
    brief: Callable[[_Report], Brief] | None = None


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


def folded(rows: Sequence[Sequence[str]], words: Collection[int]) -> list[str]:
    """Return the lines of a table; a wide one goes on below, its first columns repeated.

    Parameters
    ----------
    words
        The columns that hold words; those before any other are repeated.
    """
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    count = next((column for column in range(len(widths)) if column not in words), len(widths))
    fixed = range(max(count, 1))
    lines: list[str] = []
    part: list[int] = []

    def flush() -> None:
        chosen = [*fixed, *part]
        left = [place for place, column in enumerate(chosen) if column in words]
        lines.extend(["", *aligned([[row[column] for column in chosen] for row in rows], left)])

    for column in range(len(fixed), len(widths)):
        if part and sum(widths[each] + 2 for each in (*fixed, *part, column)) - 2 > WIDTH:
            flush()
            part.clear()
        part.append(column)
    flush()
    return lines[1:]


def ruled(head: Sequence[str], rows: Iterable[Sequence[str]], rule: Sequence[str] | None = None) -> list[str]:
    """Return the lines of a Markdown table; `rule` is the line under its head."""

    def line(cells: Sequence[str]) -> str:
        safe = [" ".join(cell.splitlines()).replace("|", "\\|") for cell in cells]
        return f"| {' | '.join(safe)} |"

    return [line(cells) for cells in (head, rule or ["---"] * len(head), *rows)]


def hanging(name: str, text: str, width: int) -> list[str]:
    """Return a sentence after its name, in lines that stand under each other."""
    return textwrap.wrap(text, WIDTH, initial_indent=f"{name:{width}}", subsequent_indent=" " * width)


def to_text(sections: Sequence[Section], notes: Sequence[str]) -> str:
    """Return sections and notes as text for a terminal."""
    parts = []
    for section in sections:
        blocks = [textwrap.wrap(section.title, WIDTH)] if section.title else []
        if section.facts:
            width = max(len(name) for name, _ in section.facts) + 2
            blocks.append([line for name, text in section.facts for line in hanging(name, text, width)])
        if section.rows:
            head = [section.head] if any(section.head) else []
            blocks.append(folded([*head, *section.rows], section.words))
        if section.lines:
            blocks.append([*section.lines])
        parts.append("\n\n".join("\n".join(block) for block in blocks))
    wrapped = [textwrap.fill(note, WIDTH, subsequent_indent="  ") for note in notes]
    return "\n\n".join([*parts, "\n".join(wrapped)] if wrapped else parts) + "\n"


def to_markdown(sections: Sequence[Section], notes: Sequence[str]) -> str:
    """Return sections and notes as GitHub-flavoured Markdown."""
    lines: list[str] = []
    for section in sections:
        lines += [f"{'#' * section.level} {section.title}", ""] if section.title else []
        if section.facts:
            lines += [*(f"- {name}: {text}" if name else f"- {text}" for name, text in section.facts), ""]
        if section.rows:
            rule = ["---" if column in section.words else "---:" for column in range(len(section.head))]
            lines += [*ruled(section.head, section.rows, rule), ""]
        if section.lines:
            lines += ["```", *section.lines, "```", ""]
    return "\n".join([*lines, *(f"- {note}" for note in notes)]).rstrip("\n") + "\n"


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


def changed_rules(report: object) -> str | None:
    """Return what the rules of a report are called where they differ from those that we carry."""
    rules = getattr(report, "rules", None) or getattr(report, "card_set", None)
    changed = getattr(rules, "changed", None)
    if rules is None or not changed:
        return None
    name = str(rules.name)
    # A long list of single values is cut where it becomes a name.
    unsaid = [key for key in changed if key not in name] if len(name) >= _CUT else []
    return f"{name}; changed, too: {', '.join(unsaid)}" if unsaid else name


def compiling_notes(report: object) -> list[str]:
    """Return for how long kernels were compiled beside the time of a report; nothing if none were."""
    seconds = getattr(report, "compile_s", msgspec.UNSET)
    if seconds is msgspec.UNSET:
        return []
    return [f"Before that kernels were compiled for {seconds:.1f} s, once after an installation."]


def under_rules(name: str | None, parts: Sequence[Section]) -> Sequence[Section]:
    """Return the parts of an answer, headed by the name of its rules if there is one; once is enough."""
    if name is None or not parts or parts[0].title.startswith(name):
        return parts
    first = parts[0]
    if first.title:
        return [replace(first, title=f"{name} · {first.title}"), *parts[1:]]
    return [Section(name), *parts]


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
        return as_json(report)
    if form == "csv":
        return to_csv(rows(report))
    name = changed_rules(report)
    compiled = compiling_notes(report)
    if form == "md":
        return to_markdown(under_rules(name, sections(report)), [*notes(report), *compiled])
    if brief is None:
        return to_text(under_rules(name, sections(report)), [*notes(report), *compiled])
    shown = brief(report)
    last = [*shown.notes, *compiled, f"{shown.more}: --details"]
    return to_text(under_rules(name, shown.sections), last)
