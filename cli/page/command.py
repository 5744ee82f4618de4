"""What the commands that write a page share: where to, what with, and made by what."""

from __future__ import annotations

import importlib.util
import shlex
import sys
from collections.abc import Mapping
from pathlib import Path

import click

from analysis.files import STDOUT

#: Module -> package that every page needs.
PAGE_MODULES = {"jinja2": "jinja2", "vl_convert": "vl-convert-python"}

output_option = click.option(
    "--output",
    "-o",
    required=True,
    type=click.Path(path_type=Path, dir_okay=False, allow_dash=True),
    help="HTML file to write, replaced only by a finished one; - for stdout.",
)


def check_extra(needed: Mapping[str, str], instead: str) -> None:
    """Raise unless the extra `report` is installed.

    Parameters
    ----------
    needed
        Module -> package.
    instead
        What gives the numbers without a page.

    Raises
    ------
    click.ClickException
        With what to install.
    """
    lacking = [package for module, package in needed.items() if importlib.util.find_spec(module) is None]
    if lacking:
        raise click.ClickException(
            f"the page needs {' and '.join(lacking)}; install with: pip install 'arena-solver[report]'."
            f" The numbers alone: {instead}"
        )


def command_line(program: str) -> str:
    """Return the command line in force, for the page's footer; without one, that of ``program report``."""
    # Whatever stands before it: the page may have been asked for by `arena GAME report`.
    words = sys.argv[sys.argv.index("report") + 1 :] if "report" in sys.argv else []
    return shlex.join([program, "report", *words])


def summary(output: Path, parts: str) -> str:
    """Return what was written, how large it is, and `parts` of it."""
    where = "the page" if output == STDOUT else str(output)
    size_kb = 0 if output == STDOUT or not output.is_file() else round(output.stat().st_size / 1000)
    return f"{where}{f', {size_kb} kB' if size_kb else ''}; {parts}"
