"""What cards, races, classes and seasons do reads as sentences, never as data; what is open is shown."""

from __future__ import annotations

import re
from collections import Counter

from analysis.warage.narration import (
    discarded,
)
from analysis.warage.wording import effect_text
from engine.records import replace
from engine.warage.effects import _ALLOWED, effect_of
from engine.warage.reference import setup_of, start
from engine.warage.reference_state import Hero, Item, Kind, Piece
from engine.warage.rules import load_rules

BOX = load_rules()
DATA = re.compile(r"[{}=\[\]]|this-attack|cost_hp|hp_at_most|queue-item|chosen-|two-hands|season-change")


def test_every_effect_that_may_be_written_has_words() -> None:
    for trigger, actions in _ALLOWED.items():
        for action, ways in actions.items():
            for target, durations in ways:
                words = {"trigger": trigger, "action": action, "target": target, "duration": durations[0]}
                more = {"stat": "A", "season": "next", "condition": {"season": "spring"}}
                one, two = (effect_text(effect_of(words | more | {"amount": amount})) for amount in (1, 2))
                assert not DATA.search(one + two), one
                assert one.startswith("in spring")
                # A noun follows its number.
                assert (one == two) == ("2" not in two), (one, two)
                assert not re.search(
                    r"\b1 (cards|dies|dice|amulets)\b|\b2 (card|die|dies|amulet)\b", one + two
                )


NUMBER = BOX.card_numbers


def test_discards_are_what_lies_nowhere_else() -> None:
    deck = dict(BOX.deck("elf-mage").cards)
    setup = setup_of(BOX, ["orc-warrior", "elf-mage"])
    left = [0] * len(BOX.cards)
    left[NUMBER["hound"]] = 2
    elf = Hero(
        hp=9,
        hand=(NUMBER["parry"], NUMBER["parry"]),
        deck=tuple(left),
        life=(NUMBER["insight"],),
        play=(Piece(NUMBER["fireball"]),),
    )
    queue = (
        Item(Kind.FLASH, 1, NUMBER["parry"]),
        Item(Kind.SALE, 1, NUMBER["fireball"]),
        Item(Kind.MAGIC, 1, NUMBER["fireball"], hero=0, sources=(0,)),
        Item(Kind.FLASH, 0, NUMBER["negate"]),
        Item(Kind.USE, 1, NUMBER["warding"]),
    )
    state = replace(start(setup), heroes=(start(setup).heroes[0], elf), queue=queue)
    gone = Counter(discarded(state, 1))
    elsewhere = {"hound": 2, "parry": 3, "insight": 1, "fireball": 2}
    assert gone == {
        NUMBER[card]: copies - elsewhere.get(card, 0)
        for card, copies in deck.items()
        if copies > elsewhere.get(card, 0)
    }
    assert discarded(state, 1) == sorted(discarded(state, 1))
