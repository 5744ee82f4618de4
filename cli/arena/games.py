"""The games that have commands of their own, each a program that `arena` hands on to."""

from __future__ import annotations

from importlib.util import find_spec

from engine.games import GAMES

__all__ = ["PROGRAMS"]


def _has_commands(name: str) -> bool:
    return find_spec(f"cli.{name}") is not None and find_spec(f"cli.{name}.main") is not None


PROGRAMS = {name: f"cli.{name}.main:{name}" for name in GAMES if _has_commands(name)}
"""Name -> `module:attribute` of its group of commands; they are imported when they are called."""
