"""The page itself: every report as its tables, with charts where they say more."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from analysis.version import __version__
from analysis.warage.deck_reports import ValueReport
from analysis.warage.report_files import Report, Source
from analysis.warage.reports import BalanceReport, MatchReport, RaceReport, WorthReport
from cli.grid import Section, Shown
from cli.page.charts import Chart
from cli.page.rendering import environment
from cli.warage.page.charts import against_chart, cards_chart, season_chart, worth_chart
from cli.warage.views import deck, match, race, tables, worth


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
    most = max(source.report.card_set.assumed for source in sources)
    said = f"{100 * most:.0f} % of the values of the cards are assumptions: no list of them is public."
    text: str = (
        environment("cli.warage.page")
        .get_template("page.html.j2")
        .render(
            sheets=[_sheet(number, source) for number, source in enumerate(sources, 1)],
            names=list(dict.fromkeys(source.report.card_set.name for source in sources)),
            assumed=said if most else None,
            command=command,
            version=__version__,
        )
    )
    return text


def _sheet(number: int, source: Source) -> Sheet:
    title, charts, view = _parts(source.report)
    shown = [table for table in view.sections(source.report) if table.rows]
    headed = [table if table.title else Section(title, table.head, table.rows, table.left) for table in shown]
    found = [chart for chart in charts if chart is not None]
    return Sheet(f"part-{number}", title, source, found, headed, list(view.notes(source.report)))


def _parts(report: Report) -> tuple[str, list[Chart | None], Shown[Report]]:
    """A report's title, charts and view."""
    view: object
    charts: list[Chart | None] = []
    if isinstance(report, RaceReport):
        title, view = f"Race: {' against '.join(report.heroes)}", race.RACE
    elif isinstance(report, WorthReport):
        title, view, charts = f"Prices: {' against '.join(report.heroes)}", worth, [worth_chart(report)]
    elif isinstance(report, MatchReport):
        title, view = f"Match: {' against '.join(each.deck for each in report.players)}", match.MATCH
    elif isinstance(report, BalanceReport):
        title, view = "Everybody against everybody", match.BALANCE
        charts = [against_chart(report), season_chart(report)]
    elif isinstance(report, ValueReport):
        title, view, charts = f"Cards of {report.deck}", deck.VALUE, [cards_chart(report)]
    else:
        title, view = f"Table of {len(report.seats)}", tables
    return title, charts, view  # type: ignore[return-value]
