"""Heroes, decks, cards in play: rules H, E."""

from __future__ import annotations

import pytest

from engine.warage.reference import Kind
from engine.warage.reference_state import added
from engine.warage.rules import load_rules
from tests.engine.warage.notation import BOX, numbers, options, play, roll, table, until_dice


def test_H1_hp_pay_for_everything_and_have_no_upper_limit() -> None:
    state = table(phase="first", hands=["war-axe second-wind"], hp=[100])
    assert play(state, "buy war-axe").heroes[0].hp == 95
    healed = play(state, "flash second-wind", "pass", "pass")
    assert healed.heroes[0].hp == 107


@pytest.mark.parametrize("text", ["fireball 3", "fireball"])
def test_H2_decks_of_at_least_48_cards(text: str) -> None:
    with pytest.raises(Exception, match="from 48"):
        load_rules(overrides=[f'decks.elf-mage.cards=["{text}"]'])


def test_H3_purchases_take_no_queue_and_work_at_once() -> None:
    state = play(table(phase="first", hands=["war-axe"]), "buy war-axe")
    assert added(state, 0, "A") == 4
    assert not state.queue
    assert state.priority == 0


def test_H4_nobody_may_pay_himself_to_death() -> None:
    state = table(phase="first", hands=["war-axe second-wind"], hp=[5])
    assert "buy war-axe" not in options(state)
    assert "buy war-axe" in options(table(phase="first", hands=["war-axe second-wind"], hp=[6]))
    rules = load_rules(overrides=["match.pay_to_death=true"])
    dead = play(table(phase="first", hands=["war-axe"], hp=[5], rules=rules), "buy war-axe")
    assert dead.winners == (1,)


def test_H5_whoever_has_no_hp_or_has_to_draw_without_cards_loses() -> None:
    axe = str(BOX.card_numbers["war-axe"])
    state = play(table(phase="opening", left=["war-axe"], turn=3), "hand", axe)
    assert state.winners == (1,)
    enough = play(table(phase="opening", left=["war-axe war-axe"], turn=3), "hand", axe, "hand", axe)
    assert enough.winners == ()
    struck = roll(until_dice(play(table(hp=[100, 5], plays=["great-sword"]), "attack 1")), 1, 1)
    assert struck.winners == (0,)


def test_E1_amulets_one_a_round_in_both_phases_together() -> None:
    state = table(phase="first", hands=["wolf-fang sun-disc war-axe"])
    state = play(state, "buy wolf-fang")
    assert "buy sun-disc" not in options(state)
    assert "buy war-axe" in options(state)
    rules = load_rules(overrides=['cards.wolf-fang.effects=[{trigger="ready",action="extra-amulet"}]'])
    more = play(table(phase="first", hands=["wolf-fang sun-disc"], rules=rules), "buy wolf-fang")
    assert "buy sun-disc" in options(more)


def test_E1_nothing_without_slots() -> None:
    full = "great-sword great-sword plate-armour plate-armour"
    state = table(phase="first", hands=["great-sword gauntlets"], plays=[full])
    assert "buy great-sword" not in options(state)
    assert "buy gauntlets" in options(state)
    assert "buy fireball" not in options(table(phase="first", hands=["fireball war-axe"]))


def test_E2_two_hands_one_helmet_one_armour() -> None:
    state = table(phase="first", hands=["lunar-shield steel-helm"], plays=["war-axe short-sword horned-helm"])
    state = play(state, "buy lunar-shield", "buy steel-helm")
    assert [piece.ready for piece in state.heroes[0].play] == [True, True, True, False, False]
    assert added(state, 0, "D") == 0
    assert added(state, 0, "A") == 4 + 3 + 2


def test_E2_a_two_handed_weapon_takes_both_hands() -> None:
    state = table(phase="first", hands=["great-sword"], plays=["war-axe"])
    assert not play(state, "buy great-sword").heroes[0].play[1].ready


def test_E3_pieces_are_rearranged_in_the_first_equipment_phase_only() -> None:
    state = table(phase="first", plays=["war-axe -great-sword"])
    assert options(state) == ["pass", "unready 0", "sell 0", "sell 1"]
    state = play(state, "unready 0", "ready 1")
    assert added(state, 0, "A") == 8
    assert options(state) == ["pass", "sell 0", "sell 1"]
    later = table(phase="second", plays=["war-axe -great-sword"])
    assert options(later) == ["pass", "sell 0", "sell 1"]


def test_E4_a_spell_sleeps_until_the_next_opening_and_works_once_a_turn() -> None:
    decks = ("elf-mage", "orc-warrior")
    state = play(table(decks, phase="first", hands=["mending"]), "buy mending")
    assert not state.heroes[0].play[0].awake
    assert "use 0" not in options(state)
    awake = table(decks, phase="opening", plays=["~mending"])
    assert awake.heroes[0].play[0].awake
    state = table(decks, phase="first", plays=["mending"])
    state = play(state, "use 0", "pass")
    assert state.heroes[0].hp == 103
    assert "use 0" not in options(state)


