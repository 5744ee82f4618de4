"""One decision: its options, what each is worth, and which the solution takes."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from solver.stochastic.game import CHANCE, Evaluation, FloatArray, LocalGraph
from solver.stochastic.kernels import evaluate_graph
from solver.stochastic.solving import Solution


@dataclass(frozen=True, eq=False)
class Decision:
    """A local node of a position.

    Attributes
    ----------
    decider : int
        0 or 1, or `CHANCE`.
    value : [K] float64
    targets : list of int
        Where the options lead, as `StochasticGame.expand` encodes it. A local node at which the same player
        decides on does not count as an option: its options do.
    option_values : [options, K] float64
    chosen : int
        The option that the solution takes; -1 where chance moves.
    """

    decider: int
    value: FloatArray
    targets: list[int]
    option_values: FloatArray
    chosen: int


def decision(solution: Solution, position: int, node: int = -1) -> Decision:
    """Return the decision at a local node of a position, -1 being where it begins.

    The position has to have a value.
    """
    solution.value(position)
    game = solution.game
    graph = LocalGraph.of(game)
    room = (graph.work, graph.kinds, graph.starts, graph.targets, graph.weights)
    num_nodes = int(game.expand(game.tables, game.reals, position, *room))
    evaluation = Evaluation.of(game, solution.rows, solution.values)
    evaluate_graph(num_nodes, graph, evaluation)
    local, choices, ends = evaluation.local, evaluation.chosen, evaluation.ends
    if node < 0:
        node = num_nodes - 1

    def worth(target: int) -> FloatArray:
        if 0 <= target < game.num_positions:
            return solution.value(target)
        source, row = (local, -1 - target) if target < 0 else (ends, target - game.num_positions)
        value: FloatArray = source[row]
        return value

    def options(at: int) -> list[int]:
        targets: list[int] = []
        for target in graph.targets[graph.starts[at] : graph.starts[at + 1]].tolist():
            if target < 0 and graph.kinds[-1 - target] == kind and kind != CHANCE:
                targets += options(-1 - target)
            else:
                targets.append(target)
        return targets

    kind = int(graph.kinds[node])
    targets = list(dict.fromkeys(options(node)))
    chosen = -1
    if kind != CHANCE:
        target = int(graph.targets[choices[node]])
        while target < 0 and graph.kinds[-1 - target] == kind:
            target = int(graph.targets[choices[-1 - target]])
        chosen = targets.index(target)
    worths = np.array([worth(target) for target in targets])
    return Decision(kind, local[node].copy(), targets, worths, chosen)
