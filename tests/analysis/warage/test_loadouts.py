"""Loadouts and attacks: what is refused and how, totals by the text's own figures, speed."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest

from analysis.errors import RequestError
from analysis.front.asking import function_of
from analysis.warage import attacks
from analysis.warage.game import GAME
from analysis.warage.loadouts import Table, parse_loadout
from analysis.warage.questions.attack import AttackAnswer
from engine.warage.rules import load_rules

BOX = load_rules()


def attack(hero: str, other: str, **more: object) -> AttackAnswer:
    found: AttackAnswer = function_of(GAME.question("attack"))(hero=hero, other=other, **more)
    return found


def test_loadouts_are_written_as_they_are_read() -> None:
    text = "elf/mage:scepter-of-the-lich,fireball 2"
    assert parse_loadout(BOX, text).text == text
    assert parse_loadout(BOX, "Elf/Mage: scepter, fireball 2").text == text


def test_K3_K4_the_figures_of_the_text() -> None:
    apart = attack("elf/mage:bone-collar,fireball,lightning", "human/paladin")
    assert [row.attack for row in apart.attacks[1:]] == [23, 25]
    together = attack("elf/mage:scepter-of-the-lich,fireball 2", "human/paladin")
    assert [row.attack for row in together.attacks[1:]] == [25, 30]
    assert [row.attacks for row in together.rounds] == [
        ["melee", "fireball", "fireball"],
        ["melee", "fireball x2 together"],
    ]


def test_cards_played_for_one_attack() -> None:
    plain = attack("orc/warrior:war-axe", "human/paladin")
    helped = attack("orc/warrior:war-axe", "human/paladin", with_cards="battle-cry", against_cards="parry")
    assert plain.attacks[0].mean == helped.attacks[0].mean
    blocked = attack("orc/warrior:war-axe", "human/paladin", against_cards="bulwark")
    assert blocked.attacks[0].mean < plain.attacks[0].mean
    with pytest.raises(RequestError, match="from 1 to"):
        attack("orc/warrior", "human/paladin", other_hp=0)


@pytest.mark.parametrize("card", ["squire", "second-wind", "parry", "bulwark", "arcane-surge"])
def test_what_adds_nothing_to_an_attack_is_refused_by_what_does(card: str) -> None:
    with pytest.raises(RequestError, match="adds nothing to this attack; such as battle-cry do"):
        attack("orc/warrior", "human/paladin", with_cards=card)


@pytest.mark.parametrize("card", ["squire", "battle-cry", "arcane-surge"])
def test_what_adds_nothing_to_a_defence_is_refused_by_what_does(card: str) -> None:
    with pytest.raises(RequestError, match=r"adds nothing to the defence against it; such as .*parry"):
        attack("elf/mage:fireball", "human/paladin", against_cards=card)


def test_only_what_is_played_or_used_for_this_attack_is_added_to_it() -> None:
    rules = load_rules()
    added = {card.id: dict(attacks._added(card)) for card in rules.cards}
    assert added["battle-cry"]
    # An attack by magic of its own, HP for whoever plays it, and something that ends another card.
    for card in ("fireball", "mending", "second-wind", "shatter", "negate"):
        assert added[card] == {}


@pytest.mark.parametrize(("hp", "kills"), [(7, "1/12"), (100, "0")])
def test_a_defender_has_the_HP_of_its_race(hp: int, kills: str) -> None:
    report = attack("orc/warrior", "human/mage", set=[f"races.human.hp={hp}"])
    assert report.hp == hp
    assert report.attacks[0].fractions[2] == kills


def test_cards_go_to_the_attack_of_a_round_where_they_kill_most() -> None:
    hero, other, hp = "elf/mage:bone-collar,fireball,frost-bolt", "human/paladin", 14
    cards = {"with_cards": "arcane-surge", "against_cards": "bulwark"}
    found = attack(hero, other, other_hp=hp, season="autumn", **cards)
    faces = [range(1, 7)] * 2
    # A mage of 18 magic with fireball 5 or frost-bolt 3, or 9 in melee, against 16; 4 more, and 10 prevented.
    ready = Table(BOX, (parse_loadout(BOX, hero), parse_loadout(BOX, other)), "autumn")
    names: tuple[str | None, ...] = (None, "fireball", "frost-bolt")
    plain = {card: ready.attack(0, card) for card in names}
    assert [(each.attack, each.defence) for each in plain.values()] == [(9, 16), (23, 16), (21, 16)]
    assert len({(each.attack_dice, each.defence_dice) for each in plain.values()}) == 1
    ways = []
    for helped in plain:
        total = {0: Fraction(1)}
        for card, each in plain.items():
            plus, less = (4 if card is not None else 0, 10) if card == helped else (0, 0)
            hurt: dict[int, Fraction] = {}
            dice = product(*(faces[0],) * each.attack_dice, *(faces[1],) * each.defence_dice)
            for throw in dice:
                own = each.attack + plus + sum(throw[: each.attack_dice])
                damage = max(own - each.defence - sum(throw[each.attack_dice :]), 0)
                damage = max(damage - less, 0)
                count = Fraction(1, 6 ** len(throw))
                hurt[damage] = hurt.get(damage, Fraction(0)) + count
            more: dict[int, Fraction] = {}
            for before, chance in total.items():
                for damage, share in hurt.items():
                    more[before + damage] = more.get(before + damage, Fraction(0)) + chance * share
            total = more
        kill = sum((chance for damage, chance in total.items() if damage >= hp), Fraction(0))
        ways.append((kill, sum(damage * chance for damage, chance in total.items())))
    (row,) = found.rounds
    assert row.attacks == ["melee", "fireball", "frost-bolt"]
    assert (Fraction(row.fractions[1]), Fraction(row.fractions[0])) == max(ways)
    assert found.attacks[1].attack == 27
    assert sum((Fraction(entry.fraction) for entry in found.law), Fraction(0)) == 1
    assert sum(entry.damage * Fraction(entry.fraction) for entry in found.law) == max(ways)[1]


def test_ways_to_attack_are_as_many_as_allowed(monkeypatch: pytest.MonkeyPatch) -> None:
    hero = "elf/mage:frost-bolt 2"
    monkeypatch.setattr(attacks, "MAX_ARRANGEMENTS", 2)
    assert len(attack(hero, "human/paladin").rounds) == 2
    monkeypatch.setattr(attacks, "MAX_ARRANGEMENTS", 1)
    with pytest.raises(RequestError, match="2 ways to combine the spells are too many"):
        attack(hero, "human/paladin")


@pytest.mark.parametrize(
    ("text", "spells"),
    [
        ("orc/warrior:great-sword,plate-armour,steel-helm,wolf-fang,gauntlets 3", {}),
        ("elf/mage:lightning,fireball", {"lightning": 1, "fireball": 1}),
        ("elf/mage:frost-bolt 2,mending", {"frost-bolt": 2}),
        ("orc/warrior:war-axe,short-sword", {}),
    ],
)
def test_all_slots_and_hands_may_be_taken(text: str, spells: dict[str, int]) -> None:
    loadout = parse_loadout(BOX, text)
    assert loadout.text == text
    assert loadout.spells == spells
    for place, stat in enumerate(("A", "D", "M", "dice")):
        assert loadout.plus(stat, 2).extra == tuple(2 * (place == other) for other in range(4))
        twice = loadout.plus(stat, 2).plus(stat, -1).extra
        assert twice == tuple(int(place == other) for other in range(4))
    first = loadout.cards[0].id
    assert sorted([first, *(card.id for card in loadout.without(first).cards)]) == sorted(
        card.id for card in loadout.cards
    )


def test_either_hero_may_attack() -> None:
    heroes = parse_loadout(BOX, "elf/mage:fireball 2"), parse_loadout(BOX, "orc/warrior:war-axe,steel-helm")
    for season in ("spring", "summer", "autumn"):
        here, there = Table(BOX, heroes, season), Table(BOX, heroes[::-1], season)
        assert here.attack(1) == there.attack(0)
        assert here.attack(0) == there.attack(1)
        assert here.attack(0, "fireball", 2) == there.attack(1, "fireball", 2)
    spring = Table(BOX, heroes, "spring")
    assert (spring.attack(1).attack_dice, spring.attack(1).defence_dice) == (0, 2)
    assert (spring.attack(1).attack, spring.attack(1).defence) == (21, 14)
    helped = spring.attack(0, "fireball", plus=(3, 1), dice=(1, 2), prevent=4)
    plain = spring.attack(0, "fireball")
    assert (helped.attack, helped.defence, helped.prevent) == (plain.attack + 3, plain.defence + 1, 4)
    assert (helped.attack_dice, helped.defence_dice) == (plain.attack_dice + 1, plain.defence_dice + 2)
