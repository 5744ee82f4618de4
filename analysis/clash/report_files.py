"""Files of reports, read again: JSON of ``clash solve`` and ``balance``."""

from __future__ import annotations

from pathlib import Path
from typing import TypeAlias

from analysis import report_files
from analysis.clash.balance_reports import BalanceReport
from analysis.clash.reports import SCHEMA_NUMBER, BattleReport

Report: TypeAlias = BattleReport | BalanceReport
Source: TypeAlias = report_files.Source[Report]

_KINDS: dict[type[Report], str] = {
    BattleReport: "clash solve",
    BalanceReport: "clash balance",
}


def read(path: Path) -> Source:
    """Return what a file says; RequestError if no page can be made from it."""
    return report_files.read(path, _KINDS, "clash", {"game": "clash"}, SCHEMA_NUMBER)
