"""Players as text: a name and settings, ``search:iterations=500,seconds=1``.

A game declares each of its players as a `Player` struct whose tag is the name and whose fields are the
settings, and joins them by ``|``.
"""

from __future__ import annotations

import json
from typing import Any, get_args

import msgspec

__all__ = ["Player", "players_of", "struct_text"]


class Player(msgspec.Struct, frozen=True, tag_field="player"):
    """Whoever plays; subclasses have a `tag`, and their settings as fields."""


def players_of(declared: Any) -> dict[str, type[Player]]:
    """Return the players of a union, by name; none if it is something else."""
    parts = get_args(declared) or (declared,)
    if not all(isinstance(part, type) and issubclass(part, Player) for part in parts):
        return {}
    return {str(part.__struct_config__.tag): part for part in parts}


def struct_text(player: Player) -> str:
    """Return a player as `parameters.read_struct` reads it: its name, and the unusual settings."""
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
