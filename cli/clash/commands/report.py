"""``clash report``: kept answers as a page to show to colleagues."""

from __future__ import annotations

from pathlib import Path

from cli.entry import command
from cli.page.command import PAGE_MODULES, PageOutput, check_extra, with_page
from cli.page.sheets import files_argument, write_page


@command("report")
@files_argument
@with_page
def report(files: tuple[Path, ...], out: PageOutput) -> None:
    """Write one HTML page that needs no network: battles, what icons and cards are worth, clans, matches.

    FILES are what clash solve and balance wrote with --format json. Nothing is solved or played.

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
    from analysis.clash.report_files import read
    from cli.clash.page.rendering import page

    write_page("clash", files, read, page, out)
