"""How a benchmark run looks, with what became of an earlier one's figures."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from analysis.ragers.bench.report import BenchReport, Change
from cli.grid import Section, in_format
from cli.output import to_json

_Compared = tuple[BenchReport, Sequence[Change]]
_HEAD = ("measurement", "value", "unit", "relative to", "ratio", "noise")
_CHANGE_HEAD = ("measurement", "before", "now", "change", "noise", "verdict")
_WORDS = (0, 2, 5)
"""Columns of both that stand to the left."""


def rendered(report: BenchReport, changes: Sequence[Change], form: str) -> str:
    """Return a run in a format; in JSON and CSV a comparison comes last, or instead."""
    if form == "json":
        document = msgspec.to_builtins(report)
        if changes:
            document["changes"] = msgspec.to_builtins(list(changes))
        return to_json(document)
    return in_format((report, changes), form, _csv_rows, _sections, lambda _: ())


def _figure(value: float | None) -> str:
    if value is None:
        return ""
    return f"{value:,.0f}" if value >= 1000 else f"{value:.4g}"


def _sections(compared: _Compared) -> list[Section]:
    report, changes = compared
    machine = report.machine
    facts = [
        ("machine", f"{machine.processor}, {machine.cores} cores, {machine.system}"),
        ("versions", f"Python {machine.python}, numba {machine.numba}, numpy {machine.numpy}"),
        (
            "run",
            f"ragers {report.version}, {'quick' if report.quick else 'full'} run, one thread, seed"
            f" {report.seed}, {report.date}",
        ),
    ]
    rows = [(c.what, _figure(c.rate), c.unit, "", "", f"{c.noise:.1%}") for c in report.calibrations]
    rows += [
        (m.what, _figure(m.value), m.unit, m.calibration, _figure(m.relative), f"{m.noise:.1%}")
        for m in report.measurements
    ]
    parts = [Section("", _HEAD, rows, left=_WORDS, facts=facts)]
    if changes:
        parts.append(Section("Compared (ratios)", _CHANGE_HEAD, list(map(_change_row, changes)), left=_WORDS))
    return parts


def _change_row(change: Change) -> tuple[str, ...]:
    known = change.change is not None
    return (
        change.name,
        _figure(change.old),
        _figure(change.new),
        f"{change.change:+.1%}" if known else "",
        f"{change.allowed:.1%}" if known else "",
        change.verdict,
    )


def _csv_rows(compared: _Compared) -> list[dict[str, object]]:
    report, changes = compared
    return [msgspec.structs.asdict(each) for each in (changes or report.measurements)]
