"""The transition kernel against the plain-Python reference, move by move and bit by bit."""

from __future__ import annotations

import random

import msgspec
import numpy as np
import pytest

from engine.clash import kernel_state
from engine.clash.board import scenario
from engine.clash.kernel_rules import kernel_rules, most_dice
from engine.clash.rules import load_rules
from tests.engine.clash.plays import CLANS, compare_game, random_scenario
from tests.engine.clash.random_rules import BOX, random_rules

pytestmark = pytest.mark.kernels

ROUNDS = [1] * 12 + [2, 2, 3, 6]
"""Mostly short games: what differs shows soon, if at all, and more rules are tried in the same time."""


@pytest.mark.parametrize("num_players", [1, 2, 3, 4])
def test_random_games_of_the_box(num_players: int) -> None:
    rules = load_rules(overrides=["match.max_rounds=6"])
    for seed in range(3):
        compare_game(rules, random_scenario(rules, random.Random(seed), num_players), seed)


def test_random_games_of_random_rules() -> None:
    for seed in range(60):
        rules = random_rules(seed, ROUNDS[seed % len(ROUNDS)])
        compare_game(rules, random_scenario(rules, random.Random(seed)), seed)


@pytest.mark.slow
@pytest.mark.parametrize("chunk", range(20))
def test_many_random_games_of_random_rules(chunk: int) -> None:
    for seed in range(100_000 + 5_000 * chunk, 105_000 + 5_000 * chunk):
        rules = random_rules(seed, ROUNDS[seed % len(ROUNDS)])
        compare_game(rules, random_scenario(rules, random.Random(seed)), seed, words_only=True)


@pytest.mark.slow
@pytest.mark.parametrize("num_players", [1, 2, 3, 4])
def test_long_games_of_the_box(num_players: int) -> None:
    for seed in range(50):
        compare_game(BOX, random_scenario(BOX, random.Random(seed), num_players), seed)


def test_cards_below_the_deck_come_in_the_order_in_which_they_went_there() -> None:
    words = np.zeros(65, np.int64)
    cards = [number * 7 % 24 for number in range(40)]
    for card in cards:
        kernel_state.put_under(words, card)
    seen = []
    while kernel_state.num_under(words):
        seen.append(int(words[kernel_state.UNDER]) & 31)
        kernel_state.take_under(words)
    assert seen == cards
    assert not words.any()


def test_kernel_rules_refuses_what_does_not_fit() -> None:
    chosen = scenario(BOX, CLANS[:2])
    assert most_dice(BOX, BOX.clans[0].units) == 6 + 5
    strong = [msgspec.structs.replace(card, bonus=card.bonus._replace(power=8)) for card in BOX.legendary]
    rules = msgspec.structs.replace(
        BOX, legendary=tuple(strong), battle=msgspec.structs.replace(BOX.battle, hit="5/6")
    )
    assert kernel_rules(rules, chosen).any()
    units = [msgspec.structs.replace(unit, power=12) for unit in BOX.clans[0].units]
    clan = msgspec.structs.replace(BOX.clans[0], units=tuple(units))
    stronger = msgspec.structs.replace(rules, clans=(clan, *BOX.clans[1:]))
    with pytest.raises(ValueError, match="dice: the weights of 28 dice with 6 faces do not fit into 63 bits"):
        kernel_rules(stronger, chosen)
