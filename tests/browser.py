"""A headless Chromium for the tests marked `browser`, and what axe-core says of a page."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

playwright = pytest.importorskip("playwright.sync_api", reason="the browser needs the extra `browser`")

_NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
with_axe = pytest.mark.skipif(
    "ARENA_SOLVER_AXE" not in os.environ, reason="ARENA_SOLVER_AXE names no axe.min.js"
)


@contextmanager
def launched() -> Iterator[Any]:
    """Start it: the one that ``ARENA_SOLVER_CHROMIUM`` names, or any on the path."""
    chosen = os.environ.get("ARENA_SOLVER_CHROMIUM") or next(filter(None, map(shutil.which, _NAMES)), None)
    with playwright.sync_playwright() as driver:
        try:
            browser = driver.chromium.launch(executable_path=chosen)
        except playwright.Error as error:
            pytest.skip(f"no Chromium to be started: {error}")
        yield browser
        browser.close()


def too_wide(page: Any) -> int:
    """Return by how many pixels a page is wider than its window."""
    found: int = page.evaluate("Math.max(0, document.documentElement.scrollWidth - innerWidth)")
    return found


def barriers(page: Any) -> list[str]:
    """Return the serious and critical findings of axe on a page."""
    page.evaluate(Path(os.environ["ARENA_SOLVER_AXE"]).read_text(encoding="utf-8"))
    return [
        f"{each['id']}: {each['nodes'][0]['html'][:120]} and {len(each['nodes']) - 1} more"
        for each in page.evaluate("axe.run()")["violations"]
        if each["impact"] in ("serious", "critical")
    ]
