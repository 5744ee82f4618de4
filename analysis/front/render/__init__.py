"""Pages as text: the only place where a number of a page becomes characters."""

from __future__ import annotations

from typing import Any

import msgspec

from analysis.front.page import Page

__all__ = ["FORMATS", "in_format"]

FORMATS = ("table", "json", "csv", "md", "html", "page")
"""Of every question: for a terminal, the answer, its rows, Markdown, for a browser, and the page as data."""


def in_format(page: Page, answer: Any, form: str, *, details: bool = False) -> str:
    """Return an answer in one of the formats.

    Parameters
    ----------
    details : whether a terminal shows everything; the others always do.
    """
    if form == "json":
        return as_json(answer)
    if form == "page":
        return as_json(page)
    if form == "csv":
        from analysis.front.render.csv import csv_text

        return csv_text(page)
    if form == "md":
        from analysis.front.render.markdown import markdown_text

        return markdown_text(page)
    if form == "html":
        from analysis.front.render.html import html_text

        return html_text(page, answer)
    from analysis.front.render.text import plain_text

    return plain_text(page if details else page.brief(), more=not details and page.details is not None)


def as_json(value: Any) -> str:
    """Return a struct as indented JSON."""
    return msgspec.json.format(msgspec.json.encode(value), indent=2).decode() + "\n"
