"""Files of reports, read again: JSON of the commands of ``ophidian`` that a page is made from."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

import msgspec

from analysis.errors import RequestError
from analysis.ophidian.decks import DeckCheckReport, TeamsReport
from analysis.ophidian.matches import MatchReport
from analysis.ophidian.reports import SCHEMA_NUMBER, DuelsReport, FightReport, ResponseReport
from analysis.ophidian.worth import WorthReport

__all__ = ["Report", "Source", "read"]

Report: TypeAlias = (
    FightReport | DuelsReport | WorthReport | ResponseReport | TeamsReport | DeckCheckReport | MatchReport
)

#: A key that only this report has, the report, and who writes it.
_KINDS: tuple[tuple[str, type[Report], str], ...] = (
    ("horizon", FightReport, "ophidian solve"),
    ("duels", DuelsReport, "ophidian duel"),
    ("changes", WorthReport, "ophidian worth"),
    ("attack_value", ResponseReport, "ophidian response"),
    ("without_discount", TeamsReport, "ophidian teams"),
    ("mean_cost", DeckCheckReport, "ophidian deck check"),
    ("by_seat", MatchReport, "ophidian match"),
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
    known = ", ".join(command for _, _, command in _KINDS)
    if not isinstance(found, dict) or found.get("game") != "ophidian":
        raise RequestError(f"{name} is no report of ophidian; a page is made from those of {known}")
    if found.get("schema") != SCHEMA_NUMBER:
        raise RequestError(f"{name} was written by another version; ask again")
    for key, kind, command in _KINDS:
        if key in found:
            try:
                return Source(name, command, msgspec.json.decode(data, type=kind))
            except msgspec.ValidationError as error:
                raise RequestError(f"{name} was written by another version, or changed: {error}") from None
    raise RequestError(f"{name} is none of the reports that a page is made from: {known}")
