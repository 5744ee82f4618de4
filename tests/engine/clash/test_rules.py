"""Clash of Rage's rules as data: the illustrative set, what may be changed, every way it can be wrong."""

from __future__ import annotations

import pytest

from engine.clash.fighters import Fighter, fighter, movement
from engine.clash.rules import UnknownNameError, load_rules
from tests.engine.clash.plays import BOX


def test_C4_what_the_rulebook_says_of_equipment() -> None:
    costs = {card.id: card.cost for card in BOX.equipment}
    assert costs["rockbreaker"] == 12 > costs["crossbow"]
    assert costs["shamans-coat"] < costs["heavy-armor"]
    weapons = ("musket", "crossbow", "rockbreaker", "shamans-wand")
    assert {BOX.card(card).space for card in weapons} == {"weapon"}
    assert {BOX.card(card).space for card in ("plate-armor", "heavy-armor", "shamans-coat")} == {"armor"}
    assert {2, 3} <= {card.bonus.power for card in BOX.equipment}


def test_C5_a_die_injures_with_two_thirds() -> None:
    assert BOX.battle.hit_chance.as_integer_ratio() == (2, 3)


def test_T1_orders_are_distinct() -> None:
    orders = [card.order for clan in BOX.clans for card in clan.tactics]
    assert sorted(orders) == list(range(1, 29))


@pytest.mark.parametrize(
    ("override", "totals"),
    [
        ("equipment.club.copies=5", {"weapons": 44}),
        ("equipment.club.copies=3", {"weapons": 42}),
        ("equipment.club.space=armor", {"weapons": 39, "armors": 29}),
        ("legendary.sunblade.space=armor", {"legendary_weapons": 7, "legendary_armors": 7}),
        ("clans.bohorg.units.pummeler.max=8", {"figures": (32, 22, 14)}),
    ],
)
def test_C4_totals_follow_what_is_changed_and_are_named_among_the_changes(
    override: str, totals: dict[str, object]
) -> None:
    rules = load_rules(overrides=[override])
    assert {key: getattr(rules.components, key) for key in totals} == totals
    keys = {"components.figures.one" if key == "figures" else f"components.{key}" for key in totals}
    assert keys < set(rules.changed)
    assert len(rules.changed) == len(keys) + 1


def test_names_are_found_however_they_are_spelt() -> None:
    bohorg = BOX.clan(" BOHORG tribe")
    assert BOX.unit(bohorg, "Kragrider") == BOX.unit(bohorg, "II") == BOX.unit(bohorg, "2") == bohorg.units[1]
    assert BOX.card("Shaman's Wand").id == BOX.card("shamans-wand").id == "shamans-wand"
    assert BOX.elf("gleaming guard").id == "guard"
    with pytest.raises(UnknownNameError, match="no clan is called 'Bohurg'; did you mean bohorg"):
        BOX.clan("Bohurg")
    with pytest.raises(UnknownNameError, match="no unit of bohorg is called 'Templar'"):
        BOX.unit(bohorg, "Templar")
    with pytest.raises(UnknownNameError, match="no tile is called '9a'"):
        BOX.tile("9a")


def test_B4_M4_a_unit_with_its_equipment() -> None:
    executioner = BOX.clan("bohorg").units[2]
    assert fighter(executioner, [BOX.card("axe")]) == Fighter(power=8, life=5, slow=1)
    assert fighter(executioner, [BOX.card("musket"), BOX.card("heavy-armor")]) == Fighter(
        power=6, life=5, injury=2, shield=2, slow=3
    )
    assert movement(executioner) == (1, False)
    assert movement(executioner, [BOX.card("seven-league-boots")]) == (3, False)
    assert movement(executioner, [BOX.card("griffin-whip")]) == (1, True)
