"""Pages for a browser, from one set of macros: as a file, or in a site. Scripts only sort long tables.

Bars and heat-maps are tables with marks in their cells, so screen readers read them and every chart prints.
No element has a style of its own: a strict Content-Security-Policy holds.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from analysis.errors import WorkError
from analysis.estimates import Estimate
from analysis.front.page import Board, Cell, Curve, Facts, Follow, Heat, Mix, Page, Section, Sides, Table
from analysis.front.render.drawings import curve_svg, sides_drawn
from analysis.front.render.numbers import cell_text
from analysis.front.render.tables import as_table, fact_lines, texts, unit_of

__all__ = ["SCRIPT", "STYLE", "Link", "environment", "html_text", "shown_sections"]

Link = Callable[[Follow], str]
"""Where a site answers a question."""
STYLE = Path(__file__).parent / "templates" / "sections.css"
"""How sections look, for a site's style sheets."""
SCRIPT = STYLE.with_suffix(".js")
"""What sorts their tables."""
_SURE = {"certain": "yes", "verdict": "effect"}
"""What columns say, by their keys, where a row is certain."""
_MANY = 12
"""Rows of a table that is sorted and filtered."""
_STEPS = 9
"""Shades of a heat-map; of one around nothing, to either side."""


def environment(package: str = "analysis.front.render") -> Any:
    """Return the Jinja environment of a package's templates, which may import `sections.html.j2`.

    Raises
    ------
    WorkError
        If Jinja is not installed.
    """
    try:
        import jinja2
    except ImportError:
        raise WorkError("HTML needs more: pip install 'arena-solver[report]'") from None
    loaders = [jinja2.PackageLoader(each) for each in dict.fromkeys((package, "analysis.front.render"))]
    return jinja2.Environment(
        loader=jinja2.ChoiceLoader(loaders),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


@cache
def _template() -> Any:
    return environment().get_template("page.html.j2")


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
    title = " ".join(filter(None, (getattr(answer, "game", ""), getattr(answer, "question", ""))))
    groups = [(head, shown_sections(sections)) for head, sections in _groups(page.sections)]
    many = any(each["many"] for _, sections in groups for each in sections)
    written: str = _template().render(
        title=title or page.headline,
        page=page,
        groups=groups,
        style=STYLE.read_text(encoding="utf-8"),
        script=SCRIPT.read_text(encoding="utf-8") if many else "",
    )
    return written


def _groups(sections: Sequence[Section]) -> list[tuple[str, list[Section]]]:
    """Facts without a line are the heading of what follows, which unfolds; what has none comes first."""
    groups: list[tuple[str, list[Section]]] = [("", [])]
    for section in sections:
        if isinstance(section, Facts) and section.title and not section.facts:
            groups.append((section.title, []))
        else:
            groups[-1][1].append(section)
    return groups if groups[0][1] else groups[1:] or groups


def shown_sections(sections: Sequence[Section], link: Link | None = None) -> list[dict[str, Any]]:
    """Return what the macros need of sections, numbers written.

    Parameters
    ----------
    link : where to follow what leads on; None where there is no site.
    """
    return [_section(section, link) for section in sections]


def _section(section: Section, link: Link | None) -> dict[str, Any]:
    shown = {
        "title": section.title,
        "kind": type(section).__name__.lower(),
        "heads": [],
        "rows": [],
        "many": False,
        "barred": False,
    }
    if isinstance(section, Facts):
        return shown | {"facts": fact_lines(section)}
    if isinstance(section, Board):
        return shown | {"lines": section.lines}
    if isinstance(section, Heat):
        return shown | _squares(section, link)
    table = as_table(section)
    assert table is not None
    if isinstance(section, Sides):
        names = {column.key: column.head for column in section.columns}
        shown |= {"drawn": sides_drawn(section), "one": names["before"], "other": names["after"]}
    if isinstance(section, Mix):
        table = Table(table.columns, sorted(table.rows, key=lambda row: -_number(row[1])), section.title)
    return shown | _table(table, link) | {"svg": curve_svg(section) if isinstance(section, Curve) else ""}


def _number(cell: Cell) -> float:
    return float(cell) if isinstance(cell, int | float) else 0.0


def _href(follow: Follow | None, link: Link | None) -> str:
    return "" if follow is None or link is None else link(follow)


def _table(table: Table, link: Link | None) -> dict[str, Any]:
    heads, rows = texts(table)
    words = [column.kind == "word" for column in table.columns]
    links = [_href(each, link) for each in table.follow] or [""] * len(rows)
    shown = []
    for cells, row, href in zip(rows, table.rows, links, strict=True):
        shown.append(
            [
                {
                    "text": text,
                    "word": word,
                    "href": href if not place else "",
                    "bar": _bar(cell, column.kind),
                }
                for place, (text, word, cell, column) in enumerate(
                    zip(cells, words, row, table.columns, strict=True)
                )
            ]
        )
    # Only what is certain is coloured.
    told = next(
        ((place, _SURE[column.key]) for place, column in enumerate(table.columns) if column.key in _SURE),
        None,
    )
    sure = [told is not None and row[told[0]] == told[1] for row in table.rows]
    many = len(shown) >= _MANY
    barred = not many and sum(column.kind == "share" for column in table.columns) == 1
    heads_of = list(zip(heads, words, strict=True))
    return {"heads": heads_of, "rows": shown, "sure": sure, "many": many, "barred": barred}


def _bar(cell: Cell, kind: str) -> dict[str, float] | None:
    """A share as a bar of a hundred, with its interval; None for what is none."""
    if kind != "share":
        return None
    if isinstance(cell, Estimate):
        if cell.mean is None:
            return None
        low, high = (cell.mean if end is None else end for end in (cell.low, cell.high))
        return {"mean": _percent(cell.mean), "low": _percent(low), "width": _percent(high - low)}
    if not isinstance(cell, int | float):
        return None
    return {"mean": _percent(cell), "low": 0.0, "width": 0.0}


def _percent(share: float) -> float:
    return round(100.0 * min(max(share, 0.0), 1.0), 2)


def _squares(section: Heat, link: Link | None) -> dict[str, Any]:
    known = [value for row in section.cells for value in row if value is not None]
    low, high = (min(known), max(known)) if known else (0.0, 0.0)
    around = section.kind in ("signed", "gain") and low < 0.0 < high
    follow = section.follow or [[None] * len(section.columns) for _ in section.rows]
    rows = [
        [
            {
                "text": cell_text(value, section.kind) + (unit_of(section.kind) if value is not None else ""),
                "shade": _shade(value, low, high, around=around),
                "href": _href(each, link),
            }
            for value, each in zip(cells, leads, strict=True)
        ]
        for cells, leads in zip(section.cells, follow, strict=True)
    ]
    return {
        "corner": f"{section.y} \\ {section.x}",
        "heads": [cell_text(each, "word") for each in section.columns],
        "rows": list(zip([cell_text(each, "word") for each in section.rows], rows, strict=True)),
    }


def _shade(value: float | None, low: float, high: float, *, around: bool) -> str:
    if value is None or high <= low:
        return "none"
    if around:
        step = round(_STEPS * abs(value) / max(-low, high))
        return f"{'below' if value < 0 else 'above'}-{step}"
    return f"above-{round(_STEPS * (value - low) / (high - low))}"
