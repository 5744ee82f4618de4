"""The transition kernel against the plain-Python reference, move by move and number by number."""

from __future__ import annotations

import pytest

from engine.warage.reference import setup_of
from tests.engine.warage.plays import compare_game
from tests.engine.warage.random_rules import BOX, random_setup

pytestmark = pytest.mark.kernels

DECKS = tuple(deck.id for deck in BOX.decks)


@pytest.mark.parametrize(
    ("decks", "guilds"), [(DECKS[:2], 0), (DECKS[2:], 0), (DECKS[:3], 0), (DECKS, 2)], ids=range(4)
)
def test_random_matches_of_the_box(decks: tuple[str, ...], guilds: int) -> None:
    assert compare_game(setup_of(BOX, decks, guilds=guilds), 7) > 300


def test_random_matches_of_random_cards() -> None:
    for seed in range(60):
        compare_game(random_setup(seed), seed)


@pytest.mark.slow
@pytest.mark.parametrize("chunk", range(20))
def test_many_random_matches_of_random_cards(chunk: int) -> None:
    for seed in range(100_000 + 5_000 * chunk, 105_000 + 5_000 * chunk):
        compare_game(random_setup(seed), seed, words_only=True)


@pytest.mark.slow
@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
def test_whole_matches_of_the_box(players: int) -> None:
    for seed in range(20):
        compare_game(setup_of(BOX, (DECKS * 2)[:players]), seed)
