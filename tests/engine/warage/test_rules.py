"""Rules files of Warage: the illustrative set, the words of effects, contradictions, loops."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.warage.loops import Use, find_loop
from engine.warage.rules import RulesError, load_rules
from engine.warage.rules_schema import BASE_SEASONS
from tests.engine.warage.notation import BOX


def test_C1_four_decks_of_fifty_and_twenty_season_cards() -> None:
    assert len(BOX.races) == 4
    assert len(BOX.classes) == 3
    assert [deck.size + 2 for deck in BOX.decks] == [50] * 4
    assert sum(season.copies for season in BOX.seasons) == 20
    assert 4 * 50 + 20 + 107 == 327


def test_C2_the_set_is_illustrative_and_says_so() -> None:
    assert BOX.name == "Warage (illustrative)"
    assert 0.9 < BOX.share_assumed < 1
    assert load_rules(overrides=["cards.fireball.cost=6"]).changed == ["cards.fireball.cost"]


def test_C3_values_that_the_text_gives() -> None:
    assert BOX.hero_class("mage").magic == 14
    assert BOX.card("bone-collar").bonus("M") == 4
    assert BOX.card("scepter-of-the-lich").bonus("M") == 6
    assert BOX.card("fireball").spell_magic == 5
    assert BOX.card("lightning").spell_magic == 7
    assert BOX.card("lunar-shield").cost == 4
    stated = ("classes.mage.values.magic", "cards.bone-collar.effects", "cards.lunar-shield.cost")
    assert {BOX.provenance[key] for key in stated} == {"rulebook"}
    both = BOX.card("fireball").blue + BOX.card("lightning").blue
    assert max(both, 2 * BOX.card("fireball").blue) <= BOX.hero_class("mage").blue


def test_H1_every_race_begins_with_100_hp() -> None:
    assert {race.hp for race in BOX.races} == {100}
    assert BOX.hero_class("warrior").blue == 0


def wrong(*overrides: str) -> str:
    with pytest.raises(RulesError) as caught:
        load_rules(overrides=overrides)
    return str(caught.value)


@pytest.mark.parametrize(
    ("override", "said"),
    [
        ('cards.parry.effects=[{trigger="plai",action="gain",amount=3}]', "did you mean play?"),
        ('cards.parry.effects=[{trigger="play",action="heal",amount=3}]', "there is no such action"),
        ('cards.parry.effects=[{trigger="play",action="gain",amont=3}]', "did you mean amount?"),
        ('cards.parry.effects=[{trigger="play",action="gain"}]', "gain needs an amount"),
        ('cards.parry.effects=[{trigger="play",action="gain",amount=0}]', "gain needs an amount"),
        ('cards.parry.effects=[{action="gain",amount=1}]', "an effect needs its trigger"),
        ('cards.parry.effects=[{trigger="play",action="modify",amount=1}]', "modify needs one"),
        ('cards.parry.effects=[{trigger="play",action="modify",stat="D",amount=0}]', "and not 0"),
        ('cards.parry.effects=[{trigger="play",action="destroy"}]', "destroy needs kinds"),
        ('cards.parry.effects=[{trigger="play",action="destroy",kinds=["amulets"]}]', "did you mean amulet?"),
        ('cards.parry.effects=[{trigger="play",action="destroy",kinds=["amulet"],amount=1}]', "no amount"),
        ('cards.parry.effects=[{trigger="play",action="season",season="fall"}]', 'season = "fall"'),
        ('cards.parry.effects=[{trigger="play",action="gain",amount=1,season="next"}]', "the action season"),
        ('cards.parry.effects=[{trigger="play",action="gain",amount=1,cost_hp=1}]', "the trigger use"),
        (
            'cards.parry.effects=[{trigger="play",action="gain",amount=1,target="opponent"}]',
            "the target opponent has no meaning here",
        ),
        (
            'cards.parry.effects=[{trigger="play",action="gain",amount=1,duration="in-play"}]',
            "the duration in-play has no meaning here",
        ),
        (
            'cards.parry.effects=[{trigger="play",action="gain",amount=1,condition={season="sommer"}}]',
            "did you mean summer?",
        ),
        (
            'cards.parry.effects=[{trigger="play",action="gain",amount=1,condition={weather="wet"}}]',
            "there is no such condition",
        ),
        ('cards.parry.effects=[{trigger="play",action="gain",amount=1,kinds=["flash"]}]', "kinds belong to"),
        ("cards.parry.effects=[]", "a flash needs an effect"),
        (
            'cards.parry.effects=[{trigger="ready",action="modify",stat="D",amount=1}]',
            "a flash has no effect",
        ),
        ('cards.monk.effects=[{trigger="play",action="gain",amount=1}]', "a helper has no effect"),
        ('cards.fireball.effects=[{trigger="attack",action="modify",stat="A",amount=1}]', "adds to M"),
        (
            'cards.fireball.effects=[{trigger="attack",action="modify",stat="M",amount=1},'
            '{trigger="use",action="gain",amount=1}]',
            "either an attack or a use",
        ),
        (
            'cards.parry.effects=[{trigger="play",action="negate",kinds=["flash"]},'
            '{trigger="play",action="destroy",kinds=["helper"]}]',
            "two effects that choose a target",
        ),
        ("cards.fireball.sell=8", "sells for 8 and costs 8"),
        ("cards.fireball.slots.blue=6", "no class has so many blue slots"),
        ("cards.fireball.slots=0", "spell without blue slots"),
        ("cards.war-axe.slots=0", "equipment without red slots"),
        ("cards.wolf-fang.slots=0", "amulet without red slots"),
        ("cards.war-axe.slots.blue=1", "equipment with blue slots"),
        ("cards.parry.slots.red=1", "flash with red slots"),
        ("cards.parry.sell=1", "a flash with a selling value"),
        ("cards.monk.encumbrance=hand", "a helper has no encumbrance"),
        ("cards.war-axe.helper_defence=3", "equipment is no helper"),
        ("races.elf.minus=spring", "favours and hinders"),
        ("races.elf.hp=100 ", ""),
        ("match.infinite_hp=100", "the hero has won before he begins"),
        ("match.redraw_hand_size=6", "a redraw of 6 cards after a hand of 5"),
        ("seasons.spring.law=no-sale-value", "a base season"),
        (
            'cards.monk.effects=[{trigger="use",action="gain",amount=3,limit=0}]',
            "a use without bound",
        ),
        ('cards.mending.effects=[{trigger="use",action="gain",amount=3,limit=0,cost_hp=4}]', "once a turn"),
        ('decks.elf-mage.cards=["fireball 48"]', "48 copies of fireball; allowed: at most 3"),
        ('decks.elf-mage.cards=["wolf-fang 2"]', "2 copies of wolf-fang; allowed: at most 1 of an amulet"),
        ('decks.elf-mage.cards=["fireball 3"]', "3 cards; allowed: from 48"),
        ('decks.elf-mage.cards=["firebal 3"]', "did you mean fireball?"),
        ('decks.elf-mage.cards=["fireball three"]', "is not a card with its copies"),
        ("decks.elf-mage.race=elv", "did you mean elf?"),
    ],
)
def test_contradictions_are_named(override: str, said: str) -> None:
    if said:
        assert said in wrong(override)
    else:
        load_rules(overrides=[override])


def test_no_base_season_is_no_season_deck() -> None:
    overrides = [f"seasons.{season}.copies=0" for season in BASE_SEASONS]
    assert "no base season in the deck" in wrong(*overrides)


def test_W2_a_planted_loop_is_found_and_shown() -> None:
    said = wrong('cards.monk.effects=[{trigger="use",action="gain",amount=3,cost_hp=2,limit=0}]')
    assert "infinite HP: monk (+1 HP): +1 HP each time round" in said
    harmless = 'cards.monk.effects=[{trigger="use",action="gain",amount=2,cost_hp=2,limit=0}]'
    load_rules(overrides=[harmless])


def test_W2_a_loop_through_the_seasons_is_found_and_shown() -> None:
    there = (
        'cards.monk.effects=[{trigger="use",action="season",season="spring",cost_hp=1,limit=0},'
        '{trigger="use",action="gain",amount=4,condition={season="autumn"},limit=0}]'
    )
    back = 'cards.squire.effects=[{trigger="use",action="season",season="autumn",cost_hp=2,limit=0}]'
    load_rules(overrides=[there])
    said = wrong(there, back)
    assert "monk (+3 HP)" in said
    assert "squire (-2 HP)" in said
    assert "+1 HP each time round" in said


def test_W2_loops_of_different_heroes_are_none() -> None:
    elf = Use("a", -1, "spring", "autumn", "elf", "")
    orc = Use("b", 3, "autumn", "spring", "orc", "")
    assert find_loop([elf, orc], BASE_SEASONS) is None
    both = find_loop([elf, orc._replace(if_race="elf")], BASE_SEASONS)
    assert both is not None
    assert both.gain == 2
    assert both.race == "elf"


@pytest.mark.parametrize(
    ("override", "left"),
    [
        ("match.max_copies=2", 0),
        ("match.min_deck=49", 0),
        ("cards.scepter-of-the-lich.kind=amulet", 3),
        ("match.hand_size=6", 4),
    ],
)
def test_sample_decks_that_no_longer_fit_are_set_aside(override: str, left: int) -> None:
    assert len(load_rules(overrides=[override]).decks) == left


def test_a_deck_of_ones_own_that_does_not_fit_is_refused() -> None:
    with pytest.raises(RulesError, match="2 copies"):
        load_rules(overrides=["match.max_copies=1", 'decks.elf-mage.cards=["parry 2"]'])


def test_a_deck_fills_a_hand() -> None:
    overrides = ["match.min_deck=1", 'decks.elf-mage.cards=["parry 3", "negate 1"]']
    with pytest.raises(RulesError, match="4 cards, and a hand of 5 is dealt from them"):
        load_rules(overrides=overrides)


def test_a_missing_name_is_not_taken_for_another_entry(tmp_path: Path) -> None:
    file = tmp_path / "own.toml"
    file.write_text('[decks.orc-fighter]\nrace = "orc"\nclass = "warrior"\ncards = ["parry 3"]\n')
    with pytest.raises(RulesError) as refused:
        load_rules([file])
    assert "name: is missing" in str(refused.value)
    assert "did you mean" not in str(refused.value)
