"""How an action under possible responses looks."""

from __future__ import annotations

from analysis.ophidian.exchange import ResponseReport
from cli.grid import Section


def csv_rows(report: ResponseReport) -> list[dict[str, object]]:
    """Return a row for each first action that is chosen."""
    return [{"action": each.action, "share": each.share} for each in report.mix]


def sections(report: ResponseReport) -> list[Section]:
    """Return the value, what to do, and from when an attack is wrong."""
    who = "the team" if report.acts == "team" else "the other side"
    value = f"{report.value:+.4f} {report.unit} for the team, if neither errs"
    parts = [Section(f"Wave {report.wave}: {who} acts, responses are possible", facts=[("worth", value)])]
    rows = [[each.action, f"{100 * each.share:.1f} %"] for each in report.mix]
    parts.append(Section("What whoever acts does, over all hands", ["action", "how often"], rows))
    if report.attack is not None and report.thresholds:
        ranked = [
            [each.card, f"{each.without:+.2f}", f"{each.held:+.2f}", _chance(each.probability)]
            for each in report.thresholds
        ]
        other = "-" if report.best_other is None else f"{report.best_other:+.2f}"
        head = ["card", "worth without it", "with it", "wrong from"]
        title = f"{report.attack}, against the best move or pass ({other})"
        parts.append(Section(title, head, ranked))
    return parts


def _chance(probability: float | None) -> str:
    return "never" if probability is None else f"{100 * probability:.0f} %"


def notes(report: ResponseReport) -> list[str]:
    """Return what the model is, and how exact."""
    lines = [
        "An equilibrium in which cards matter in this exchange only; what follows is proved without cards,"
        f" and abilities of gladiators are off. Exploitability {report.exploitability:.1e} {report.unit}."
    ]
    if report.unit == "points":
        lines.append("A match decided in this wave counts 12 points.")
    if report.rules.illustrative:
        lines.append(report.rules.illustrative)
    first, second = report.num_hands
    lines.append(
        f"{first} and {second} hands, {report.nodes:,} nodes, {max(report.sequences):,} sequences,"
        f" {report.time_s:.1f} s; rules {report.rules.sha256[:16]}, version {report.version}."
    )
    return lines
