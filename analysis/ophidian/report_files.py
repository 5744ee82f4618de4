"""Files of reports, read again: JSON of the commands of ``ophidian`` that a page is made from."""

from __future__ import annotations

from pathlib import Path
from typing import TypeAlias

from analysis import report_files
from analysis.ophidian.decks import DeckCheckReport, TeamsReport
from analysis.ophidian.matches import MatchReport
from analysis.ophidian.reports import SCHEMA_NUMBER, DuelsReport, FightReport, ResponseReport
from analysis.ophidian.worth import WorthReport

__all__ = ["Report", "Source", "read"]

Report: TypeAlias = (
    FightReport | DuelsReport | WorthReport | ResponseReport | TeamsReport | DeckCheckReport | MatchReport
)
Source: TypeAlias = report_files.Source[Report]

_KINDS: dict[type[Report], str] = {
    FightReport: "ophidian solve",
    DuelsReport: "ophidian duel",
    WorthReport: "ophidian worth",
    ResponseReport: "ophidian response",
    TeamsReport: "ophidian teams",
    DeckCheckReport: "ophidian deck check",
    MatchReport: "ophidian match",
}


def read(path: Path) -> Source:
    """Return what a file says; RequestError if no page can be made from it."""
    return report_files.read(path, _KINDS, "ophidian", {"game": "ophidian"}, SCHEMA_NUMBER)
