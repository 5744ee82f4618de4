"""What transcripts of played games share: a head of comments that tells the rules, and a line for each move.

What a line means, and what else the head tells, is each game's own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol, TypeVar

from analysis.version import __version__
from engine.rulefiles import RulesError, toml_value


class TranscriptError(ValueError):
    """A text that is no transcript, or one that cannot be played again; the message says where and why."""


class NamedRules(Protocol):
    """Rules of any game."""

    @property
    def name(self) -> str: ...
    @property
    def sha256(self) -> str: ...


_Rules = TypeVar("_Rules", bound=NamedRules)


@dataclass(frozen=True)
class Lines:
    """A transcript taken apart.

    Attributes
    ----------
    fields : the comments: what follows the first word, by that word.
    moves : number and text of every other line.
    """

    fields: dict[str, list[str]]
    moves: list[tuple[int, str]]

    def one(self, name: str) -> str:
        """Return what the last comment that begins with `name` says; TranscriptError if there is none."""
        if name not in self.fields:
            raise TranscriptError(f"has no line '# {name} ...'")
        return self.fields[name][-1]


def first_line(game: str) -> str:
    """Return how transcripts of a game begin."""
    return f"{_kind(game)}1"


def _kind(game: str) -> str:
    return f"# {game} transcript "


def is_transcript(path: Path, game: str) -> bool:
    """Return whether a file begins as a transcript of any version; OSError if it cannot be read."""
    kind = _kind(game).encode()
    with path.open("rb") as file:
        return file.read(len(kind)) == kind


def head(game: str, rules: NamedRules, differences: Iterable[tuple[str, Any, Any]]) -> list[str]:
    """Return the first lines of a transcript, which tell its rules.

    Parameters
    ----------
    differences : key, value of the box and value of these rules, where they differ.
    """
    changed = [f"# set {key}={toml_value(value)}" for key, _, value in differences if value is not None]
    return [first_line(game), f"# version {__version__}", f"# rules {rules.sha256} {rules.name}", *changed]


def taken_apart(text: str, game: str) -> Lines:
    """Return the comments and moves of a transcript; TranscriptError if it does not begin like one."""
    lines = text.splitlines()
    if not lines or lines[0].strip() != first_line(game):
        raise TranscriptError(f"does not begin with {first_line(game)!r}")
    fields: dict[str, list[str]] = {}
    for line in lines[1:]:
        if line.startswith("# "):
            word, _, rest = line[2:].partition(" ")
            fields.setdefault(word, []).append(rest.strip())
    moves = [
        (number, line.strip())
        for number, line in enumerate(lines, 1)
        if line.strip() and not line.startswith("#")
    ]
    return Lines(fields, moves)


def played_by(
    lines: Lines, files: Sequence[Path], load: Callable[[Sequence[Path], Sequence[str]], _Rules]
) -> _Rules:
    """Return the rules that a transcript names.

    Parameters
    ----------
    files : rules files to use instead of the differences it lists.
    load : the game's own, of files and of values to set.

    Raises
    ------
    TranscriptError
        If they cannot be used, or are others.
    """
    sha256, _, name = lines.one("rules").partition(" ")
    try:
        rules = load(files, () if files else lines.fields.get("set", ()))
    except RulesError as error:
        raise TranscriptError(f"its rules cannot be used: {error}") from None
    if rules.sha256 != sha256:
        raise TranscriptError(
            f"was played by other rules, {name!r} ({sha256[:12]}, not {rules.sha256[:12]}); name their file"
            " with --rules"
        )
    return rules
