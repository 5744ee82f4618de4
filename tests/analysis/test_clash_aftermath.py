"""Rules for flight, losses given a win, and rounds: against the plain rules in rational arithmetic."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from analysis.clash.aftermath import rounds_report, won_report
from analysis.clash.game import GAME
from analysis.clash.rational import RationalBattle, retreats_by
from analysis.clash.retreats import Retreat, parse_retreat
from analysis.errors import RequestError
from analysis.front.asking import function_of
from engine.clash import battle_layout as at
from engine.clash.battle_tables import Habit, battle_tables
from engine.clash.reference_battle import Battle, chance_outcomes, decider, step
from engine.protocol import CHANCE, OVER
from solver.stochastic.forward import follow
from tests.analysis.battle_policies import policy
from tests.oracles.clash_battles import Case, random_case

solve: Any = function_of(GAME.question("solve"))
RULES_OF_FLIGHT = [
    *("losses>=1", "losses=0", "losses>9", "left<=1", "left>0"),
    *("left<3 and enemies>1", "enemies>=2"),
]


def held_to(case: Case, retreats: tuple[Retreat | None, Retreat | None]) -> Case:
    """The same battle with sides that flee by rules."""
    beginning = case.beginning
    one, two = (
        Habit() if rule is None else Habit(at.BY_RULE, retreats=rule.bounds(sum(counts)))
        for rule, counts in zip(retreats, beginning.counts, strict=True)
    )
    tables = battle_tables(
        beginning.rule,
        beginning.fighters,
        beginning.counts,
        elves=beginning.elves,
        chooser=beginning.chooser,
        habits=(one, two),
    )
    return replace(case, tables=tables)


@pytest.mark.kernels
@pytest.mark.parametrize("seed", range(400, 424))
def test_flight_by_a_rule_is_worth_what_rational_arithmetic_says(seed: int) -> None:
    rng = random.Random(seed)
    case = random_case(seed, 3, plain=True)
    rules = [parse_retreat(rng.choice(RULES_OF_FLIGHT), "") for _ in (0, 1)]
    second = None if case.beginning.elves or rng.random() < 0.3 else rules[1]
    held = held_to(case, (rules[0], second))
    oracle: RationalBattle = case.rational()
    oracle.considers = (
        retreats_by(rules[0].holds, case.beginning, 0),
        oracle.considers[1] if second is None else retreats_by(second.holds, case.beginning, 1),
    )
    expected = [float(number) for number in oracle.value(case.beginning)]
    assert held.solved().value(held.root) == pytest.approx(expected, abs=1e-12)


def followed(case: Case, assaults: int) -> tuple[Counter[Battle], Counter[Battle]]:
    """Which battles go on after so many assaults by the solution's policies, and which are over."""
    solution = case.solved()
    standing: Counter[Battle] = Counter({case.beginning: Fraction(1)})  # type: ignore[dict-item]
    over: Counter[Battle] = Counter()
    for _ in range(assaults):
        following: Counter[Battle] = Counter()
        stack = [(each, each.assaulter, share) for each, share in standing.items()]
        while stack:
            each, assaulter, share = stack.pop()
            if decider(each) == OVER:
                over[each] += share
            elif each.assaulter != assaulter:
                following[each] += share
            elif decider(each) == CHANCE:
                outcomes = chance_outcomes(each)
                total = sum(weight for _, weight in outcomes)
                stack += [(step(each, hits), assaulter, share * weight / total) for hits, weight in outcomes]
            else:
                stack.append((step(each, policy(case, solution, each)), assaulter, share))
        standing = following
        if not standing:
            break
    return standing, over


@pytest.mark.kernels
@pytest.mark.parametrize("seed", range(500, 508))
@pytest.mark.parametrize("rounds", [1, 2])
def test_rounds_are_those_of_the_rules(seed: int, rounds: int) -> None:
    case = random_case(seed, 2, plain=True)
    report = rounds_report(case.tables, case.solved(), case.root, rounds)
    standing, over = followed(case, 2 * rounds)
    assert report.fighting == pytest.approx(float(sum(standing.values())), abs=1e-12)
    expected: Counter[tuple[str, tuple[int, ...], tuple[int, ...]]] = Counter()
    for each, share in standing.items():
        expected["fighting", each.counts[0], each.counts[1]] += share
    for each, share in over.items():
        how = "destroyed" if not each.fled else "attacker-fled" if each.winner else "defender-fled"
        expected[how, each.counts[0], each.counts[1]] += share
    listed = {
        (each.standing, tuple(each.attacker), tuple(each.defender)): each.probability
        for each in report.standings
    }
    assert report.left_out == 0
    assert listed == pytest.approx({key: float(share) for key, share in expected.items()}, abs=1e-12)


@pytest.mark.kernels
@pytest.mark.parametrize("seed", range(500, 506))
def test_losses_given_a_win_are_those_of_the_rules(seed: int) -> None:
    case = random_case(seed, 2, plain=True)
    outcomes = follow(case.solved(), case.root).outcomes.reshape((at.NUM_ENDS, *case.tables.num_armies))
    standing, over = followed(case, 400)
    assert not standing
    for side in (0, 1):
        won = won_report(case.tables, outcomes, side)
        total = sum((share for each, share in over.items() if each.winner == side), Fraction(0))
        if not total:
            assert won is None
            continue
        assert won is not None
        assert won.chance == pytest.approx(float(total), abs=1e-12)
        figures = sum(case.beginning.counts[side])
        lost: Counter[int] = Counter()
        for each, share in over.items():
            if each.winner == side:
                lost[figures - sum(each.counts[side])] += share / total
        assert won.figures_lost == pytest.approx([float(lost[number]) for number in range(figures + 1)])
        assert sum(won.lost) == pytest.approx(float(sum(number * share for number, share in lost.items())))
        assert sum(each.probability for each in won.left) == pytest.approx(1)


@pytest.mark.kernels
def test_a_rule_costs_what_free_flight_would_gain_and_fractions_agree() -> None:
    sides = {"attacker": "bohorg: 3 I", "defender": "tomb: 2 II"}
    free = solve(**sides)
    held = solve(**sides, retreat_when="losses>=2", fraction=True)
    assert held.retreats == ["losses>=2", None]
    assert free.value_without_retreats is None
    assert held.value_without_retreats == free.value
    assert held.fraction is not None
    assert held.value == pytest.approx(float(Fraction(held.fraction)), abs=1e-12)
    assert held.value is not None
    assert held.value < free.win
    never = solve(**sides, retreat_when="losses>99", retreat_when_defender="losses>99")
    assert (never.attacker.flees, never.defender.flees) == (0, 0)
    assert solve(**sides, turn="attacker", retreat_when="left>0").attacker.flees == 1


@pytest.mark.parametrize(
    "text", ["", "losses", "losses>=x", "looses>=3", "losses>=-1", "losses>=3 or left<1"]
)
def test_other_rules_of_flight_are_refused_with_an_example(text: str) -> None:
    with pytest.raises(RequestError, match=r"losses>=3") as refusal:
        parse_retreat(text, "--retreat-when")
    assert refusal.value.option == "--retreat-when"


def test_elves_have_no_rule_of_flight() -> None:
    with pytest.raises(RequestError, match="B3"):
        solve(attacker="bohorg: 1 I", defender="elves: 1 Templar", retreat_when_defender="losses>=1")
