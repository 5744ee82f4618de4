"""``arena games``: the games that are in, and what can be asked about each."""

from __future__ import annotations

from typing import Any

import msgspec

from analysis import registry
from analysis.front.page import Cell, Column, Page, Table, data_of
from analysis.front.question import Answer, Exactness, Question, Running


class Games(msgspec.Struct, frozen=True, kw_only=True):
    """Nothing has to be said."""


class Verb(msgspec.Struct, frozen=True):
    """What can be asked, how exact the answer is where it has figures, and a command that works."""

    name: str
    about: str
    exactness: Exactness | None
    command: str


class GameEntry(msgspec.Struct, frozen=True):
    """A game, how many may play, and what can be asked about it."""

    name: str
    title: str
    players: list[int]
    verbs: list[Verb]


class GamesAnswer(Answer, frozen=True, kw_only=True):
    """All games that are in, those that other packages bring last."""

    games: list[GameEntry]


def answer(asked: Games, running: Running) -> GamesAnswer:
    """Return the games."""
    return GamesAnswer(games=[_entry(registry.game_named(name)) for name in registry.places()])


def _entry(game: Any) -> GameEntry:
    verbs = [
        Verb(name, each.about, getattr(each, "exactness", None), f"{game.name} {each.examples[0]}")
        for name, each in game.declared.items()
    ]
    return GameEntry(game.name, game.title, list(game.seats), verbs)


def page(found: GamesAnswer) -> Page:
    """Return which game answers what, and how exactly."""
    marks = {
        game.name: {verb.name: verb.exactness or "yes" for verb in game.verbs if _is_told(verb)}
        for game in found.games
    }
    verbs = dict.fromkeys(verb for own in marks.values() for verb in own)
    # What most games answer comes first.
    by_use = sorted(verbs, key=lambda verb: -sum(verb in own for own in marks.values()))
    rows: list[list[Cell]] = [[verb, *(own.get(verb) for own in marks.values())] for verb in by_use]
    columns = [Column("verb", "arena GAME"), *(Column(name, name) for name in marks)]
    listed = [
        {
            "game": game.name,
            "title": game.title,
            "players": _span(game.players),
            "verb": verb.name,
            "exactness": verb.exactness,
            "about": verb.about,
            "command": verb.command,
        }
        for game in found.games
        for verb in game.verbs
    ]
    titles: list[list[Cell]] = [[game.name, game.title, _span(game.players)] for game in found.games]
    return Page(
        headline=f"{len(found.games)} games are in.",
        sections=[
            Table([Column("game", "game"), Column("title", "title"), Column("players", "players")], titles),
            Table(columns, rows, title="What can be asked about them"),
        ],
        notes=[
            "Ask by arena GAME VERB; arena GAME --help says what each verb answers, with an example.",
            "exact: proved; bounded: with a proved bound on what it may be off by; measured: with intervals.",
            "Every game also has rules show, check and new. Games of other programs: arena solve FILE. Kept"
            " answers on one page: arena report FILES. All of it in a browser: arena app.",
        ],
        data=data_of(listed),
    )


def _is_told(verb: Verb) -> bool:
    return not verb.name.startswith("rules ")


def _span(players: list[int]) -> str:
    least, most = min(players), max(players)
    return str(least) if least == most else f"{least} to {most}"


QUESTION = Question(
    name="games",
    about="List the games that are in, and what can be asked about each.",
    asked=Games,
    answers=GamesAnswer,
    function=answer,
    page=page,
    exactness="exact",
    examples=("games", "games --format json"),
)
