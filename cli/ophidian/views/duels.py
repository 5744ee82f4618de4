"""How duels look: a table of all pairs."""

from __future__ import annotations

from collections.abc import Sequence

from analysis.ophidian.reports import DuelReport, DuelsReport
from cli.grid import Section

_SIGNS = {1: "+", 0: "=", -1: "-"}


def csv_rows(report: DuelsReport) -> list[dict[str, object]]:
    """Return two rows for each pair, by who begins."""
    return [
        {
            "gladiator": duel.gladiator,
            "against": duel.against,
            "begins": duel.against if other else duel.gladiator,
            "low": duel.low[other],
            "high": duel.high[other],
        }
        for duel in report.duels
        for other in (0, 1)
    ]


def cell(duel: DuelReport | None) -> str:
    """A sign for each who begins; `?` where a die, or more time, decides."""
    if duel is None:
        return "  "
    return "".join(_SIGNS[low] if low == high else "?" for low, high in zip(duel.low, duel.high, strict=True))


def short_names(names: Sequence[str]) -> dict[str, str]:
    """Return two letters for each name, no two alike: its first one and the next that nobody has."""
    short: dict[str, str] = {}
    for name in names:
        letters = [letter for letter in name[1:] if letter.isalnum()] + list("123456789")
        pairs = [name[0] + letter for letter in letters]
        short[name] = next((pair for pair in pairs if pair not in short.values()), name[:2])
    return short


def sections(report: DuelsReport) -> list[Section]:
    """Return the table, the others by the first letters of their names."""
    duels = {(each.gladiator, each.against): each for each in report.duels}
    # One cell for all, so that a dozen gladiators fit a terminal.
    heads = short_names(report.gladiators)
    head = ["gladiator", " ".join(heads[name] for name in report.gladiators), "points", "won", "lost"]
    rows = []
    for place, name in enumerate(report.gladiators):
        cells = " ".join(cell(duels.get((name, other))) for other in report.gladiators)
        numbers = (report.points[place], report.wins[place], report.losses[place])
        rows.append([name, cells, *map(str, numbers)])
    return [Section("Matches of one gladiator against another", head, rows, left=2)]


def notes(report: DuelsReport) -> list[str]:
    """Return how to read it, and how exact it is."""
    ends = f"{report.waves} waves and {report.extra_waves} more after a tie"
    lines = [
        f"+ won, = drawn, - lost over {ends}: the first sign if the gladiator has momentum first, the second"
        " if the other one has; ? where a die decides. Proved, without cards.",
    ]
    if not report.complete:
        lines.append("Stopped: pairs are missing.")
    if report.rules.illustrative:
        lines.append(report.rules.illustrative)
    lines.append(
        f"{report.nodes:,} positions in {report.time_s:.1f} s; rules {report.rules.sha256[:16]}, version"
        f" {report.version}."
    )
    return lines
