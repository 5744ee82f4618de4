"""Stochastic games with perfect information: against rational arithmetic on random games, and by hand."""

from __future__ import annotations

import random
from fractions import Fraction
from functools import cache

import numpy as np
import pytest

from solver.stochastic.decisions import decision
from solver.stochastic.forward import follow
from solver.stochastic.game import CHANCE, MalformedStochasticGameError, StochasticGame
from solver.stochastic.solving import solve
from tests.games.explicit_game import Node, explicit_game
from tests.oracles.sampled_plays import sample_outcomes

pytestmark = pytest.mark.kernels

ZERO_SUM = [[1, 2], [-1, 2]]
GENERAL = [[1, -2], [2, -1]]
NUM_OUTCOMES = 4


def random_positions(rng: random.Random, cut: bool) -> list[list[Node]]:
    """Positions whose chances are multiples of a 64th; the first has nowhere to go but to an outcome."""
    count = rng.randint(1, 12)
    positions: list[list[Node]] = []
    for position in range(count):
        nodes: list[Node] = []
        for node in range(rng.randint(1, 4)):
            targets = [*range(position), *(count + outcome for outcome in range(NUM_OUTCOMES + cut))]
            targets += [-1 - other for other in range(node)]
            chosen = [rng.choice(targets) for _ in range(rng.randint(1, 4))]
            cuts = sorted(rng.sample(range(1, 64), len(chosen) - 1))
            shares = [after - before for before, after in zip([0, *cuts], [*cuts, 64], strict=True)]
            edges = [(target, share / 64) for target, share in zip(chosen, shares, strict=True)]
            nodes.append((rng.choice([0, 1, CHANCE]), edges))
        positions.append(nodes)
    return positions


def naive(game: StochasticGame, positions: list[list[Node]], beyond: np.ndarray) -> list[list[Fraction]]:
    """The value of every position in rational arithmetic."""
    ends = [[Fraction(number) for number in row] for row in [*game.payoffs.tolist(), beyond.tolist()]]
    preference = game.preference.tolist()

    @cache
    def worth(position: int, node: int) -> list[Fraction]:
        kind, edges = positions[position][node]

        def of(target: int) -> list[Fraction]:
            if target < 0:
                return worth(position, -1 - target)
            if target < len(positions):
                return worth(target, len(positions[target]) - 1)
            return ends[target - len(positions)]

        if kind == CHANCE:
            return [
                sum((Fraction(share) * of(target)[column] for target, share in edges), Fraction(0))
                for column in range(game.num_columns)
            ]

        def rank(numbers: list[Fraction]) -> list[Fraction]:
            return [numbers[abs(c) - 1] * (1 if c > 0 else -1) for c in preference[kind]]

        return max((of(target) for target, _ in edges), key=rank)

    return [worth(position, len(nodes) - 1) for position, nodes in enumerate(positions)]


@pytest.mark.parametrize("seed", range(60))
def test_random_games_against_fractions_and_their_own_forward_pass(seed: int) -> None:
    rng = random.Random(seed)
    general, cut = seed % 3 == 0, seed % 3 == 1
    positions = random_positions(rng, cut)
    payoffs = [[rng.randint(-3, 3), rng.randint(0, 2)] for _ in range(NUM_OUTCOMES)]
    game = explicit_game(positions, payoffs, GENERAL if general else ZERO_SUM)
    roots = range(len(positions))
    solution = solve(game, roots)
    low = naive(game, positions, game.beyond_worst)
    high = naive(game, positions, game.beyond_best)
    for position in roots:
        value = solution.value(position)
        assert value == pytest.approx([float(number) for number in low[position]], abs=1e-12)
        if not general:
            expected = (float(low[position][0]), float(high[position][0]))
            assert solution.bracket(position) == pytest.approx(expected, abs=1e-12)
        spread = follow(solution, position)
        assert spread.outcomes.sum() + spread.beyond == pytest.approx(1.0, abs=1e-12)
        assert spread.value(solution) == pytest.approx(value, abs=1e-12)
        choice = decision(solution, position)
        if choice.decider != CHANCE:
            assert choice.option_values[choice.chosen] == pytest.approx(choice.value)


def test_sampled_plays_agree_with_the_forward_pass() -> None:
    positions = random_positions(random.Random(5), False)
    payoffs = [[0, 0], [1, 0], [2, 1], [3, 0]]
    solution = solve(explicit_game(positions, payoffs, ZERO_SUM), range(len(positions)))
    for root in range(len(positions)):
        expected = follow(solution, root).outcomes
        counts = sample_outcomes(solution, root, 10_000, seed=root)
        errors = np.sqrt(expected * (1 - expected) / 10_000)
        assert (np.abs(counts[:-1] / 10_000 - expected) <= 4 * errors + 1e-12).all()


def test_a_chain_of_decisions_of_one_player_is_one_decision() -> None:
    nodes = [(0, [(1, 1), (2, 1)]), (1, [(1, 1), (3, 1)]), (0, [(-1, 1), (-2, 1), (3, 1)])]
    solution = solve(explicit_game([nodes], [[1], [2], [5]], [[1], [-1]]), [0])
    choice = decision(solution, 0)
    assert choice.targets == [1, 2, -2, 3]
    assert choice.option_values[:, 0].tolist() == [1, 2, 1, 5]
    assert (choice.chosen, choice.decider) == (3, 0)
    assert follow(solution, 0, node=1).outcomes.tolist() == [1, 0, 0]


def test_ties_are_broken_by_the_next_column_and_rounding_counts_as_one() -> None:
    nodes = [(0, [(1, 1), (2, 1), (3, 1)])]
    payoffs = [[1.0, 0.0], [1.0 - 1e-15, 2.0], [0.9, 9.0]]
    assert solve(explicit_game([nodes], payoffs, ZERO_SUM), [0]).value(0)[1] == 2.0


@pytest.mark.parametrize(
    ("nodes", "said"),
    [
        ([(0, [(0, 1)])], "not below"),
        ([(0, [])], "no option"),
        ([(0, [(-1, 1)])], "not come before"),
        ([(0, [(9, 1)])], "outcome that there is not"),
    ],
)
def test_a_broken_contract_is_refused(nodes: list[Node], said: str) -> None:
    with pytest.raises(MalformedStochasticGameError, match=said):
        solve(explicit_game([nodes], [[1], [2]], [[1], [-1]]), [0])
