"""Files of reports, read again: JSON of the commands of ``warage`` that a page is made from."""

from __future__ import annotations

from pathlib import Path
from typing import TypeAlias

from analysis import report_files
from analysis.warage.deck_reports import TableReport, ValueReport
from analysis.warage.reports import SCHEMA_NUMBER, BalanceReport, MatchReport, RaceReport, WorthReport

Report: TypeAlias = RaceReport | WorthReport | MatchReport | BalanceReport | ValueReport | TableReport
Source: TypeAlias = report_files.Source[Report]

_KINDS: dict[type[Report], str] = {
    RaceReport: "warage race",
    WorthReport: "warage worth",
    MatchReport: "warage match",
    BalanceReport: "warage balance",
    ValueReport: "warage deck value",
    TableReport: "warage brawl",
}


def read(path: Path) -> Source:
    """Return what a file says; RequestError if no page can be made from it."""
    return report_files.read(path, _KINDS, "warage", {"card_set": None}, SCHEMA_NUMBER)
