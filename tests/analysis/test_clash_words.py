"""A whole game of Clash of Rage in words: the table, what happens, what things are."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from analysis.clash import explaining
from analysis.clash.explaining import bonus_text, explained
from analysis.clash.narration import happened, move_text, player_name
from analysis.clash.table import place_text, table_lines
from engine.clash.board import scenario
from engine.clash.reference import Move, start
from engine.clash.reference_state import Phase, State, with_player
from engine.clash.rules import Bonus, load_rules

RULES = load_rules()
NUM_CARDS = len(RULES.equipment)
NONE = (0, 0, 0)


def at_the_table() -> State:
    """A game of three in its third round."""
    state = start(RULES, scenario(RULES, ["bohorg", "tomb", "godleif"], tiles=("1a", "2a", "3a")))
    places = state.board.num_territories
    nobody = (NONE,) * (places + 1)
    one = (*nobody[:3], (2, 1, 0), *nobody[4:-1], (1, 0, 1))
    two = (*nobody[:3], (1, 0, 0), *nobody[4:7], (0, 2, 0), *nobody[8:])
    state = replace(
        state,
        phase=Phase.ACTION,
        round=3,
        action=2,
        order=(2, 0, 1),
        elves=tuple((1, 0, 2) if place == 7 else NONE for place in range(places)),
        elf_cards=((0, 13), (None, None), (None, 2)),
        market=tuple({2: 2, 15: 1}.get(card, 0) for card in range(NUM_CARDS)),
        under=(4,),
        deck=tuple(int(card < 5) for card in range(NUM_CARDS)),
    )
    state = with_player(
        state,
        0,
        units=one,
        hand=(0, 3),
        discard=(1, 2),
        bastion=1,
        gold=7,
        crystals=2,
        cards=(1, 5, NUM_CARDS + 8, 1),
        attached=(1, None, None, NUM_CARDS + 8, None, None),
    )
    return with_player(state, 1, units=two, crystals=1)


def alone() -> State:
    """A solo game in its first round."""
    state = start(RULES, scenario(RULES, ["tomb"], tiles=("4b", "5a"), difficulty="medium"))
    nothing = (0,) * NUM_CARDS
    return replace(state, phase=Phase.TACTIC, round=1, domination=3, market=nothing, deck=nothing)


TABLE = """\
Round 3, action 2; 4 points win; turns in the order godleif, you (bohorg), tomb
  you (bohorg): 1 point, 7 gold, 2 crystals
    bohorg, equipment: Short Bow as weapon of Pummeler, Titan Plate as armor of Kragrider
    bohorg, beside the sheet: Great Sword, Short Bow
    bohorg, legendary cards, a point each: Titan Plate
    bohorg, reserve: 4 Pummeler, 4 Kragrider, 2 Executioner
    bohorg, Bastion beside plain 3, plain 4: 1 Pummeler, 1 Executioner
    bohorg, cards on the discard pile: 6, 11
  tomb: 0 points, 0 gold, 1 crystals
    tomb, equipment: none
    tomb, reserve: 8 Tomb I, 4 Tomb II, 4 Tomb III
    tomb, cards on the discard pile: none
  godleif: 0 points, 0 gold, 0 crystals
    godleif, equipment: none
    godleif, reserve: 7 Berserker, 5 Godleif II, 3 Godleif III
    godleif, cards on the discard pile: none
  Elves carry: Templar Club and Shaman's Coat; Gleaming Guard Axe
  city 0 (to 2 3 4 5 6; over mountains to 1): nobody
  plain 1 (to 2 6 11 12; over mountains to 0): nobody
  forge 2 (to 0 1 3 11 19 20): nobody
  plain 3 (to 0 2 19; over mountains to 4): you 2 Pummeler, 1 Kragrider; tomb 1 Tomb I
  plain 4 (to 0 5; over mountains to 3): nobody
  stone 5 of level I (to 0 4 6): nobody
  plain 6 (to 0 1 5): nobody
  city 7 (to 8 9 11 12 13; over mountains to 10): elves 1 Templar, 2 Gleaming Guard; tomb 2 Tomb II
  stone 8 of level II (to 7 9 13): nobody
  plain 9 (to 7 8 10): nobody
  plain 10 (to 9 11 15 20; over mountains to 7): nobody
  forge 11 (to 1 2 7 10 12 20): nobody
  plain 12 (to 1 7 11; over mountains to 13): nobody
  plain 13 (to 7 8; over mountains to 12): nobody
  forge 14 (to 15 16 17 18 19; over mountains to 20): nobody
  plain 15 (to 10 14 16 20): nobody
  city 16 (to 14 15; over mountains to 17): nobody
  plain 17 (to 14 18; over mountains to 16): nobody
  plain 18 (to 14 17 19): nobody
  stone 19 of level III (to 2 3 14 18 20): nobody
  plain 20 (to 2 10 11 15 19; over mountains to 14): nobody
  Black market: Axe for 5 gold (2 of them), Buckler for 4 gold
  Decks: 5 equipment cards, under it Crossbow; 14 legendary cards
  Your hand: card 1: 4 gold, 2 Pummeler; card 16: 8 gold, 2 Pummeler, 1 Kragrider"""


def test_all_that_is_open_lies_on_the_table() -> None:
    assert "\n".join(table_lines(at_the_table(), 0)) == TABLE


def test_another_player_sees_the_same_table_from_his_seat() -> None:
    lines = table_lines(at_the_table(), 1)
    seen = TABLE.replace("you (bohorg)", "bohorg").replace(": you 2 Pummeler", ": bohorg 2 Pummeler")
    seen = seen.replace("tomb: 0 points", "you (tomb): 0 points").replace(
        "bohorg, tomb", "bohorg, you (tomb)"
    )
    seen = seen.replace("; tomb 1 Tomb I", "; you 1 Tomb I").replace("; tomb 2 Tomb II", "; you 2 Tomb II")
    assert lines[:-1] == seen.splitlines()[:-1]
    assert lines[-1] == "  Your hand: nothing"


def test_the_table_of_a_solo_game() -> None:
    lines = table_lines(alone(), 0)
    assert lines[:7] == [
        "Round 1; 4 points win; elves have 3 of 14 domination points",
        "  you (tomb): 0 points, 0 gold, 0 crystals",
        "    tomb, equipment: none",
        "    tomb, reserve: 9 Tomb I, 6 Tomb II, 4 Tomb III",
        "    tomb, cards on the discard pile: none",
        "  Elves carry: nothing",
        "  Elves still in the bag: 15 Templar, 15 High Elder, 15 Gleaming Guard",
    ]
    assert lines[-3:] == [
        "  Black market: empty",
        "  Decks: 0 equipment cards; 14 legendary cards",
        "  Your hand: nothing",
    ]


def test_turns_are_not_told_while_cards_are_chosen() -> None:
    assert table_lines(replace(at_the_table(), phase=Phase.TACTIC), 0)[0] == "Round 3, action 2; 4 points win"
    assert "turns" in table_lines(replace(at_the_table(), phase=Phase.BASTION, action=0), 0)[0]


# -- what happens ---------------------------------------------------------------------------------------


def test_cards_are_told_once_all_are_revealed() -> None:
    before = replace(at_the_table(), phase=Phase.TACTIC)
    for player, card in ((0, 0), (1, 2)):
        before = with_player(before, player, chosen=card)
    after = replace(before, phase=Phase.REINFORCE)
    assert happened(before, after, 0) == [
        "Tactic cards of round 3, in the order of turns: you (bohorg) card 1: 4 gold, 2 Pummeler;"
        " tomb card 10: 2 gold, 5 Tomb I."
    ]
    assert happened(before, before, 0) == []
    assert happened(after, after, 0) == []


def test_elves_find_arrive_and_score() -> None:
    before = replace(alone(), elf_cards=((None, 13), (2, None), (None, None)))
    elves = list(before.elves)
    elves[4], elves[7] = (1, 0, 0), (0, 2, 0)
    before = replace(before, elves=tuple(elves))
    elves[4], elves[7], elves[9] = (2, 0, 1), (0, 1, 0), (0, 0, 1)
    after = replace(
        before,
        elves=tuple(elves),
        elf_cards=((0, 13), (4, None), (None, None)),
        domination=5,
        market=tuple({2: 1, 3: 2}.get(card, 0) for card in range(NUM_CARDS)),
    )
    found = [
        "Templar among the elves find Club.",
        "High Elder among the elves find Crossbow in place of Axe.",
        "Elves score 2: 5 of 14 domination points.",
    ]
    assert happened(before, after, 0) == [
        *found,
        "Elves arrive: 1 Templar, 1 Gleaming Guard at city 4, 1 Gleaming Guard at plain 9.",
        "New on the black market: Axe, Shaman's Wand.",
    ]
    # While the table is set up nobody arrives.
    assert happened(replace(before, round=0), after, 0) == found
    assert happened(after, replace(after, market=before.market), 0) == []


def test_moves_in_words() -> None:
    state = replace(at_the_table(), arriving=(0, 1, 1), slot=3)
    for move, said in (
        (Move("card", (3,)), "card 16: 8 gold, 2 Pummeler, 1 Kragrider"),
        (Move("bastion", (1,)), "Bastion beside plain 3, plain 4"),
        (Move("place", (2,)), "Kragrider to forge 2"),
        (Move("place", (21,)), "Kragrider to Bastion"),
        (Move("attach", (-1,)), "nothing as armor of Kragrider"),
        (Move("attach", (0,)), "Club as armor of Kragrider"),
        (Move("buy", (2,)), "buy Axe"),
        (Move("keep", (NUM_CARDS,)), "keep Sunblade"),
        (Move("keep", ()), "keep"),
        (Move("discard", (0, 1)), "discard Club and Short Bow"),
        (Move("move", (2, 3, 19)), "Executioner from plain 3 to stone 19"),
        (Move("battle", (7,)), "battle at city 7"),
        (Move("pass", ()), "pass"),
    ):
        assert move_text(state, 0, move) == said
    assert [player_name(state, each, 1) for each in range(3)] == ["bohorg", "you (tomb)", "godleif"]


# -- what things are ------------------------------------------------------------------------------------


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> Any:
    """What a word is in the game of three."""
    state = at_the_table()
    monkeypatch.setattr(explaining, "state_of", lambda game: game)
    return lambda word: explained(state, word)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("bonus", "said"),
    [
        (Bonus(power=1), "adds 1 to power"),
        (Bonus(reroll=1), "rolls all blanks again, once in each assault"),
        (Bonus(reroll=2), "rolls all blanks again, 2 times in each assault"),
        (Bonus(injury=2, slow=1), "adds 2 to the injuries of each assault, adds 1 to slowness"),
        (Bonus(shield=1), "takes 1 off the injuries of each enemy assault"),
        (Bonus(flight=1), "flies over mountains and past enemies"),
        (Bonus(), "has no icons"),
    ],
)
def test_icons_in_words(bonus: Bonus, said: str) -> None:
    assert bonus_text(bonus) == said


@pytest.mark.parametrize(
    ("word", "said"),
    [
        ("axe", "Axe: a weapon for 5 gold. It adds 2 to power."),
        (
            "PLATE  armor",
            "Plate Armor: an armor for 6 gold. It takes 1 off the injuries of each enemy assault.",
        ),
        ("sunblade", "Sunblade: a weapon among the legendary cards. It adds 5 to power."),
        (
            "kragrider",
            "Kragrider: power 4, life 3, movement 2, 5 figures, level II. It adds 1 to the injuries of each"
            " assault, adds 1 to slowness.",
        ),
        ("berserker", "Berserker: power 5, life 2, movement 2, 7 figures, level I. It has no icons."),
        ("high elder", "High Elder: power 4, life 3. It rolls all blanks again, once in each assault."),
        ("city 7", "city 7 (to 8 9 11 12 13; over mountains to 10)."),
        ("7", "city 7 (to 8 9 11 12 13; over mountains to 10)."),
        ("territory 20", "plain 20 (to 2 10 11 15 19; over mountains to 14)."),
        ("stone 5", "stone 5 of level I (to 0 4 6)."),
        ("forge 7", "Territory 7 is no forge: city 7 (to 8 9 11 12 13; over mountains to 10)."),
        ("plain 20", "plain 20 (to 2 10 11 15 19; over mountains to 14)."),
        ("21", None),
        ("city 21", None),
        ("city x", None),
        ("village 7", None),
        ("0007", None),
        ("007", "city 7 (to 8 9 11 12 13; over mountains to 10)."),
        ("card 16", "bohorg, card 16: 8 gold, 2 Pummeler, 1 Kragrider."),
        ("card 10", "tomb, card 10: 2 gold, 5 Tomb I."),
        ("card 99", None),
        ("nonsense", None),
    ],
)
def test_words_are_explained(asked: Any, word: str, said: str | None) -> None:
    assert asked(word) == said


def test_a_clan_and_the_elves_are_explained_unit_by_unit(asked: Any) -> None:
    said = asked("Bohorg Tribe")
    assert said.startswith(
        "Bohorg Tribe. Pummeler: power 4, life 2, movement 1, 7 figures, level I. It rolls"
    )
    assert said.endswith("Its tactic cards are 1, 6, 11, 16, 17, 22, 27.")
    assert asked("elf") == asked("elves")
    assert asked("elves").count("power") == 3
    for word, other in (("slow", "slowness"), ("moves", "movement"), ("rerolls", "reroll")):
        assert asked(word) == asked(other) is not None


def test_places_have_their_ways() -> None:
    state = at_the_table()
    assert place_text(state, 19) == "stone 19 of level III (to 2 3 14 18 20)"
    assert place_text(state, 4) == "plain 4 (to 0 5; over mountains to 3)"
