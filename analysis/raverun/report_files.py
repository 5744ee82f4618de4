"""Files of reports, read again: JSON of ``raverun solve``, ``train`` and ``match``."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias, TypeVar

import msgspec

from analysis.raverun.approximate_answers import ApproximateReport
from analysis.raverun.exact_answers import ExactReport, RulesReport
from analysis.raverun.matches import MatchesReport
from analysis.raverun.training import ValuesReport

Report: TypeAlias = ApproximateReport | ExactReport | MatchesReport | ValuesReport
_AnyReport = TypeVar("_AnyReport", ApproximateReport, ExactReport, MatchesReport, ValuesReport)

#: A key that only this report has, the report, its layout that is understood, and who writes it.
_KINDS: tuple[tuple[str, type[Report], int, str], ...] = (
    ("first_cards", ApproximateReport, 2, "raverun solve"),
    ("num_nodes", ExactReport, 2, "raverun solve --exact"),
    ("plays", ValuesReport, 2, "raverun train"),
    ("deals", MatchesReport, 1, "raverun match"),
)


class ReportFileError(ValueError):
    """A file that no page can be made from; the text says which, why, and what to do."""


@dataclass(frozen=True)
class Source:
    """A file.

    Attributes
    ----------
    name
        What the page calls it.
    command
        Who writes such files.
    report
        What it says.
    """

    name: str
    command: str
    report: Report

    @property
    def rules(self) -> RulesReport:
        """Which rules its numbers are about."""
        return self.report.rules


def read(path: Path, name: str) -> Source:
    """Return what a file says, its kind told by its keys.

    Raises
    ------
    ReportFileError
        If it cannot be read, is no JSON, or is of another kind, game or layout.
    """
    try:
        data = path.read_bytes()
        found = msgspec.json.decode(data)
    except OSError as error:
        raise ReportFileError(f"cannot read {name}: {error.strerror}") from None
    except msgspec.DecodeError as error:
        raise ReportFileError(f"{name} is no JSON ({error}); write it with --format json") from None
    kind = (
        next((kind for kind in _KINDS if kind[0] in found), None)
        if isinstance(found, dict) and found.get("game") == "raverun"
        else None
    )
    if kind is None:
        raise ReportFileError(f"{name} was not written by raverun solve, train or match with --format json")
    _, of, layout, command = kind
    if found.get("schema") != layout:
        raise ReportFileError(f"{name} has layout {found.get('schema')}, this version knows {layout}")
    try:
        report: Report = msgspec.json.decode(data, type=of)
    except msgspec.ValidationError as error:
        raise ReportFileError(f"{name} is not as {command} writes it: {error}") from None
    return Source(name, command, report)


def carried() -> list[tuple[Path, str]]:
    """Return the files that come with the package, with their names, in order of these."""
    import results

    return [(path, path.name) for path in sorted((Path(results.__file__).parent / "raverun").glob("*.json"))]


def of_kind(sources: Sequence[Source], kind: type[_AnyReport]) -> list[tuple[Source, _AnyReport]]:
    """Return the files that hold a kind of report, in order."""
    return [(source, source.report) for source in sources if isinstance(source.report, kind)]
