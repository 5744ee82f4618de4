"""Draw the README's picture: what `ragers-solve --patron Arianna` prints, as docs/ragers-solve.svg."""

from __future__ import annotations

import io
import subprocess
from pathlib import Path

import msgspec
from rich.console import Console

from analysis.ragers.answers.report import SolveReport
from cli.ragers.views.solve import WIDTH, print_report

COMMAND = ["ragers-solve", "--patron", "Arianna"]


def main() -> None:
    """Run the command and write the picture."""
    answer = subprocess.run([*COMMAND, "--format", "json"], check=True, capture_output=True).stdout
    console = Console(record=True, width=WIDTH, file=io.StringIO(), highlight=False)
    print_report(msgspec.json.decode(answer, type=SolveReport), console)
    svg = console.export_svg(title=" ".join(COMMAND))
    Path(__file__).with_name("ragers-solve.svg").write_text(svg, encoding="utf-8")


if __name__ == "__main__":
    main()
