"""Rules as cases of a text file: the rule's id and what it says, and beneath how it is tried on a reference.

A line at the margin begins a case; `#` begins a comment. Indented lines are done in their order:

- `NAME key=value; key=value` begins a state by a function of the game's, such as `table`: by JSON, or text;
- `> move; move` plays moves, `! move; move` are moves that are refused;
- `keep NAME` keeps the state, `back NAME` returns to it, `set key=value` changes a part of it;
- `what = value` compares what a state has, `what has value; value` and `what lacks value` look into a list;
  several of them on a line are parted by `&`. What a state has is a path such as `players.0.gold`, or a
  function of the game's with its words, such as `reserve 1`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from enum import Enum
from pathlib import Path
from typing import Any

import pytest


@dataclass(frozen=True)
class Board:
    """How cases are tried in a game: how states begin, how a move is made, what else can be asked of a state.

    `named` stands for words that begin with @.
    """

    begin: Mapping[str, Callable[..., Any]]
    play: Callable[[Any, str], Any]
    look: Mapping[str, Callable[..., Any]]
    named: Callable[[str], object] = str
    refusal: tuple[type[Exception], ...] = (AssertionError,)

    def check(self, lines: Iterable[str]) -> None:
        """Try a case."""
        state, kept = None, {}
        for line in lines:
            word, _, rest = line.partition(" ")
            try:
                if word in self.begin and rest[:2] != "= ":
                    state = self.begin[word](**self._given(rest))
                elif word in (">", "!"):
                    for move in rest.split(";"):
                        if word == ">":
                            state = self.play(state, self._words(move))
                        else:
                            with pytest.raises(self.refusal):
                                self.play(state, self._words(move))
                elif word == "set":
                    state = replace(state, **{key: frozen(value) for key, value in self._given(rest).items()})
                elif word == "keep":
                    kept[rest] = state
                elif word == "back":
                    state = kept[rest]
                else:
                    for each in line.split(" & "):
                        self._compare(state, each)
            except Exception as error:
                error.add_note(f"in the line: {line}")
                raise

    def _words(self, text: str) -> str:
        return re.sub(r"@([\w-]+)", lambda word: str(self.named(word[1])), " ".join(text.split()))

    def _value(self, text: str) -> Any:
        text = self._words(text)
        try:
            return json.loads(text)
        except ValueError:
            return text

    def _given(self, text: str) -> dict[str, Any]:
        pairs = (each.strip().partition("=") for each in text.split(";") if each.strip())
        return {key: self._value(value) for key, _, value in pairs}

    def _compare(self, state: Any, text: str) -> None:
        parts = text.split()
        at = next(place for place, word in enumerate(parts) if word in ("=", "has", "lacks"))
        name, *words = parts[:at]
        rest = " ".join(parts[at + 1 :])
        head, *steps = name.split(".")
        found = self.look[head](state, *words) if head in self.look else getattr(state, head)
        for step in steps:
            found = found[int(step)] if step.isdigit() else getattr(found, step)
        found = plain(found)
        if parts[at] == "=":
            wanted = self._value(rest)
            if isinstance(found, list) and isinstance(wanted, str):
                wanted = [self._words(each) for each in rest.split(";") if each.strip()]
            assert found == wanted, text
        else:
            for each in rest.split(";"):
                assert (self._value(each) in found) == (parts[at] == "has"), f"{text}: {found}"


def plain(value: Any) -> Any:
    """What a value is in JSON: enumerations by name in small letters, tuples as lists."""
    if isinstance(value, Enum):
        return value.name.lower()
    return [plain(each) for each in value] if isinstance(value, tuple | list) else value


def frozen(value: Any) -> Any:
    """A list as a tuple, and lists in it, too."""
    return tuple(map(frozen, value)) if isinstance(value, list) else value


def cases(path: Path) -> list[Any]:
    """The cases of a file, each a parameter: its lines."""
    found: list[tuple[str, list[str]]] = []
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.strip() and not line.lstrip().startswith("#"):
            if line[0] == " ":
                found[-1][1].append(line.strip().partition("  #")[0].strip())
            else:
                found.append((line, []))
    return [pytest.param(lines, id=name) for name, lines in found]
