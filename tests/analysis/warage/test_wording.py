"""What cards, races, classes and seasons do reads as sentences, never as data; what is open is shown."""

from __future__ import annotations

import re
from collections import Counter

import pytest

from analysis.warage.narration import discarded, move_text, table_lines
from analysis.warage.wording import card_text, class_text, effect_text, explained, race_text, season_text
from engine.records import replace
from engine.warage.effects import _ALLOWED, effect_of
from engine.warage.reference import setup_of, start
from engine.warage.reference_state import Move
from engine.warage.rules import load_rules

BOX = load_rules()
DATA = re.compile(r"[{}=\[\]]|this-attack|cost_hp|hp_at_most|queue-item|chosen-|two-hands|season-change")


NAMED = [*BOX.cards, *BOX.races, *BOX.classes, *BOX.seasons]


@pytest.mark.parametrize("entry", NAMED, ids=lambda each: each.id)
def test_what_a_name_stands_for_is_told_in_a_sentence(entry: object) -> None:
    text = explained(BOX, entry.id)  # type: ignore[attr-defined]
    assert text is not None
    assert text.endswith(".")
    assert entry.name in text  # type: ignore[attr-defined]
    assert not DATA.search(text)


def test_every_effect_that_may_be_written_has_words() -> None:
    for trigger, actions in _ALLOWED.items():
        for action, ways in actions.items():
            for target, durations in ways:
                words = {"trigger": trigger, "action": action, "target": target, "duration": durations[0]}
                more = {"stat": "A", "amount": 2, "season": "next", "condition": {"season": "spring"}}
                text = effect_text(effect_of(words | more))
                assert not DATA.search(text), text
                assert text.startswith("in spring")


def test_sentences_of_the_illustrative_set() -> None:
    assert card_text(BOX.card("parry")) == "Parry: a flash, costs 2 HP. +4 defence against this attack."
    assert card_text(BOX.card("wolf-fang")) == (
        "Wolf Fang: an amulet, costs 5 HP, sells for 2, takes 1 red slot. +3 attack."
    )
    elf = race_text(BOX, BOX.race("elf"))
    assert "one die more for attack, defence and magic in spring" in elf
    assert "in spring, once a turn: +3 magic for this attack" in elf
    assert class_text(BOX.hero_class("mage")).startswith("Mage: attack 9, defence 14, magic 14")
    assert season_text(BOX, BOX.season("spring")) == "Spring: one die more for Elf, one less for Orc."
    assert "sales pay nothing" in season_text(BOX, BOX.season("drought"))


def test_a_table_shows_discards_and_names() -> None:
    state = start(setup_of(BOX, ["orc-warrior", "elf-mage"]))
    piles = [discarded(state, seat) for seat in range(2)]
    assert piles == [[], []]
    hero = state.heroes[0]
    parry = BOX.card_numbers["parry"]
    deck = list(hero.deck)
    deck[parry] -= 2
    played = replace(state, heroes=(replace(hero, deck=tuple(deck)), state.heroes[1]))
    assert Counter(discarded(played, 0)) == {parry: 2}
    lines = table_lines(played, 1)
    assert any("discarded: Parry 2" in line for line in lines)
    assert any(line.startswith("Elf Mage (you)") for line in lines)


def test_a_new_hand_says_how_many_cards_it_has() -> None:
    state = start(setup_of(load_rules(overrides=["match.redraw_hand_size=1"]), ["orc-warrior", "elf-mage"]))
    assert move_text(state, Move("redraw")) == "draw a new hand, of 1 card"
    assert "4 cards" in move_text(start(setup_of(BOX, ["orc-warrior", "elf-mage"])), Move("redraw"))
