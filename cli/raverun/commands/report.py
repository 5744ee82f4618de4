"""``raverun report``: kept answers and matches as a page to show to colleagues."""

from __future__ import annotations

from pathlib import Path

import click

from cli.entry import command
from cli.page.command import PAGE_MODULES, PageOutput, check_extra, command_line, with_page


@command("report")
@click.argument("files", nargs=-1, type=click.Path(path_type=Path, exists=True, dir_okay=False))
@with_page
def report(files: tuple[Path, ...], out: PageOutput) -> None:
    """Write one HTML page that needs no network: who wins from whom, what cards and actions are worth.

    FILES are what raverun solve, train and match wrote with --format json; without any, those that come with
    the package (results/raverun). Nothing is solved or played. Every number has its confidence interval, and
    what is known of the distance from an equilibrium is a lower bound.

    Needs the extra `report` (pip install 'arena-solver[report]').

    \b
    Examples:
      raverun report -o raverun.html
      raverun solve --time-limit 10m --format json --output answer.json
      raverun match --player search --deals 200 --format json --output match.json
      raverun report answer.json match.json -o mine.html

    \b
    Exit codes: 0 written; 1 the extra `report` or the carried files are missing; 2 wrong usage, or a file
    that is none of these.
    """
    check_extra(PAGE_MODULES, "raverun solve, raverun match")
    from analysis.raverun import report_files

    chosen = [(path, str(path)) for path in files] or report_files.carried()
    if not chosen:
        raise click.ClickException("no results come with this installation; name files, see --help")
    try:
        sources = [report_files.read(path, name) for path, name in chosen]
    except report_files.ReportFileError as error:
        raise click.UsageError(str(error)) from None
    from cli.raverun.page.rendering import page

    files_read = "1 file" if len(sources) == 1 else f"{len(sources)} files"
    out.finish(page(sources, command_line("raverun")), f"made from {files_read}")
