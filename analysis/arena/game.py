"""``arena``, declared: which games are in, and games of other people's files."""

from __future__ import annotations

from analysis.front.game import Program

GAME = Program(
    name="arena",
    title="Games that are in, and games of other people",
    place="analysis.arena.game:GAME",
    own=("games", "solve", "report"),
)
