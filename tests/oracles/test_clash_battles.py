"""Battles solved by the kernels against rational arithmetic with the plain-Python rules."""

from __future__ import annotations

import pytest

from solver.stochastic.forward import follow
from tests.oracles.clash_battles import random_case


def check(seed: int, most: int) -> None:
    case = random_case(seed, most)
    solution = case.solved()
    value = solution.value(case.root)
    game = solution.game
    oracle = case.rational(game.beyond_worst)
    expected = oracle.value(case.beginning)
    assert value == pytest.approx([float(number) for number in expected], abs=1e-12), case
    if solution.best is not None:
        best = case.rational(game.beyond_best).value(case.beginning)[0]
        assert solution.bracket(case.root) == pytest.approx((float(expected[0]), float(best)), abs=1e-12)
    spread = follow(solution, case.root)
    assert spread.outcomes.sum() + spread.beyond == pytest.approx(1.0, abs=1e-12)
    assert spread.value(solution) == pytest.approx(value, abs=1e-11)


@pytest.mark.kernels
@pytest.mark.parametrize("seed", range(40))
def test_small_battles(seed: int) -> None:
    check(seed, 2)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(1000, 2100))
def test_battles(seed: int) -> None:
    check(seed, 3)
