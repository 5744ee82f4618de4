"""The games that have commands of their own, each a program that `arena` hands on to."""

from __future__ import annotations

from pathlib import Path

from engine.games import GAMES

__all__ = ["PROGRAMS"]


def _programs() -> list[str]:
    """Return the names of the games, in the registry's order."""
    here = Path(__file__).resolve().parent
    found = sorted(each.parent.name for each in here.parent.glob("*/main.py") if each.parent != here)
    return sorted(found, key=[*GAMES, *found].index)


PROGRAMS = {name: f"cli.{name}.main:{name}" for name in _programs()}
"""Name -> `module:attribute` of its group of commands; they are imported when they are called."""
