"""Sessions at the terminal: a game's own words, and the loop that all games share."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import click

from analysis.errors import RequestError
from analysis.front.recording import Recorder, recorder_of
from analysis.front.session import Session
from analysis.front.verbs.play import session_of
from cli.changing_table import ChangingTable
from cli.compiling import compiling_said
from cli.numbered import NumberedTable
from cli.play import play as play_at
from cli.play import say, wrapped

__all__ = ["play"]


def play(game: Any, asked: Any) -> bool:
    """Let a person play; return whether the game was played to its end."""
    session, seed = session_of(game, asked)
    recorder = recorder_of(game, asked, session)
    say(f"You sit in seat {session.seat + 1}. Seed {seed}.")
    said = game.rules_note(game.rules_of(asked.rules)).said
    if said:
        say(wrapped(said, 0))
    table = _ChangingSessionTable if game.board_changes else _SessionTable
    shown = table(session, recorder)
    shown.moves_help += game.moves_help
    with compiling_said():
        return play_at(shown, hints=asked.hints)


class _SessionTable(NumberedTable):
    """A session at the terminal."""

    moves_help = "  NUMBER      make the move of that number; or words of it that no other has\n"
    explains = "what something does"
    hints = "what your moves are worth"
    leaves = "give up"
    noun = "move"

    def __init__(self, session: Session, recorder: Recorder | None) -> None:
        super().__init__()
        self.session, self.recorder = session, recorder

    def advance(self) -> bool:
        going = super().advance()
        error = None if self.recorder is None else self.recorder.keep(ends=not going)
        if error is not None:
            click.echo(error, err=True)
        return going

    def play_on(self) -> Sequence[str]:
        return list(self.session.advance())

    def options(self) -> list[str] | None:
        return self.session.options()

    def show_table(self) -> None:
        super().show_table()
        task = self.session.task()
        if task:
            say(task)

    def table_lines(self) -> Sequence[str]:
        return list(self.session.board())

    def make(self, number: int) -> None:
        self.session.make(number)

    def fingerprint(self) -> bytes | str:
        return self.session.fingerprint()

    def hint(self) -> None:
        for line in self.session.hints():
            say(wrapped(f"{line.lstrip()}", 2 + len(line) - len(line.lstrip()), 4))

    def take(self, typed: str) -> bool:
        try:
            number = self.session.named(typed)
        except RequestError as error:
            say(wrapped(str(error)))
            return False
        if number is None:
            return super().take(typed)
        self._make(number)
        return True

    def undo(self) -> bool:
        return self.session.undo()

    def explain(self, name: str) -> str | None:
        return self.session.explain(name)

    def close(self) -> None:
        self.show_table()
        for line in [*self.session.ending(), *(self.recorder.ended() if self.recorder else ())]:
            say(wrapped(line.lstrip(), len(line) - len(line.lstrip()), 2))

    def leave(self) -> str:
        return super().leave() if self.recorder is None else self.recorder.left()


class _ChangingSessionTable(_SessionTable, ChangingTable):
    """A session whose board is long: what has changed is shown."""
