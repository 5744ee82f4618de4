"""A day or a match with a person in it, as a session: moves, hints, what decisions cost, its transcript."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from analysis.errors import RequestError
from analysis.front.parameters import read_struct, text_of
from analysis.front.players import Player
from analysis.front.session import PlayedSession
from analysis.ragers import setup as declared
from analysis.ragers.contest import day_of
from analysis.ragers.hands import HandError, card_type
from analysis.ragers.last_day.opponents import opponent_of
from analysis.ragers.narration import ROWS_HELP, action_words, table_lines, task_text
from analysis.ragers.play.effects import explained
from analysis.ragers.play.equilibrium import Equilibrium, thinker
from analysis.ragers.play.opponents import Rollouts
from analysis.ragers.play.transcript import Game, Header, replay
from analysis.ragers.played_game import PlayedGame
from analysis.ragers.wording.names import card, listed
from analysis.transcripts import TranscriptError
from engine.ragers.reference import NOTHING
from engine.ragers.rules import TYPES, Rules

__all__ = ["GameSession", "begin", "go_on"]

_KEEP = ("keep", "-", "nothing")


def begin(
    rules: Rules, setup: declared.Setup, seat: int, opponent: Player, seed: int, advice: declared.Advice
) -> GameSession:
    """Begin a match or a day."""
    day = day_of(rules, setup, seed)
    header = Header(rules, day, not setup.no_discard, seat, text_of(opponent), seed)
    return _session(Game.begin(header), opponent, advice)


def go_on(text: str, files: Sequence[Path], seed: int, advice: declared.Advice) -> GameSession:
    """Go on with the game of a transcript as if it had not been left."""
    played = replay(text, files)
    try:
        opponent = read_struct(declared.PLAYERS, played.header.opponent, "--opponent")
    except RequestError as error:
        raise TranscriptError(f"who was played against is not known: {error}") from None
    return _session(Game.resume(played), opponent, advice)


def _session(game: Game, opponent: Player, advice: declared.Advice) -> GameSession:
    other = opponent_of(opponent)
    solver = other.solver if isinstance(other, Equilibrium) else None
    if advice.think is not None:
        solver = thinker(advice.think)
    return GameSession(PlayedGame(game, other, Rollouts(advice.playouts), solver))


class GameSession(PlayedSession[PlayedGame]):
    """A day or a match with a person in it; see `analysis.front.session.Session`."""

    def options(self) -> list[str] | None:
        """Return the person's choices in words; None once the game is over."""
        if self.game.over:
            return None
        return [action_words(self.game.game.state, action) for action in self.game.choices()]

    def named(self, typed: str) -> int | None:
        """Return the choice of a card by its letter or name, or of none."""
        state, legal = self.game.game.state, self.game.choices()
        if typed.lower() in _KEEP:
            if NOTHING not in legal:
                raise RequestError("a card has to be placed")
            return legal.index(NOTHING)
        try:
            action = card_type(typed.lower() if len(typed) > 1 else typed)
        except HandError:
            return None
        if action in legal:
            return legal.index(action)
        name = card(TYPES[action])
        assert state.patron is not None
        reason = f"{state.rules.patrons[state.patron].name} forbids the {name}"
        if not state.players[self.seat].hand[action]:
            reason = f"you hold no {name}"
        allowed = listed([card(TYPES[each]) for each in legal if each != NOTHING])
        raise RequestError(f"you cannot play {name} now, since {reason}; you can: {allowed}")

    def board(self) -> Sequence[str]:
        """Return patron, cheers cards, rows and hand."""
        state = self.game.game.state
        return [] if state.patron is None else table_lines(state, self.seat, match=self.game.is_match)

    def task(self) -> str:
        """Return what is to be decided."""
        return task_text(self.game.game.state)

    def hints(self) -> Sequence[str]:
        """Return what the choices are worth."""
        return self.game.hint()

    def explain(self, name: str) -> str | None:
        """Return what a card, a patron or a cheers card does."""
        return ROWS_HELP if name in ("row", "rows") else explained(self.game.game.header.rules, name)

    def ending(self) -> Sequence[str]:
        """Return who won, and what decisions cost."""
        return self.game.ending()

    def record(self) -> str:
        """Return the transcript of the game so far."""
        return self.game.game.text()

    def fingerprint(self) -> str:
        """Return what tells this decision from others."""
        return f"{self.game.game.header.seed} {len(self.game.game.moves)} any"
