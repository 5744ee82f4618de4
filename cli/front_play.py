"""Sessions at the terminal: a game's own words, and the loop that all games share.

Moves stand in a numbered list. They are taken by number, by words that only one of them has, or by words of
the game's own. Where a game's board is long, what has changed of it is shown; ``table`` shows all of it.
"""

from __future__ import annotations

import random
import re
from typing import Any

import click

from analysis.errors import RequestError
from analysis.front.recording import Recorder, recorder_of
from analysis.front.session import Session
from analysis.front.verbs.play import session_of
from cli.compiling import compiling_said
from cli.play import Table, say, wrapped
from cli.play import play as play_at

__all__ = ["SessionTable", "play"]

_WORD = re.compile(r"[\w'-]+")
_COMPLETED = re.compile(r"[A-Za-z][\w'-]+")


def play(game: Any, asked: Any) -> None:
    """Let a person play."""
    session, seed = session_of(game, asked)
    recorder = recorder_of(game, asked, session)
    say(f"You sit in seat {session.seat + 1}. Seed {seed}.")
    said = game.rules_note(game.rules_of(asked.rules)).said
    if said:
        say(wrapped(said, 0))
    shown = SessionTable(session, recorder, changes=game.board_changes)
    shown.moves_help += game.moves_help
    with compiling_said():
        play_at(shown, hints=asked.hints)


class SessionTable(Table):
    """A session at the terminal.

    Parameters
    ----------
    changes : whether only what has changed of the board is shown again; each line begins with a head of its
        own, up to the first colon. The first line is always shown.
    """

    moves_help = "  NUMBER      make the move of that number; or words of it that no other has\n"
    hints = "what your moves are worth"
    leaves = "give up"

    def __init__(self, session: Session, recorder: Recorder | None = None, *, changes: bool = False) -> None:
        self.session, self.recorder = session, recorder
        self.texts: list[str] = []
        self._changes, self._seen, self._in_full = changes, list[str](), True

    def advance(self) -> bool:
        for event in self.session.advance():
            say(wrapped(event, 0, 2))
        options = self.session.options()
        self.texts = options or []
        self._in_full = not (self._changes and self._seen and options is not None)
        error = None if self.recorder is None else self.recorder.keep(ends=options is None)
        if error is not None:
            click.echo(error, err=True)
        return options is not None

    def show(self) -> None:
        self._show_board()
        for number, text in enumerate(self.texts, 1):
            say(wrapped(f"{number}) {text}", 2, 4))

    def _show_board(self) -> None:
        """Show the board without the moves."""
        lines = shown = list(self.session.board())
        if not self._in_full:
            heads = {_head(line) for line in lines}
            gone = [_head(line) for line in self._seen[1:] if _head(line) not in heads]
            shown = [lines[0], *(line for line in lines[1:] if line not in self._seen)]
            shown += [f"{head}: nothing any more" for head in gone]
        # Whoever asks twice at one decision wants to see all of it.
        self._seen, self._in_full = lines, True
        say("")
        for line in shown:
            _say_indented(line, 4)
        if self.session.task():
            say(self.session.task())

    def question(self) -> str:
        return f"your move (1 to {len(self.texts)}) >"

    def take(self, typed: str) -> bool:
        try:
            number = self.session.named(typed)
        except RequestError as error:
            say(wrapped(str(error)))
            return False
        if number is None and typed.isdecimal():
            # A number is a place in the list and nothing else, whatever numbers the texts have in them.
            if not 1 <= int(typed[:9]) <= len(self.texts):
                say(f"  moves have the numbers 1 to {len(self.texts)}")
                return False
            number = int(typed) - 1
        if number is None:
            words = _words(typed)
            same = [place for place, text in enumerate(self.texts) if text.lower() == typed.lower()]
            fitting = same or [
                place for place, text in enumerate(self.texts) if words and words <= _words(text)
            ]
            if len(fitting) != 1:
                what = f"may be {len(fitting)}" if fitting else "is none"
                say(f"  {typed!r} {what} of these moves; type a number, or ? for help")
                return False
            [number] = fitting
        self._make(number)
        return True

    def take_any(self) -> None:
        self._make(random.Random(self.session.fingerprint()).randrange(len(self.texts)))

    def _make(self, number: int) -> None:
        say(wrapped(f"You: {self.texts[number].rstrip('.')}.", 0, 2))
        self.session.make(number)

    def hint(self) -> None:
        for line in self.session.hints():
            say(wrapped(f"{line.lstrip()}", 2 + len(line) - len(line.lstrip()), 4))

    def undo(self) -> bool:
        return self.session.undo()

    def explain(self, name: str) -> str | None:
        return self.session.explain(name)

    def words(self) -> list[str]:
        return sorted({word for text in self.texts for word in _COMPLETED.findall(text)})

    def close(self) -> None:
        self._show_board()
        for line in [*self.session.ending(), *(self.recorder.ended() if self.recorder else ())]:
            _say_indented(line, 2)

    def leave(self) -> str:
        return super().leave() if self.recorder is None else self.recorder.left()


def _say_indented(line: str, hanging: int) -> None:
    """Say a line of any length, indented as it is."""
    text = line.lstrip()
    say(wrapped(text, len(line) - len(text), hanging))


def _head(line: str) -> str:
    return line.partition(":")[0]


def _words(text: str) -> set[str]:
    return set(_WORD.findall(text.lower()))
