"""Long matches, what a player sees, what cannot be played: rules that no case of `rules.txt` can try."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from engine.protocol import choices
from engine.warage import reference
from engine.warage.reference import Move, is_over, payoffs, setup_of, start, step
from engine.warage.reference_view import view
from engine.warage.rules import load_rules
from tests.engine.warage.notation import BOX, table

THREE = ("orc-warrior", "elf-mage", "human-paladin")
FOUR = (*THREE, "angel-paladin")


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


def test_M1_the_last_guild_wins() -> None:
    state = table(FOUR[:2] * 2, guilds=2, hp=[100, 1, 1, 1])
    rng = random.Random(2)
    while not is_over(state):
        state = step(state, rng.choice(choices(reference, state)))
    assert state.winners in ((0, 2), (1, 3))
    assert sum(payoffs(state)) == 1


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


@pytest.mark.parametrize("text", ["fireball 3", "fireball"])
def test_H2_decks_of_at_least_48_cards(text: str) -> None:
    with pytest.raises(Exception, match="from 48"):
        load_rules(overrides=[f'decks.elf-mage.cards=["{text}"]'])
