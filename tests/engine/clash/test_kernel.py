"""The transition kernel against the plain-Python reference, move by move and bit by bit."""

from __future__ import annotations

import random

import pytest

from engine.clash.kernel_rules import kernel_rules
from engine.clash.rules import load_rules
from tests.engine.clash.plays import BOX, compare_game, random_scenario
from tests.engine.random_rules import random_rules

pytestmark = pytest.mark.kernels

ROUNDS = [1] * 12 + [2, 2, 3, 6]
"""Mostly short games: what differs shows soon, if at all, and more rules are tried in the same time."""


@pytest.mark.parametrize("num_players", [1, 2, 3, 4])
def test_random_games_of_the_box(num_players: int) -> None:
    rules = load_rules(overrides=["match.max_rounds=6"])
    for seed in range(3):
        compare_game(rules, random_scenario(rules, random.Random(seed), num_players), seed)


@pytest.mark.parametrize(
    "chunk", [0, *(pytest.param(each, marks=pytest.mark.slow) for each in range(1, 100))]
)
def test_random_games_of_random_rules(chunk: int) -> None:
    for seed in range(60 * chunk, 60 * chunk + 60):
        rules = random_rules("clash", seed, max_rounds=ROUNDS[seed % len(ROUNDS)])
        chosen = random_scenario(rules, random.Random(seed))
        try:
            kernel_rules(rules, chosen)
        except ValueError:  # so many dice that their weights do not fit a word
            continue
        compare_game(rules, chosen, seed, words_only=chunk > 0)


@pytest.mark.slow
@pytest.mark.parametrize("num_players", [1, 2, 3, 4])
def test_long_games_of_the_box(num_players: int) -> None:
    for seed in range(50):
        compare_game(BOX, random_scenario(BOX, random.Random(seed), num_players), seed)
