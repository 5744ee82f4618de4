"""A page for a terminal: 80 columns, numbers to the right."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence

from analysis.front.page import Board, Curve, Facts, Page, Section, Table
from analysis.front.render.tables import as_table, fact_lines, texts

__all__ = ["WIDTH", "plain_text"]

WIDTH = 80
_LEAST, _MOST, _MOST_ID = 12, 20, 40
"""A column of words is folded to no less, and in a table in parts to no more."""


def plain_text(page: Page, *, more: bool = False) -> str:
    """Return a page as text.

    Parameters
    ----------
    more : whether details were left out, which is said.
    """
    blocks = [_wrapped(page.headline)]
    # A curve's figures stand in the table beneath it, so a terminal needs them once.
    tables = sum(isinstance(section, Table) for section in page.sections)
    blocks += [_section(section) for section in page.sections if not (isinstance(section, Curve) and tables)]
    blocks += ["\n".join(map(_wrapped, page.method))] if page.method else []
    notes = [*page.notes, *(["--details shows everything."] if more else [])]
    blocks += ["\n".join(map(_wrapped, notes))] if notes else []
    return "\n\n".join(blocks) + "\n"


def _wrapped(text: str) -> str:
    return textwrap.fill(text, WIDTH, subsequent_indent="  ", break_on_hyphens=False)


def _hung(text: str, hanging: str) -> str:
    return "\n".join(
        textwrap.wrap(text, WIDTH, subsequent_indent=hanging, drop_whitespace=True, break_on_hyphens=False)
    )


def _section(section: Section) -> str:
    title = [_wrapped(section.title), ""] if section.title else []
    if isinstance(section, Board):
        return "\n".join([*title, *section.lines])
    if isinstance(section, Facts):
        lines = fact_lines(section)
        width = max((len(name) for name, _ in lines), default=0) + 2
        width = min(width, WIDTH // 2)
        hanging = " " * (width + 2)
        return "\n".join(
            [
                *title,
                *(
                    _hung(f"{name:<{width}}{text}", hanging if len(name) < width else "  ")
                    for name, text in lines
                ),
            ]
        )
    table = as_table(section)
    assert table is not None
    return "\n".join([*title, *_lines(table)])


def _lines(table: Table) -> list[str]:
    heads, rows = texts(table)
    words = [column.kind == "word" for column in table.columns]
    natural = [max(map(len, column)) for column in zip(heads, *rows, strict=True)]
    widths = list(natural)
    # Numbers keep to one line; their heads may take several. Ids are there to be found and copied.
    whole = [column.key in ("id", "key") for column in table.columns]
    least = [
        min(width, _MOST_ID if each else _LEAST)
        if is_word
        else max(map(len, [*head.split(), *cells]), default=0)
        for head, cells, width, is_word, each in zip(
            heads, _columns(heads, rows), widths, words, whole, strict=True
        )
    ]
    while (over := sum(widths) + 2 * (len(widths) - 1) - WIDTH) > 0:
        wide = [place for place, width in enumerate(widths) if width > least[place]]
        if not wide:
            fitting = [
                max(each, min(_MOST, natural[at])) if words[at] else each for at, each in enumerate(least)
            ]
            return _apart(heads, rows, fitting, words)
        # Heads of numbers first: to fold words makes every row taller.
        place = max(wide, key=lambda each: (not words[each], widths[each] - least[each]))
        widths[place] = max(least[place], widths[place] - over)
    return [line for cells in (heads, *rows) for line in _folded(cells, widths, words)]


def _columns(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> list[list[str]]:
    return [[row[place] for row in rows] for place in range(len(heads))]


def _apart(
    heads: Sequence[str], rows: Sequence[Sequence[str]], widths: Sequence[int], words: Sequence[bool]
) -> list[str]:
    """A table too wide for a terminal: in parts, one below the other, that begin with its words."""
    first = next((place for place, is_word in enumerate(words) if not is_word), len(words))
    first = max(first, 1)
    left = WIDTH - sum(widths[:first]) - 2 * first
    if len(rows) < 2 or left < max(widths[first:], default=0):
        return _listed(heads, rows)
    lines: list[str] = []
    place = first
    while place < len(widths):
        end, used = place, 0
        while end < len(widths) and used + widths[end] <= left:
            used += widths[end] + 2
            end += 1
        chosen = [*range(first), *range(place, end)]
        lines += [""] if lines else []
        for cells in (heads, *rows):
            part = [cells[each] for each in chosen]
            lines += _folded(part, [widths[each] for each in chosen], [words[each] for each in chosen])
        place = end
    return lines


def _folded(cells: Sequence[str], widths: Sequence[int], words: Sequence[bool]) -> list[str]:
    columns = [textwrap.wrap(cell, max(1, width)) or [""] for cell, width in zip(cells, widths, strict=True)]
    lines = []
    for number in range(max(map(len, columns))):
        parts = [column[number] if number < len(column) else "" for column in columns]
        aligned = [
            f"{part:<{width}}" if is_word else f"{part:>{width}}"
            for part, width, is_word in zip(parts, widths, words, strict=True)
        ]
        lines.append("  ".join(aligned).rstrip())
    return lines


def _listed(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    """A table too wide for a terminal: a block of lines for each row."""
    width = max(map(len, heads)) + 2
    hanging = " " * (width + 2)
    blocks = [
        [_hung(f"{head:<{width}}{cell}", hanging) for head, cell in zip(heads, row, strict=True)]
        for row in rows
    ]
    return [line for number, block in enumerate(blocks) for line in ([""] if number else []) + block]
