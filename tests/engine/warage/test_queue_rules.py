"""The queue and combat: rules Q, K; the text's own figures."""

from __future__ import annotations

from engine.warage.reference import Kind
from engine.warage.reference_state import added, attack_total, defence_total
from engine.warage.rules import load_rules
from tests.engine.warage.notation import options, passes, play, roll, table, until_dice

MAGE = ("elf-mage", "human-paladin")


def test_Q1_the_active_player_goes_on_until_he_passes() -> None:
    state = table(hands=["battle-cry battle-cry", "parry"])
    state = play(state, "attack 1", "flash battle-cry", "flash battle-cry")
    assert state.priority == 1
    assert [item.kind for item in state.queue] == [Kind.MELEE, Kind.FLASH, Kind.FLASH]


def test_Q1_others_may_act_where_the_active_player_only_passes() -> None:
    state = table(phase="first", hands=["second-wind", "second-wind"])
    state = passes(state)
    assert state.priority == 1
    state = play(state, "flash second-wind")
    assert state.heroes[1].hp == 99
    state = passes(state)
    assert state.heroes[1].hp == 107
    assert state.priority == 0


def test_Q1_a_new_queue_after_the_last() -> None:
    state = play(table(phase="first", hands=["second-wind second-wind"]), "flash second-wind", "pass")
    assert options(state) == ["pass", "flash second-wind"]


def test_Q2_an_item_restarts_the_passing() -> None:
    state = table(hands=["battle-cry", "parry parry"])
    state = play(state, "attack 1", "pass", "flash parry", "pass")
    assert state.priority == 0
    assert state.passes == 1
    state = play(state, "flash battle-cry")
    assert state.priority == 1


def test_Q2_costs_are_not_returned() -> None:
    state = table(hands=["battle-cry", "negate"])
    state = play(state, "attack 1", "flash battle-cry", "flash negate -1 -1 1")
    assert [hero.hp for hero in state.heroes] == [98, 97]
    state = roll(state, 1, 1)
    assert state.heroes == (state.heroes[0], state.heroes[1])
    assert state.heroes[1].hp == 97 - (17 - 14)


def test_Q3_the_last_item_resolves_first() -> None:
    state = table(hands=["battle-cry", "parry"])
    state = play(state, "attack 1", "pass", "flash parry", "flash battle-cry")
    state = roll(state, 1, 1)
    assert state.heroes[1].hp == 98 - (17 + 4 - 14 - 4)


def test_Q4_a_negated_negation_negates_nothing() -> None:
    state = table(hands=["battle-cry negate", "negate"])
    state = play(state, "attack 1", "flash battle-cry", "pass", "flash negate -1 -1 1")
    state = play(state, "flash negate -1 -1 2")
    state = roll(until_dice(state), 1, 1)
    assert state.heroes[1].hp == 97 - (17 + 4 - 14)


def test_Q4_an_item_whose_target_is_gone_does_nothing() -> None:
    state = table(plays=["", "squire"], hands=["", "second-wind"])
    state = play(state, "attack 1 0", "sell 0")
    assert state.queue[0].piece == -2
    state = passes(state)
    assert state.heroes[1].hp == 101
    assert state.queue == ()
    assert state.attacked


def test_Q5_hp_are_checked_after_every_item() -> None:
    rules = load_rules(
        overrides=['cards.second-wind.effects=[{trigger="play",action="lose",amount=9,target="chosen-hero"}]']
    )
    state = table(hands=["second-wind", "second-wind"], hp=[9, 9], rules=rules)
    state = play(state, "pass", "flash second-wind 0", "flash second-wind 1")
    # The last one in resolves first: the first player's.
    assert state.winners == (0,)


def test_K1_one_melee_attack_a_phase_bare_hands_too() -> None:
    state = roll(until_dice(play(table(hands=["second-wind"]), "attack 1")), 1, 1)
    assert state.heroes[1].hp == 97
    assert options(state) == ["pass", "flash second-wind"]


