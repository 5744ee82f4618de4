"""The plain-Python reference of a two-player zero-sum game as a tree for the exact solvers."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import Any

from engine.protocol import CHANCE, OVER, Reference

__all__ = ["ReferenceTree"]


class ReferenceTree:
    """A `solver.extensive.GameSource` of any reference.

    Parameters
    ----------
    state : in which play begins.
    knows : (state, player) -> all that the deciding player knows and remembers.
    word : a move, or an outcome of chance, as a label.
    """

    def __init__(
        self,
        reference: Reference,
        state: Any,
        knows: Callable[[Any, int], Hashable],
        word: Callable[[Any], str] = str,
    ) -> None:
        self._reference, self._start, self._knows, self._word = reference, state, knows, word

    def root(self) -> Any:
        """Return the state in which the game begins."""
        return self._start

    def is_terminal(self, state: Any) -> bool:
        """Tell whether the game is over."""
        return self._reference.decider(state) == OVER

    def payoff(self, state: Any) -> float:
        """Return what the first player is paid."""
        return self._reference.payoffs(state)[0]

    def player(self, state: Any) -> int:
        """Return who decides; chance is -1 in both worlds."""
        decider = self._reference.decider(state)
        assert decider >= CHANCE, "a reference lets players choose one after the other"
        return decider

    def infoset(self, state: Any) -> Hashable:
        """Return all that the deciding player knows and remembers."""
        return self._knows(state, self.player(state))

    def actions(self, state: Any) -> Sequence[str]:
        """Return the labels of the deciding player's moves."""
        return [self._word(move) for move in self._reference.legal_moves(state)]

    def chance_outcomes(self, state: Any) -> Sequence[tuple[str, int]]:
        """Return the labels and weights of what chance can do."""
        return [(self._word(outcome), weight) for outcome, weight in self._reference.chance_outcomes(state)]

    def child(self, state: Any, action: Hashable) -> Any:
        """Return the state after a move or an outcome."""
        moves = [each for each, _ in self._reference.chance_outcomes(state)]
        moves = moves or list(self._reference.legal_moves(state))
        return self._reference.step(state, next(move for move in moves if self._word(move) == action))
