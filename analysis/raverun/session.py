"""A game with a person in it, as a session: moves, hints, what decisions cost, and its transcript."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path

from analysis.errors import RequestError
from analysis.front.parameters import read_struct, text_of
from analysis.front.players import Player
from analysis.raverun import game as declared
from analysis.raverun.bundles import Seats
from analysis.raverun.hands import check_players
from analysis.raverun.narration import (
    Names,
    cost_lines,
    explained,
    move_text,
    score_lines,
    table_lines,
    told,
    transcript_text,
    unjudged_words,
)
from analysis.raverun.played_game import PlayedGame
from analysis.raverun.training import shipped_values
from analysis.raverun.transcript import Header, read
from analysis.transcripts import TranscriptError
from engine.raverun.reference import decider
from engine.raverun.rules import Rules

__all__ = ["GameSession", "begin", "go_on"]

MOST_COSTS = 5
_AND = " and "


def begin(
    rules: Rules,
    setup: Seats,
    seat: int,
    opponents: Sequence[Player],
    seed: int,
    advice: declared.Advice,
) -> GameSession:
    """Begin a game; one opponent alone plays all other seats."""
    number = setup.players
    check_players(rules, number)
    if seat >= number:
        raise RequestError(f"with {number} players the seats are 1 to {number}", "--seat")
    header = Header(rules, number, seat, _AND.join(map(text_of, opponents)))
    return GameSession(PlayedGame(header, opponents, advice.values, seed))


def go_on(text: str, files: Sequence[Path], seed: int, advice: declared.Advice) -> GameSession:
    """Go on with the game of a transcript; chance goes on in its own way."""
    found = read(text, files)
    try:
        opponents = [
            read_struct(declared.PLAYERS, each, "--opponent") for each in found.header.opponent.split(_AND)
        ]
    except RequestError as error:
        raise TranscriptError(str(error)) from None
    game = PlayedGame(found.header, opponents, advice.values, seed)
    game.replay([step.way for step in found.steps])
    return GameSession(game)


class GameSession:
    """A game with a person in it; see `analysis.front.session.Session`."""

    def __init__(self, game: PlayedGame) -> None:
        self.game, self.seat = game, game.seat
        self.names = Names(game.num_players, game.seat)
        self._events: list[str] = []

    def advance(self) -> Sequence[str]:
        """Make the others' moves, and those of the person's that there is no choice about."""
        game = self.game
        game.chance()
        while not game.over and (decider(game.state) != game.seat or len(game.moves()) == 1):
            self._make(0 if decider(game.state) == game.seat else game.others_choice())
        events, self._events = self._events, []
        return events

    def _make(self, number: int) -> None:
        game = self.game
        state, move = game.state, game.moves()[number]
        self._events.append(f"{told(state, decider(state), move, self.names)}.")
        game.make(number)
        game.chance()

    def options(self) -> list[str] | None:
        """Return the person's moves in words; None once the game is over."""
        if self.game.over:
            return None
        return [move_text(self.game.state, move, self.names) for move in self.game.moves()]

    def named(self, typed: str) -> int | None:
        """Return the move whose words these are, names of players with or without their 's."""
        if typed.isdecimal():
            return None
        words = _words(typed)
        fitting = [number for number, text in enumerate(self.options() or ()) if words <= _words(text)]
        return fitting[0] if len(fitting) == 1 else None

    def make(self, number: int) -> None:
        """Make the move of this number."""
        self.game.make(number)
        self.game.chance()

    def undo(self) -> bool:
        """Go back to the person's decision before this one."""
        self._events = []
        return self.game.undo()

    def board(self) -> Sequence[str]:
        """Return the table as the person sees it."""
        return table_lines(self.game.state, self.names)

    def task(self) -> str:
        """Return nothing: the moves say what is to be decided."""
        return ""

    def hints(self) -> Sequence[str]:
        """Return what the moves are worth, the best first."""
        advice = self.game.advice()
        assert advice is not None
        known = sorted(
            zip(advice.worths, self.options() or (), strict=True),
            key=lambda pair: (math.isnan(pair[0]), -pair[0]),
        )
        lines = [f"what your moves are worth, {advice.how} (1 is a win):"]
        return [
            *lines,
            *(f"  {'  ?  ' if math.isnan(worth) else f'{worth:+.2f}'}  {text}" for worth, text in known),
        ]

    def explain(self, name: str) -> str | None:
        """Return what a card, a character or an action does."""
        return explained(self.game.rules, name)

    def ending(self) -> Sequence[str]:
        """Return who has won, and what decisions cost."""
        costs = cost_lines(self.game.decisions, self.names, MOST_COSTS)
        open_ = self.game.num_made - len(self.game.decisions)
        if open_:
            costs.append(self._unjudged(open_))
        return [*costs, *score_lines(self.game.state, self.seat)]

    def _unjudged(self, number: int) -> str:
        """Say how decisions can be judged that nothing at this table does."""
        game = self.game
        if shipped_values(game.rules, game.num_players) is None:
            return unjudged_words(number, game.num_made, game.num_players)
        said = f"{number} of your {game.num_made} decisions are not judged, since no player here knows what"
        return f"{said} moves are worth: raverun review judges them, of a game kept by --transcript."

    def record(self) -> str:
        """Return the transcript of the game so far."""
        return transcript_text(self.game.header, self.game.ways)

    def fingerprint(self) -> str:
        """Return what tells this decision from others."""
        return f"{self.game.num_made} any"


def _words(text: str) -> set[str]:
    return set(text.lower().replace(",", "").replace("'s", "").split())
