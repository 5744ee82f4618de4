"""Bayesian games against their normal form, matrix games, and what is known of them."""

from __future__ import annotations

from itertools import combinations, product

import numpy as np
import pytest

from solver.bayesian import BayesianGame, guarantees, solve_bayesian_game
from solver.lp import solve_matrix_program


def normal_form(game: BayesianGame) -> np.ndarray:
    """Expected payoffs of all pairs of plans: an action for each type."""
    shape = (*game.prior.shape, game.row_actions.shape[1], game.column_actions.shape[1])
    payoffs = np.broadcast_to(game.payoffs, shape)
    plans = [
        list(product(*(np.flatnonzero(each).tolist() for each in actions)))
        for actions in (game.row_actions, game.column_actions)
    ]
    return np.array(
        [
            [
                sum(
                    game.prior[s, t] * payoffs[s, t, row[s], column[t]]
                    for s in range(shape[0])
                    for t in range(shape[1])
                )
                for column in plans[1]
            ]
            for row in plans[0]
        ]
    )


def random_game(seed: int) -> BayesianGame:
    rng = np.random.default_rng(seed)
    types, actions = rng.integers(1, 4, 2), rng.integers(1, 4, 2)
    allowed = []
    for number, choices in zip(types, actions, strict=True):
        mask = rng.random((number, choices)) < 0.7
        mask[np.arange(number), rng.integers(0, choices, number)] = True
        allowed.append(mask)
    prior = rng.random(types) * (rng.random(types) < 0.8) + (0.01 if seed % 2 else 0.0)
    prior[0, 0] += 0.1
    shape = (*types, *actions) if seed % 3 else tuple(actions)
    return BayesianGame(prior / prior.sum(), rng.normal(0, 10.0 ** (seed % 4), shape), *allowed)


@pytest.mark.parametrize("seed", range(40))
def test_values_are_those_of_the_normal_form(seed: int) -> None:
    game = random_game(seed)
    solution = solve_bayesian_game(game)
    matrix = normal_form(game)
    assert solution.converged
    assert solution.value == pytest.approx(
        solve_matrix_program(matrix).value, abs=1e-8 * np.ptp(matrix) + 1e-9
    )
    assert (solution.row_strategy[~game.row_actions] == 0).all()
    assert (solution.column_strategy[~game.column_actions] == 0).all()
    assert solution.row_strategy.sum(axis=1) == pytest.approx(1.0)
    lower, upper = guarantees(game, solution.row_strategy, solution.column_strategy)
    assert (lower, upper) == pytest.approx(solution.bounds, abs=1e-9 * np.ptp(matrix) + 1e-12)
    assert upper - lower == pytest.approx(solution.gap, abs=1e-9 * np.ptp(matrix) + 1e-12)


def test_hands_of_a_symmetric_game_are_worth_nothing_and_solved_to_rounding() -> None:
    rng = np.random.default_rng(5)
    payoffs = rng.uniform(-1, 1, (7, 7))
    hands = np.zeros((35, 7), bool)
    for number, hand in enumerate(combinations(range(7), 3)):
        hands[number, list(hand)] = True
    game = BayesianGame(np.full((35, 35), 1 / 35**2), payoffs - payoffs.T, hands, hands)
    solution = solve_bayesian_game(game)
    assert solution.value == pytest.approx(0.0, abs=1e-9)
    assert solution.gap <= 1e-9
