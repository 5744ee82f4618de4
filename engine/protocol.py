"""How the plain-Python reference of a game is walked: the same functions, by the same names, in every game.

A state is an immutable value; it may be hashed and compared. From `start(...)`, whose parameters are each
game's own, `step` leads on: by a move of whoever decides, or by an outcome of chance. At simultaneous choices
players decide one after the other, and what each sees hides what the others chose.
"""

from __future__ import annotations

from typing import Any, Protocol

CHANCE = -1
"""The decider of a chance node."""
OVER = -2
"""The decider of a state in which the game has ended."""
SIMULTANEOUS = -3
"""The decider where several players choose at once."""


class IllegalMove(ValueError):
    """A move, or an outcome of chance, that the rules do not allow in this state."""


class Reference(Protocol):
    """The functions of a reference; a module has them at its top level."""

    def decider(self, state: Any, /) -> int:
        """Who decides now: a player from 0, `CHANCE`, `OVER`, or `SIMULTANEOUS`."""

    def legal_moves(self, state: Any, /) -> tuple[Any, ...]:
        """What the decider may do, each once, in a fixed order; empty for chance and when over."""

    def chance_outcomes(self, state: Any, /) -> list[tuple[Any, int]]:
        """Outcomes of a chance node with their weights, whole numbers above 0; empty where there is none."""

    def step(self, state: Any, move: Any, /) -> Any:
        """The state after a move or an outcome; raises IllegalMove."""

    def payoffs(self, state: Any, /) -> tuple[float, ...]:
        """What a finished game pays each player."""


def choices(game: Reference, state: Any) -> list[Any]:
    """Every move of a state, or every outcome; empty when the game is over. Their order numbers them."""
    return [outcome for outcome, _ in game.chance_outcomes(state)] or list(game.legal_moves(state))
