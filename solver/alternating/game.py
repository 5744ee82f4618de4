"""What a game offers to the proof search: states as words, and one compiled function.

Two players, perfect information, no chance. A play ends with a whole number that player 0 wants large and
player 1 small. In games in which a play can come to a state twice (`level`), that ends it as well.

In each state one player, the *mover*, has *actions*. What an action leads to may be for the other player to
choose, at once and without a state between: these are its *outcomes*, one or more. So replies that answer one
action need no states of their own.

Letters used for shapes: A actions of a state, E outcomes of all its actions.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from numba import types

IntArray = npt.NDArray[np.int64]

WORDS = types.int64[::1]
EXPAND = types.FunctionType(types.int64(WORDS, types.int64, WORDS, WORDS, WORDS, WORDS))
"""The numba type of `AlternatingGame.expand`."""


@dataclass(frozen=True, eq=False)
class AlternatingGame:
    """A game as numbers and a compiled function.

    Attributes
    ----------
    tables : [any] int64
        The game's parameters, passed to every call.
    work_words : int
        Words of scratch that every call gets.
    max_actions, max_outcomes : int
        A and E at most.
    num_codes : int
        Actions that look alike in different states share a code below this; what was good in one state is
        tried early in the next.
    lowest, highest : int
        Between which all values lie.
    scales : tuple of int
        Steps in which the value is found, coarse ones first: each divides the one before, the last is 1, and
        `lowest` is a multiple of the first. Give the steps of the parts of a value that counts
        one thing before another.
    expand : (tables, state, work, starts, targets, codes) -> number of actions
        Writes the actions of a state, at least one, and allocates nothing. Action a has the outcomes
        `starts[a] .. starts[a + 1] - 1`. `targets[e]` is the next state, from 0, or `end_of(value)`;
        `codes[a]` is the action's code. The lowest bit of a state is its mover.
    level : int
        Bits of a state: once they have changed in a play they are never again as before. States that have
        them in common are a level. 0: no play comes to a state twice.
    again : int
        What a play is worth that does; or `expand` leaves another end (`end_of`) for it in the last word of
        its scratch, the same in all states of a level.
    """

    tables: IntArray
    work_words: int
    max_actions: int
    max_outcomes: int
    num_codes: int
    lowest: int
    highest: int
    scales: tuple[int, ...]
    expand: Callable[..., int]
    level: int = 0
    again: int = 0

    def end_of(self, value: int) -> int:
        """How `expand` writes the end of a play."""
        return self.lowest - 1 - value
