"""External sampling on an explicit tree, written to be read: recursive, with the kernel's random numbers."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from solver.extensive import CHANCE, TERMINAL, ExtensiveGame
from solver.sampling.external_sampling import LINEAR, ExternalSamplingSettings
from solver.sampling.randomness import new_stream, uniform_draw


@dataclass
class Twin:
    tree: ExtensiveGame
    settings: ExternalSamplingSettings
    stream: npt.NDArray[np.uint64]
    regrets: dict[int, list[float]] = field(default_factory=dict)
    averages: dict[int, list[float]] = field(default_factory=dict)
    discounted_to: dict[int, int] = field(default_factory=dict)
    nodes: int = 0

    def draw(self, weights: list[float]) -> int:
        left = uniform_draw(self.stream) * sum(weights)
        for index, weight in enumerate(weights[:-1]):
            left -= weight
            if left < 0.0:
                return index
        return len(weights) - 1

    def strategy(self, key: int, count: int, period: int) -> list[float]:
        if key not in self.regrets:
            self.regrets[key], self.averages[key] = [0.0] * count, [0.0] * count
            self.discounted_to[key] = period
        for k in range(self.discounted_to[key] + 1, period + 1):
            weight = k / (k + 1) if self.settings.weighting == LINEAR else 1.0
            self.regrets[key] = [weight * regret for regret in self.regrets[key]]
            self.averages[key] = [weight * share for share in self.averages[key]]
        self.discounted_to[key] = period
        positives = [max(regret, 0.0) for regret in self.regrets[key]]
        total = sum(positives)
        return [p / total for p in positives] if total > 0 else [1.0 / count] * count

    def walk(self, node: int, traverser: int, period: int) -> float:
        tree = self.tree
        self.nodes += 1
        player = int(tree.node_player[node])
        if player == TERMINAL:
            return float(tree.payoff[node]) * (1 if traverser == 0 else -1)
        first, count = int(tree.first_child[node]), int(tree.num_children[node])
        if count == 1:
            return self.walk(first, traverser, period)
        if player == CHANCE:
            move = self.draw([float(tree.chance_probability[first + outcome]) for outcome in range(count)])
            return self.walk(first + move, traverser, period)
        key = int(tree.node_infoset[node]) + 1
        strategy = self.strategy(key, count, period)
        if player != traverser:
            self.averages[key] = [s + p for s, p in zip(self.averages[key], strategy, strict=True)]
            return self.walk(first + self.draw(strategy), traverser, period)
        values = [self.walk(first + move, traverser, period) for move in range(count)]
        value = sum(p * v for p, v in zip(strategy, values, strict=True))
        self.regrets[key] = [r + v - value for r, v in zip(self.regrets[key], values, strict=True)]
        return value


def train(tree: ExtensiveGame, settings: ExternalSamplingSettings, iterations: int) -> Twin:
    twin = Twin(tree, settings, new_stream(settings.seed))
    for iteration in range(iterations):
        for traverser in (0, 1):
            twin.walk(0, traverser, iteration // settings.period)
    return twin
