"""Take the picture of a report page, docs/report.png (with a Chromium)."""

from __future__ import annotations

import subprocess
import tempfile
from pathlib import Path

_BROWSER = ["chromium", "--headless", "--no-sandbox", "--hide-scrollbars", "--window-size=1240,1500"]


def main() -> None:
    """Write the page to a temporary folder, open it and take the picture."""
    with tempfile.TemporaryDirectory() as folder:
        page = Path(folder) / "arena.html"
        subprocess.run(["ragers", "balance", "-q", "--format", "html", "-o", str(page)], check=True)
        picture = Path(__file__).with_name("report.png")
        subprocess.run([*_BROWSER, f"--screenshot={picture}", page.as_uri()], check=True)


if __name__ == "__main__":
    main()
