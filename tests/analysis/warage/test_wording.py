"""What cards, races, classes and seasons do reads as sentences, never as data; what is open is shown."""

from __future__ import annotations

import re
from collections import Counter
from typing import Any

import pytest

from analysis.warage.narration import (
    cards_text,
    discarded,
    happened,
    hero_names,
    item_text,
    move_text,
    table_lines,
)
from analysis.warage.wording import card_text, class_text, effect_text, explained, race_text, season_text
from engine.records import replace
from engine.warage.effects import _ALLOWED, effect_of
from engine.warage.reference import setup_of, start
from engine.warage.reference_state import GONE, NONE, Hero, Item, Kind, Move, Phase, Piece, State
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


def table_of(**changes: Any) -> State:
    """An orc and an elf with cards in play, in the orc's melee phase."""
    state = start(setup_of(BOX, ["orc-warrior", "elf-mage"]))
    number = BOX.card_numbers
    orc = replace(
        state.heroes[0],
        hp=61,
        hand=(number["parry"],),
        life=(number["monk"],),
        play=(Piece(number["war-axe"]), Piece(number["steel-helm"], ready=False)),
    )
    elf = replace(
        state.heroes[1],
        hp=38,
        play=(Piece(number["fireball"]), Piece(number["fireball"]), Piece(number["warding"], awake=False)),
    )
    usual: dict[str, Any] = {"heroes": (orc, elf), "turn": 3, "phase": Phase.MELEE, "season": 2, "special": 5}
    return replace(state, **(usual | changes))


NUMBER = BOX.card_numbers
QUEUE = (
    Item(Kind.MELEE, 0, hero=1),
    Item(Kind.FLASH, 1, NUMBER["parry"], item=0),
    Item(Kind.FLASH, 0, NUMBER["shatter"], hero=1, piece=2, negated=True),
    Item(Kind.ABILITY, 0, 2, item=0),
    Item(Kind.SALE, 1, NUMBER["fireball"]),
    Item(Kind.MAGIC, 1, NUMBER["fireball"], hero=0, sources=(0, 1)),
    Item(Kind.MAGIC, 1, NUMBER["fireball"], hero=0, piece=1),
    Item(Kind.MELEE, 0, hero=1, piece=GONE),
    Item(Kind.USE, 1, NUMBER["warding"], item=0),
)

ON_THE_ATTACK = " on the attack of Orc Warrior on Elf Mage"


@pytest.mark.parametrize(
    ("seat", "move", "said"),
    [
        (0, Move("keep"), "keep the hand"),
        (0, Move("redraw"), "draw a new hand, of 4 cards"),
        (0, Move("hand"), "draw a card into the hand"),
        (0, Move("life"), "put the next card into the life pile, for its cost in HP"),
        (0, Move("stop"), "draw no more"),
        (0, Move("pass"), "pass"),
        (0, Move("buy", (NUMBER["plate-armour"],)), "buy Plate Armour for 7"),
        (0, Move("ready", (1,)), "make Steel Helm ready"),
        (0, Move("unready", (0,)), "make War Axe unready"),
        (0, Move("sell", (1,)), "sell Steel Helm for 2"),
        (1, Move("sell", (0,)), "sell Fireball for 3"),
        (0, Move("attack", (1, NONE)), "attack on Elf Mage"),
        (0, Move("attack", (1, 2)), "attack on Warding of Elf Mage"),
        (1, Move("attack", (0, 0)), "attack on War Axe of Orc Warrior"),
        (1, Move("cast", (NUMBER["fireball"], 1, 0, NONE)), "cast Fireball on Orc Warrior"),
        (1, Move("cast", (NUMBER["fireball"], 2, 0, 1)), "cast Fireball 2 on Steel Helm of Orc Warrior"),
        (0, Move("flash", (NUMBER["parry"], NONE, NONE, 0)), "play Parry for 2" + ON_THE_ATTACK),
        (0, Move("flash", (NUMBER["second-wind"], NONE, NONE, NONE)), "play Second Wind for 1"),
        (0, Move("flash", (NUMBER["shatter"], 1, 0, NONE)), "play Shatter for 4 on Fireball of Elf Mage"),
        (1, Move("use", (2, NONE, NONE, 1)), "use Warding on Parry of Elf Mage"),
        (1, Move("use", (2, 0, 1, NONE)), "use Warding on Steel Helm of Orc Warrior"),
        (0, Move("ability", (NONE, NONE, 0)), "use the ability of the Orc" + ON_THE_ATTACK),
        (1, Move("ability", (0, 0, NONE)), "use the ability of the Elf on War Axe of Orc Warrior"),
    ],
)  # fmt: skip
def test_a_move_is_told_by_its_card_and_its_target(seat: int, move: Move, said: str) -> None:
    assert move_text(table_of(priority=seat, queue=QUEUE), move) == said


