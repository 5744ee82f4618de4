"""What the commands that write a page share: where to, what with, and made by what."""

from __future__ import annotations

import importlib.util
import shlex
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

import click

from analysis.exit_codes import EXIT_FAILURE
from analysis.files import STDOUT, check_output
from cli.options import bundle, quiet_option
from cli.output import write_output

#: Module -> package that every page needs.
PAGE_MODULES = {"jinja2": "jinja2", "vl_convert": "vl-convert-python"}


@dataclass(frozen=True)
class PageOutput:
    """Where a page goes; with `quiet`, nothing is said of it."""

    path: Path
    quiet: bool

    def finish(self, text: str, parts: str, code: int = 0) -> NoReturn:
        """Write the page, say how large it is and what `parts` it has, and leave with `code`."""
        written = write_output(text, self.path)
        if written and not self.quiet:
            click.echo(self._summary(parts), err=True)
        raise click.exceptions.Exit(code if written else code or EXIT_FAILURE)

    def _summary(self, parts: str) -> str:
        where = "the page" if self.path == STDOUT else str(self.path)
        size_kb = 0 if self.path == STDOUT or not self.path.is_file() else self.path.stat().st_size / 1000
        return f"{where}{f', {size_kb:.0f} kB' if size_kb else ''}; {parts}"


def _page_output(output: Path, quiet: bool) -> PageOutput:
    if output != STDOUT:
        check_output(output)
    return PageOutput(output, quiet)


with_page = bundle(
    "out",
    _page_output,
    click.option(
        "--output",
        "-o",
        required=True,
        type=click.Path(path_type=Path, dir_okay=False, allow_dash=True),
        help="HTML file to write, replaced only by a finished one; - for stdout.",
    ),
    quiet_option,
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
