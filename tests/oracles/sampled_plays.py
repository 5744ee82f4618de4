"""Plays sampled under the policies of a solved stochastic game: the answer once more, by simulation."""

from __future__ import annotations

from collections import Counter

import numpy as np

from solver.stochastic.game import CHANCE, Evaluation, IntArray, LocalGraph
from solver.stochastic.kernels import evaluate_graph
from solver.stochastic.solving import Solution


def sample_outcomes(solution: Solution, root: int, plays: int, seed: int = 0) -> IntArray:
    """Play from a root as the solution says, and count how plays end, `[O + 1]`: the last left the space.

    Positions lead to lower ones, so all plays that come to one go on from there together.
    """
    game, rng = solution.game, np.random.default_rng(seed)
    graph, evaluation = LocalGraph.of(game), Evaluation.of(game, solution.rows, solution.values)
    _, starts, targets, weights = parts = graph.kinds, graph.starts, graph.targets, graph.weights
    counts = np.zeros(game.num_outcomes + 1, np.int64)
    waiting = Counter({root: plays})
    while waiting:
        position = max(waiting)
        num_nodes = game.expand(game.tables, game.reals, position, graph.work, *parts)
        evaluate_graph(num_nodes, graph, evaluation)
        at = np.zeros(num_nodes, np.int64)
        at[-1] = waiting.pop(position)
        for node in range(num_nodes - 1, -1, -1):
            edges = np.arange(starts[node], starts[node + 1])
            odds = weights[edges] if graph.kinds[node] == CHANCE else edges == evaluation.chosen[node]
            for edge, number in zip(edges, rng.multinomial(at[node], odds / odds.sum()), strict=True):
                target = int(targets[edge])
                if target < 0:
                    at[-1 - target] += number
                elif target >= game.num_positions:
                    counts[target - game.num_positions] += number
                elif number:
                    waiting[target] += int(number)
    return counts
