"""The page itself: every report as its tables, with charts where they say more."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from analysis.ophidian.decks import DeckCheckReport, TeamsReport
from analysis.ophidian.report_files import Report, Source
from analysis.ophidian.reports import DuelsReport, FightReport, ResponseReport
from analysis.ophidian.worth import WorthReport
from analysis.version import __version__
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
from cli.page.charts import Chart
from cli.page.rendering import environment


@dataclass(frozen=True)
class Sheet:
    """A part of the page: a report; `id` of its heading, `notes` sentences beneath."""

    id: str
    title: str
    source: Source
    charts: list[Chart]
    tables: list[Section]
    notes: list[str]


def page(sources: Sequence[Source], command: str) -> str:
    """Return the page about some files, one at least, and the command line that it is made by."""
    said = [source.report.rules.illustrative for source in sources]
    illustrative = next((each for each in said if each), None)
    text: str = (
        environment("cli.ophidian.page")
        .get_template("page.html.j2")
        .render(
            sheets=[_sheet(number, source, illustrative) for number, source in enumerate(sources, 1)],
            names=list(dict.fromkeys(source.report.rules.name for source in sources)),
            illustrative=illustrative,
            command=command,
            version=__version__,
        )
    )
    return text


def _sheet(number: int, source: Source, illustrative: str | None) -> Sheet:
    title, charts, view = _parts(source.report)
    tables = [_titled(each, title) for each in view.sections(source.report)]
    if isinstance(source.report, DuelsReport):
        # Its column of signs is for terminals; here the heat-map has them.
        tables = [_without_signs(each) for each in tables]
    found = [chart for chart in charts if chart is not None]
    # The page says once for all what is illustrative.
    notes = [note for note in view.notes(source.report) if note != illustrative]
    return Sheet(f"part-{number}", title, source, found, tables, notes)


def _without_signs(table: Section) -> Section:
    head, *rows = ([*cells[:1], *cells[2:]] for cells in (table.head, *table.rows))
    return replace(table, head=head, rows=rows, left=1)


def _titled(table: Section, title: str) -> Section:
    """A table needs a caption, and the page's own macro a number of columns that hold words."""
    first = next((column for column in range(len(table.head)) if column not in table.words), len(table.head))
    return replace(table, title=table.title or title, left=first)


def _parts(report: Report) -> tuple[str, list[Chart | None], Shown[Report]]:
    """A report's title, charts and view."""
    view: object
    charts: list[Chart | None] = []
    if isinstance(report, FightReport):
        title = f"{report.team.name} against {report.against.name}, wave {report.wave}"
        view = fight.View(details=True)
    elif isinstance(report, DuelsReport):
        title, view, charts = "One gladiator against another", duels, [duels_chart(report)]
    elif isinstance(report, WorthReport):
        title, view = f"What things are worth, {report.size} against {report.size}", worth
        charts = [changes_chart(report), gladiators_chart(report)]
    elif isinstance(report, ResponseReport):
        title, view, charts = f"Whether to dare: {report.attack}", response.View(), [thresholds_chart(report)]
    elif isinstance(report, TeamsReport):
        title, view, charts = "Teams", TeamsView(), [teams_chart(report)]
    elif isinstance(report, DeckCheckReport):
        title, view = f"Deck {report.name}", DECK
    else:
        title, view = f"Match: {' against '.join(report.players)}", match
    return title, charts, view  # type: ignore[return-value]
