"""How the list of a library looks."""

from __future__ import annotations

import msgspec

from analysis.amounts import bound, signed, size
from analysis.ragers.answers import library, starts
from analysis.ragers.answers.listing import ListedEntry, ListReport
from analysis.ragers.answers.own_files import POSITIONS
from cli.grid import Section

_COLUMNS = ("patron", "cheers", "preparation", "value_gp", "nash_conv_gp", "iterations", "method", "rules")


def _is_own(report: ListReport) -> bool:
    return report.library == str(library.own().root)


def _row(entry: ListedEntry, *, own: bool) -> list[str]:
    saved = [entry.saved or ""] if own else []
    if entry.method is None:
        return [entry.patron, "(unreadable)", "", "", "", "", *saved, ""]
    assert entry.value_gp is not None
    assert entry.nash_conv_gp is not None
    changes = ", ".join(entry.changes or []) if entry.rules == "other" else ""
    return [
        entry.patron,
        entry.cheers or "",
        entry.preparation or "",
        signed(entry.value_gp),
        bound(entry.nash_conv_gp),
        entry.method + (" (renamed)" if entry.renamed_from else ""),
        *saved,
        changes or entry.rules or "",
    ]


def sections(report: ListReport) -> list[Section]:
    """Return the table of all entries, how many there are, and where."""
    own = _is_own(report)
    saved = ["saved"] if own else []
    head = ["patron", "cheers card", "prep.", "value", "NashConv", "method", *saved, "rules"]
    rows = [_row(entry, own=own) for entry in report.entries]
    positions = len(list(library.own().root.glob(f"*/{POSITIONS}/*.npz"))) if own else 0
    also = f", and {positions} solves of positions in mid-day" if positions else ""
    tables = [file.stat().st_size for file in starts.files()] if own else []
    if tables:
        also += f", and tables of {len(tables)} solves for what-ifs to begin from ({size(sum(tables))})"
    # A line that is not wrapped: paths stay whole.
    lines = [f"{len(rows)} entries{also} in {report.library}"]
    return [Section("", head, rows, left=len(head), lines=lines)]


def notes(_report: ListReport) -> list[str]:
    """Return nothing: the table says all."""
    return []


def csv_rows(report: ListReport) -> list[dict[str, object]]:
    """Return a row for each entry."""
    more = ("rules_name", "changes", "saved") if _is_own(report) else ()
    rows = []
    for entry in report.entries:
        known = msgspec.structs.asdict(entry) | {"changes": " ".join(entry.changes or [])}
        rows.append({name: known[name] for name in (*_COLUMNS, *more)})
    return rows
