"""Exchanges before the first step: one that nobody sees, and first steps after one that everybody sees.

What is put back unseen goes into the stock after its replacement has been drawn, so the public learns nothing
and the stock's composition stays as it was: a private decision followed by a linear map on hands.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from solver.hidden_hands.jit import F32, F64, I64
from solver.hidden_hands.spaces import PLACE, Spaces
from solver.hidden_hands.walk_memory import Problem, WalkScratch


class Exchange:
    """One player's exchange: what may be put back, and the map from hands dealt to hands at the first step.

    ``S`` hands, ``B = T + 1`` choices (a type to put back; the last one keeps all).
    """

    def __init__(self, spaces: Spaces, level: int, stock: I64) -> None:
        width = spaces.num_hidden + 1
        start = int(spaces.level_start[level])
        size = int(spaces.level_start[level + 1]) - start
        num_types = stock.size
        self.legal = np.zeros((size, num_types + 1), np.bool_)
        self.legal[:, num_types] = True
        self.after = np.zeros((num_types + 1, size, size))
        self.after[num_types] = np.eye(size)
        held = spaces.held[start : start + size].astype(np.int64)
        left = int(stock.sum()) - level // width
        if left > 0:
            target = level - width
            base = int(spaces.level_start[target])
            for s in range(size):
                for c in range(num_types):
                    if held[s, c] == 0:
                        continue
                    self.legal[s, c] = True
                    rest = base + int(spaces.draw_source[start + s, c])
                    for d in range(num_types):
                        # The item put back cannot be its own replacement.
                        copies = int(stock[d]) - int(held[s, d])
                        if copies > 0:
                            self.after[c, s, int(spaces.draw_target[rest, d])] += copies / left

    def push(self, deal: F64, strategy: F64) -> F64:
        """Range at the first step when hands dealt with ``deal`` are exchanged."""
        mass = deal[:, None] * strategy
        total = np.zeros_like(deal)
        for c in range(self.after.shape[0]):
            total += mass[:, c] @ self.after[c]
        return total

    def values(self, first_step: F64) -> F64:
        """``[S, B]`` expected first-step value of each choice."""
        return np.stack([after @ first_step for after in self.after], axis=1)

    def best(self, first_step: F64) -> F64:
        """Value of each hand dealt when its owner exchanges best."""
        best: F64 = np.where(self.legal, self.values(first_step), -np.inf).max(axis=1)
        return best


class ExchangeLearner:
    """Regrets and average strategy of one player's exchange."""

    def __init__(self, rules: Exchange) -> None:
        self.rules = rules
        self.regret = np.zeros(rules.legal.shape)
        self.outlook = self.regret
        self.total = np.zeros(rules.legal.shape)
        self.weight = 0.0

    def strategy(self) -> F64:
        """``[S, B]`` current strategy by regret matching."""
        legal = self.rules.legal
        positive = np.where(legal, np.maximum(self.outlook, 0.0), 0.0)
        mass = positive.sum(axis=1, keepdims=True)
        uniform = legal / legal.sum(axis=1, keepdims=True)
        return np.where(mass > 0.0, positive / np.where(mass > 0.0, mass, 1.0), uniform)

    def learn(self, first_step: F32, keep: float, predict: bool) -> None:
        """Regrets+ from counterfactual first-step values; ``predict`` counts the latest ones twice."""
        values = self.rules.values(first_step.astype(np.float64))
        mean = (self.strategy() * values).sum(axis=1, keepdims=True)
        latest = np.where(self.rules.legal, values - mean, 0.0)
        self.regret = np.maximum(self.regret * keep + latest, 0.0)
        self.outlook = self.regret + latest if predict else self.regret

    def average(self, weight: float) -> None:
        """Count the current strategy in the average."""
        self.total += weight * self.strategy()
        self.weight += weight

    def average_strategy(self) -> F64:
        """``[S, B]`` average strategy so far."""
        return self.total / self.weight

    def copy_from(self, other: ExchangeLearner) -> None:
        """Share the other seat's regrets (symmetric games)."""
        self.regret, self.outlook = other.regret, other.outlook


