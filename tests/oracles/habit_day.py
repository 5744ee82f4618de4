"""A tiny day with locked frequencies as an explicit tree: a private coin decides whether a lock rules."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from fractions import Fraction
from typing import NamedTuple

from engine.ragers.reference import Phase, row_limit
from solver.extensive import CHANCE
from solver.hidden_hands import LockedFrequency
from tests.oracles.tiny_day import TinyDay


class Tossed(NamedTuple):
    """A node of the day, and what the coin of whoever decides there said: None before it is thrown."""

    node: object
    free: bool | None = None


class HabitDay:
    """`TinyDay` with at most one locked action per player and step, as a `GameSource`."""

    def __init__(self, day: TinyDay, habits: Sequence[LockedFrequency]) -> None:
        self.day = day
        self.habits = {(habit.player, habit.step): habit for habit in habits}

    def _habit(self, node: object) -> LockedFrequency | None:
        """The lock of whoever decides, if it binds it here."""
        state, player = node.state, self.day.player(node)
        if state is None or player == CHANCE or state.phase != Phase.PLACE:
            return None
        step = sum(event[0] == "PLACE" for event in node.memory[player])
        habit = self.habits.get((player, step))
        if habit is None or any(side.row_length >= row_limit(state) - 1 for side in state.players):
            return None
        actions = self.day.actions(node)
        return habit if habit.item in actions and len(actions) > 1 else None

    def root(self) -> Tossed:
        return self._settle(self.day.root())

    def is_terminal(self, state: Tossed) -> bool:
        return self.day.is_terminal(state.node)

    def payoff(self, state: Tossed) -> int:
        return self.day.payoff(state.node)

    def _tosses(self, state: Tossed) -> bool:
        return state.free is None and self._habit(state.node) is not None

    def player(self, state: Tossed) -> int:
        return CHANCE if self._tosses(state) else self.day.player(state.node)

    def infoset(self, state: Tossed) -> Hashable:
        return self.day.infoset(state.node)

    def actions(self, state: Tossed) -> Sequence[int]:
        actions = self.day.actions(state.node)
        habit = self._habit(state.node)
        return actions if habit is None else [action for action in actions if action != habit.item]

    def chance_outcomes(self, state: Tossed) -> Sequence[tuple[Hashable, object]]:
        if not self._tosses(state):
            return self.day.chance_outcomes(state.node)
        bound = Fraction(self._habit(state.node).frequency).limit_denominator(1000)
        return [(word, odds) for word, odds in (("bound", bound), ("free", 1 - bound)) if odds]

    def child(self, state: Tossed, action: Hashable) -> Tossed:
        if not self._tosses(state):
            return self._settle(self.day.child(state.node, action))
        if action == "free":
            return Tossed(state.node, free=True)
        return self._settle(self.day.child(state.node, self._habit(state.node).item))

    def _settle(self, node: object) -> Tossed:
        return Tossed(node)
