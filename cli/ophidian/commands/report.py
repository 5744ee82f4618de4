"""``ophidian report``: kept answers as a page to show to colleagues."""

from __future__ import annotations

from pathlib import Path

from cli.entry import command
from cli.page.command import PAGE_MODULES, PageOutput, check_extra, with_page
from cli.page.sheets import files_argument, write_page


@command("report")
@files_argument
@with_page
def report(files: tuple[Path, ...], out: PageOutput) -> None:
    """Write one HTML page that needs no network: duels, what things are worth, teams, attacks, matches.

    FILES are what ophidian solve, duel, worth, response, teams, deck check and match wrote with --format
    json. Nothing is solved or played.

    Needs the extra `report` (pip install 'arena-solver[report]').

    \b
    Examples:
      ophidian duel --set match.extra_waves=0 --format json --output duels.json
      ophidian worth --format json --output worth.json
      ophidian report duels.json worth.json -o ophidian.html

    \b
    Exit codes: 0 written; 1 the extra `report` is missing; 2 wrong usage, or a file that is none of these.
    """
    check_extra(PAGE_MODULES, "ophidian duel, ophidian worth")
    from analysis.ophidian.report_files import read
    from cli.ophidian.page.rendering import page

    write_page("ophidian", files, read, page, out)
