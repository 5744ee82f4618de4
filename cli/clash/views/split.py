"""How the ways to split an army look."""

from __future__ import annotations

from collections.abc import Sequence

from analysis.amounts import chance
from analysis.clash.study_reports import SplitOption, SplitReport
from cli.clash.views.battle import counted, first_notes, worth
from cli.grid import Section

_ROWS = 10
_OBJECTIVES = {
    "both": "the chance to hold both",
    "either": "the chance to hold at least one",
    "material": "gains less losses in all",
}


def _text(units: Sequence[int]) -> str:
    return " ".join(map(str, units)) if any(units) else "-"


def sections(report: SplitReport) -> list[Section]:
    """Return the tables."""
    army = ", ".join(f"{n} {unit}" for n, unit in zip(report.most, report.units, strict=True) if n)
    facts = [("army", f"{report.attacker}: {army}")]
    facts += [(f"target {number}", target) for number, target in enumerate(report.targets, 1)]
    return [
        Section("", facts=facts),
        _table(report, f"The best: {_OBJECTIVES[report.objective]} (units by level I II III)", report.best),
        _table(report, "No split is better for one target and no worse for the other", report.front),
    ]


def _table(report: SplitReport, title: str, options: list[SplitOption]) -> Section:
    head = ["to 1", "to 2", "at home", "worth", "hold 1", "hold 2"]
    rows = [
        [
            *map(_text, each.sent),
            _text(each.home),
            worth(report.objective, each.value),
            *map(chance, each.wins),
        ]
        for each in options[:_ROWS]
    ]
    more = len(options) - _ROWS
    lines = [f"{more} more: --format csv"] if more > 0 else []
    return Section(title, head, rows, left=3, lines=lines)


def notes(report: SplitReport) -> list[str]:
    """Return what has to be said beside the tables."""
    lines = first_notes(report.rules, report.weights)
    if report.bracket:
        lines.append("Values are lower bounds: the state space was cut, and a better split may be missed.")
    kind = "A lower bound for each" if report.bracket else "Exact but for rounding"
    states = " and ".join(f"{number:,}" for number in report.states)
    lines.append(
        f"{kind} of {counted(report.splits, 'split')}: {states} positions in {report.time_s:.2f} s,"
        f" {report.sha256[:16]}."
    )
    return lines


def csv_rows(report: SplitReport) -> list[dict[str, object]]:
    """Return the best splits, and those of the front."""
    return [_row(report, kind, each) for kind in ("best", "front") for each in getattr(report, kind)]


def _row(report: SplitReport, kind: str, each: SplitOption) -> dict[str, object]:
    row: dict[str, object] = {"list": kind}
    for number in (0, 1):
        row |= {f"{unit}_to_{number + 1}": n for unit, n in zip(report.units, each.sent[number], strict=True)}
    row |= {f"{unit}_at_home": n for unit, n in zip(report.units, each.home, strict=True)}
    row["value"] = each.value
    for number in (0, 1):
        row |= {f"value_{number + 1}": each.values[number], f"win_{number + 1}": each.wins[number]}
    return row
