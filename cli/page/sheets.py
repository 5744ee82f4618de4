"""Pages that show each report as its tables, one after another, with charts where they say more."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Generic, NoReturn, TypeVar

import click

from analysis.report_files import Source
from analysis.version import __version__
from cli.grid import Section, View
from cli.page.charts import Chart
from cli.page.command import PageOutput, command_line
from cli.page.rendering import environment

_Report = TypeVar("_Report")

#: The argument of the commands that write such pages.
files_argument = click.argument(
    "files", nargs=-1, required=True, type=click.Path(path_type=Path, exists=True, dir_okay=False)
)


@dataclass(frozen=True)
class Part(Generic[_Report]):
    """How a report is shown.

    Attributes
    ----------
    view : what gives its tables and notes.
    charts : as far as there are any.
    """

    title: str
    view: View[_Report]
    charts: Sequence[Chart | None] = ()


@dataclass(frozen=True)
class About:
    """What the page says of the rules that its reports are about.

    Attributes
    ----------
    names : of the rules, by report.
    sha256 : the same.
    assumed : a sentence on what is assumed in them, or None.
    """

    names: Sequence[str]
    sha256: Sequence[str]
    assumed: str | None


@dataclass(frozen=True)
class Sheet:
    """A part of the page: a report; `id` of its heading, `notes` sentences beneath."""

    id: str
    title: str
    source: Source[Any]
    charts: list[Chart]
    tables: list[Section]
    notes: list[str]
    sha256: str


def page(
    package: str,
    sources: Sequence[Source[_Report]],
    part: Callable[[_Report], Part[_Report]],
    about: About,
    command: str,
) -> str:
    """Return the page about some files.

    Parameters
    ----------
    package : str
        Whose template ``page.html.j2`` is filled; it extends ``sheets.html.j2``.
    sources : sequence
        One at least.
    part : callable
        How a report is shown.
    about : About
    command : str
        The command line that it is made by.
    """
    sheets = [_sheet(place, source, part(source.report), about) for place, source in enumerate(sources)]
    text: str = (
        environment(package)
        .get_template("page.html.j2")
        .render(
            sheets=sheets,
            names=list(dict.fromkeys(about.names)),
            assumed=about.assumed,
            command=command,
            version=__version__,
        )
    )
    return text


def write_page(
    program: str,
    files: Sequence[Path],
    read: Callable[[Path], Source[_Report]],
    made: Callable[[Sequence[Source[_Report]], str], str],
    out: PageOutput,
) -> NoReturn:
    """Read files, write the page that is `made` of them and the command line, and leave."""
    sources = [read(path) for path in files]
    files_read = "1 file" if len(sources) == 1 else f"{len(sources)} files"
    out.finish(made(sources, command_line(program)), f"made from {files_read}")


def _sheet(place: int, source: Source[_Report], part: Part[_Report], about: About) -> Sheet:
    tables = part.view.sections(source.report)
    charts = [chart for chart in part.charts if chart is not None]
    # The page says once for all what is assumed.
    notes = [note for note in part.view.notes(source.report) if note != about.assumed]
    titled = [_titled(table, part.title) for table in tables]
    return Sheet(f"part-{place + 1}", part.title, source, charts, titled, notes, about.sha256[place][:16])


def _titled(table: Section, title: str) -> Section:
    """A table needs a caption, and the page's own macro a number of columns that hold words."""
    first = next((column for column in range(len(table.head)) if column not in table.words), len(table.head))
    return replace(table, title=table.title or title, left=first)