def test_E4_attack_spells_in_the_own_magic_phase_only() -> None:
    decks = ("elf-mage", "elf-mage")
    melee = table(decks, phase="melee", plays=["fireball", "fireball"])
    assert "cast fireball 1 1" not in options(melee)
    magic = table(decks, phase="magic", plays=["fireball", "fireball"])
    assert options(magic) == ["pass", "cast fireball 1 1", "sell 0"]
    replied = play(magic, "cast fireball 1 1", "pass")
    assert options(replied) == ["pass", "sell 0"]


def test_E5_helpers_take_no_slots_and_can_be_attacked() -> None:
    state = table(plays=["", "squire squire hound"])
    assert options(state) == ["pass", "attack 1", "attack 1 0", "attack 1 2"]


def test_E6_flashes_at_any_time_and_then_discarded() -> None:
    state = play(table(hands=["battle-cry", "parry"]), "attack 1", "pass", "flash parry")
    assert state.heroes[1].hand == ()
    assert state.heroes[1].hp == 98
    assert state.queue[0].plus == (0, 0)


def test_E6_abilities_in_the_own_round_once_in_their_season() -> None:
    decks = ("angel-paladin", "orc-warrior")
    winter = table(decks, phase="first", hands=["second-wind"], season="winter")
    assert "ability" in options(winter)
    after = play(winter, "ability")
    assert after.queue[0].kind == Kind.ABILITY
    assert "ability" not in options(after)
    assert "ability" not in options(table(decks, phase="first", hands=["second-wind"], season="summer"))
    foreign = play(table(("orc-warrior", "human-paladin"), hands=["", "second-wind"]), "attack 1", "pass")
    assert "ability" not in options(foreign)


def test_E6_humans_in_any_season() -> None:
    for season in ("spring", "summer", "autumn", "winter"):
        state = table(("human-paladin", "orc-warrior"), phase="first", season=season)
        after = play(state, "ability")
        assert after.heroes[0].hp == 98


def test_E6_drained_hp_go_to_the_owner_as_many_as_were_lost() -> None:
    rules = load_rules(overrides=['cards.second-wind.effects=[{trigger="play",action="drain",amount=9}]'])
    cost = rules.card("second-wind").cost
    state = table(hands=["second-wind"], hp=[50, 20], rules=rules)
    state = play(state, "flash second-wind 1")
    assert [hero.hp for hero in state.heroes] == [59 - cost, 11]
    state = table(hands=["second-wind"], hp=[50, 4], rules=rules)
    state = play(state, "flash second-wind 1")
    assert state.winners == (0,)
    assert state.heroes[0].hp == 54 - cost


def test_E7_a_sale_is_paid_on_declaration_and_brings_hp_when_it_resolves() -> None:
    state = play(table(phase="first", plays=["great-sword"], hands=["", "second-wind"]), "sell 0")
    assert state.heroes[0].play == ()
    assert state.heroes[0].hp == 100
    state = play(state, "pass")
    assert state.heroes[0].hp == 103


def test_E7_a_flash_in_reply_cannot_reach_the_sold_card_nor_negate_the_sale() -> None:
    state = table(phase="first", plays=["great-sword war-axe"], hands=["", "shatter negate"])
    state = play(state, "sell 0", "pass")
    assert options(state) == ["pass", "flash shatter 0 0"]
    state = play(state, "flash shatter 0 0")
    assert "flash negate -1 -1 0" not in options(state)


def test_E7_selling_the_source_of_an_attack_takes_its_bonus_away() -> None:
    state = play(table(plays=["great-sword"], hp=[100, 100]), "attack 1", "sell 0")
    state = roll(until_dice(state), 3, 3)
    assert state.heroes[1].hp == 100 - (17 - 14)
    kept = roll(until_dice(play(table(plays=["great-sword"]), "attack 1")), 3, 3)
    assert kept.heroes[1].hp == 100 - (17 + 8 - 14)


def test_E8_what_has_no_selling_value_cannot_be_sold_and_used_cards_stay_away() -> None:
    state = table(phase="first", hands=["second-wind second-wind"])
    deck = state.heroes[0].deck
    state = play(state, "flash second-wind", "pass")
    assert state.heroes[0].deck == deck
    assert state.heroes[0].hand == numbers("second-wind")
    rules = load_rules(overrides=["cards.squire.sell=0"])
    assert options(table(phase="first", plays=["squire war-axe"], rules=rules)) == [
        "pass",
        "unready 1",
        "sell 1",
    ]
