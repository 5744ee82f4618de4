"""Answers about battles against single solves, rational arithmetic, simulation, and what is known of them."""

from __future__ import annotations

import math
import random
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from analysis.clash.scenario import Moment, Scenario, with_counts
from analysis.clash.smallest import chances_of_parts, need_answer
from analysis.clash.solving import battle_answer, solved
from engine.clash.reference_battle import Move, chance_outcomes, decider, step
from engine.clash.rules import load_rules
from engine.protocol import CHANCE, OVER
from solver.stochastic.decisions import decision
from solver.stochastic.forward import follow
from tests.analysis.battle_policies import policy, where
from tests.analysis.battles import battle
from tests.oracles.clash_battles import random_case
from tests.oracles.sampled_plays import sample_outcomes

pytestmark = pytest.mark.kernels

RULES = load_rules()


def scenario(attacker: str, defender: str, **settings: Any) -> Scenario:
    return replace(battle(attacker, defender), **settings)


def test_one_against_one_is_the_known_fraction() -> None:
    report = battle_answer(scenario("bohorg: 1 Pummeler", "elves: 1 Templar"), fraction=True)
    assert report.fraction == "15176909223296/22876792454961"
    assert report.value == pytest.approx(15176909223296 / 22876792454961, abs=1e-15)


def test_an_added_unit_can_hurt_by_its_slowness() -> None:
    elves = "elves: 2 Templar, 1 Elder, 1 Guard"
    without = battle_answer(scenario("bohorg: 3 Pummeler, 1 Executioner", elves))
    more = battle_answer(scenario("bohorg: 3 Pummeler, 1 Executioner, 1 Kragrider", elves))
    assert (round(without.win, 2), round(more.win, 2)) == (0.74, 0.17)
    assert (without.starts, more.starts) == ("attacker", "defender")


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


def simulate(seed: int, plays: int) -> None:
    """Play the reference under the solution's policies; the value lies within four standard errors."""
    case = random_case(seed, 3, plain=True)
    solution = case.solved()
    rng = random.Random(seed)
    chosen: dict[object, Move] = {}
    wins = 0
    for _ in range(plays):
        battle = case.beginning
        while decider(battle) != OVER:
            if decider(battle) == CHANCE:
                outcomes, weights = zip(*chance_outcomes(battle), strict=True)
                battle = step(battle, rng.choices(outcomes, weights)[0])
            else:
                if battle not in chosen:
                    chosen[battle] = policy(case, solution, battle)
                battle = step(battle, chosen[battle])
        wins += battle.winner == 0
    outcomes_of_all = follow(solution, case.root).outcomes.reshape((3, *case.tables.num_armies))
    expected = float(outcomes_of_all[2].sum() + outcomes_of_all[0, :, 0].sum())
    error = math.sqrt(max(expected * (1 - expected), 1e-12) / plays)
    assert abs(wins / plays - expected) <= 4 * error + 1e-9


@pytest.mark.parametrize("seed", [3, 11])
def test_the_reference_played_by_the_policies(seed: int) -> None:
    simulate(seed, 400)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(300, 360))
def test_the_reference_played_by_the_policies_more_often(seed: int) -> None:
    simulate(seed, 4000)


def test_sampled_plays_agree_with_the_forward_pass() -> None:
    result = solved(scenario("bohorg: 2 Pummeler, 1 Kragrider", "tomb: 2 II"))
    counts = sample_outcomes(result.solution, result.root, 20_000, seed=1)
    expected = follow(result.solution, result.root).outcomes
    errors = np.sqrt(expected * (1 - expected) / 20_000)
    assert (np.abs(counts[:-1] / 20_000 - expected) <= 4.5 * errors + 1e-4).all()


def test_costs_of_injuries_are_against_the_best() -> None:
    battle = scenario("bohorg: 3 I, 1 III", "tomb: 2 II, 2 I", turn=0)
    report = battle_answer(battle, moment=Moment(injuries=6))
    assert report.first is not None
    for option in report.first.options:
        assert report.value is not None
        assert option.cost == pytest.approx(report.value - option.value, abs=1e-12)


@pytest.mark.parametrize("tokens", [0, 5, 40, 400])
def test_more_tokens_than_are_enough_change_nothing(tokens: int) -> None:
    report = battle_answer(scenario("bohorg: 1 Pummeler", "elves: 1 Templar", rage=(tokens, 0), turn=0))
    assert report.value is not None
    assert (report.value > 0.999999) == (tokens >= 4)
    assert math.isclose(report.check, 0.0, abs_tol=1e-12)
