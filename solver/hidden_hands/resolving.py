"""Solve on from a position: iterations over the public tree below it, with both ranges given.

This is *unsafe* re-solving (Burch, Johanson and Bowling 2014): exact for the game that begins with these
ranges, but the ranges are taken at their word. Who came here by other play than his range tells may get more.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from solver.hidden_hands.decisions.walk_memory import Problem
from solver.hidden_hands.positions import Position
from solver.hidden_hands.problem import Blueprint
from solver.hidden_hands.training import Trainer

__all__ = ["PositionTrainer"]


class PositionTrainer(Trainer):
    """Learns to play from a position, and remembers its first decision pair by pair.

    Pairs rather than actions, because hiding an item is one public action but a choice among items. States
    the range leaves out learn too: what they average is not weighted by how likely they are.
    """

    def __init__(self, plan: Blueprint, problem: Problem, threads: int, position: Position) -> None:
        super().__init__(plan, problem, threads, False, position.ranges)
        self.pair_average = tuple(np.zeros(self._root_pairs(p).stop) for p in range(2))

    def _acts(self, player: int) -> bool:
        return bool((int(self.problem.tree.acts[0]) >> player) & 1)

    def _root_pairs(self, player: int) -> slice:
        """The pairs of the first decision, counted from its first one."""
        if not self._acts(player):
            return slice(0, 0)
        kind, level = int(self.problem.tree.kind[0]), self.levels[player]
        segment = self._spaces[player].segment[kind, level]
        return slice(0, int(segment[self._root_counts()[player]] - segment[0]))

    def _average_root(self, player: int, weight: float, reach: NDArray[np.float64]) -> None:
        pairs = self._root_pairs(player)
        self.root_mass[player][:] += weight * reach
        self.pair_average[player][:] += weight * self._root.sigma[0, player, pairs]

    def mixes(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Average strategies of the first decision, ``[J]`` per player."""
        first, second = (average / self.total_weight for average in self.pair_average)
        return first, second

    def _opening_values(self, player: int) -> NDArray[np.float64]:
        """``[J]`` value of each pair of the first decision with best play afterwards."""
        if not self._acts(player):
            return np.zeros(0)
        kind, level = int(self.problem.tree.kind[0]), self.levels[player]
        spaces = self._spaces[player]
        segment = spaces.segment[kind, level]
        values = np.zeros(self._root_pairs(player).stop)
        for a in range(self._root_counts()[player]):
            rests = spaces.pair_rest[segment[a] : segment[a + 1]]
            place = slice(segment[a] - segment[0], segment[a + 1] - segment[0])
            values[place] = self._root_response.rest_value[player, a, rests] / self.total_weight
        return values
