"""Reads a report page: what its tables say, where its links lead, whether its elements are nested well."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import Any

_VOID = {"meta", "link", "input", "br", "img"}
#: Elements whose words do not belong to the cell around them.
_UNSEEN = {"script", "style"}


@dataclass
class Table:
    """A table: caption, heads, and rows of cell texts."""

    id: str
    caption: str = ""
    rows: list[list[str]] = field(default_factory=list)

    @property
    def head(self) -> list[str]:
        """Its first row."""
        return self.rows[0]

    def column(self, title: str) -> list[str]:
        """Return the cells under a head."""
        at = self.head.index(title)
        return [row[at] for row in self.rows[1:]]


class PageReader(HTMLParser):
    """Everything the tests ask of a page, collected while it is parsed."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.ids: list[str] = []
        self.links: list[str] = []
        self.tables: list[Table] = []
        self.attributes: list[tuple[str, dict[str, str]]] = []
        self.scripts: dict[str, str] = {}
        self.title = ""
        self._open: list[tuple[str, dict[str, str]]] = []
        self.feed(text)
        self.close()
        assert not self._open, self._open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note an element."""
        attributes = {name: value or "" for name, value in attrs}
        self.attributes.append((tag, attributes))
        if "id" in attributes:
            self.ids.append(attributes["id"])
        if tag == "a":
            self.links.append(attributes["href"])
        if tag == "table":
            self.tables.append(Table(attributes.get("id", "")))
        if tag == "tr":
            self.tables[-1].rows.append([])
        if tag in ("td", "th"):
            self.tables[-1].rows[-1].append("")
        if tag not in _VOID:
            self._open.append((tag, attributes))

    def handle_endtag(self, tag: str) -> None:
        """Check that what ends is what began last."""
        assert self._open, tag
        assert self._open.pop()[0] == tag, (tag, self.getpos())

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note an element without content, as SVG has them."""
        self.attributes.append((tag, {name: value or "" for name, value in attrs}))

    def handle_data(self, data: str) -> None:
        """Note the words of cells, captions, and scripts with data."""
        names = [tag for tag, _ in self._open]
        if names and names[-1] == "script":
            self.scripts[self._open[-1][1].get("id", "")] = data
        if not names or names[-1] in _UNSEEN:
            return
        if "title" in names:
            self.title += data
        if "caption" in names:
            self.tables[-1].caption += data
        elif "td" in names or "th" in names:
            row = self.tables[-1].rows[-1]
            row[-1] = (row[-1] + data).strip()

    def table(self, name: str) -> Table:
        """Return the only table with this id or caption."""
        (found,) = [table for table in self.tables if name in (table.id, table.caption)]
        return found

    def data(self, name: str) -> Any:
        """Return what an embedded JSON script holds."""
        return json.loads(self.scripts[name])
