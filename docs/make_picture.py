"""Draw the README's picture: what `ragers-solve --patron Arianna` prints, as docs/ragers-solve.svg."""

from __future__ import annotations

import io
import subprocess
from pathlib import Path

from rich.console import Console

from analysis.front.render.text import WIDTH

COMMAND = ["ragers-solve", "--patron", "Arianna"]


def main() -> None:
    """Run the command and write the picture."""
    answer = subprocess.run(COMMAND, check=True, capture_output=True, text=True).stdout
    console = Console(record=True, width=WIDTH, file=io.StringIO(), highlight=False)
    console.print(answer.rstrip(), markup=False)
    svg = console.export_svg(title=" ".join(COMMAND))
    Path(__file__).with_name("ragers-solve.svg").write_text(svg, encoding="utf-8")


if __name__ == "__main__":
    main()
