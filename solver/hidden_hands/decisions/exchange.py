"""The unseen exchange before the first step: put one item back, or keep all.

The returned item goes back into the stock after its replacement has been drawn, so the public learns nothing
and the
stock's composition stays as it was: a private decision followed by a linear map on hands.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from solver.hidden_hands.spaces import Spaces

__all__ = ["PrivateExchange"]


class PrivateExchange:
    """One player's exchange: regrets, average strategy, and the map from hands dealt to hands at the first
    step.

    ``S`` hands, ``B = T + 1`` choices (a type to put back; the last one keeps all).
    """

    def __init__(self, spaces: Spaces, level: int, stock: NDArray[np.int64]) -> None:
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
        self.regret = np.zeros(self.legal.shape)
        self.outlook = self.regret
        self.total = np.zeros(self.legal.shape)
        self.weight = 0.0

    def strategy(self) -> NDArray[np.float64]:
        """``[S, B]`` current strategy by regret matching."""
        positive = np.where(self.legal, np.maximum(self.outlook, 0.0), 0.0)
        mass = positive.sum(axis=1, keepdims=True)
        uniform = self.legal / self.legal.sum(axis=1, keepdims=True)
        return np.where(mass > 0.0, positive / np.where(mass > 0.0, mass, 1.0), uniform)

    def push(
        self, deal: NDArray[np.float64], strategy: NDArray[np.float64] | None = None
    ) -> NDArray[np.float64]:
        """Range at the first step when hands dealt with ``deal`` are exchanged."""
        sigma = self.strategy() if strategy is None else strategy
        mass = deal[:, None] * sigma
        total = np.zeros_like(deal)
        for c in range(self.after.shape[0]):
            total += mass[:, c] @ self.after[c]
        return total

    def values(self, first_step: NDArray[np.float64]) -> NDArray[np.float64]:
        """``[S, B]`` expected first-step value of each choice."""
        return np.stack([after @ first_step for after in self.after], axis=1)

    def best(self, first_step: NDArray[np.float64], least: bool = False) -> NDArray[np.float64]:
        """Value of each hand dealt when its owner exchanges best (or worst)."""
        values = self.values(first_step)
        worst = np.inf if least else -np.inf
        masked = np.where(self.legal, values, worst)
        result: NDArray[np.float64] = masked.min(axis=1) if least else masked.max(axis=1)
        return result

    def learn(self, first_step: NDArray[np.float32], keep: float, predict: bool) -> None:
        """Regrets+ from counterfactual first-step values; ``predict`` counts the latest ones twice."""
        values = self.values(first_step.astype(np.float64))
        mean = (self.strategy() * values).sum(axis=1, keepdims=True)
        latest = np.where(self.legal, values - mean, 0.0)
        self.regret = np.maximum(self.regret * keep + latest, 0.0)
        self.outlook = self.regret + latest if predict else self.regret

    def average(self, weight: float) -> None:
        """Count the current strategy in the average."""
        self.total += weight * self.strategy()
        self.weight += weight

    def average_strategy(self) -> NDArray[np.float64]:
        """``[S, B]`` average strategy so far."""
        return self.total / self.weight

    def copy_from(self, other: PrivateExchange) -> None:
        """Share the other seat's regrets (symmetric games)."""
        self.regret, self.outlook = other.regret, other.outlook
