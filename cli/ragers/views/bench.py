"""How a benchmark run looks: tables, CSV, JSON."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence

import msgspec

from analysis.ragers.bench.report import BenchReport, Change, Measurement
from cli.grid import aligned, ruled
from cli.output import to_json


def json_document(report: BenchReport, changes: Sequence[Change]) -> str:
    """Return the report as JSON; with a comparison, that is its last entry."""
    document = msgspec.to_builtins(report)
    if changes:
        document["changes"] = msgspec.to_builtins(list(changes))
    return to_json(document)


_HEAD = ("measurement", "value", "unit", "relative to", "ratio", "noise")
_CHANGE_HEAD = ("measurement", "before", "now", "change", "noise", "verdict")
_WORDS = (0, 2, 5)
"""Columns of both that stand to the left."""


def _figure(value: float | None) -> str:
    if value is None:
        return ""
    return f"{value:,.0f}" if value >= 1000 else f"{value:.4g}"


def _rows(report: BenchReport) -> list[tuple[str, ...]]:
    calibrations = [(c.what, _figure(c.rate), c.unit, "", "", f"{c.noise:.1%}") for c in report.calibrations]
    measurements: list[tuple[str, ...]] = [
        (m.what, _figure(m.value), m.unit, m.calibration, _figure(m.relative), f"{m.noise:.1%}")
        for m in report.measurements
    ]
    return calibrations + measurements


def _change_rows(changes: Sequence[Change]) -> list[tuple[str, ...]]:
    return [
        (
            c.name,
            _figure(c.old),
            _figure(c.new),
            "" if c.change is None else f"{c.change:+.1%}",
            "" if c.change is None else f"{c.allowed:.1%}",
            c.verdict,
        )
        for c in changes
    ]


def to_table(report: BenchReport, changes: Sequence[Change]) -> str:
    """Return the report for people."""
    machine = report.machine
    kind = "quick run" if report.quick else "full run"
    lines = [
        f"{machine.processor}, {machine.cores} cores, {machine.system}; Python {machine.python}, "
        f"numba {machine.numba}, numpy {machine.numpy}",
        f"ragers {report.version}, {kind}, one thread, seed {report.seed}, {report.date}",
        "",
        *aligned([_HEAD, *_rows(report)], _WORDS),
    ]
    if changes:
        lines += ["", "Compared (ratios):", *aligned([_CHANGE_HEAD, *_change_rows(changes)], _WORDS)]
    return "\n".join(lines) + "\n"


def to_markdown(report: BenchReport, changes: Sequence[Change]) -> str:
    """Return the report as Markdown tables."""
    lines = [f"**ragers {report.version}** on {report.machine.processor}, {report.date}", ""]
    tables = [(_HEAD, _rows(report))] + ([(_CHANGE_HEAD, _change_rows(changes))] if changes else [])
    for head, rows in tables:
        lines += [*ruled(head, rows), ""]
    return "\n".join(lines)


def to_csv(report: BenchReport, changes: Sequence[Change]) -> str:
    """Return the measurements, or where there is a comparison the changes, one a row."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    if changes:
        writer.writerow(Change.__struct_fields__)
        writer.writerows(msgspec.structs.astuple(change) for change in changes)
    else:
        writer.writerow(Measurement.__struct_fields__)
        writer.writerows(msgspec.structs.astuple(measurement) for measurement in report.measurements)
    return text.getvalue()
