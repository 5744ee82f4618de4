"""The site in a headless Chromium: `pytest -m browser`, with the extras `browser` and `dev`."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("zensical", reason="the site needs the extra `dev`")
pytest.importorskip("mkdocstrings", reason="the site needs the extra `dev`")

from tests.browser import barriers, launched, too_wide, with_axe

pytestmark = pytest.mark.browser
ROOT = Path(__file__).resolve().parents[1]
PAGES = (
    "README",
    "docs/tutorial",
    "docs/tutorial-app",
    "docs/concepts",
    "docs/rules-files",
    "docs/reference-warage",
    "docs/api/clash",
    "docs/api/answers",
    "docs/architecture",
    "docs/roadmap",
    "CHANGELOG",
    "404.html",
)
"""One of each kind: texts, pictures, wide tables, long lines of code, generated pages."""


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing."""


@pytest.fixture(scope="module")
def site() -> Iterator[str]:
    """The site's address, built anew."""
    built = subprocess.run([sys.executable, ROOT / "packaging" / "site"], capture_output=True, text=True)
    assert built.returncode == 0, built.stdout + built.stderr
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(_Quiet, directory=ROOT / "build" / "site"))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


@pytest.fixture(scope="module")
def chromium() -> Iterator[Any]:
    with launched() as found:
        yield found


def test_pages_fit_a_narrow_window_and_load_nothing_from_elsewhere(chromium: Any, site: str) -> None:
    page = chromium.new_page(viewport={"width": 390, "height": 800})
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    wide = {}
    for name in PAGES:
        page.goto(f"{site}/{name}")
        assert page.locator("h1").count() == 1, name
        wide[name] = too_wide(page)
    page.close()
    assert not any(wide.values()), wide
    assert [url for url in asked if not url.startswith((site, "data:", "blob:"))] == []


@with_axe
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_pages_are_accessible(chromium: Any, site: str, scheme: str) -> None:
    found = {}
    for width in (390, 1280):
        page = chromium.new_page(viewport={"width": width, "height": 800}, color_scheme=scheme)
        for name in PAGES:
            page.goto(f"{site}/{name}")
            found[name, width] = barriers(page)
        page.close()
    assert not any(found.values()), {place: each for place, each in found.items() if each}
