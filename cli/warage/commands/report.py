"""``warage report``: kept answers as a page to show to colleagues."""

from __future__ import annotations

from pathlib import Path

from cli.entry import command
from cli.page.command import PAGE_MODULES, PageOutput, check_extra, with_page
from cli.page.sheets import files_argument, write_page


@command("report")
@files_argument
@with_page
def report(files: tuple[Path, ...], out: PageOutput) -> None:
    """Write one HTML page that needs no network: races, prices, decks and heroes against each other.

    FILES are what warage race, worth, match, balance, deck value, brawl and guild wrote with --format json.
    Nothing is solved or played.

    Needs the extra `report` (pip install 'arena-solver[report]').

    \b
    Examples:
      warage balance --heroes --jobs 2 --format json --output heroes.json
      warage worth orc/warrior:war-axe elf/mage:fireball --format json --output worth.json
      warage report heroes.json worth.json -o warage.html

    \b
    Exit codes: 0 written; 1 the extra `report` is missing; 2 wrong usage, or a file that is none of these.
    """
    check_extra(PAGE_MODULES, "warage race, warage balance")
    from analysis.warage.report_files import read
    from cli.warage.page.rendering import page

    write_page("warage", files, read, page, out)
