"""Slow, plain-Python twins of the tree solvers: they walk the tree and know nothing of sequences."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product

import numpy as np
import numpy.typing as npt

from solver.extensive import CHANCE, TERMINAL, ExtensiveGame

FloatArray = npt.NDArray[np.float64]


def children_of(game: ExtensiveGame, node: int) -> range:
    begin = int(game.first_child[node])
    return range(begin, begin + int(game.num_children[node]))


def slots_of(game: ExtensiveGame, infoset: int) -> range:
    return range(int(game.first_slot[infoset]), int(game.first_slot[infoset + 1]))


def expected_payoff(game: ExtensiveGame, strategy: FloatArray, node: int = 0) -> float:
    """Payoff of player 0 from a node on."""
    player = game.node_player[node]
    if player == TERMINAL:
        return float(game.payoff[node])
    total = 0.0
    for child in children_of(game, node):
        if player == CHANCE:
            probability = game.chance_probability[child]
        else:
            probability = strategy[game.incoming_slot[child]]
        total += probability * expected_payoff(game, strategy, child)
    return total


def pure_strategies(game: ExtensiveGame, player: int) -> list[dict[int, int]]:
    """Return all pure strategies of a player, each a choice of slot per infoset."""
    own = range(game.first_infoset_of[player], game.first_infoset_of[player + 1])
    return [dict(zip(own, choice, strict=True)) for choice in product(*(slots_of(game, i) for i in own))]


def num_pure_strategies(game: ExtensiveGame, player: int) -> int:
    count = 1
    for infoset in range(game.first_infoset_of[player], game.first_infoset_of[player + 1]):
        count *= len(slots_of(game, infoset))
    return count


def normal_form(game: ExtensiveGame) -> FloatArray:
    """Return the matrix of expected payoffs of player 0, a row or column per pure strategy."""
    plans = [pure_strategies(game, player) for player in (0, 1)]
    matrix = np.zeros((len(plans[0]), len(plans[1])))
    for node in game.terminals:
        needed: tuple[dict[int, int], dict[int, int]] = ({}, {})
        weight = game.payoff[node]
        step = int(node)
        while step != 0:
            parent = int(game.parent[step])
            weight *= game.chance_probability[step]
            if game.node_player[parent] != CHANCE:
                mover = needed[int(game.node_player[parent])]
                mover[int(game.node_infoset[parent])] = int(game.incoming_slot[step])
            step = parent
        allows = [
            np.array([all(plan[i] == slot for i, slot in needed[player].items()) for plan in plans[player]])
            for player in (0, 1)
        ]
        matrix[np.ix_(allows[0], allows[1])] += weight
    return matrix


def best_response_value(game: ExtensiveGame, strategy: FloatArray, player: int) -> float:
    """Try every pure strategy of a player."""
    sign = 1.0 if player == 0 else -1.0
    best = -np.inf
    for plan in pure_strategies(game, player):
        answer = strategy.copy()
        for infoset, slot in plan.items():
            answer[slots_of(game, infoset)] = 0.0
            answer[slot] = 1.0
        best = max(best, sign * expected_payoff(game, answer))
    return float(best)


def cfr_average(
    game: ExtensiveGame,
    iterations: int,
    discounts: Callable[[int], tuple[float, float, float]],
    *,
    predictive: bool = False,
) -> FloatArray:
    """Run CFR by walking the tree; `discounts` gives (positive, negative, average weight) for an iteration.

    If `predictive`, the latest regrets are counted once more where a strategy is matched to them.

    Same conventions as `solver.tree_cfr`: alternating updates, each player enters the average when the other
    one is updated against it.
    """
    regrets = np.zeros(game.num_slots)
    latest = np.zeros(game.num_slots)
    sums = np.zeros(game.num_slots)

    def regret_matching() -> FloatArray:
        expected = np.maximum(regrets, 0.0) + latest if predictive else regrets
        strategy = np.zeros(game.num_slots)
        for infoset in range(game.num_infosets):
            slots = slots_of(game, infoset)
            positive = np.maximum(expected[slots], 0.0)
            strategy[slots] = positive / positive.sum() if positive.sum() > 0 else 1.0 / len(slots)
        return strategy

    def accumulate(strategy: FloatArray, player: int, weight: float) -> None:
        """Add each own slot's realisation probability, once per infoset (all its nodes agree)."""
        done: set[int] = set()

        def visit(node: int, reach: float) -> None:
            for child in children_of(game, node):
                if game.node_player[node] != player:
                    visit(child, reach)
                    continue
                slot = int(game.incoming_slot[child])
                if slot not in done:
                    done.add(slot)
                    sums[slot] += weight * reach * strategy[slot]
                visit(child, reach * strategy[slot])

        visit(0, 1.0)

    def walk(node: int, player: int, opp_reach: float, strategy: FloatArray, gained: FloatArray) -> float:
        """Return the node's value to `player`; `gained` collects counterfactual regrets."""
        mover = game.node_player[node]
        if mover == TERMINAL:
            return float(game.payoff[node]) * (1.0 if player == 0 else -1.0)
        total = 0.0
        values: dict[int, float] = {}
        for child in children_of(game, node):
            slot = int(game.incoming_slot[child])
            probability = game.chance_probability[child] if mover == CHANCE else strategy[slot]
            share = 1.0 if mover == player else probability
            value = walk(child, player, opp_reach * share, strategy, gained)
            values[slot] = value
            total += probability * value
        if mover == player:
            for slot, value in values.items():
                gained[slot] += opp_reach * (value - total)
        return total

    strategy = regret_matching()
    for iteration in range(1, iterations + 1):
        positive, negative, weight = discounts(iteration)
        for player in (0, 1):
            gained = np.zeros(game.num_slots)
            walk(0, player, 1.0, strategy, gained)
            accumulate(strategy, 1 - player, weight)
            own = slice(game.first_slot_of[player], game.first_slot_of[player + 1])
            updated = regrets[own] + gained[own]
            regrets[own] = updated * np.where(updated > 0.0, positive, negative)
            latest[own] = gained[own]
            strategy[own] = regret_matching()[own]

    average = np.zeros(game.num_slots)
    for infoset in range(game.num_infosets):
        slots = slots_of(game, infoset)
        total = sums[slots].sum()
        average[slots] = sums[slots] / total if total > 0 else 1.0 / len(slots)
    return average
