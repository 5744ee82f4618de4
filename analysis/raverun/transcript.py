"""Played games of Raverun as text: written as they go on, and read again.

A line for each move and each card that chance brought: its number among all that were possible, and the same
in words. The numbers are what a game is played again by; whether the words are those of the numbers is the
reader's to check, who made them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from analysis.transcripts import Lines, TranscriptError, head, played_by, taken_apart
from engine.raverun import reference
from engine.raverun.reference import Move, State, is_over, payoffs
from engine.raverun.rules import Rules, diff_rules, load_rules

_GAME = "raverun"


@dataclass(frozen=True)
class Header:
    """What a transcript begins with: the person's seat, and who played the others, as they are named."""

    rules: Rules
    num_players: int
    seat: int
    opponent: str


@dataclass(frozen=True)
class Step:
    """What happened at a state: a move, or the card that chance brought; its number, and its line's words."""

    state: State
    way: int
    done: Move | int
    line: int
    words: str


@dataclass(frozen=True)
class Transcript:
    """A transcript read again, and the state that it ends in."""

    header: Header
    steps: list[Step]
    end: State


def written(header: Header, ways: Sequence[int], words: Sequence[str], end: State) -> str:
    """Return a transcript of what happened so far."""
    rules = header.rules
    lines = head(_GAME, rules, diff_rules(load_rules(), rules))
    lines += [f"# players {header.num_players}", f"# you {header.seat}", f"# opponent {header.opponent}"]
    lines += [f"{way} {text}" for way, text in zip(ways, words, strict=True)]
    return "\n".join([*lines, f"# {_ending(end)}"]) + "\n"


def _ending(state: State) -> str:
    return (
        " ".join(["finished", *(f"{value:+g}" for value in payoffs(state))])
        if is_over(state)
        else "unfinished"
    )


def ways_at(state: State) -> list[Move | int]:
    """Return what may come next: outcomes of chance, or moves of who decides."""
    outcomes: list[Move | int] = [outcome for outcome, _ in reference.chance_outcomes(state)]
    return outcomes or list(reference.legal_moves(state))


def read(text: str, files: Sequence[Path] = (), overrides: Sequence[str] = ()) -> Transcript:
    """Play a transcript again by the rules that it names.

    Parameters
    ----------
    files
        Rules files to use instead of the values it lists.
    overrides
        Values laid over either.

    Raises
    ------
    TranscriptError
        If it is damaged, something is not possible, or it does not end as it claims.
    """
    lines = taken_apart(text, _GAME)
    fields, header = lines.fields, _header(lines, files, overrides)
    state, steps = reference.start(header.rules, header.num_players), []
    for number, line in lines.moves:
        way, _, words = line.partition(" ")
        ways = ways_at(state)
        if not re.fullmatch(r"[0-9]{1,4}", way) or int(way) >= len(ways):
            possible = f"a number from 0 to {len(ways) - 1}" if ways else "nothing more: the game is over"
            raise TranscriptError(f"line {number}: {line!r} does not begin with {possible}")
        done = ways[int(way)]
        steps.append(Step(state, int(way), done, number, words.strip()))
        state = reference.step(state, done)
    claimed = next(
        (f"{word} {fields[word][-1]}".strip() for word in ("finished", "unfinished") if word in fields), ""
    )
    if claimed != _ending(state):
        raise TranscriptError(f"ends with {claimed!r}, but its moves leave it {_ending(state)!r}")
    return Transcript(header, steps, state)


def _header(lines: Lines, files: Sequence[Path], overrides: Sequence[str]) -> Header:
    rules = played_by(lines, files, lambda named, values: load_rules(named, [*values, *overrides]))
    numbers = {word: lines.one(word) for word in ("players", "you")}
    for word, text in numbers.items():
        if text not in ("0", "1", "2", "3"):
            raise TranscriptError(f"its line '# {word}' holds {text!r}")
    num_players, seat = int(numbers["players"]), int(numbers["you"])
    try:
        rules.hand_size(num_players)
    except ValueError as error:
        raise TranscriptError(str(error)) from None
    if seat >= num_players:
        raise TranscriptError(f"its line '# you' holds {seat}, with {num_players} players")
    return Header(rules, num_players, seat, lines.one("opponent"))
