"""A page as GitHub-flavoured Markdown, details included."""

from __future__ import annotations

from analysis.front.page import Board, Facts, Page, Section
from analysis.front.render.tables import as_table, fact_lines, texts

__all__ = ["markdown_text"]


def markdown_text(page: Page) -> str:
    """Return a page as Markdown."""
    blocks = [f"**{page.headline}**", *map(_section, page.sections)]
    lists = [lines for lines in (page.method, page.notes) if lines]
    blocks += ["\n".join(f"- {line}" for line in lines) for lines in lists]
    return "\n\n".join(blocks) + "\n"


def _section(section: Section) -> str:
    title = [f"## {section.title}", ""] if section.title else []
    if isinstance(section, Board):
        return "\n".join([*title, "```", *section.lines, "```"])
    if isinstance(section, Facts):
        return "\n".join([*title, *(f"- {name}: {text}" for name, text in fact_lines(section))])
    table = as_table(section)
    assert table is not None
    heads, rows = texts(table)
    rule = [":---" if column.kind == "word" else "---:" for column in table.columns]
    lines = [heads, rule, *rows]
    return "\n".join([*title, *(f"| {' | '.join(map(_cell, line))} |" for line in lines)])


def _cell(text: str) -> str:
    return text.replace("|", "\\|")
