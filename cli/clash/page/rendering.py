"""The page itself: every report as its tables, with charts where they say more."""

from __future__ import annotations

from collections.abc import Sequence

from analysis.clash.balance_reports import BalanceReport
from analysis.clash.report_files import Report, Source
from analysis.clash.reports import BattleReport
from cli.clash.page.charts import clans_chart, ends_chart, worth_chart
from cli.clash.views import balance, battle
from cli.grid import Section, Shown
from cli.page import sheets
from cli.page.sheets import About, Part


def page(sources: Sequence[Source], command: str) -> str:
    """Return the page about some files, one at least, and the command line that it is made by."""
    rules = [source.report.rules for source in sources]
    assumed = next((each.illustrative for each in rules if each.illustrative), None)
    about = About([each.name for each in rules], [each.sha256 for each in rules], assumed)
    return sheets.page("cli.clash.page", sources, _part, about, command)


def _without_letters(report: BalanceReport) -> list[Section]:
    """The chart shows what a terminal has to make of letters."""
    return [section for section in balance.sections(report) if section.rows]


_BALANCE = Shown(balance.csv_rows, _without_letters, balance.notes)


def _part(report: Report) -> Part[Report]:
    part: object
    if isinstance(report, BattleReport):
        title = f"{battle.army_text(report.attacker)} against {battle.army_text(report.defender)}"
        part = Part(title, battle, [ends_chart(report)])
    else:
        charts = [clans_chart(report), *(worth_chart(report, kind) for kind in ("icon", "card", "unit"))]
        part = Part(f"Balance of {', '.join(report.clans)}, {report.points:g} points", _BALANCE, charts)
    return part  # type: ignore[return-value]
