"""How the armies that are needed look."""

from __future__ import annotations

from analysis.amounts import chance
from analysis.clash.reports import NeedReport
from cli.clash.views.battle import first_notes
from cli.grid import Section

_ROWS = 15


def _text(report: NeedReport, counts: list[int]) -> str:
    return ", ".join(f"{count} {unit}" for count, unit in zip(counts, report.units, strict=True) if count)


def sections(report: NeedReport) -> list[Section]:
    """Return the tables."""
    title = f"{report.attacker} against {report.defender}: at least {chance(report.chance)}"
    rows = [
        [_text(report, army.counts), str(army.figures), chance(army.win), str(army.slowness)]
        for army in report.needed[:_ROWS]
    ]
    lines = []
    if len(report.needed) > _ROWS:
        lines.append(f"{len(report.needed) - _ROWS} more; all of them: --format csv")
    if not rows:
        lines.append(f"no army is enough; the best is {_text(report, report.best.counts)},")
        lines.append(f"with {chance(report.best.win)}")
    return [Section(title, ("army", "figures", "chance", "slowness"), rows, lines=lines)]


def notes(report: NeedReport) -> list[str]:
    """Return what has to be said beside the tables."""
    lines = first_notes(report.rules)
    hurt = [army for army in report.needed if army.hurt]
    if hurt:
        one = hurt[0]
        lines.append(
            f"More can be less: {_text(report, one.counts)} and one more {one.hurt[0]} fall short of it."
        )
    if report.bracket:
        lines.append("The chances are lower bounds: the state space was cut.")
    lines.append(
        f"{report.enough:,} of {report.armies:,} armies are enough; listed are those of whose parts none is."
        f" {report.states:,} positions in {report.time_s:.2f} s, {report.sha256[:16]}."
    )
    return lines


def csv_rows(report: NeedReport) -> list[dict[str, object]]:
    """Return a row for each army that is enough."""
    return [
        dict(zip(report.units, army.counts, strict=True))
        | {"figures": army.figures, "win": army.win, "slowness": army.slowness}
        for army in report.needed
    ]
