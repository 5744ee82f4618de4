"""How the list of a library looks."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping

import msgspec

from analysis.amounts import bound, signed, size
from analysis.ragers.answers import library, starts
from analysis.ragers.answers.listing import ListedEntry, ListReport
from analysis.ragers.answers.own_files import POSITIONS
from cli.grid import WIDTH, Section

_COLUMNS = ("patron", "cheers", "preparation", "value_gp", "nash_conv_gp", "iterations", "method", "rules")


def _is_own(report: ListReport) -> bool:
    return report.library == str(library.own().root)


def _row(entry: ListedEntry, labels: Mapping[tuple[str, ...], str], *, own: bool) -> list[str]:
    # The time of day stands in JSON and CSV.
    saved = [(entry.saved or "").partition(" ")[0]] if own else []
    if entry.method is None:
        return [entry.patron, "(unreadable)", "", "", "", "", *saved, ""]
    assert entry.value_gp is not None
    assert entry.nash_conv_gp is not None
    changes = labels.get(tuple(entry.changes or ())) if entry.rules == "other" else None
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


def _changes(report: ListReport) -> dict[tuple[str, ...], str]:
    """Return what differs from the box in some entry, each with the label that stands in its row."""
    others = [each for each in report.entries if each.rules == "other"]
    every = dict.fromkeys(tuple(each.changes) for each in others if each.changes)
    return {changes: f"see {number}" for number, changes in enumerate(every, 1)}


def sections(report: ListReport) -> list[Section]:
    """Return the table of all entries, how many there are, and where."""
    own = _is_own(report)
    saved = ["saved"] if own else []
    head = ["patron", "cheers card", "prep.", "value", "NashConv", "method", *saved, "rules"]
    labels = _changes(report)
    rows = [_row(entry, labels, own=own) for entry in report.entries]
    positions = len(list(library.own().root.glob(f"*/{POSITIONS}/*.npz"))) if own else 0
    also = f", and {positions} solves of positions in mid-day" if positions else ""
    tables = [file.stat().st_size for file in starts.files()] if own else []
    if tables:
        also += f", and tables of {len(tables)} solves for what-ifs to begin from ({size(sum(tables))})"
    # A line that is not wrapped: paths stay whole.
    lines = [f"{len(rows)} entries{also} in {report.library}"]
    for changes, label in labels.items():
        text = f"{label.removeprefix('see ')}: {', '.join(changes)}"
        lines += textwrap.wrap(text, WIDTH, subsequent_indent="   ", break_on_hyphens=False)
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
