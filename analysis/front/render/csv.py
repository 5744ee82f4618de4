"""A page's first table as CSV: keys, and numbers at full precision."""

from __future__ import annotations

import csv
import io

from analysis.front.page import Page


def csv_text(page: Page) -> str:
    """Return a line of keys, and a line for each row; nothing is in it where a page has no table."""
    rows = page.rows()
    names = list(dict.fromkeys(name for row in rows for name in row))
    text = io.StringIO()
    writer = csv.DictWriter(text, names, lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()
