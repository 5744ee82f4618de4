"""The option of commands that write a file for other programs."""

from __future__ import annotations

from pathlib import Path

import click

from analysis.files import check_output
from cli.options import bundle


def _checked(output: Path) -> Path:
    check_output(output)
    return output


#: The function gets `output`, a file that can be written.
with_file = bundle(
    "output",
    _checked,
    click.option(
        "--output",
        "-o",
        required=True,
        type=click.Path(path_type=Path, dir_okay=False),
        help="File to write; replaced only by a finished one.",
    ),
)
