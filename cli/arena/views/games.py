"""How the list of games looks."""

from __future__ import annotations

from analysis.games import GameEntry, GamesReport
from cli.grid import Section

_KINDS = "exact: proved; bounded: with a proved bound on what it may be off by; measured: with intervals."


def _players(game: GameEntry) -> str:
    least, most = min(game.players), max(game.players)
    return str(least) if least == most else f"{least} to {most}"


def sections(report: GamesReport) -> list[Section]:
    """Return a part for each game."""
    return [
        Section(
            f"{game.title} · {game.name}",
            ("answer", "question"),
            [(each.kind, each.question) for each in game.answers],
            left=2,
            facts=[("players", _players(game)), ("verbs", ", ".join(game.commands))],
        )
        for game in report.games
    ]


def notes(report: GamesReport) -> list[str]:
    """Return how to ask."""
    return [
        _KINDS,
        "Ask by arena GAME VERB, such as arena ragers balance; --help says how, and --format json gives an"
        " example for each question. Games of other programs: arena solve FILE.",
    ]


def csv_rows(report: GamesReport) -> list[dict[str, object]]:
    """Return a row for each question."""
    return [
        {
            "game": game.name,
            "title": game.title,
            "players": _players(game),
            "question": each.question,
            "answer": each.kind,
            "command": each.command,
        }
        for game in report.games
        for each in game.answers
    ]
