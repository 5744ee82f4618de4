"""Explicit trees and their solvers: refusals, known values, each other, plain-Python twins."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from solver import exact_sequence_form
from solver.exact_sequence_form import exact_best_responses, solve_exactly
from solver.extensive import ExtensiveGame, GameSource, build_game, expected_payoff
from solver.lp import solve_matrix_program
from solver.sequence_form import solve_sequence_form
from solver.tree_best_response import best_responses, exploitability
from solver.tree_cfr import VARIANTS, TreeCfrSettings, solve_tree_cfr
from tests.games import kuhn, leduc
from tests.games.goofspiel import Goofspiel
from tests.games.random_game import RandomGame
from tests.solver import naive
from tests.solver.test_extensive import random_strategy

GAMES: dict[str, tuple[GameSource[Any], float]] = {
    "kuhn": (kuhn.Kuhn(), float(kuhn.VALUE)),
    "leduc": (leduc.Leduc(), leduc.VALUE),
    "goofspiel-3": (Goofspiel(3), 0.0),
    "goofspiel-4": (Goofspiel(4, shuffled=False), 0.0),
}

DISCOUNTS: dict[str, Callable[[int], tuple[float, float, float]]] = {
    "cfr": lambda t: (1.0, 1.0, 1.0),
    "cfr+": lambda t: (1.0, 0.0, float(t)),
    "dcfr": lambda t: (t**1.5 / (t**1.5 + 1.0), 0.5, float(t) ** 2.0),
    "pcfr+": lambda t: (1.0, 0.0, float(t) ** 2.0),
}


def small_random_game(seed: int) -> ExtensiveGame:
    game = build_game(RandomGame(seed))
    assume(max(naive.num_pure_strategies(game, player) for player in (0, 1)) <= 256)
    return game


@pytest.mark.parametrize("name", GAMES)
def test_sequence_form_finds_the_known_value(name: str) -> None:
    source, value = GAMES[name]
    game = build_game(source)
    solution = solve_sequence_form(game)
    assert solution.value == pytest.approx(value, abs=1e-10)
    assert expected_payoff(game, solution.strategy) == pytest.approx(value, abs=1e-10)
    assert 0.0 <= solution.nash_conv + 1e-12 <= 1e-9


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("name", GAMES)
def test_cfr_closes_in_on_the_known_value(name: str, variant: str) -> None:
    source, value = GAMES[name]
    game = build_game(source)
    target = 0.05 if variant == "cfr" else 0.005
    result = solve_tree_cfr(game, TreeCfrSettings(variant, max_iterations=5000, target_nash_conv=target))
    assert result.converged
    assert result.nash_conv <= target
    assert result.iterations < 5000
    assert abs(result.value - value) <= result.nash_conv
    # The equilibrium value lies between what the two strategies guarantee.
    assert -result.best_response_values[1] - 1e-12 <= value <= result.best_response_values[0] + 1e-12
    assert exploitability(game, result.strategy).nash_conv == pytest.approx(result.nash_conv, abs=1e-12)


@settings(max_examples=40, deadline=None)
@given(
    seed=st.integers(0, 10**6),
    scale=st.integers(-300, 280).map(lambda exponent: Fraction(10) ** exponent),
    shift=st.integers(-(10**6), 10**6),
    uneven=st.integers(0, 18).map(lambda exponent: 10**exponent),
)
def test_sequence_form_bears_payoffs_of_any_size(seed: int, scale: Fraction, shift: int, uneven: int) -> None:
    """Scaled, shifted, and with a few payoffs far beyond the others: what comes out is what is true."""
    game = small_random_game(seed)
    payoffs = list(game.exact_payoff)
    for node in game.terminals.tolist():
        payoffs[node] = scale * (payoffs[node] * (uneven if (seed + node) % 3 == 0 else 1) + shift)
    changed = replace(game, exact_payoff=tuple(payoffs), payoff=np.array([float(p) for p in payoffs]))
    solution = solve_sequence_form(changed)
    payoff_range = max(payoffs[n] for n in game.terminals) - min(payoffs[n] for n in game.terminals)
    assert solution.nash_conv <= 1e-8 * payoff_range
    exact = solve_exactly(changed)
    most, least = exact_best_responses(changed, list(exact.strategy))
    assert most == exact.value == -least
    assert abs(solution.value - exact.value) <= 1e-8 * payoff_range + 1e-15 * abs(float(exact.value))


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize(("factor", "shift"), [(10**200, 0), (Fraction(1, 10**310), 0), (1, 10**12)])
def test_cfr_takes_the_same_course_at_any_scale(variant: str, factor: Fraction, shift: int) -> None:
    game = build_game(kuhn.Kuhn())
    payoffs = [factor * payoff + shift for payoff in game.exact_payoff]
    changed = replace(game, exact_payoff=tuple(payoffs), payoff=np.array([float(p) for p in payoffs]))
    settings = TreeCfrSettings(variant, max_iterations=50, target_nash_conv=-1.0)
    plain, other = solve_tree_cfr(game, settings), solve_tree_cfr(changed, settings)
    np.testing.assert_array_equal(plain.strategy, other.strategy)
    assert other.nash_conv == pytest.approx(float(Fraction(plain.nash_conv) * factor), rel=1e-9, abs=0)


@pytest.mark.parametrize("factor", [10**18, Fraction(1, 10**12)])
def test_values_are_right_to_nine_digits_at_any_scale(factor: Fraction) -> None:
    game = build_game(kuhn.Kuhn())
    payoffs = [factor * payoff for payoff in game.exact_payoff]
    changed = replace(game, exact_payoff=tuple(payoffs), payoff=np.array([float(p) for p in payoffs]))
    assert solve_sequence_form(changed).value == pytest.approx(float(factor * kuhn.VALUE), rel=1e-9)
    assert solve_exactly(changed).value == factor * kuhn.VALUE


@pytest.mark.parametrize("name", ["kuhn", "lopsided"])
def test_exact_values_are_fractions(name: str) -> None:
    game = build_game(kuhn.Kuhn() if name == "kuhn" else Goofspiel(2, hands=((3, 1), (4, 2))))
    solution = solve_exactly(game)
    assert float(solution.value) == pytest.approx(solve_sequence_form(game).value, abs=1e-12)
    assert exploitability(game, [float(p) for p in solution.strategy]).nash_conv == pytest.approx(
        0, abs=1e-12
    )


def test_a_wrong_guess_of_the_optimum_does_no_harm(monkeypatch: pytest.MonkeyPatch) -> None:
    game = build_game(kuhn.Kuhn())
    fewest = solve_exactly(game)
    for shift in (1, 3, 8):

        def guess(_table: object, basic: list[int], others: list[int], shift: int = shift) -> set[int]:
            return {basic[0], *[*others[:-1], *basic[1:]][-shift - len(basic) : -shift][1:]}

        monkeypatch.setattr(exact_sequence_form, "_rounded_optimum", guess)
        solution = solve_exactly(game)
        assert solution.value == kuhn.VALUE
        assert solution.pivots > fewest.pivots


@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 10**6))
def test_sequence_form_agrees_with_the_normal_form(seed: int) -> None:
    game = small_random_game(seed)
    solution = solve_sequence_form(game)
    matrix = solve_matrix_program(naive.normal_form(game))
    assert solution.value == pytest.approx(matrix.value, abs=1e-9)
    assert abs(solution.nash_conv) <= 1e-9


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 10**6))
def test_best_response_beats_every_pure_strategy(seed: int) -> None:
    game = small_random_game(seed)
    assume(max(naive.num_pure_strategies(game, player) for player in (0, 1)) <= 32)
    strategy = random_strategy(game, seed)
    values, slots = best_responses(game, strategy)
    for player, value in enumerate(values):
        assert value == pytest.approx(naive.best_response_value(game, strategy, player), abs=1e-12)
        played = strategy.copy()
        played[game.first_slot_of[player] : game.first_slot_of[player + 1]] = 0.0
        played[slots[game.first_infoset_of[player] : game.first_infoset_of[player + 1]]] = 1.0
        sign = 1.0 if player == 0 else -1.0
        assert sign * expected_payoff(game, played) == pytest.approx(value, abs=1e-12)


@pytest.mark.parametrize("variant", VARIANTS)
@settings(max_examples=12, deadline=None)
@given(seed=st.integers(0, 10**6), iterations=st.integers(1, 20))
def test_cfr_kernel_equals_the_tree_walk(variant: str, seed: int, iterations: int) -> None:
    # Payoffs without ties: on a tie, a regret of 0 in one order of summation is 1e-17 in another.
    game = build_game(RandomGame(seed, real_payoffs=True))
    result = solve_tree_cfr(game, TreeCfrSettings(variant, max_iterations=iterations, target_nash_conv=-1.0))
    assert result.iterations == iterations
    # Compared by what it achieves: below an infoset that is never reached the behaviour is a matter of
    # convention.
    average = naive.cfr_average(game, iterations, DISCOUNTS[variant], predictive=variant == "pcfr+")
    own = exploitability(game, result.strategy).best_response_values
    assert own == pytest.approx(exploitability(game, average).best_response_values, abs=1e-9)
    np.testing.assert_allclose(result.strategy, average, atol=1e-9)
