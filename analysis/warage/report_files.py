"""Files of reports, read again: JSON of the commands of ``warage`` that a page is made from."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

import msgspec

from analysis.errors import RequestError
from analysis.warage.deck_reports import TableReport, ValueReport
from analysis.warage.reports import SCHEMA_NUMBER, BalanceReport, MatchReport, RaceReport, WorthReport

Report: TypeAlias = RaceReport | WorthReport | MatchReport | BalanceReport | ValueReport | TableReport

#: A key that only this report has, the report, and who writes it.
_KINDS: tuple[tuple[str, type[Report], str], ...] = (
    ("deck_out_share", RaceReport, "warage race"),
    ("base", WorthReport, "warage worth"),
    ("ninetieth", MatchReport, "warage match"),
    ("cells", BalanceReport, "warage balance"),
    ("width", ValueReport, "warage deck value"),
    ("kings", TableReport, "warage brawl"),
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
    if not isinstance(found, dict) or "card_set" not in found:
        raise RequestError(f"{name} is no report of warage; a page is made from those of {known}")
    if found.get("schema") != SCHEMA_NUMBER:
        raise RequestError(f"{name} was written by another version; ask again")
    for key, kind, command in _KINDS:
        if key in found and "swaps" not in found:
            try:
                return Source(name, command, msgspec.json.decode(data, type=kind))
            except msgspec.ValidationError as error:
                raise RequestError(f"{name} was written by another version, or changed: {error}") from None
    raise RequestError(f"{name} is none of the reports that a page is made from: {known}")
