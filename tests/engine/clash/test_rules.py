"""Clash of Rage's rules as data: the illustrative set, what may be changed, every way it can be wrong."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from engine.clash.fighters import Fighter, fighter, movement
from engine.clash.rules import Bonus, RulesError, UnknownNameError, diff_rules, load_rules, to_toml
from tests.engine.clash.random_rules import BOX, random_rules

BOX_SHA256 = "b3769d4f921d16f551a05f2c0b7bb7f6dcc1916a83d77e527ad16a755d3cb313"

SEVEN = "[[1,1,1,0,0],[2,1,1,0,0],[6,1,1,0,0],[6,1,1,0,0],[7,1,1,0,0],[8,1,1,0,0],[9,1,1,0,0]]"
"""Tactic cards of which two have the same order."""


def test_C1_figures_and_clans() -> None:
    assert [clan.name for clan in BOX.clans] == [
        "Bohorg Tribe",
        "Steamfield Barony",
        "Godleif Clan",
        "Army of the Tomb",
    ]
    assert [sum(clan.units[level].max for clan in BOX.clans) for level in range(3)] == [31, 22, 14]
    assert all([unit.level for unit in clan.units] == [1, 2, 3] for clan in BOX.clans)


def test_C2_unit_types() -> None:
    executioner = BOX.clan("bohorg").units[2]
    assert (executioner.power, executioner.life, executioner.move, executioner.max) == (6, 5, 1, 3)
    assert executioner.icons == Bonus(slow=1)
    assert BOX.clan("Steamfield Barony").units[0].icons == Bonus(shield=1, slow=1)


def test_C3_elves() -> None:
    assert [(elf.name, elf.tokens) for elf in BOX.elves] == [
        ("Templar", 15),
        ("High Elder", 15),
        ("Gleaming Guard", 15),
    ]


def test_C4_equipment_and_legendary_cards() -> None:
    copies = {
        space: sum(card.copies for card in BOX.equipment if card.space == space)
        for space in ("weapon", "armor")
    }
    assert copies == {"weapon": 43, "armor": 25}
    spaces = [card.space for card in BOX.legendary]
    assert (spaces.count("weapon"), spaces.count("armor")) == (8, 6)
    assert BOX.card("Rockbreaker").bonus == Bonus(power=4, injury=1, slow=1)


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


def test_C6_ten_sides_of_tiles() -> None:
    assert len(BOX.tiles) == 10
    assert BOX.tile(" 3B ").mountains == ((0, 4), (2, 3))


def test_T1_orders_are_distinct() -> None:
    orders = [card.order for clan in BOX.clans for card in clan.tactics]
    assert sorted(orders) == list(range(1, 29))


def test_numbers_of_a_match() -> None:
    assert (BOX.match.points, BOX.match.long_points, BOX.match.max_rounds) == (4, 5, 30)
    assert BOX.match.forge_cost == (6, 3)
    assert (BOX.match.city_elves, BOX.match.forge_elves, BOX.match.market, BOX.match.hand_size) == (
        4,
        2,
        6,
        3,
    )
    assert BOX.solo.thresholds == (17, 14, 11, 8)
    assert (BOX.battle.sparing, BOX.battle.rage_limit, BOX.battle.elves) == (True, None, "adversary")


def test_provenance_tells_rulebook_public_and_assumed_apart() -> None:
    sources = {
        "components.figures.one": "rulebook",
        "clans.bohorg.units.executioner.power": "rulebook",
        "clans.bohorg.units.executioner.life": "assumed",
        "clans.bohorg.units.kragrider.icons.injury": "rulebook",
        "clans.bohorg.units.kragrider.icons.slow": "assumed",
        "clans.steamfield.units.lancer.icons.slow": "public",
        "equipment.war-drum.bonus.rage": "public",
        "equipment.rockbreaker.cost": "rulebook",
        "battle.hit": "rulebook",
        "battle.sparing": "assumed",
    }
    assert {key: BOX.provenance[key] for key in sources} == sources
    assert BOX.illustrative


def test_the_hash_of_the_box_is_frozen() -> None:
    # Reports name rules by it: if this fails, a value in the file or the canonical form has changed.
    assert BOX.sha256 == BOX_SHA256


def test_names_do_not_change_the_hash() -> None:
    renamed = load_rules(overrides=["clans.bohorg.name=Orcs", "clans.bohorg.units.pummeler.name=Grunt"])
    assert renamed.sha256 == BOX_SHA256
    assert renamed.clan("orcs").id == "bohorg"


@pytest.mark.parametrize(
    ("override", "key"),
    [
        ("battle.sparing=false", "battle.sparing"),
        ("battle.rage_limit=10", "battle.rage_limit"),
        ("match.forge_cost.one=5", "match.forge_cost.one"),
        ("clans.bohorg.units.executioner.power=7", "clans.bohorg.units.executioner.power"),
        ("clans.bohorg.units.pummeler.icons.rage=1", "clans.bohorg.units.pummeler.icons.rage"),
        ("equipment.club.bonus.slow=1", "equipment.club.bonus.slow"),
        ("elves.guard.icons.shield=1", "elves.guard.icons.shield"),
        ("tiles.1a.mountains=[]", "tiles.1a.mountains"),
        ("layouts.two.centres=[[0,0],[3,-2]]", "layouts.two.centres"),
    ],
)
def test_one_value_changed(override: str, key: str) -> None:
    rules = load_rules(overrides=[override])
    assert [row[0] for row in diff_rules(BOX, rules)] == rules.changed == [key]
    assert rules.sha256 != BOX_SHA256


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


@pytest.mark.parametrize(
    ("overrides", "message"),
    [
        (
            ["clans.bohorg.units.pummeler.max=8", "components.figures.one=31"],
            "figures.one = 31: units of level 1: figures add up to 32",
        ),
        (
            ["components.weapons=42"],
            "weapons = 42: weapons in the market deck: copies add up to 43; allowed: ",
        ),
        (
            ["legendary.sunblade.space=armor", "components.legendary_armors=6"],
            "legendary_armors = 6: legendary armors add up to 7",
        ),
        (["clans.bohorg.units.pummeler.level=2"], "[clans.bohorg.units]: 3 unit types, of levels 2, 2, 3"),
        (
            ["clans.orcs.name=Orcs"],
            "[clans.orcs.units]: 0 unit types, of levels none; allowed: one unit type",
        ),
        (["clans.orcs.name=Orcs"], "[tactics.orcs] cards: is missing, and the clan needs it"),
        (["clans.bohorg.name=Godleif Clan"], "[clans.godleif] answers to this name already"),
        (["clans.bohorg.units.pumeler.power=1"], "or did you mean [clans.bohorg.units.pummeler]?"),
        (["clans.bohorg.units=3"], "[clans.bohorg] units = 3: must be a table"),
        (["clans.bohorg.unit.pummeler.power=1"], "there is no such key; did you mean units?"),
        (["clans.bohorg.units.pummeler.icons.rag=1"], "there is no such icon; did you mean rage?"),
        (["clans.bohorg.units.pummeler.icons.rage=-1"], "out of range; allowed: a whole number from 0 to 4"),
        ([f"tactics.tomb.cards={SEVEN}"], "order 1 stands on another card, of bohorg; allowed: an order of"),
        ([f"tactics.bohorg.cards={SEVEN}"], "stands on another card, of steamfield"),
        (["tactics.tomb.cards=[]"], "allowed: 7 cards [order 1 to 99, gold 0 to 20"),
        (
            ["tactics.orcs.cards=[[99,1,1,0,0]]"],
            "[tactics.orcs] cards = [[99, 1, 1, 0, 0]]: not allowed here",
        ),
        (["tiles.1a.forge=0"], "[tiles.1a] city = 0: city, forge and stone lie in territories 0, 0, 5"),
        (["tiles.1a.mountains=[[1,3]]"], "territories 1 and 3 are no neighbours"),
        (["tiles.6a.city=1"], "[tiles.6a]: there is no such tile; allowed: 1a, 1b"),
        (["layouts.two.centres=[[0,0],[1,1]]"], "tiles overlap; allowed: two tiles that touch"),
        (["layouts.two.centres=[[0,0],[5,5]]"], "tiles lie apart"),
        (["layouts.two.centres=[[0,0],[2,1],[-1,3]]"], "3 tiles; allowed: two tiles"),
        (["match.city_elves=7", "match.forge_elves=7"], "4 tiles need 56 elves, and there are 45"),
        (["battle.hit=4/3"], '[battle] hit = "4/3": 4 faces of 3; allowed: a fraction below 1'),
        (["battle.hit=0.5"], 'allowed: a fraction below 1 of the faces of a die, "2/3"'),
        (["battle.rage_limit=none at all"], 'allowed: a whole number from 0 to 30, or "none"'),
        (
            ["solo.thresholds.hard=3"],
            "there is no such difficulty; allowed: easy, medium, difficult, impossible",
        ),
        (["legendary.axe.space=weapon"], "[legendary.axe]: equipment and legendary have the same id"),
        (["equipment.club.name=Rockbreaker"], "[equipment.rockbreaker] answers to this name already"),
    ],
)
def test_mistakes_are_named(overrides: list[str], message: str) -> None:
    overrides = [*overrides, *(["legendary.axe.name=A"] if overrides[0].startswith("legendary.axe") else [])]
    with pytest.raises(RulesError) as caught:
        load_rules(overrides=overrides)
    assert message in str(caught.value)
    assert all(line.startswith("--set: ") for line in str(caught.value).splitlines())


def test_a_unit_type_more_is_a_contradiction_where_it_stands(tmp_path: Path) -> None:
    file = tmp_path / "more.toml"
    file.write_text(
        '[clans.bohorg.units.giant]\nname = "Giant"\nlevel = 3\npower = 9\nlife = 9\nmove = 1\nmax = 0\n'
        'provenance = { "icons.slow" = "public", rest = "assumed" }\n',
        encoding="utf-8",
    )
    with pytest.raises(
        RulesError, match=r"more\.toml: \[clans\.bohorg\.units\]: 4 unit types, of levels 1, 2, 3, 3"
    ):
        load_rules([file])


def test_provenance_of_parts_must_name_a_part(tmp_path: Path) -> None:
    file = tmp_path / "wrong.toml"
    file.write_text('[elves.guard]\nprovenance = { "icons.slowness" = "public" }\n', encoding="utf-8")
    with pytest.raises(RulesError, match=r'provenance\."icons\.slowness" = "public": there is no such key'):
        load_rules([file])


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


def test_writing_and_reading_gives_the_same_rules(tmp_path: Path) -> None:
    file = tmp_path / "variant.toml"
    # What a file says of provenance is seen when it is read: here it claims nothing.
    unclaimed = dict.fromkeys(BOX.provenance, "changed")
    for seed in range(20):
        rules = random_rules(seed)
        file.write_text(to_toml(msgspec.structs.replace(rules, provenance=unclaimed)), encoding="utf-8")
        again = load_rules([file])
        assert diff_rules(again, rules) == []
        assert again.sha256 == rules.sha256
