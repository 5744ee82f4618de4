"""The page itself: every report as its tables, with charts where they say more."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from analysis.clash.balance_reports import BalanceReport
from analysis.clash.game_reports import SoloReport
from analysis.clash.report_files import Report, Source
from analysis.clash.reports import BattleReport
from analysis.version import __version__
from cli.clash.page.charts import clans_chart, ends_chart, worth_chart
from cli.clash.views import balance, battle, games
from cli.grid import Section
from cli.page.charts import Chart
from cli.page.rendering import environment


@dataclass(frozen=True)
class Sheet:
    """A part of the page: a report.

    Attributes
    ----------
    id : of its heading, for links.
    notes : sentences beneath.
    """

    id: str
    title: str
    source: Source
    charts: list[Chart]
    tables: list[Section]
    notes: list[str]


def page(sources: Sequence[Source], command: str) -> str:
    """Return the page about some files, one at least, and the command line that it is made by."""
    said = [source.report.rules.illustrative for source in sources]
    text: str = (
        environment("cli.clash.page")
        .get_template("page.html.j2")
        .render(
            sheets=[_sheet(number, source) for number, source in enumerate(sources, 1)],
            names=list(dict.fromkeys(source.report.rules.name for source in sources)),
            illustrative=next((each for each in said if each), None),
            command=command,
            version=__version__,
        )
    )
    return text


def _sheet(number: int, source: Source) -> Sheet:
    report = source.report
    title, charts, tables, notes = _parts(report)
    # Text pictures are for terminals.
    shown = [table for table in tables if table.rows]
    return Sheet(f"part-{number}", title, source, charts, [_headed(table, title) for table in shown], notes)


def _headed(table: Section, title: str) -> Section:
    return table if table.title else Section(title, table.head, table.rows, table.left)


def _parts(report: Report) -> tuple[str, list[Chart], list[Section], list[str]]:
    if isinstance(report, BattleReport):
        title = f"{battle.army_text(report.attacker)} against {battle.army_text(report.defender)}"
        return title, [ends_chart(report)], battle.sections(report), battle.notes(report)
    if isinstance(report, BalanceReport):
        charts = [clans_chart(report), *(worth_chart(report, kind) for kind in ("icon", "card", "unit"))]
        title = f"Balance of {', '.join(report.clans)}, {report.points:g} points"
        found = [chart for chart in charts if chart is not None]
        return title, found, balance.sections(report), balance.notes(report)
    if isinstance(report, SoloReport):
        return f"Solo, {report.policy}", [], games.solo_sections(report), games.solo_notes(report)
    title = " against ".join(each.name for each in report.players)
    return f"Match: {title}", [], games.match_sections(report), games.match_notes(report)
