"""A game with a person in it: what happens, what can be done, undo, board, hints and the end."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Any, Generic, Protocol, TypeVar

from analysis.front.contest import Policy
from engine.protocol import CHANCE, OVER, Reference

__all__ = ["Played", "PlayedSession", "ReferenceSession", "Session", "Texts"]


class Session(Protocol):
    """A game with a person in it.

    Attributes
    ----------
    seat : the person's, from 0; people read and type it from 1.
    """

    seat: int

    def advance(self) -> Sequence[str]:
        """Play on to the person's next decision, or the end; return what happened, a sentence or two each."""

    def options(self) -> list[str] | None:
        """Return the person's moves in words, each different; None once the game is over."""

    def named(self, typed: str) -> int | None:
        """Return the move that a game's own words name, beside its line; None if none.

        Raises
        ------
        RequestError
            If they name one that cannot be made now; it says why.
        """

    def make(self, number: int) -> None:
        """Make the move of this number, from 0."""

    def undo(self) -> bool:
        """Go back to the person's decision before this one; False if there is none."""

    def board(self) -> Sequence[str]:
        """Return what the person sees, in lines."""

    def task(self) -> str:
        """Return what the person has to decide, in words; empty where the moves say it."""

    def hints(self) -> Sequence[str]:
        """Return what the moves are worth, as far as that is known, in lines."""

    def explain(self, name: str) -> str | None:
        """Return what a thing of the game does; None if nothing is called so."""

    def ending(self) -> Sequence[str]:
        """Return how the game ended, in lines."""

    def fingerprint(self) -> str | bytes:
        """Return what tells this state from others; a move by chance is drawn by it."""


class Played(Protocol):
    """A game with a person in it, without words for its moves and its board.

    Attributes
    ----------
    seat : the person's, from 0.
    events : what has happened since they were last told, in words.
    """

    @property
    def seat(self) -> int: ...
    @property
    def events(self) -> list[str]: ...

    def play_on(self) -> None:
        """Play on to the person's next decision, or the end; what happens is added to `events`."""

    def make(self, number: int) -> None:
        """Make the person's move of this number."""

    def undo(self) -> bool:
        """Go back to the person's decision before this one; False if there is none."""


_Game = TypeVar("_Game", bound=Played)


class PlayedSession(Generic[_Game]):
    """What sessions share whose game plays on by itself; the words are each game's own."""

    def __init__(self, game: _Game) -> None:
        self.game, self.seat = game, game.seat

    def advance(self) -> Sequence[str]:
        """See `Session.advance`."""
        self.game.play_on()
        events = self.game.events[:]
        self.game.events.clear()
        return events

    def named(self, typed: str) -> int | None:
        """See `Session.named`: moves are named by the words of their lines."""
        return None

    def make(self, number: int) -> None:
        """See `Session.make`."""
        self.game.make(number)

    def undo(self) -> bool:
        """See `Session.undo`."""
        return self.game.undo()

    def task(self) -> str:
        """See `Session.task`: the moves say it."""
        return ""


class Texts(Protocol):
    """The words of a game: all that `ReferenceSession` needs beside the reference."""

    def move(self, state: Any, move: Any) -> str:
        """Return a move in words."""

    def events(self, before: Any, move: Any, after: Any, seat: int) -> Sequence[str]:
        """Return what the person learns of a move, or an outcome of chance, between two states."""

    def board(self, state: Any, seat: int) -> Sequence[str]:
        """Return what the person sees."""

    def explain(self, name: str) -> str | None:
        """Return what a thing of the game does; None if nothing is called so."""

    def ending(self, state: Any, seat: int) -> Sequence[str]:
        """Return how the game ended."""


class ReferenceSession:
    """A session on the plain-Python reference of a game.

    Parameters
    ----------
    state : in which play begins.
    opponent : who plays all other seats.
    hint : (state, moves) -> lines; None if there are no hints.
    """

    def __init__(
        self,
        reference: Reference,
        texts: Texts,
        state: Any,
        seat: int,
        opponent: Policy,
        seed: int,
        hint: Callable[[Any, Sequence[Any]], Sequence[str]] | None = None,
    ) -> None:
        self.seat, self.state = seat, state
        self._reference, self._texts, self._opponent, self._hint = reference, texts, opponent, hint
        self._chance = random.Random(f"{seed}/chance")
        self._choosing = random.Random(f"{seed}/opponent")
        self._points: list[tuple[Any, Any, Any]] = []
        self._events: list[str] = []

    def advance(self) -> Sequence[str]:
        """See `Session.advance`."""
        events, self._events = self._events, []
        while (decider := self._reference.decider(self.state)) not in (self.seat, OVER):
            if decider == CHANCE:
                outcomes, weights = zip(*self._reference.chance_outcomes(self.state), strict=True)
                events += self._step(self._chance.choices(outcomes, weights)[0])
            else:
                events += self._step(self._opponent(self.state, decider, self._choosing))
        return events

    def _step(self, move: Any) -> Sequence[str]:
        before = self.state
        self.state = self._reference.step(before, move)
        return self._texts.events(before, move, self.state, self.seat)

    def options(self) -> list[str] | None:
        """See `Session.options`."""
        if self._reference.decider(self.state) == OVER:
            return None
        return [self._texts.move(self.state, move) for move in self._reference.legal_moves(self.state)]

    def named(self, typed: str) -> int | None:
        """See `Session.named`."""
        return None

    def make(self, number: int) -> None:
        """See `Session.make`."""
        self._points.append((self.state, self._chance.getstate(), self._choosing.getstate()))
        # What the person's own move leads to is told when play goes on.
        self._events = list(self._step(self._reference.legal_moves(self.state)[number]))

    def undo(self) -> bool:
        """See `Session.undo`."""
        if not self._points:
            return False
        self.state, chance, choosing = self._points.pop()
        self._events = []
        self._chance.setstate(chance)
        self._choosing.setstate(choosing)
        return True

    def board(self) -> Sequence[str]:
        """See `Session.board`."""
        return self._texts.board(self.state, self.seat)

    def task(self) -> str:
        """See `Session.task`."""
        return ""

    def hints(self) -> Sequence[str]:
        """See `Session.hints`."""
        if self._hint is None:
            return ["There are no hints in this game."]
        return self._hint(self.state, self._reference.legal_moves(self.state))

    def explain(self, name: str) -> str | None:
        """See `Session.explain`."""
        return self._texts.explain(name)

    def ending(self) -> Sequence[str]:
        """See `Session.ending`."""
        return self._texts.ending(self.state, self.seat)

    def fingerprint(self) -> str | bytes:
        """See `Session.fingerprint`."""
        return f"{self.state}/{len(self._points)}"
