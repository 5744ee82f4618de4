"""The end, more heroes, what a player sees: rules W, M, I."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from engine.protocol import choices
from engine.warage import reference
from engine.warage.reference import Move, is_over, payoffs, setup_of, start, step
from engine.warage.reference_view import view
from engine.warage.rules import load_rules
from tests.engine.warage.notation import BOX, options, play, roll, table, until_dice

THREE = ("orc-warrior", "elf-mage", "human-paladin")
FOUR = (*THREE, "angel-paladin")


def test_W1_both_at_nothing_in_one_check_is_a_draw() -> None:
    rules = load_rules(
        overrides=[
            'cards.second-wind.effects=[{trigger="play",action="lose",amount=9,target="self"},'
            '{trigger="play",action="lose",amount=9,target="opponent"}]'
        ]
    )
    state = play(table(hands=["second-wind"], hp=[10, 9], rules=rules), "flash second-wind")
    assert state.winners == (0, 1)
    assert payoffs(state) == (0.0, 0.0)
    alone = play(table(hands=["second-wind"], hp=[10, 10], rules=rules), "flash second-wind")
    assert payoffs(alone) == (-1.0, 1.0)


def test_W1_a_draw_pays_nothing() -> None:
    rules = load_rules(
        overrides=[
            'cards.second-wind.effects=[{trigger="play",action="lose",amount=9,target="opponent"}]',
            "match.max_turns=1",
        ]
    )
    brawl = table(THREE, hands=["second-wind"], hp=[50, 9, 9], rules=rules)
    assert play(brawl, "flash second-wind").winners == (0,)
    last = table(phase="closing", rules=rules, turn=1, active=1)
    assert last.winners == (0, 1)
    assert payoffs(last) == (0.0, 0.0)


def test_W2_infinite_hp_win() -> None:
    state = table(phase="first", hands=["second-wind"], hp=[993])
    state = play(state, "flash second-wind")
    assert state.winners == (0,)


def test_W3_a_match_that_lasts_too_long_is_a_draw() -> None:
    rules = load_rules(overrides=["match.max_turns=1"])
    state = random_play(setup_of(rules, THREE), 5)
    assert state.winners == (0, 1, 2)
    assert payoffs(state) == (1 / 3,) * 3


def test_W3_a_duel_ends_at_the_22nd_opening_of_the_first_player() -> None:
    state = start(setup_of(BOX, ("orc-warrior", "orc-warrior")))
    while not is_over(state):
        known = choices(reference, state)
        wanted = Move("keep"), Move("hand"), Move("pass")
        plain = [move for move in known if move in wanted]
        state = step(state, plain[0] if plain else known[0])
    assert (state.turn, state.active, state.winners) == (22, 0, (1,))


def random_play(setup: reference.Setup, seed: int) -> reference.State:
    rng = random.Random(seed)
    state = start(setup)
    while not is_over(state):
        state = step(state, rng.choice(choices(reference, state)))
    return state


def test_M1_in_a_brawl_everybody_may_be_attacked() -> None:
    assert options(table(THREE)) == ["pass", "attack 1", "attack 2"]


def test_M1_guilds_attack_opposing_guilds_only_and_win_together() -> None:
    state = table(FOUR, guilds=2, hp=[100, 1, 100, 1])
    assert options(state) == ["pass", "attack 1", "attack 3"]
    state = roll(until_dice(play(state, "attack 1")), 6, 1)
    assert state.heroes[1].beaten
    assert not is_over(state)
    last = table(FOUR, guilds=2, hp=[100, 1, 100, 1], plays=["great-sword"])
    last = roll(until_dice(play(last, "attack 3")), 6)
    assert last.heroes[3].beaten
    with pytest.raises(ValueError, match="equal sizes"):
        setup_of(BOX, THREE, guilds=2)


def test_M1_the_last_guild_wins() -> None:
    state = table(FOUR[:2] * 2, guilds=2, hp=[100, 1, 1, 1])
    rng = random.Random(2)
    while not is_over(state):
        state = step(state, rng.choice(choices(reference, state)))
    assert state.winners in ((0, 2), (1, 3))
    assert sum(payoffs(state)) == 1


def test_M2_the_turn_goes_on_with_the_next_seat() -> None:
    rules = load_rules(
        overrides=['seasons.harvest.effects=[{trigger="opening",action="lose",amount=5,target="self"}]']
    )
    state = table(THREE, phase="opening", hp=[5, 100, 100], special="harvest", rules=rules)
    assert state.heroes[0].beaten
    assert state.active == 1
    assert state.turn == 2
    assert state.heroes[0].play == ()


def test_M2_a_beaten_heros_items_leave_with_him() -> None:
    rules = load_rules(
        overrides=['cards.second-wind.effects=[{trigger="play",action="lose",amount=50,target="opponent"}]']
    )
    state = table(THREE, hands=["second-wind", "parry"], hp=[100, 30, 100], rules=rules)
    state = play(state, "attack 1", "pass", "flash parry", "flash second-wind")
    assert state.heroes[1].beaten
    assert not is_over(state)
    assert state.queue == ()
    assert state.priority == 0


def test_M3_priority_goes_clockwise_whoever_is_allied() -> None:
    state = table(FOUR, guilds=2, hands=["second-wind", "parry", "second-wind", "second-wind"])
    state = play(state, "flash second-wind")
    assert state.priority == 2
    state = play(state, "pass")
    assert state.priority == 3


def test_M3_allies_hands() -> None:
    state = table(FOUR, guilds=2, hands=["parry", "parry", "negate", "parry"])
    assert view(state, 0).heroes[2].hand == (-1,)
    open_rules = load_rules(overrides=["match.allies_show=true"])
    shown = table(FOUR, guilds=2, hands=["parry", "parry", "negate", "parry"], rules=open_rules)
    assert view(shown, 0).heroes[2].hand == shown.heroes[2].hand
    assert view(shown, 0).heroes[1].hand == (-1,)


def test_I1_hands_are_hidden_and_all_else_is_known() -> None:
    base = table(hands=["parry", "parry negate"])
    card = BOX.card_numbers
    one, other = base.heroes[1], base.heroes[1]
    deck = list(one.deck)
    deck[card["parry"]] += 1
    deck[card["bulwark"]] -= 1
    swapped = replace(other, hand=tuple(sorted((card["bulwark"], card["negate"]))), deck=tuple(deck))
    twin = replace(base, heroes=(base.heroes[0], swapped))
    assert view(base, 0) == view(twin, 0)
    assert view(base, 1) != view(twin, 1)
    richer = replace(base, heroes=(base.heroes[0], replace(one, hand=one.hand[:1])))
    assert view(base, 0) != view(richer, 0)


def test_I1_without_open_lists_only_numbers_are_known() -> None:
    rules = load_rules(overrides=["match.open_lists=false"])
    state = table(hands=["parry", "parry"], rules=rules)
    seen = view(state, 0)
    assert seen.heroes[1].deck == (sum(state.heroes[1].deck),)
    assert seen.setup.heroes[1].deck == ()
