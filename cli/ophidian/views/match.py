"""How a match looks."""

from __future__ import annotations

from analysis.amounts import chance
from analysis.ophidian.matches import MatchReport
from cli.grid import Section


def csv_rows(report: MatchReport) -> list[dict[str, object]]:
    """Return one row."""
    return [
        {
            "player": report.players[0],
            "against": report.players[1],
            "decks": " ".join(report.decks),
            "won": report.won,
            "low": report.low,
            "high": report.high,
            "matches": report.matches,
        }
    ]


def sections(report: MatchReport) -> list[Section]:
    """Return who won how much."""
    title = f"{report.players[0]} against {report.players[1]}, decks {' and '.join(report.decks)}"
    won, low, high = (chance(each, 1) for each in (report.won, report.low, report.high))
    facts = [("matches won", f"{won} ({low} to {high})")]
    if report.by_seat:
        first, second = (chance(each, 1) for each in report.by_seat)
        facts.append(("by seat", f"{first} with {report.decks[0]}, {second} with {report.decks[1]}"))
    return [Section(title, facts=facts)]


def notes(report: MatchReport) -> list[str]:
    """Return how it was measured."""
    lines = [
        f"{report.matches} matches of {report.deals} deals, each from both seats with the same luck;"
        f" {report.draws} draws, which count half. The interval is of {report.confidence:.0%} over deals."
        " It holds for these players, who are heuristics."
    ]
    if report.budget != "-":
        lines.append(f"search: {report.budget} for each decision; where cards no longer matter, proved.")
    if not report.complete:
        lines.append("Stopped: these are the deals that were played to the end.")
    if report.rules.illustrative:
        lines.append("There is no public list of cards: gladiators and cards are illustrative.")
    version = f"rules {report.rules.sha256[:16]}, version {report.version}"
    lines.append(f"Seed {report.seed}, {report.time_s:.0f} s; {version}.")
    return lines
