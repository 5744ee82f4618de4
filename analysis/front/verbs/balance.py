"""``balance`` of games that have none of their own: what each entry of the rules is worth to its side."""

from __future__ import annotations

from functools import partial
from typing import Annotated, Any, Generic, TypeVar

import msgspec

from analysis.errors import RequestError
from analysis.front.bundles import RulesFiles, Work
from analysis.front.entries import EntryAnswer, Only, entries_observed
from analysis.front.entry_page import entries_amounts, entries_page
from analysis.front.parameters import param
from analysis.front.question import Question, Running

__all__ = ["Balance", "balance_of"]

S = TypeVar("S")
P = TypeVar("P")


class Balance(msgspec.Struct, Generic[S, P], frozen=True, kw_only=True):
    """Which entries are measured, by whom they are played, and how often."""

    only: Only = Only()
    setup: S
    player: Annotated[
        tuple[P, ...],
        param(
            "Who plays. One plays all sides.",
            metavar="NAME[:key=value,...]",
        ),
    ] = ()
    deals: Annotated[
        int,
        param(
            "Deals to play.",
            ge=2,
            le=100_000_000,
            unit="deals",
        ),
    ] = 200
    work: Work = Work()
    rules: RulesFiles = RulesFiles()


def answer(game: Any, asked: Balance[Any, Any], running: Running) -> EntryAnswer:
    """Measure entries, played by one player."""
    return observed(game, asked, running)[0]


def observed(
    game: Any, asked: Balance[Any, Any], running: Running
) -> tuple[EntryAnswer, dict[str, list[float]]]:
    """Measure entries; also return what each was worth in each deal."""
    if len(asked.player) > 1:
        raise RequestError("name one player: it plays all sides", "--player")
    named = asked.player or game.usual[-1:]
    return entries_observed(game, msgspec.structs.replace(asked, player=named), running)


def balance_of(game: Any) -> Question[Any, EntryAnswer]:
    """Return the question of a game."""
    words = " and ".join(f"{word}s" for word in game.entries)
    return Question(
        name="balance",
        about=f"Find out which {words} are too strong. Each is played with and without.",
        asked=Balance[game.setup, game.player],
        answers=EntryAnswer,
        function=partial(answer, game),
        page=entries_page,
        exactness="measured",
        amounts=entries_amounts,
        observed=partial(observed, game),
        examples=("balance --deals 20",),
    )
