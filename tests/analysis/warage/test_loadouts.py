"""Loadouts and attacks: what is refused and how, totals by the text's own figures, speed."""

from __future__ import annotations

import time

import pytest

from analysis.errors import RequestError
from analysis.warage.cards import card_set
from analysis.warage.game import GAME
from analysis.warage.loadouts import parse_loadout
from analysis.warage.questions.attack import AttackAnswer
from engine.warage.rules import load_rules

BOX = load_rules()


def attack(hero: str, other: str, **more: object) -> AttackAnswer:
    found: AttackAnswer = GAME.question("attack").python()(hero=hero, other=other, **more)
    return found


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("orc", "write RACE/HERO_CLASS: CARDS"),
        ("orc:war-axe", "write RACE/HERO_CLASS: CARDS"),
        ("elv/mage", "did you mean elf?"),
        ("elf/wizard", "no class is called 'wizard'; there are: warrior, paladin, mage"),
        ("elf/mage:firebell 2", "did you mean fireball?"),
        ("elf/mage:fireball 4", "at most 3"),
        ("elf/mage:fireball 3", "5 blue slots"),
        ("orc/warrior:fireball", "no blue slots"),
        ("orc/warrior:wolf-fang 2", "there are at most 1"),
        ("elf/mage:steel-helm,leather-cap", "cannot all be ready"),
        ("orc/warrior:great-sword,war-axe", "cannot all be ready"),
        ("orc/warrior:plate-armour,great-sword,gauntlets 3,swift-boots 2,squire,wolf-fang", "9 red slots"),
        ("orc/warrior:parry", "is a flash and never in play"),
    ],
)
def test_wrong_loadouts_say_what_would_do(text: str, said: str) -> None:
    with pytest.raises(RequestError, match=said.replace("?", r"\?")):
        parse_loadout(BOX, text)


def test_loadouts_are_written_as_they_are_read() -> None:
    text = "elf/mage:scepter-of-the-lich,fireball 2"
    assert parse_loadout(BOX, text).text == text
    assert parse_loadout(BOX, "Elf/Mage: scepter, fireball 2").text == text


@pytest.mark.parametrize("season", ["fall", "tempest"])
def test_what_is_no_base_season_is_refused_with_those_there_are(season: str) -> None:
    with pytest.raises(RequestError, match="spring, summer, autumn, winter") as caught:
        attack("orc/warrior", "elf/mage", season=season)
    assert caught.value.option == "--season"


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


def test_magic_is_added_where_there_is_a_spell() -> None:
    report = attack("elf/mage:fireball", "human/paladin", with_cards="arcane-surge")
    assert [row.attack for row in report.attacks] == [9, 23]


@pytest.mark.parametrize(("hp", "kills"), [(7, "1/12"), (100, "0")])
def test_a_defender_has_the_HP_of_its_race(hp: int, kills: str) -> None:
    report = attack("orc/warrior", "human/mage", set=[f"races.human.hp={hp}"])
    assert report.hp == hp
    assert report.attacks[0].fractions[2] == kills


def test_attacks_take_no_time() -> None:
    begin_s = time.process_time()
    attack("elf/mage:scepter-of-the-lich,fireball 2,familiar", "human/paladin:lunar-shield", other_hp=30)
    assert time.process_time() - begin_s < 0.25  # 50 ms where nothing else runs


def test_every_answer_names_its_cards() -> None:
    changed = ["cards.fireball.cost=6", "match.season_unit=point"]
    report = attack("elf/mage:fireball", "human/paladin", set=changed)
    assert report.rules is not None
    assert report.rules.changed == ["cards.fireball.cost", "match.season_unit"]
    assert "% of its values are assumed, 2 changed; season_unit = point." in report.rules.said
    assert 0.9 < card_set(load_rules(overrides=changed)).assumed < 1
