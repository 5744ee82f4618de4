"""``clash report``: kept answers as a page to show to colleagues."""

from __future__ import annotations

from pathlib import Path

import click

from analysis.clash.report_files import read
from cli.entry import command
from cli.page.command import PAGE_MODULES, PageOutput, check_extra, command_line, with_page


@command("report")
@click.argument(
    "files", nargs=-1, required=True, type=click.Path(path_type=Path, exists=True, dir_okay=False)
)
@with_page
def report(files: tuple[Path, ...], out: PageOutput) -> None:
    """Write one HTML page that needs no network: battles, what icons and cards are worth, clans, matches.

    FILES are what clash solve, balance, solo and match wrote with --format json. Nothing is solved or played.

    Needs the extra `report` (pip install 'arena-solver[report]').

    \b
    Examples:
      clash balance --clans bohorg,tomb --points 4 --battles 5 --format json --output balance.json
      clash solve --attacker "bohorg: 3 I" --defender "tomb: 2 II" --format json --output battle.json
      clash report battle.json balance.json -o clash.html

    \b
    Exit codes: 0 written; 1 the extra `report` is missing; 2 wrong usage, or a file that is none of these.
    """
    check_extra(PAGE_MODULES, "clash solve, clash balance")
    sources = [read(path) for path in files]
    from cli.clash.page.rendering import page

    files_read = "1 file" if len(sources) == 1 else f"{len(sources)} files"
    out.finish(page(sources, command_line("clash")), f"made from {files_read}")
