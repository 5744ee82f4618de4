"""Players as text: a name and settings, ``search:iterations=500,seconds=1``.

A game declares each of its players as a `Player` struct whose tag is the name and whose fields are the
settings, and joins them by ``|``.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, get_args

import msgspec

from analysis.errors import RequestError
from engine.rulefiles import unknown

__all__ = ["Player", "players_of", "read_struct", "struct_text"]


class Player(msgspec.Struct, frozen=True, tag_field="player"):
    """Whoever plays; subclasses have a `tag`, and their settings as fields."""


def players_of(declared: Any) -> dict[str, type[Player]]:
    """Return the players of a union, by name; none if it is something else."""
    parts = get_args(declared) or (declared,)
    if not all(isinstance(part, type) and issubclass(part, Player) for part in parts):
        return {}
    return {str(part.__struct_config__.tag): part for part in parts}


def read_struct(declared: Any, text: str, option: str) -> Player:
    """Return the player that a text names.

    Raises
    ------
    RequestError
        If there is no such player or setting, or a value that it cannot have.
    """
    from analysis.front.parameters import parameters, read

    players = players_of(declared)
    name, _, tail = text.partition(":")
    name = name.strip()
    if name not in players:
        reason = unknown("player", name, players)
        raise RequestError(f"{name!r}: {reason}; there are {', '.join(players)}", option)
    known = {each.name: each for each in parameters(players[name])}
    values: dict[str, Any] = {}
    for word in _words(tail):
        key, equals, value = (part.strip() for part in word.partition("="))
        if key not in known:
            reason = unknown("setting", key, known)
            raise RequestError(f"{key!r}: {reason}; {name} has {', '.join(known) or 'no settings'}", option)
        if not equals:
            raise RequestError(f"{word.strip()!r}: write {key}=VALUE, {known[key].allowed}", option)
        plain = json.loads(value) if value.startswith('"') else value
        try:
            values[key] = read(known[key], plain, {})
        except RequestError as error:
            raise RequestError(f"{key}: {error}", option) from None
    return players[name](**values)


def struct_text(player: Player) -> str:
    """Return a player as `read_struct` reads it: its name, and the settings that are not the usual ones."""
    words = []
    for each in msgspec.structs.fields(player):
        value = getattr(player, each.name)
        if value != each.default:
            words.append(
                f"{each.name}={_quoted(str(value).lower() if isinstance(value, bool) else str(value))}"
            )
    name = str(player.__struct_config__.tag)
    return f"{name}:{','.join(words)}" if words else name


def _quoted(text: str) -> str:
    plain = text and text == text.strip() and not set(text) & set(',"') and text.isprintable()
    return text if plain else json.dumps(text)


def _words(tail: str) -> Iterator[str]:
    """The settings, at commas that are in no quotation marks."""
    word, quoted, escaped = "", False, False
    for letter in tail:
        if letter == "," and not quoted:
            if word.strip():
                yield word
            word = ""
            continue
        if letter == '"' and not escaped:
            quoted = not quoted
        escaped = letter == "\\" and not escaped
        word += letter
    if word.strip():
        yield word
