"""Rules files of Warage: the illustrative set, the words of effects, contradictions, loops."""

from __future__ import annotations

import pytest

from engine.warage.loops import Use, find_loop
from engine.warage.rules import RulesError, load_rules
from engine.warage.rules_schema import BASE_SEASONS
from tests.engine.warage.notation import BOX


def test_C2_the_set_is_illustrative_and_says_so() -> None:
    assert BOX.name == "Warage (illustrative)"
    assert 0.9 < BOX.share_assumed < 1
    assert load_rules(overrides=["cards.fireball.cost=6"]).changed == ["cards.fireball.cost"]


def wrong(*overrides: str) -> str:
    with pytest.raises(RulesError) as caught:
        load_rules(overrides=overrides)
    return str(caught.value)


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
