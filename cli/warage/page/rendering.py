"""The page itself: every report as its tables, with charts where they say more."""

from __future__ import annotations

from collections.abc import Sequence

from analysis.warage.deck_reports import ValueReport
from analysis.warage.report_files import Report, Source
from analysis.warage.reports import BalanceReport, MatchReport, RaceReport, WorthReport
from cli.page import sheets
from cli.page.sheets import About, Part
from cli.warage.page.charts import against_chart, cards_chart, season_chart, worth_chart
from cli.warage.views import deck, match, race, tables, worth


def page(sources: Sequence[Source], command: str) -> str:
    """Return the page about some files, one at least, and the command line that it is made by."""
    cards = [source.report.card_set for source in sources]
    most = max(each.assumed for each in cards)
    said = f"{100 * most:.0f} % of the values of the cards are assumptions: no list of them is public."
    about = About([each.name for each in cards], [each.sha256 for each in cards], said if most else None)
    return sheets.page("cli.warage.page", sources, _part, about, command)


def _part(report: Report) -> Part[Report]:
    part: object
    if isinstance(report, RaceReport):
        part = Part(f"Race: {' against '.join(report.heroes)}", race.RACE)
    elif isinstance(report, WorthReport):
        part = Part(f"Prices: {' against '.join(report.heroes)}", worth, [worth_chart(report)])
    elif isinstance(report, MatchReport):
        part = Part(f"Match: {' against '.join(each.deck for each in report.players)}", match.MATCH)
    elif isinstance(report, BalanceReport):
        charts = [against_chart(report), season_chart(report)]
        part = Part("Everybody against everybody", match.BALANCE, charts)
    elif isinstance(report, ValueReport):
        part = Part(f"Cards of {report.deck}", deck.VALUE, [cards_chart(report)])
    else:
        part = Part(f"Table of {len(report.seats)}", tables)
    return part  # type: ignore[return-value]
