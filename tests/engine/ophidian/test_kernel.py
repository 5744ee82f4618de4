"""The transition kernel against the plain-Python reference, move by move and number by number."""

from __future__ import annotations

import pytest

from engine.ophidian.reference import seat_of
from tests.engine.ophidian.plays import compare_game
from tests.engine.ophidian.random_rules import BOX, random_rules, random_seats

pytestmark = pytest.mark.kernels

DECKS = tuple(deck.id for deck in BOX.decks)


@pytest.mark.parametrize("decks", [DECKS[:2], DECKS[2:], DECKS[1:3]], ids=range(3))
def test_random_matches_of_the_box(decks: tuple[str, str]) -> None:
    assert compare_game(BOX, [seat_of(BOX, deck) for deck in decks], 7) > 150


def test_random_matches_of_random_rules() -> None:
    for seed in range(40):
        compare_game(*random_seats(seed), seed)


@pytest.mark.slow
@pytest.mark.parametrize("chunk", range(20))
def test_many_random_matches_of_random_rules(chunk: int) -> None:
    rules = BOX
    for seed in range(100_000 + 5_000 * chunk, 105_000 + 5_000 * chunk):
        # Making rules takes as long as a match by them: each serves a few.
        rules = random_rules(seed) if seed % 5 == 0 else rules
        compare_game(*random_seats(seed, rules), seed, words_only=True)


@pytest.mark.slow
@pytest.mark.parametrize("other", DECKS)
def test_whole_matches_of_the_box(other: str) -> None:
    for deck in DECKS:
        for seed in range(25):
            compare_game(BOX, [seat_of(BOX, deck), seat_of(BOX, other)], seed)
