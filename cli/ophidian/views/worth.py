"""How the worth of things looks."""

from __future__ import annotations

from analysis.ophidian.worths import ThingReport, WorthReport
from cli.grid import Section


def csv_rows(report: WorthReport) -> list[dict[str, object]]:
    """Return a row for each thing."""
    return [
        {
            "thing": each.thing,
            "victory_points": each.victory_points,
            "result": each.result,
            "result_error": each.result_error,
            "points": each.points,
            "points_error": each.points_error,
            "decides": each.decides,
        }
        for each in (*report.things, *report.gladiators)
    ]


def _number(value: float, error: float) -> str:
    return f"{value:+.2f} ± {error:.2f}"


def _row(thing: ThingReport) -> list[str]:
    return [
        thing.thing,
        _number(thing.points, thing.points_error),
        _number(thing.result, thing.result_error),
    ]


def sections(report: WorthReport) -> list[Section]:
    """Return what one more brings, and each gladiator."""
    if not report.positions:
        return [Section("Nothing was finished")]
    title = f"{report.size} against {report.size}, wave {report.wave}: one more of it brings"
    rows = [[*_row(each), f"{each.decides} of {report.positions}"] for each in report.things]
    parts = [Section(title, ["", "points", "result", "changes the result"], rows)]
    ranked = [
        [*_row(each), str(each.victory_points), f"{each.points / (each.victory_points or 1):+.2f}"]
        for each in report.gladiators
    ]
    head = ["gladiator", "points", "result", "victory points", "per victory point"]
    parts.append(Section("In the place of an average gladiator", head, ranked))
    return parts


def notes(report: WorthReport) -> list[str]:
    """Return what is proved, and what is a sample."""
    lines = [
        "Every value is proved, to the end of the wave and without cards; averages are over"
        f" {report.positions} random positions, intervals of {report.confidence:.0%}. A result is 1 won,"
        " -1 lost."
    ]
    if not report.complete:
        lines.append(f"Stopped: {report.asked} positions were asked for.")
    if report.rules.illustrative:
        lines.append(report.rules.illustrative)
    version = f"rules {report.rules.sha256[:16]}, version {report.version}"
    lines.append(f"Seed {report.seed}, {report.time_s:.0f} s; {version}.")
    return lines