def test_what_lies_on_the_queue_is_told_by_its_owner_and_its_target() -> None:
    state = table_of(queue=QUEUE)
    assert [item_text(state, item) for item in QUEUE] == [
        "the attack of Orc Warrior on Elf Mage",
        "Parry of Elf Mage",
        "Shatter of Orc Warrior (negated)",
        "the ability of Orc Warrior",
        "the sale of Fireball of Elf Mage",
        "Fireball of Elf Mage on Orc Warrior",
        "Fireball of Elf Mage on Steel Helm of Orc Warrior",
        "the attack of Orc Warrior",
        "Warding of Elf Mage",
    ]


def test_the_table_is_shown_as_its_player_sees_it() -> None:
    state = table_of(queue=QUEUE[:2])
    first, *lines, queue = table_lines(state, 0)
    assert first == "Turn 3, Autumn under Tempest; you: melee phase"
    assert [line for line in lines if "discarded" not in line] == [
        f"Orc Warrior (you): 61 HP; hand 1, deck {sum(state.heroes[0].deck)}, life pile 1",
        "  in play: War Axe, Steel Helm (unready)",
        "  hand: Parry",
        f"Elf Mage: 38 HP; hand 0, deck {sum(state.heroes[1].deck)}, life pile 0",
        "  in play: Fireball 2, Warding (used)",
    ]
    assert queue == "queue, the top first: Parry of Elf Mage; the attack of Orc Warrior on Elf Mage"
    beaten = replace(state.heroes[1], beaten=True)
    other = list(table_lines(replace(state, heroes=(state.heroes[0], beaten), queue=(), special=NONE), 1))
    assert other[0] == "Turn 3, Autumn; Orc Warrior: melee phase"
    assert other[-1] == "Elf Mage (you): beaten"
    assert next(iter(table_lines(replace(state, season=NONE, special=NONE, phase=Phase.SETUP), 1))) == (
        "Turn 3, no season yet"
    )


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


def test_heroes_of_one_race_and_class_are_numbered() -> None:
    twins = start(setup_of(BOX, ["orc-warrior", "elf-mage", "orc-warrior"]))
    assert hero_names(twins) == ["Orc Warrior 1", "Elf Mage", "Orc Warrior 3"]
    assert hero_names(table_of()) == ["Orc Warrior", "Elf Mage"]


def test_cards_are_counted_and_none_is_a_dash() -> None:
    assert cards_text(BOX, [NUMBER["parry"], NUMBER["war-axe"], NUMBER["parry"]]) == "Parry 2, War Axe"
    assert cards_text(BOX, []) == "-"


def changed(state: State, seat: int, **changes: Any) -> State:
    heroes = list(state.heroes)
    heroes[seat] = replace(heroes[seat], **changes)
    return replace(state, heroes=tuple(heroes))


def test_what_has_happened_is_what_has_changed() -> None:
    state = table_of()
    assert happened(state, state, 0) == []
    assert happened(state, replace(state, special=NONE), 0) == ["The season is Autumn."]
    assert happened(state, replace(state, season=1), 0) == ["The season is Summer under Tempest."]
    assert happened(state, replace(state, season=NONE, special=NONE), 0) == []
    assert happened(state, changed(state, 0, hp=60), 0) == ["You lose 1 HP: 60."]
    assert happened(state, changed(state, 0, hp=63), 1) == ["Orc Warrior gains 2 HP: 63."]
    assert happened(state, changed(state, 0, hp=62), 0) == ["You gain 1 HP: 62."]
    assert happened(state, changed(state, 1, hp=30), 0) == ["Elf Mage loses 8 HP: 30."]
    assert happened(state, changed(state, 1, hp=40), 1) == ["You gain 2 HP: 40."]
    assert happened(state, changed(state, 1, hp=-3, beaten=True), 0) == ["Elf Mage is beaten."]
    assert happened(state, changed(state, 0, hp=-3, beaten=True), 0) == ["You are beaten."]
    fallen = changed(state, 1, hp=-3, beaten=True)
    assert happened(fallen, fallen, 0) == []


def test_cards_that_are_drawn_are_told_to_whoever_draws_them() -> None:
    state = table_of()
    deck = list(state.heroes[0].deck)
    deck[NUMBER["negate"]] -= 1
    hand = tuple(sorted((*state.heroes[0].hand, NUMBER["negate"])))
    drawn = changed(state, 0, deck=tuple(deck), hand=hand)
    assert happened(state, drawn, 0) == ["You draw Negate."]
    assert happened(state, drawn, 1) == []
    # A card that comes back into the hand is not drawn.
    assert happened(state, changed(state, 0, hand=hand), 0) == []
    laid = changed(state, 0, deck=tuple(deck), life=(NUMBER["monk"], NUMBER["negate"]))
    assert happened(state, laid, 0) == ["Negate goes into the life pile of Orc Warrior."]
    assert happened(state, laid, 1) == ["Negate goes into the life pile of Orc Warrior."]
