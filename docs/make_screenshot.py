"""Take the picture of a report page, docs/report.png (extras `report`, `browser`; a Chromium)."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

_SCENARIO = "day-solennos--two-bashers"
#: The findings, the overview, and beneath them one day unfolded, without what lies between.
_SHORTEN = f"""() => {{
    const between = "main > section:not(#findings, #overview, #scenarios), .scenario:not(#{_SCENARIO})";
    for (const node of document.querySelectorAll(between)) node.hidden = true;
    document.querySelector("#{_SCENARIO} details").open = true;
}}"""


def main() -> None:
    """Write the page to a temporary folder, open it and take the picture."""
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as driver:
        page_file = Path(folder) / "arena.html"
        subprocess.run(["ragers", "report", "-q", "-o", str(page_file)], check=True)
        browser = driver.chromium.launch(executable_path=shutil.which("chromium"))
        page = browser.new_page(viewport={"width": 1240, "height": 1500})
        page.goto(page_file.as_uri())
        page.evaluate(_SHORTEN)
        page.screenshot(path=Path(__file__).with_name("report.png"))
        browser.close()


if __name__ == "__main__":
    main()
