"""A page for a browser: one file, without scripts or anything from elsewhere, from one template."""

from __future__ import annotations

from typing import Any

from analysis.errors import WorkError
from analysis.front.page import Board, Curve, Facts, Heat, Mix, Page, Section
from analysis.front.render.charts import chart
from analysis.front.render.tables import as_table, fact_lines, texts

__all__ = ["html_text"]


def html_text(page: Page, answer: Any = None) -> str:
    """Return a page as HTML.

    Parameters
    ----------
    answer : whose game and question stand in the title; None for neither.

    Raises
    ------
    WorkError
        If Jinja is not installed.
    """
    try:
        import jinja2
    except ImportError:
        raise WorkError("HTML needs more: pip install 'arena-solver[report]'") from None
    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("analysis.front.render"),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    title = " ".join(filter(None, (getattr(answer, "game", ""), getattr(answer, "question", ""))))
    written: str = environment.get_template("page.html.j2").render(
        title=title or page.headline, page=page, sections=list(map(_section, page.sections))
    )
    return written


def _section(section: Section) -> dict[str, Any]:
    """What the template needs of a section, numbers written."""
    shown: dict[str, Any] = {
        "title": section.title,
        "facts": [],
        "heads": [],
        "rows": [],
        "lines": [],
        "svg": "",
    }
    if isinstance(section, Facts):
        return shown | {"facts": fact_lines(section)}
    if isinstance(section, Board):
        return shown | {"lines": section.lines}
    table = as_table(section)
    assert table is not None
    heads, rows = texts(table)
    words = [column.kind == "word" for column in table.columns]
    shown |= {
        "heads": list(zip(heads, words, strict=True)),
        "rows": [list(zip(row, words, strict=True)) for row in rows],
    }
    if isinstance(section, Mix | Curve | Heat):
        shown["svg"] = chart(section)
    return shown
