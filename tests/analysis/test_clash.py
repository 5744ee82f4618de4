"""Answers about battles against single solves, rational arithmetic, simulation, and what is known of them."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from analysis.clash.scenario import Scenario, with_counts
from analysis.clash.smallest import chances_of_parts, need_answer
from analysis.clash.solving import battle_answer, solved
from engine.clash.reference_battle import chance_outcomes, decider, step
from engine.protocol import CHANCE, OVER
from solver.stochastic.decisions import decision
from solver.stochastic.forward import follow
from tests.analysis.battle_policies import policy, where
from tests.analysis.battles import battle
from tests.oracles.clash_battles import random_case
from tests.oracles.sampled_plays import sample_outcomes

pytestmark = pytest.mark.kernels


def scenario(attacker: str, defender: str, **settings: Any) -> Scenario:
    return replace(battle(attacker, defender), **settings)


def test_one_against_one_is_the_known_fraction() -> None:
    report = battle_answer(scenario("bohorg: 1 Pummeler", "elves: 1 Templar"), fraction=True)
    assert report.fraction == "15176909223296/22876792454961"
    assert report.value == pytest.approx(15176909223296 / 22876792454961, abs=1e-15)


def test_need_is_one_solve_and_equal_to_single_solves_bit_for_bit() -> None:
    largest = scenario("bohorg: 2 Pummeler, 1 Kragrider, 2 Executioner", "elves: 1 Templar, 1 Elder, 1 Guard")
    chances, _, cut = chances_of_parts(largest)
    assert not cut
    assert len(chances) == 3 * 2 * 3 - 1
    for counts, value in chances.items():
        single = solved(replace(largest, attacker=with_counts(largest.attacker, counts)))
        assert single.solution.value(single.root)[0] == value, counts
    report = need_answer(largest, 0.5)
    assert report.enough == sum(value >= 0.5 for value in chances.values())
    smallest = min(sum(counts) for counts, value in chances.items() if value >= 0.5)
    assert min(army.figures for army in report.needed) == smallest


def test_brackets_hold_the_exact_value_and_close() -> None:
    battle = scenario("bohorg: 2 Pummeler, 1 Executioner", "tomb: 2 II, 1 I")
    exact = battle_answer(battle).value
    widths = []
    for tokens in (1, 3, 6, 9):
        report = battle_answer(replace(battle, most_tokens=tokens))
        assert exact is not None
        assert report.low - 1e-12 <= exact <= report.high + 1e-12
        widths.append(report.high - report.low)
    assert sorted(widths, reverse=True) == widths
    assert widths[0] > 0.01
    assert widths[-1] < 1e-3


def test_own_with_equal_weights_is_material() -> None:
    battle = scenario("bohorg: 2 Pummeler, 1 Kragrider", "godleif: 1 I, 1 III", objective="material")
    own = battle_answer(replace(battle, objective="own"))
    assert own.value == pytest.approx(battle_answer(battle).value, abs=1e-12)
    assert own.value_to_defender == pytest.approx(3.0 - own.value, abs=1e-12)


@pytest.mark.parametrize("seed", range(200, 212))
def test_within_an_assault_options_are_worth_what_rational_arithmetic_says(seed: int) -> None:
    case = random_case(seed, 2, plain=True)
    solution = case.solved()
    oracle = case.rational()
    battle = case.beginning
    rng = random.Random(seed)
    while decider(battle) != OVER:
        if decider(battle) == CHANCE:
            battle = step(battle, rng.choice(chance_outcomes(battle))[0])
            continue
        found = decision(solution, *where(case, battle))
        assert found.value == pytest.approx([float(number) for number in oracle.value(battle)], abs=1e-12)
        battle = step(battle, policy(case, solution, battle))


def test_sampled_plays_agree_with_the_forward_pass() -> None:
    result = solved(scenario("bohorg: 2 Pummeler, 1 Kragrider", "tomb: 2 II"))
    counts = sample_outcomes(result.solution, result.root, 20_000, seed=1)
    expected = follow(result.solution, result.root).outcomes
    errors = np.sqrt(expected * (1 - expected) / 20_000)
    assert (np.abs(counts[:-1] / 20_000 - expected) <= 4.5 * errors + 1e-4).all()
