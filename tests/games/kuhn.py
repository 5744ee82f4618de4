"""Kuhn poker: three ranks, one chip each, one bet of one chip. Value -1/18 for player 0."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from fractions import Fraction
from itertools import permutations
from typing import NamedTuple

from solver.extensive import CHANCE

VALUE = Fraction(-1, 18)


class State(NamedTuple):
    deal: tuple[int, ...]
    history: str


class Kuhn:
    """Player 0 acts first: p(ass) or b(et)."""

    def __init__(self, *, ante: int = 1, bet: int = 1, num_ranks: int = 3) -> None:
        self.ante = ante
        self.bet = bet
        self.num_ranks = num_ranks

    def root(self) -> State:
        return State((), "")

    def is_terminal(self, state: State) -> bool:
        return state.history in ("pp", "bb", "bp", "pbp", "pbb")

    def payoff(self, state: State) -> int:
        if state.history == "bp":
            return self.ante
        if state.history == "pbp":
            return -self.ante
        stake = self.ante if state.history == "pp" else self.ante + self.bet
        return stake if state.deal[0] > state.deal[1] else -stake

    def player(self, state: State) -> int:
        return CHANCE if not state.deal else len(state.history) % 2

    def infoset(self, state: State) -> Hashable:
        return state.deal[len(state.history) % 2], state.history

    def actions(self, state: State) -> Sequence[Hashable]:
        return ("p", "b")

    def chance_outcomes(self, state: State) -> Sequence[tuple[Hashable, int]]:
        return [(deal, 1) for deal in permutations(range(self.num_ranks), 2)]

    def child(self, state: State, action: Hashable) -> State:
        if isinstance(action, tuple):
            return State(action, "")
        return State(state.deal, state.history + str(action))
