"""Lineups, holdings and steps taken apart and put together again: entries of lists, and what belongs to each.

What the game reads is the text; a form has drop-downs and numbers instead. A text that says more than these
can is left as it is.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from analysis.errors import RequestError
from analysis.front.kinds import Holding, Lineup, Mark, Named, Names, Pick, Steps, read_pick

__all__ = ["Standing", "holding_parts", "holding_text", "lineup_parts", "lineup_text", "steps_parts"]


class Standing(NamedTuple):
    """An entry of a lineup: its id, and what stands behind it by the marks' names; 1 for no number."""

    id: str
    marks: dict[str, int]


def lineup_parts(kind: Lineup, text: str, names: Names) -> tuple[str, list[Standing]] | None:
    """Return the lineup that a text names, or else its entries; None if fields cannot say the same."""
    word = text.strip().casefold()
    for each in names[kind.ready] if kind.ready else ():
        if word in (each.id.casefold(), each.name.casefold()):
            return each.id, []
    try:
        return "", [_standing(kind, part, names) for part in text.split(",") if part.strip()]
    except RequestError:
        return None


def _standing(kind: Lineup, text: str, names: Names) -> Standing:
    marks: dict[str, int] = {}
    rest = text.strip()
    while True:
        try:
            return Standing(read_pick(Pick(kind.names), rest, names, ""), marks)
        except RequestError:
            found = next(((mark, at) for mark in kind.marks if (at := _pattern(mark).search(rest))), None)
            if found is None or found[0].name in marks:
                raise
            mark, at = found
            marks = {mark.name: int(at[1]) if at.groups() else 1} | marks
            rest = rest[: at.start()].strip()


def _pattern(mark: Mark) -> re.Pattern[str]:
    """How a mark stands at the end of an entry; a letter or a digit has a blank before it."""
    before = r"\s+" if mark.text[0].isalnum() or mark.text[0] == "{" else r"\s*"
    return re.compile(before + re.escape(mark.text).replace(r"\{\}", r"(\d+)") + "$", re.IGNORECASE)


def lineup_text(kind: Lineup, entries: Sequence[Standing]) -> str:
    """Return entries as `lineup_parts` takes them apart."""
    texts = {mark.name: mark.text for mark in kind.marks}
    return ", ".join(
        " ".join([each.id, *(texts[name].format(number) for name, number in each.marks.items())])
        for each in entries
    )


def holding_parts(kind: Holding, text: str, names: Names) -> tuple[str, list[str]] | None:
    """Return an entry and what it has, by their ids; None if fields cannot say the same."""
    name, _, held = text.partition(":")
    if not text.strip():
        return "", []
    try:
        parts = [read_pick(Pick(kind.held), part, names, "") for part in held.split(",") if part.strip()]
        return (read_pick(Pick(kind.names), name, names, ""), parts) if len(parts) <= kind.most else None
    except RequestError:
        return None


def holding_text(name: str, held: Sequence[str]) -> str:
    """Return an entry and what it has as `holding_parts` takes them apart."""
    return f"{name}: {', '.join(held)}"


def steps_parts(kind: Steps, text: str, names: Names) -> list[tuple[str, str]] | None:
    """Return what both sides did in each step, by their ids; None if fields cannot say the same."""
    steps = [part.split("/") for part in text.split(";") if part.strip()]
    found = []
    for step in steps:
        if len(step) != 2 or len(steps) > kind.most:
            return None
        one, other = _meant(step[0], names[kind.names]), _meant(step[1], names[kind.other])
        if one is None or other is None:
            return None
        found.append((one, other))
    return found


def _meant(text: str, known: Sequence[Named]) -> str | None:
    word = text.replace(" ", "").casefold()
    return next((each.id for each in known if word in map(str.casefold, (each.id, *each.also))), None)
