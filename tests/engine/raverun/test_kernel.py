"""The transition kernel against the plain-Python reference, move by move and bit by bit."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.raverun import card_sets, layout
from tests.engine.random_rules import random_rules
from tests.engine.raverun.plays import BOX, compare_game, players_of

pytestmark = pytest.mark.kernels


@pytest.mark.parametrize("num_players", [2, 3])
def test_random_games_of_the_box(num_players: int) -> None:
    num_moves = [compare_game(BOX, num_players, seed) for seed in range(300)]
    # At the least: all are dealt, choose, and play once.
    assert min(num_moves) > num_players * BOX.hand_size(num_players) + 2 * num_players


@pytest.mark.parametrize("chunk", [0, *(pytest.param(each, marks=pytest.mark.slow) for each in range(1, 30))])
def test_random_games_of_random_rules(chunk: int) -> None:
    for seed in range(150 * chunk, 150 * chunk + 150):
        rules = random_rules("raverun", seed)
        for num_players in players_of(rules):
            for offset in range(3):
                compare_game(rules, num_players, seed + offset, words_only=chunk > 0)


@given(st.sets(st.integers(0, layout.MAX_CARDS - 1)))
def test_sets_of_cards(cards: set[int]) -> None:
    bits = sum(1 << card for card in cards)
    assert card_sets.count(bits) == len(cards)
    assert [card_sets.nth(bits, index) for index in range(len(cards))] == sorted(cards)
    assert card_sets.smeared(bits) == (1 << max(cards) + 1) - 1 if cards else card_sets.smeared(bits) == 0
    if cards:
        assert card_sets.lowest(bits) == min(cards)
