"""Gambit's text formats word by word: strings, numbers, braces, and where in the file each of them stands."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import NamedTuple, NoReturn

STRING, WORD, OPEN, CLOSE, END = "string", "word", "{", "}", "end"

_TOKEN = re.compile(
    r'[\s,]+|(?P<string>"(?P<inside>(?:[^"\\]++|\\.)*+)")|(?P<brace>[{}])|(?P<word>[^\s,{}"]+)', re.DOTALL
)
_ESCAPED = re.compile(r'\\(["\\])')
_NUMBER = re.compile(r"[+-]?(?:[0-9]+/[0-9]+|(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE](?P<exponent>[+-]?[0-9]+))?)")
# Titles and names; what is longer is no text for people.
MAX_TEXT = 100_000
# A few characters can spell a number that fills the memory.
MAX_DIGITS = 2000
MAX_EXPONENT = 400


class GambitFormatError(ValueError):
    """A text that is no game; the message begins with line and column.

    Attributes
    ----------
    line, column : from 1.
    """

    def __init__(self, line: int, column: int, reason: str) -> None:
        super().__init__(f"line {line}, column {column}: {reason}")
        self.line = line
        self.column = column


class UnsupportedGameError(ValueError):
    """A sound file of a game that the solvers here do not take; the message says what kind it is."""


class GeneralSumError(UnsupportedGameError):
    """A tree of two players who can both gain."""


class Token(NamedTuple):
    """A word of the text.

    Attributes
    ----------
    kind : `STRING`, `WORD`, `OPEN`, `CLOSE` or `END`.
    text : of a string without quotes, escapes resolved.
    offset : where it begins.
    """

    kind: str
    text: str
    offset: int


class Tokens:
    """The words of a text, one after the other. Commas count as blanks."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._offset = 0
        self._next = self._read()

    @property
    def next(self) -> Token:
        """The word to come."""
        return self._next

    def take(self) -> Token:
        """Return the word to come and go on."""
        token = self._next
        if token.kind != END:
            self._next = self._read()
        return token

    def expect(self, kind: str, what: str) -> Token:
        """Return the word to come, which must be of a kind."""
        if self._next.kind != kind:
            self.fail(f"expected {what}, found {described(self._next)}")
        return self.take()

    def string(self, what: str) -> str:
        """Return the quoted text to come."""
        return self.expect(STRING, f"{what} in quotes").text

    def whole(self, what: str, smallest: int = 0) -> int:
        """Return the whole number to come."""
        token = self.expect(WORD, what)
        if not re.fullmatch(r"[0-9]{1,9}", token.text) or int(token.text) < smallest:
            self.fail(f"expected {what}, found {described(token)}", token)
        return int(token.text)

    def number(self, what: str) -> Fraction:
        """Return the number to come, exactly: whole, decimal, with an exponent, or a fraction."""
        token = self.expect(WORD, what)
        match = _NUMBER.fullmatch(token.text)
        if match is None:
            self.fail(f"expected {what}, found {described(token)}", token)
        if len(token.text) > MAX_DIGITS or abs(int(match["exponent"] or 0)) > MAX_EXPONENT:
            self.fail(f"a number of this size is beyond what can be solved: {described(token)}", token)
        try:
            return Fraction(token.text)
        except ZeroDivisionError:
            self.fail(f"a fraction with nothing beneath: {token.text}", token)

    def fail(self, reason: str, token: Token | None = None) -> NoReturn:
        """Raise GambitFormatError at a word, by default the one to come."""
        raise self._error(reason, (token or self._next).offset)

    def line(self, token: Token) -> int:
        """Return the line a word stands in."""
        return self._text.count("\n", 0, token.offset) + 1

    def _error(self, reason: str, offset: int) -> GambitFormatError:
        before = self._text[:offset]
        return GambitFormatError(before.count("\n") + 1, offset - before.rfind("\n"), reason)

    def _read(self) -> Token:
        while self._offset < len(self._text):
            begin = self._offset
            match = _TOKEN.match(self._text, begin)
            if match is None:
                raise self._error("a quote that is never closed", begin)
            self._offset = match.end()
            if match["string"] is not None:
                length = match.end("inside") - match.start("inside")
                if length > MAX_TEXT:
                    raise self._error(f"a text of {length} characters; at most {MAX_TEXT} are read", begin)
                return Token(STRING, _ESCAPED.sub(r"\1", match["inside"]), begin)
            if match["brace"] is not None:
                return Token(match["brace"], match["brace"], begin)
            if match["word"] is not None:
                return Token(WORD, match["word"], begin)
        return Token(END, "", len(self._text))


def described(token: Token) -> str:
    """Return a word as messages quote it."""
    if token.kind == END:
        return "the end of the file"
    text = token.text if len(token.text) <= 40 else token.text[:37] + "..."
    return f'the text "{text}"' if token.kind == STRING else f"'{text}'"


def braced_strings(tokens: Tokens, what: str) -> list[str]:
    """Return the texts of ``{ "a" "b" ... }``, at least one."""
    tokens.expect(OPEN, f"'{{' before {what}")
    texts = [tokens.string(what)]
    while tokens.next.kind != CLOSE:
        texts.append(tokens.string(f"{what}, or '}}'"))
    tokens.take()
    return texts


def header(tokens: Tokens, word: str, version: int) -> tuple[str, list[str]]:
    """Read the first words of a file, and return its title and the players' names, made different."""
    if (tokens.next.kind, tokens.next.text) != (WORD, word):
        tokens.fail(f"expected '{word}', found {described(tokens.next)}")
    tokens.take()
    number = tokens.expect(WORD, "the version of the format")
    if number.text != str(version):
        tokens.fail(
            f"only version {version} of {word} files is known, and this is {described(number)}", number
        )
    kind = tokens.expect(WORD, "'R' or 'D'")
    if kind.text not in ("R", "D"):
        tokens.fail(f"expected 'R' or 'D', found {described(kind)}", kind)
    title = tokens.string("the title")
    players = [name or "player" for name in braced_strings(tokens, "the name of a player")]
    return title, numbered_if_equal(players)


def numbered_if_equal(names: list[str]) -> list[str]:
    """Return names, all of them with their number from 1 if they are not all different."""
    if len(set(names)) == len(names):
        return names
    return [f"{number}: {name}" for number, name in enumerate(names, 1)]
