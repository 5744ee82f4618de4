"""What is seen of a move, as numbers: with perfect recall these rows are a player's information (I1)."""

from __future__ import annotations

from engine.ragers.reference import NOTHING, Phase, State, deciders, drawing

Row = tuple[int, ...]

ROW_NAMES = ("phase", "draws", "outcome", "accusers", "defenders")
"""The phase, who draws, what is drawn or revealed, and what each has done, all from 1. 0 stands for
nothing, and for what is not seen."""
HIDDEN = NOTHING + 2
"""A card that a player hid, for the other one (K6)."""


def seen(before: State, move: tuple[int, int] | int, viewers: tuple[int, ...]) -> Row:
    """Return what everybody, and some players, see of a move in a state."""
    phase = int(before.phase) + 1
    if isinstance(move, int):
        drawer = drawing(before)
        if drawer is None:
            return (phase, 0, move + 1, 0, 0)
        return (phase, drawer + 1, move + 1 if drawer in viewers else 0, 0, 0)
    who = deciders(before)
    done = [0, 0]
    for player in who:
        hidden = before.phase == Phase.DEADEYE and player not in viewers
        done[player] = HIDDEN if hidden else move[player] + 1
    return (phase, 0, 0, done[0], done[1])
