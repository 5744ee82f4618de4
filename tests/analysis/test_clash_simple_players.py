"""Simple players against rational arithmetic; answers of a battle against its own list of ends."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from analysis.clash.rational import (
    Choose,
    Numbers,
    RationalBattle,
    everything,
)
from analysis.clash.scenario import Scenario, TooLargeError, least_memory, likely_memory
from analysis.clash.solving import battle_answer
from engine.clash.reference_battle import Battle, begin_assault, start
from tests.analysis.battles import battle
from tests.oracles.clash_battles import in_order, never_flees, never_spares

SMALL = {
    "clans": ("bohorg: 1 I, 1 III", "tomb: 1 I, 1 II"),
    "elves": ("bohorg: 1 III", "elves: 1 Templar, 1 Guard"),
}


def first_battle(scenario: Scenario) -> Battle:
    """The battle as the plain rules have it."""
    begun = start(
        scenario.rules.battle,
        (scenario.attacker.fighters, scenario.defender.fighters),
        (scenario.attacker.counts, scenario.defender.counts),
        elves=scenario.defender.elves,
        solo=scenario.solo,
    )
    return begin_assault(replace(begun, rage=scenario.rage), scenario.starts)


def orders(scenario: Scenario, name: str) -> tuple[tuple[int, ...], ...]:
    """The types of both sides in the order in which a simple player eliminates them."""
    ranks: dict[str, Any] = {
        "strongest first": lambda each: (-each.power, -each.life),
        "weakest first": lambda each: (each.power, each.life),
        "most figures first": lambda each: (each.life, each.power),
    }
    rank = ranks[name]
    return tuple(
        tuple(sorted(range(3), key=lambda kind, army=army: rank(army.fighters[kind])))  # type: ignore[misc]
        for army in scenario.armies
    )


def simply(scenario: Scenario, name: str) -> Choose:
    """What a simple player considers."""
    if name == "never spares":
        return never_spares
    return never_flees if name == "never flees" else in_order(orders(scenario, name))


def won(battle: Battle) -> Numbers:
    """Whether the attacker wins, and what is left of both."""
    left = [Fraction(sum(counts)) for counts in battle.counts]
    return Fraction(battle.winner == 0), left[0], left[1]


@pytest.mark.kernels
@pytest.mark.parametrize("name", SMALL)
def test_simple_players_get_what_rational_arithmetic_says(name: str) -> None:
    # With a sword the weakest of the attackers is the strongest: the sides' orders differ.
    asked = battle(*SMALL[name], equip=["I: great-sword"] if name == "clans" else [])
    report = battle_answer(asked, simple=True)
    sides = ["attacker"] * 5 + ["defender"] * (4 if asked.defender.elves else 5)
    assert [each.side for each in report.simple] == sides
    habits = [each.habit for each in report.simple]
    assert habits[:5] == [
        *("strongest first", "weakest first", "most figures first", "never spares", "never flees")
    ]
    assert habits[5:] == habits[: len(habits) - 5]
    tables = asked.tables(1 << 30)
    for each in report.simple:
        held = simply(asked, each.habit)
        considers = (held, everything) if each.side == "attacker" else (everything, held)
        oracle = RationalBattle(won, [[1, 2, -3], [-1, 3, -2]], enough=tables.cuts, considers=considers)
        value = float(oracle.value(first_battle(asked))[0])
        assert each.value == pytest.approx(value, abs=1e-12)
        assert report.value is not None
        cost = report.value - value if each.side == "attacker" else value - report.value
        assert each.cost == pytest.approx(cost, abs=1e-12)
    assert max(each.cost for each in report.simple) > 0.01


@pytest.mark.kernels
def test_with_weights_of_its_own_a_side_pays_for_simple_play_what_it_pays_with_those_of_both() -> None:
    material = battle(*SMALL["clans"], objective="material")
    both = battle_answer(material, simple=True)
    own = battle_answer(replace(material, objective="own"), simple=True)
    assert any(each.side == "defender" and each.cost > 0.01 for each in both.simple)
    for one, other in zip(both.simple, own.simple, strict=True):
        assert (one.side, one.habit) == (other.side, other.habit)
        # What one side gains the other loses; whoever holds the territory has its 3.
        value = one.value if one.side == "attacker" else 3.0 - one.value
        assert other.value == pytest.approx(value, abs=1e-9)
        assert other.cost == pytest.approx(one.cost, abs=1e-9)


@pytest.mark.kernels
def test_where_the_attacker_chooses_for_elves_they_have_no_habits() -> None:
    asked = battle(*SMALL["elves"], solo=True)
    assert [each.side for each in battle_answer(asked, simple=True).simple] == ["attacker"] * 5


# -- ends -----------------------------------------------------------------------------------------------


ASKED = [
    battle("bohorg: 2 I, 1 III", "tomb: 2 I, 1 II", objective="material"),
    battle("tomb: 2 I, 1 II", "elves: 2 Templar, 1 Elder"),
    battle("bohorg: 1 I, 1 II", "godleif: 1 I, 1 III", turn="attacker", rage="1,2"),
    battle("bohorg: 3 I", "tomb: 2 II", retreat_when="losses>=2"),
]


@pytest.mark.kernels
@pytest.mark.parametrize("asked", ASKED)
def test_losses_and_flight_are_those_of_the_ends(asked: Scenario) -> None:
    report = battle_answer(asked)
    assert report.ends_left_out < 1e-12
    for side, army in enumerate((report.attacker, report.defender)):
        kinds = [kind for kind, count in enumerate(asked.armies[side].counts) if count]
        assert army.levels == kinds
        for kind, each in zip(kinds, army.types, strict=True):
            lost = np.array(
                [each.count - (end.attacker, end.defender)[side][kind] for end in report.ends], float
            )
            chances = np.array([end.probability for end in report.ends])
            mean = float(chances @ lost)
            assert each.lost == pytest.approx(mean, abs=1e-9)
            assert each.lost_deviation == pytest.approx(np.sqrt(chances @ (lost - mean) ** 2), abs=1e-9)
        fled = sum(
            end.probability for end in report.ends if end.result == f"{('attacker', 'defender')[side]}-fled"
        )
        gone = sum(
            end.probability
            for end in report.ends
            if end.result == "destroyed" and not any((end.attacker, end.defender)[side])
        )
        assert army.flees == pytest.approx(fled, abs=1e-9)
        assert army.destroyed == pytest.approx(gone, abs=1e-9)
    assert report.win == pytest.approx(report.defender.flees + report.defender.destroyed, abs=1e-9)
    chances_ = [end.probability for end in report.ends]
    assert chances_ == sorted(chances_, reverse=True)
    assert min(chances_) > 0.0


# -- limits ---------------------------------------------------------------------------------------------


def test_a_battle_that_does_not_fit_is_refused_with_the_deepest_cut_that_does() -> None:
    asked = battle("bohorg: 4 I, 2 II, 1 III", "tomb: 3 I, 2 II, 1 III")
    whole = asked.tables(1 << 40)
    memory = least_memory(whole) - 1
    with pytest.raises(TooLargeError) as caught:
        asked.tables(memory)
    said = str(caught.value)
    assert said.startswith(
        f"{whole.num_positions:,} positions take more than {least_memory(whole) >> 20} MiB"
    )
    assert f"and {memory >> 20} MiB are allowed (--memory)" in said
    tokens = int(said.partition("--bracket ")[2].split()[0])
    fits = replace(asked, most_tokens=tokens).tables(memory)
    assert f"{fits.num_positions:,} positions, about {likely_memory(fits) >> 20} MiB" in said
    assert likely_memory(fits) <= memory
    assert likely_memory(replace(asked, most_tokens=tokens + 1).tables(1 << 40)) > memory
    assert asked.tables(memory + 1).num_positions == whole.num_positions
    with pytest.raises(TooLargeError, match="no bracket fits either"):
        asked.tables(190 << 20)
    with pytest.raises(TooLargeError, match="with --objective material, --bracket would give bounds"):
        replace(asked, objective="own").tables(memory)
