"""A game with a person in it as plain data, for a front that has it in another process."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from analysis.errors import RequestError
from analysis.front.session import Session

__all__ = ["Moves"]


class Moves:
    """A session, told what to do one thing at a time; it says each time how the table looks."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._board: list[str] = []

    def begun(self, moves: Sequence[int], words: Sequence[str]) -> dict[str, Any]:
        """Play up to where a game was left; stop before a move that is not there any more."""
        log: list[list[str]] = []
        for number, named in zip(moves, words, strict=True):
            log.append(list(self._session.advance()))
            options = self._session.options()
            if options is None or number >= len(options) or options[number] != named:
                return self._state([]) | {"log": log, "lost": True}
            self._session.make(number)
        return self._advanced() | {"log": log}

    def _advanced(self) -> dict[str, Any]:
        return self._state(list(self._session.advance()))

    def _state(self, events: list[str]) -> dict[str, Any]:
        options = self._session.options()
        board, before = list(self._session.board()), self._board
        self._board = board
        record = getattr(self._session, "record", None)
        return {
            "record": record() if record is not None and options is None else "",
            "events": events,
            "options": options,
            "board": board,
            "changed": [bool(before) and line not in before for line in board],
            "task": self._session.task() if options is not None else "",
            "ending": list(self._session.ending()) if options is None else [],
        }

    def done(self, do: str, number: int = 0, text: str = "") -> dict[str, Any]:
        """Do what the person wants; only a move or its taking back changes the game."""
        session = self._session
        if do == "move":
            session.make(number)
            return self._advanced() | {"made": number}
        if do == "undo":
            undone = session.undo()
            return (self._advanced() if undone else {}) | {"undone": undone}
        if do == "named":
            try:
                return {"named": session.named(text)}
            except RequestError as error:
                return {"named": None, "why": str(error)}
        if do == "hint":
            return {"lines": list(session.hints())}
        found = session.explain(text)
        return {"lines": [found] if found else [], "nothing": not found}
