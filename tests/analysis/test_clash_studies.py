"""Splits, purchases and tactic cards against single solves and plain enumeration."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import product
from pathlib import Path
from statistics import NormalDist
from typing import Any

import numpy as np
import pytest

from analysis.clash.game import GAME
from analysis.clash.purchases import Purchases, assignments, equip_answer
from analysis.clash.questions.solve import purchases, targets
from analysis.clash.scenario import Scenario, with_counts
from analysis.clash.solving import battle_answer, exact_value
from analysis.clash.splitting import split_answer
from analysis.clash.study_reports import PurchaseReport, SplitObjective
from analysis.clash.tactics import TacticValues, estimate_values, tactic_answer, tactic_question
from analysis.errors import RequestError
from engine.clash.rules import load_rules
from solver.lp import solve_matrix_program

RULES = load_rules()
TARGETS = ("elves: 1 Templar, 1 Guard", "tomb: 1 I, 1 II")


def split_targets(attacker: str, defenders: Sequence[str], **given: Any) -> list[Scenario]:
    given["objective"] = given.get("objective", "both").replace("both", "win")
    asked = GAME.question("solve").build(attacker=[attacker], defender=list(defenders), **given)
    return targets(asked, RULES)


def purchases_for(
    attackers: Sequence[str], defenders: Sequence[str], market: str, gold: int, **given: Any
) -> Purchases:
    question = GAME.question("solve")
    sides = {"attacker": list(attackers), "defender": list(defenders)}
    return purchases(question.build(**sides, market=market, gold=gold, **given), RULES)


# -- splits ---------------------------------------------------------------------------------------------


@pytest.mark.kernels
@pytest.mark.parametrize("objective", ["both", "either", "material"])
def test_splits_are_worth_what_single_solves_say(objective: SplitObjective) -> None:
    targets = split_targets("bohorg: 2 I, 1 II, 1 III", TARGETS, objective=objective)
    report = split_answer(targets, objective)
    most = targets[0].attacker.counts
    values = []
    for counts in product(*(range(count + 1) for count in most)):
        alone = []
        for target in targets:
            value = 0.0
            if any(counts):
                part = with_counts(target.attacker, (counts[0], counts[1], counts[2]))
                value = exact_value(replace(target, attacker=part))
            alone.append(value)
        values.append((counts, alone))
    found = {}
    for (first, (one, _)), (second, (_, two)) in product(values, values):
        if any((*first, *second)) and all(x + y <= n for x, y, n in zip(first, second, most, strict=True)):
            found[first, second] = {"both": one * two, "either": 1 - (1 - one) * (1 - two)}.get(
                objective, one + two
            )
    assert report.splits == len(found)
    best = report.best[0]
    assert best.value == pytest.approx(max(found.values()), abs=1e-12)
    for each in report.best + report.front:
        sent = tuple(each.sent[0]), tuple(each.sent[1])
        assert each.value == pytest.approx(found[sent], abs=1e-12)
        assert [sum(n) for n in zip(*each.sent, each.home, strict=True)] == list(most)
    assert [each.value for each in report.best] == sorted((each.value for each in report.best), reverse=True)
    for each in report.front:
        for other in report.front:
            better = [x > y + 1e-11 for x, y in zip(other.values, each.values, strict=True)]
            worse = [x < y - 1e-11 for x, y in zip(other.values, each.values, strict=True)]
            assert any(worse) or not any(better)


@pytest.mark.kernels
def test_chances_beside_material_are_those_of_the_battles() -> None:
    targets = split_targets("bohorg: 2 I, 1 III", TARGETS, objective="material")
    best = split_answer(targets, "material").best[0]
    for target, sent, value, win in zip(targets, best.sent, best.values, best.wins, strict=True):
        one, two, three = sent
        report = battle_answer(replace(target, attacker=with_counts(target.attacker, (one, two, three))))
        assert report.value == pytest.approx(value, abs=1e-12)
        assert report.win == pytest.approx(win, abs=1e-12)


# -- purchases ------------------------------------------------------------------------------------------


def plain(question: Purchases) -> dict[int, float]:
    """The largest value of one battle for every price, every assignment solved on its own."""
    (scenario,) = question.scenarios
    army = question.army
    stacks = {stack.card.id: stack for stack in question.market}
    owned = Counter(card for each in army.cards for card in each)
    known = {card.id: card for card in owned} | {name: stack.card for name, stack in stacks.items()}
    spaces = [(kind, space) for kind in range(3) if army.counts[kind] for space in ("weapon", "armor")]
    choices = [[None, *(card for card in known.values() if card.space == space)] for _, space in spaces]
    best: dict[int, float] = {}
    for cards in product(*choices):
        used = Counter(card for card in cards if card is not None)
        gold: int = 0
        for card, count in used.items():
            bought = max(0, count - owned[card])
            if bought > (stacks[card.id].copies if card.id in stacks else 0):
                break
            gold += bought * getattr(card, "cost", 0)
        else:
            if gold > question.gold:
                continue
            attached = tuple(
                tuple(card for card, (at, _) in zip(cards, spaces, strict=True) if at == kind and card)
                for kind in range(3)
            )
            equipped = replace(army, cards=attached)
            armies = [equipped, scenario.defender] if question.buyer == 0 else [scenario.attacker, equipped]
            value = exact_value(replace(scenario, attacker=armies[0], defender=armies[1]))
            if question.buyer == 1:
                value = 1 - value if scenario.objective == "win" else -value
            best[gold] = max(value, best.get(gold, -np.inf))
    return best


ASKED = {
    "attacker": purchases_for(
        ["bohorg: 1 I, 1 III"], ["elves: 1 Templar, 1 Elder"], "axe, short-bow 2, buckler, swift-boots", 14
    ),
    "defender": purchases_for(
        ["bohorg: 1 I, 1 II"],
        ["tomb: 2 I"],
        "club 2, shamans-coat",
        9,
        buyer="defender",
        objective="material",
    ),
    "owner": purchases_for(
        ["tomb: 1 I, 1 II"],
        ["elves: 2 Elder"],
        "axe, plate-armor",
        11,
        equip=["tomb-1: short-bow; tomb-2: axe, buckler"],
    ),
}


@pytest.mark.kernels
@pytest.mark.parametrize("name", ASKED)
def test_purchases_are_the_best_of_all(name: str) -> None:
    question = ASKED[name]
    report = equip_answer(question)
    best = plain(question)
    dearer = float(-np.inf)
    expected = []
    for gold, value in sorted(best.items()):
        if value > dearer + 1e-12:
            expected.append((gold, value))
            dearer = value
    assert [each.gold for each in report.front] == [gold for gold, _ in expected]
    assert [each.value for each in report.front] == pytest.approx([value for _, value in expected], abs=1e-12)
    for each in report.front:
        assert each.gold == sum(RULES_COST[card] for card in each.bought)
        assert each.gain == pytest.approx(each.value - report.now.value, abs=1e-12)
    assert report.assignments == sum(1 for _ in assignments(question))


RULES_COST = {card.id: card.cost for card in RULES.equipment}


@pytest.mark.kernels
def test_shares_of_several_battles() -> None:
    enemies = ["elves: 1 Guard", "godleif: 1 I"]
    question = purchases_for(["tomb: 2 I"], enemies, "axe, plate-armor", 6, share=[3, 1])
    report = equip_answer(question)

    def value(each: PurchaseReport) -> float:
        return (3 * each.values[0] + each.values[1]) / 4

    for each in report.front:
        assert each.value == pytest.approx(value(each), abs=1e-12)
    alone = [stack.alone for stack in report.market]
    assert all(each is not None and len(each.bought) == 1 for each in alone)
    assert report.front[-1].value >= max(each.value for each in alone if each is not None) - 1e-12


# -- tactic cards ---------------------------------------------------------------------------------------


def values_of(clan: str, other: str, seed: int, error: float = 0.0) -> TacticValues:
    rng = np.random.default_rng(seed)
    pairs = [(one.order, two.order) for one in RULES.clan(clan).tactics for two in RULES.clan(other).tactics]
    return TacticValues(
        {pair: float(rng.uniform(-1, 1)) for pair in pairs},
        {pair: float(rng.uniform(0, 2 * error)) for pair in pairs},
    )


def test_known_hands_are_a_matrix_game() -> None:
    question = tactic_question(RULES, ["bohorg", "tomb"], played="1,6,11,16", played_other="4,5,10,15")
    given = values_of("bohorg", "tomb", 3)
    matrix = np.array([[given.values[one, two] for two in (20, 21, 26)] for one in (17, 22, 27)])
    program = solve_matrix_program(matrix)
    report = tactic_answer(replace(question, hand=(17, 22, 27)), given)
    assert report.value == pytest.approx(program.value, abs=1e-9)
    assert report.low == report.high == report.value
    assert [len(hands) for hands in report.hands] == [1, 1]
    assert sum(each.probability for each in report.options) == pytest.approx(1.0)
    played = [each for each in report.options if each.probability > 1e-9]
    assert all(each.cost <= 1e-9 for each in played), "what is played costs nothing"


def test_the_interval_is_that_of_shifted_values() -> None:
    question = tactic_question(RULES, ["bohorg", "tomb"])
    given = values_of("bohorg", "tomb", 4)
    report = tactic_answer(question, replace(given, errors=dict.fromkeys(given.values, 0.01)))
    width = 0.01 * NormalDist().inv_cdf(1 - 0.05 / 2 / 49)
    assert report.high - report.value == pytest.approx(width, abs=1e-9)
    assert report.value - report.low == pytest.approx(width, abs=1e-9)
    assert 0.01 / 7 <= report.error <= 0.01


@pytest.mark.kernels
def test_playouts_begin_with_the_cards_and_repeat_by_seed(tmp_path: Path) -> None:
    question = tactic_question(RULES, ["bohorg", "tomb"])
    given = estimate_values(question, 3, 7)
    assert given == estimate_values(question, 3, 7)
    assert given.map is not None
    assert (given.map.choice, len(given.map.tiles)) == ("chance", 3)
    one = estimate_values(question, 3, 7, tiles=("2a", "5b"))
    assert one.map is not None
    assert (one.map.choice, one.map.tiles) == ("given", [["2a", "5b"]])
    assert one.values != given.values
    first = estimate_values(question, 3, 7, tiles=()).map
    assert first is not None
    assert first.tiles == [["1a", "2a"]]
    assert len(given.values) == 49
    assert all(abs(value) <= 1 for value in given.values.values())
    assert min(given.errors.values()) > 0
    with pytest.raises(RequestError, match="begin with the game"):
        estimate_values(replace(question, played=(frozenset({1}), frozenset())), 3)
