"""The transition kernel against the plain-Python reference, move by move and bit by bit."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.raverun import card_sets, layout
from engine.raverun.kernel_rules import kernel_rules
from engine.raverun.rules import Rules
from tests.engine.raverun.plays import BOX, compare_game, players_of, rules_files

# Every example is a whole game; how long it takes says nothing.
_WHOLE_GAMES = settings(deadline=None, suppress_health_check=list(HealthCheck), derandomize=True)


@pytest.mark.parametrize("num_players", [2, 3])
def test_random_games_of_the_box(num_players: int) -> None:
    num_moves = [compare_game(BOX, num_players, seed) for seed in range(300)]
    # At the least: all are dealt, choose, and play once.
    assert min(num_moves) > num_players * BOX.hand_size(num_players) + 2 * num_players


@settings(_WHOLE_GAMES, max_examples=300)
@given(rules_files(), st.integers(0, 2**32))
def test_random_games_of_random_rules(rules: Rules, seed: int) -> None:
    for num_players in players_of(rules):
        for offset in range(3):
            compare_game(rules, num_players, seed + offset)


@pytest.mark.slow
@pytest.mark.parametrize("num_players", [2, 3])
@pytest.mark.parametrize("chunk", range(6))
def test_many_random_games_of_the_box(chunk: int, num_players: int) -> None:
    for seed in range(6000):
        compare_game(BOX, num_players, 1_000_000 * (chunk + 1) + seed, words_only=True)


@pytest.mark.slow
@settings(_WHOLE_GAMES, max_examples=10_000)
@given(rules_files(), st.integers(0, 2**32))
def test_many_random_games_of_random_rules(rules: Rules, seed: int) -> None:
    for num_players in players_of(rules):
        for offset in range(3):
            compare_game(rules, num_players, seed + offset, words_only=True)


@given(st.sets(st.integers(0, layout.MAX_CARDS - 1)))
def test_sets_of_cards(cards: set[int]) -> None:
    bits = sum(1 << card for card in cards)
    assert card_sets.count(bits) == len(cards)
    assert [card_sets.nth(bits, index) for index in range(len(cards))] == sorted(cards)
    assert card_sets.smeared(bits) == (1 << max(cards) + 1) - 1 if cards else card_sets.smeared(bits) == 0
    if cards:
        assert card_sets.lowest(bits) == min(cards)


def test_kernel_rules_refuses_what_does_not_fit() -> None:
    many = msgspec.structs.replace(BOX, match=msgspec.structs.replace(BOX.match, letters=4))
    with pytest.raises(ValueError, match="cards: 32 is more than the 24"):
        kernel_rules(many)
    with pytest.raises(ValueError, match="2 or 3 players, not 4"):
        kernel_rules(BOX, 4)