def test_K2_only_a_positive_difference_is_lost() -> None:
    low = roll(until_dice(play(table(("elf-mage", "orc-warrior")), "attack 1")), 6, 1)
    assert low.heroes[1].hp == 100
    flat = roll(
        until_dice(play(table(("angel-paladin", "orc-warrior"), season="autumn"), "attack 1")), 6, 3, 3
    )
    assert flat.heroes[1].hp == 100


def test_K3_magic_against_defence() -> None:
    state = play(table(MAGE, phase="magic", plays=["fireball"]), "cast fireball 1 1")
    state = roll(until_dice(state), 4, 3)
    assert state.heroes[1].hp == 100 - (14 + 5 + 4 - 16 - 3)


def total(plays: str, *moves: str) -> list[int]:
    """Totals of a mage's attacks without dice, one after the other."""
    state = table(MAGE, phase="magic", plays=[plays])
    totals = []
    for move in moves:
        state = play(state, move)
        attack = (state.queue or (None,))[0]
        if attack is None or not attack.attack:  # nobody could reply: it resolves already
            raise AssertionError(state)
        totals.append(attack_total(state, attack))
        state = roll(until_dice(state), 1, 1)
    return totals


def test_K3_two_different_spells_23_and_25() -> None:
    moves = ("cast fireball 1 1", "cast lightning 1 1")
    assert total("bone-collar fireball lightning", *moves) == [23, 25]


def test_K4_two_copies_apart_25_and_25() -> None:
    moves = ("cast fireball 1 1", "cast fireball 1 1")
    assert total("scepter-of-the-lich fireball fireball", *moves) == [25, 25]


def test_K4_two_copies_together_30() -> None:
    assert total("scepter-of-the-lich fireball fireball", "cast fireball 2 1") == [30]


def test_K4_different_spells_do_not_combine() -> None:
    state = table(MAGE, phase="magic", plays=["fireball lightning"])
    assert [text for text in options(state) if text.startswith("cast")] == [
        "cast fireball 1 1",
        "cast lightning 1 1",
    ]


def test_K4_a_combined_attack_rolls_once() -> None:
    state = play(table(MAGE, phase="magic", plays=["fireball fireball"]), "cast fireball 2 1")
    state = roll(until_dice(state), 1, 1)
    assert state.heroes[1].hp == 100 - (14 + 10 - 16)


def test_K5_the_total_must_exceed_a_helpers_defence() -> None:
    for face, left in ((1, 1), (2, 0)):
        state = play(table(plays=["", "squire"]), "attack 1 0")
        state = roll(until_dice(state), face)
        assert len(state.heroes[1].play) == left
    state = play(table(plays=["", "squire"]), "attack 1 0")
    assert defence_total(state, state.queue[0]) == 18
    assert roll(until_dice(state), 6).six


def test_K6_modifiers_for_this_attack_end_with_it() -> None:
    state = table(MAGE, phase="magic", plays=["fireball fireball"], hands=["arcane-surge"])
    state = play(state, "cast fireball 1 1", "flash arcane-surge")
    state = roll(until_dice(state), 1, 1)
    state = play(state, "cast fireball 1 1")
    assert attack_total(state, state.queue[0]) == 19


def test_K6_this_round_and_until_opening() -> None:
    rules = load_rules(
        overrides=[
            'cards.battle-cry.effects=[{trigger="play",action="modify",stat="A",amount=4,target="self"}]',
            'cards.parry.effects=[{trigger="play",action="modify",stat="D",amount=4,target="self",'
            'duration="until-opening"}]',
        ]
    )
    state = play(table(hands=["battle-cry parry"], rules=rules), "flash battle-cry", "pass", "flash parry")
    assert (added(state, 0, "A"), added(state, 0, "D")) == (4, 4)
    while state.active == 0:
        state = passes(state)
    assert (added(state, 0, "A"), added(state, 0, "D")) == (0, 4)
    assert added(table(phase="opening", rules=rules), 0, "D") == 0


def test_bulwark_prevents_ten() -> None:
    state = table(plays=["great-sword"], hands=["", "bulwark"])
    state = roll(until_dice(play(state, "attack 1", "pass", "flash bulwark")), 6, 1)
    assert state.heroes[1].hp == 96 - (17 + 8 + 6 - 14 - 1 - 10)
