"""A page for a terminal: 80 columns, numbers to the right."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence

from analysis.front.page import Board, Curve, Facts, Page, Section, Table
from analysis.front.render.tables import as_table, fact_lines, texts

__all__ = ["WIDTH", "plain_text"]

WIDTH = 80
_LEAST = 12
"""A column of words is folded to no less."""


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
    widths = [max(map(len, column)) for column in zip(heads, *rows, strict=True)]
    spare = WIDTH - 2 * (len(widths) - 1)
    while sum(widths) > spare:
        wide = [place for place, is_word in enumerate(words) if is_word and widths[place] > _LEAST]
        if not wide:
            return _listed(heads, rows)
        place = max(wide, key=lambda each: widths[each])
        widths[place] = max(_LEAST, widths[place] - (sum(widths) - spare))
    return [line for cells in (heads, *rows) for line in _folded(cells, widths, words)]


def _folded(cells: Sequence[str], widths: Sequence[int], words: Sequence[bool]) -> list[str]:
    columns = [textwrap.wrap(cell, width) or [""] for cell, width in zip(cells, widths, strict=True)]
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
