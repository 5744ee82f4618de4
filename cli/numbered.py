"""A table whose moves stand in a numbered list: taken by number, or by words that only one of them has."""

from __future__ import annotations

import random
import re
from abc import abstractmethod
from collections.abc import Sequence

from cli.play import Table, say, wrapped

_WORD = re.compile(r"[\w'-]+")
_COMPLETED = re.compile(r"[A-Za-z][\w'-]+")


class NumberedTable(Table):
    """A game that says of each decision which moves there are, in words.

    Attributes
    ----------
    texts
        The moves of this decision, in words.
    noun
        What the game calls one of them.
    """

    noun = "choice"

    def __init__(self) -> None:
        self.texts: list[str] = []

    @abstractmethod
    def play_on(self) -> Sequence[str]:
        """Play on to the person's next decision; return what happened, a sentence or two each."""

    @abstractmethod
    def options(self) -> list[str] | None:
        """Return the moves of this decision, in words, each another; None once the game is over."""

    @abstractmethod
    def table_lines(self) -> Sequence[str]:
        """Return the table as the person sees it, in lines of any length, indented by what they belong to."""

    @abstractmethod
    def make(self, number: int) -> None:
        """Make the move that stands at this place of `texts`."""

    @abstractmethod
    def fingerprint(self) -> bytes | str:
        """Return what tells this state from others; a move by chance is drawn by it."""

    def advance(self) -> bool:
        for event in self.play_on():
            say(wrapped(event, 0, 2))
        options = self.options()
        self.texts = options or []
        return options is not None

    def show(self) -> None:
        self.show_table()
        for number, text in enumerate(self.texts, 1):
            say(wrapped(f"{number}) {text}", 2, 4))

    def show_table(self) -> None:
        """Show the table without the moves."""
        say("")
        for line in self.table_lines():
            say(wrapped(line, len(line) - len(line.lstrip()), 4))

    def question(self) -> str:
        return f"your {self.noun} (1 to {len(self.texts)}) >"

    def take(self, typed: str) -> bool:
        if typed.isdecimal():
            # A number is a place in the list and nothing else, whatever numbers the texts have in them.
            if 1 <= int(typed[:9]) <= len(self.texts):
                self._make(int(typed) - 1)
                return True
            say(f"  {self.noun}s have the numbers 1 to {len(self.texts)}")
            return False
        words = _words(typed)
        same = [number for number, text in enumerate(self.texts) if text.lower() == typed.lower()]
        fitting = same or [
            number for number, text in enumerate(self.texts) if words and words <= _words(text)
        ]
        if len(fitting) == 1:
            self._make(fitting[0])
            return True
        what = f"may be {len(fitting)}" if fitting else "is none"
        say(f"  {typed!r} {what} of these {self.noun}s; type a number, or ? for help")
        return False

    def take_any(self) -> None:
        self._make(random.Random(self.fingerprint()).randrange(len(self.texts)))

    def words(self) -> list[str]:
        return sorted({word for text in self.texts for word in _COMPLETED.findall(text)})

    def _make(self, number: int) -> None:
        say(wrapped(f"You: {self.texts[number].rstrip('.')}.", 0, 2))
        self.make(number)


def _words(text: str) -> set[str]:
    return set(_WORD.findall(text.lower()))
