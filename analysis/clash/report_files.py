"""Files of reports, read again: JSON of ``clash solve``, ``balance``, ``solo`` and ``match``."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

import msgspec

from analysis.clash.balance_reports import BalanceReport
from analysis.clash.game_reports import MatchReport, SoloReport
from analysis.clash.reports import SCHEMA_NUMBER, BattleReport
from analysis.errors import RequestError

Report: TypeAlias = BattleReport | BalanceReport | SoloReport | MatchReport

#: A key that only this report has, the report, and who writes it.
_KINDS: tuple[tuple[str, type[Report], str], ...] = (
    ("first", BattleReport, "clash solve"),
    ("cells", BalanceReport, "clash balance"),
    ("difficulties", SoloReport, "clash solo"),
    ("deals", MatchReport, "clash match"),
)


@dataclass(frozen=True)
class Source:
    """A file: its name, who writes such files, and what it says."""

    name: str
    command: str
    report: Report


def read(path: Path) -> Source:
    """Return what a file says, its kind told by its keys; RequestError if no page can be made from it."""
    name = str(path)
    try:
        data = path.read_bytes()
        found = msgspec.json.decode(data)
    except OSError as error:
        raise RequestError(f"cannot read {name}: {error.strerror}") from None
    except msgspec.DecodeError as error:
        raise RequestError(f"{name} is no JSON: {error}") from None
    known = ", ".join(dict.fromkeys(command for _, _, command in _KINDS))
    if not isinstance(found, dict) or found.get("game") != "clash":
        raise RequestError(f"{name} is no report of clash; a page is made from those of {known}")
    if found.get("schema") != SCHEMA_NUMBER:
        raise RequestError(f"{name} was written by another version; ask again")
    for key, kind, command in reversed(_KINDS):
        if key in found and (kind is not BattleReport or "assaults" in found):
            try:
                return Source(name, command, msgspec.json.decode(data, type=kind))
            except msgspec.ValidationError as error:
                raise RequestError(f"{name} was written by another version, or changed: {error}") from None
    raise RequestError(f"{name} is none of the reports that a page is made from: {known}")
