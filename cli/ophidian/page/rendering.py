"""The page itself: every report as its tables, with charts where they say more."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from analysis.ophidian.decks import DeckCheckReport, TeamsReport
from analysis.ophidian.report_files import Report, Source
from analysis.ophidian.reports import DuelsReport, FightReport, ResponseReport
from analysis.ophidian.worth import WorthReport
from cli.grid import Section, Shown
from cli.ophidian.page.charts import (
    changes_chart,
    duels_chart,
    gladiators_chart,
    teams_chart,
    thresholds_chart,
)
from cli.ophidian.views import duels, fight, match, response, worth
from cli.ophidian.views.decks import DECK, TeamsView
from cli.page import sheets
from cli.page.sheets import About, Part


def page(sources: Sequence[Source], command: str) -> str:
    """Return the page about some files, one at least, and the command line that it is made by."""
    rules = [source.report.rules for source in sources]
    assumed = next((each.illustrative for each in rules if each.illustrative), None)
    about = About([each.name for each in rules], [each.sha256 for each in rules], assumed)
    return sheets.page("cli.ophidian.page", sources, _part, about, command)


def _duels_without_signs(report: DuelsReport) -> list[Section]:
    """Its column of signs is for terminals; here the heat-map has them."""
    found = []
    for table in duels.sections(report):
        head, *rows = ([*cells[:1], *cells[2:]] for cells in (table.head, *table.rows))
        found.append(replace(table, head=head, rows=rows, left=1))
    return found


def _part(report: Report) -> Part[Report]:
    part: object
    if isinstance(report, FightReport):
        title = f"{report.team.name} against {report.against.name}, wave {report.wave}"
        part = Part(title, fight.View(details=True))
    elif isinstance(report, DuelsReport):
        view = Shown(duels.csv_rows, _duels_without_signs, duels.notes)
        part = Part("One gladiator against another", view, [duels_chart(report)])
    elif isinstance(report, WorthReport):
        part = Part(
            f"What things are worth, {report.size} against {report.size}",
            worth,
            [changes_chart(report), gladiators_chart(report)],
        )
    elif isinstance(report, ResponseReport):
        charts = [thresholds_chart(report)]
        part = Part(f"Whether to dare: {report.attack}", response.View(), charts)
    elif isinstance(report, TeamsReport):
        part = Part("Teams", TeamsView(), [teams_chart(report)])
    elif isinstance(report, DeckCheckReport):
        part = Part(f"Deck {report.name}", DECK)
    else:
        part = Part(f"Match: {' against '.join(report.players)}", match)
    return part  # type: ignore[return-value]
