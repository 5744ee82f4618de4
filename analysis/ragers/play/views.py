"""A game as one of its players sees it, and the moves that led there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from analysis.ragers.notation import Move
from engine.ragers.reference import Counts, State
from engine.ragers.rules import NUM_TYPES

Past = tuple[tuple[State, tuple[int, int]], ...]
"""Both players' moves of a day so far, with the states they were made in."""


@dataclass(frozen=True)
class View:
    """A state from one player's chair.

    What is in the other player's hand and deck, and face-down in its row, stands in `state` but must not be
    used; `tests/cli/test_play.py` exchanges it and looks whether anything changes.

    Attributes
    ----------
    state, player : the state, and who looks.
    buried : cards that each player laid down hidden on earlier days: nobody else knows which.
    past : what both did in this day, with the state each time; of the other player's hidden cards only that
        it hid one may be used.
    played : every move of the match so far, where that is known; of what the other player drew and hid
        nothing may be used.
    """

    state: State
    player: int
    buried: tuple[Counts, Counts] = ((0,) * NUM_TYPES, (0,) * NUM_TYPES)
    past: Past = ()
    played: Sequence[Played] = ()


class Played(NamedTuple):
    """A move of a game, and what came before it.

    Attributes
    ----------
    state, move : the move and the state it was made in.
    buried : what each player had hidden on earlier days.
    past : both players' moves of that day before it, with their states.
    """

    state: State
    move: Move
    buried: tuple[Counts, Counts]
    past: Past

    def view(self, player: int) -> View:
        """Return what the player decided on."""
        return View(self.state, player, self.buried, self.past)
