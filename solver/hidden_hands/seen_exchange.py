"""First steps after an exchange that everybody sees: how each hand opens, and what that is worth."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from solver.hidden_hands.decisions.walk_memory import Problem, WalkScratch
from solver.hidden_hands.response_memory import ResponseScratch
from solver.hidden_hands.spaces import PLACE

__all__ = ["SeenExchange", "num_states"]


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
    steps: NDArray[np.float64]  # [jobs, 2, S, P] accumulated reach of each hand and first action
    worths: NDArray[np.float64]  # [jobs, 2, S, P] what that is worth, by the last certificate; or empty

    def opening(self, player: int, total_weight: float) -> dict[int, NDArray[np.float64]]:
        """Joint probability of each hand and action at the first step after a seen exchange: ``[S, P]``.

        By level of the hands: who cannot draw for what he has put away holds one item less.
        """
        totals: dict[int, NDArray[np.float64]] = {}
        for job, (a, b, child) in enumerate(self.jobs):
            masses = self._masses(job, total_weight)
            for seat in self._seats(player, a, b):
                level = int(self.problem.tree.level[child, seat])
                total = totals.setdefault(level, np.zeros_like(masses[seat]))
                # Hands are independent given the exchange: each side is weighted with the other one's
                # probability of it.
                total += masses[seat] * masses[1 - seat].sum()
        return totals

    def opening_values(self, player: int, total_weight: float) -> dict[int, NDArray[np.float64]]:
        """Worth of each action at the first step after a seen exchange, by the last certificate: ``[S, P]``.

        The mean over the public exchanges a hand has come by; nan where it comes by none. By level, as
        ``opening``.
        """
        found: dict[int, tuple[NDArray[np.float64], NDArray[np.float64]]] = {}
        for job, (a, b, child) in enumerate(self.jobs):
            reaches = [masses.sum(axis=1, keepdims=True) for masses in self._masses(job, total_weight)]
            for seat in self._seats(player, a, b):
                level, size = int(self.problem.tree.level[child, seat]), reaches[seat].size
                empty = np.zeros((size, 1)), np.zeros((size, self.problem.types.size))
                mass, worth = found.setdefault(level, empty)
                mass += reaches[seat] * reaches[1 - seat].sum()
                worth += reaches[seat] * self.worths[job, seat, :size]
        return {
            level: np.where(mass > 0.0, worth / np.where(mass > 0.0, mass, 1.0), np.nan)
            for level, (mass, worth) in found.items()
        }

    def _masses(self, job: int, total_weight: float) -> list[NDArray[np.float64]]:
        """Probability of both sides' part of each hand and first step below a seen exchange, by seat."""
        node = self.jobs[job][2]
        sizes = [num_states(self.problem, node, seat) for seat in range(2)]
        return [self.steps[job, seat, :size] / total_weight for seat, size in enumerate(sizes)]

    def _seats(self, player: int, a: int, b: int) -> tuple[int, ...]:
        """Seats a player has below a root child: in a symmetric game it stands for its mirror image, too."""
        return (player, 1 - player) if self.symmetric and a != b else (player,)

    def keep_worths(self, job: int, total_weight: float, scratch: ResponseScratch) -> None:
        """Keep what the first actions after a seen exchange are worth, in the other side's probability."""
        node = self.jobs[job][2]
        for p in range(2):
            spaces = self.problem.spaces0 if p == 0 else self.problem.spaces1
            level = int(self.problem.tree.level[node, p])
            segment = spaces.segment[PLACE, level]
            for a in range(self.problem.types.size):
                pairs = slice(segment[a], segment[a + 1])
                self.worths[job, p, spaces.pair_state[pairs], a] = (
                    scratch.rest_value[p, a, spaces.pair_rest[pairs]] / total_weight
                )

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