def num_states(problem: Problem, node: int, player: int) -> int:
    """How many states a player may be in at a node."""
    spaces = problem.spaces0 if player == 0 else problem.spaces1
    level = int(problem.tree.level[node, player])
    return int(spaces.level_start[level + 1] - spaces.level_start[level])


@dataclass(frozen=True)
class SeenExchange:
    """What has been played below each of the root's children, the public exchanges; one of ``jobs`` each."""

    problem: Problem
    jobs: list[tuple[int, int, int]]  # both exchanges, and the node after them
    symmetric: bool
    steps: F64  # [jobs, 2, S, P] accumulated reach of each hand and first action

    def opening(self, player: int, total_weight: float) -> dict[int, F64]:
        """Joint probability of each hand and action at the first step after a seen exchange: ``[S, P]``.

        By level of the hands: who cannot draw for what it has put away holds one item less.
        """
        totals: dict[int, F64] = {}
        for job, (a, b, child) in enumerate(self.jobs):
            masses = self._masses(job, total_weight)
            for seat in self._seats(player, a, b):
                level = int(self.problem.tree.level[child, seat])
                total = totals.setdefault(level, np.zeros_like(masses[seat]))
                # Hands are independent given the exchange: each side is weighted with the other one's
                # probability of it.
                total += masses[seat] * masses[1 - seat].sum()
        return totals

    def opening_values(self, player: int, total_weight: float, worths: F64) -> dict[int, F64]:
        """Worth of each action at the first step after a seen exchange: ``[S, P]``.

        The mean over the public exchanges a hand has come by; nan where it comes by none. By level, as
        ``opening``. ``worths`` ``[jobs, 2, S, P] float64``: those below each public exchange.
        """
        found: dict[int, tuple[F64, F64]] = {}
        for job, (a, b, child) in enumerate(self.jobs):
            reaches = [masses.sum(axis=1, keepdims=True) for masses in self._masses(job, total_weight)]
            for seat in self._seats(player, a, b):
                level, size = int(self.problem.tree.level[child, seat]), reaches[seat].size
                empty = np.zeros((size, 1)), np.zeros((size, self.problem.types.size))
                mass, worth = found.setdefault(level, empty)
                mass += reaches[seat] * reaches[1 - seat].sum()
                worth += reaches[seat] * worths[job, seat, :size]
        return {
            level: np.where(mass > 0.0, worth / np.where(mass > 0.0, mass, 1.0), np.nan)
            for level, (mass, worth) in found.items()
        }

    def _masses(self, job: int, total_weight: float) -> list[F64]:
        """Probability of both sides' part of each hand and first step below a seen exchange, by seat."""
        node = self.jobs[job][2]
        sizes = [num_states(self.problem, node, seat) for seat in range(2)]
        return [self.steps[job, seat, :size] / total_weight for seat, size in enumerate(sizes)]

    def _seats(self, player: int, a: int, b: int) -> tuple[int, ...]:
        """Seats a player has below a root child: in a symmetric game it stands for its mirror image, too."""
        return (player, 1 - player) if self.symmetric and a != b else (player,)

    def average(self, job: int, weight: float, who: int, scratch: WalkScratch) -> None:
        """Count what a first step after a seen exchange was opened with."""
        node = self.jobs[job][2]
        for p in range(2):
            if not (who >> (1 - p)) & 1:
                continue
            spaces = self.problem.spaces0 if p == 0 else self.problem.spaces1
            level = int(self.problem.tree.level[node, p])
            segment = spaces.segment[PLACE, level]
            for a in range(self.problem.types.size):
                pairs = slice(segment[a], segment[a + 1])
                states = spaces.pair_state[pairs]
                sigma = scratch.sigma[0, p, segment[a] - segment[0] : segment[a + 1] - segment[0]]
                self.steps[job, p, states, a] += weight * scratch.reach[0, p, states] * sigma
