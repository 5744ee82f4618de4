"""Pieces of command lines as a version ago had them, put into the words of today."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence

from analysis.errors import RequestError
from analysis.front.sizes import read_duration

__all__ = ["in_seconds", "quoted", "taken"]


def taken(words: Iterable[str], names: Sequence[str]) -> tuple[dict[str, list[str]], list[str]]:
    """Return the values of some options, in order, by name, and all other words."""
    given: dict[str, list[str]] = {name: [] for name in names}
    found, rest = [], iter(words)
    for word in rest:
        name, equals, value = word.partition("=")
        if name in given:
            given[name].append(value if equals else next(rest, ""))
        else:
            found.append(word)
    return given, found


def in_seconds(time: str) -> str:
    """Return a duration in seconds; what is none as it is, for the setting says what is wrong with it."""
    try:
        return f"{read_duration(time):g}"
    except RequestError:
        return time


def quoted(value: str) -> str:
    """Return a value as the settings of a player have it: in quotes where it holds what parts settings."""
    return json.dumps(value) if set(value) & set(',"') else value
