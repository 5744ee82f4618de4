"""How the worth of changes and of gladiators looks."""

from __future__ import annotations

from analysis.estimates import CONFIDENCE, Estimate, percent, signed
from analysis.ophidian.worth import WorthReport
from cli.grid import Section

CHANGE_WORDS = {
    "momentum": "acting, not the other side",
    "cheer": "one cheer more",
    "level": "a level more for one gladiator",
}


def csv_rows(report: WorthReport) -> list[dict[str, object]]:
    """Return a row for each change and each gladiator."""
    rows: list[dict[str, object]] = [
        {"what": each.change, **_columns("points", each.points), **_columns("chance", each.chance)}
        for each in report.changes
    ]
    return rows + [
        {"what": each.name, **_columns("points", each.points), **_columns("chance", each.chance)}
        for each in report.gladiators
    ]


def _columns(name: str, value: Estimate) -> dict[str, object]:
    return {name: value.mean, f"{name}_low": value.low, f"{name}_high": value.high}


def sections(report: WorthReport) -> list[Section]:
    """Return both tables, gladiators by what their fights are worth."""
    changes = [
        [CHANGE_WORDS[each.change], signed(each.points), _points(each.chance), f"{100 * each.decides:.0f}"]
        for each in report.changes
    ]
    known = [each for each in report.gladiators if each.points.mean is not None]
    known.sort(key=lambda each: -(each.points.mean or 0.0))
    gladiators = [[each.name, str(each.cost), signed(each.points), percent(each.chance)] for each in known]
    size, wave = f"{report.size} against {report.size}", f"wave {report.wave}"
    return [
        Section(
            f"What changes are worth, {size}, {wave}",
            ["change", "points", "wins, % more", "decides, %"],
            changes,
        ),
        Section(
            "Fights with a gladiator on one's side",
            ["gladiator", "costs", "points", "wins, %"],
            gladiators,
        ),
    ]


def _points(chance: Estimate) -> str:
    """A difference of chances in points of per cent, with its sign."""
    text = percent(chance)
    return text if text.startswith("-") or chance.mean is None else f"+{text}"


def notes(report: WorthReport) -> list[str]:
    """Return how to read it, and how exact it is."""
    stopped = f"; stopped before all {report.asked}" if report.positions < report.asked else ""
    lines = [
        f"Every fight is proved, without cards; the {report.positions} positions are a sample (seed"
        f" {report.seed}{stopped}), ± {CONFIDENCE:.0%}. A draw counts as half a win.",
        "Positions are as a wave begins: any gladiators, levels, wounds, fields, and up to 5 cheer a side.",
    ]
    if report.rules.illustrative:
        lines.append(report.rules.illustrative)
    lines.append(f"Rules {report.rules.sha256[:16]}, version {report.version}, {report.time_s:.1f} s.")
    return lines
