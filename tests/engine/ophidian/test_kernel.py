"""The transition kernel against the plain-Python reference, move by move and number by number."""

from __future__ import annotations

import pytest

from engine.ophidian.codec import encode
from engine.ophidian.kernel_rules import kernel_rules
from engine.ophidian.reference import seat_of
from engine.ophidian.rules import load_rules
from tests.engine.ophidian.plays import BOTH, compare_game
from tests.engine.ophidian.random_rules import BOX, random_rules, random_seats
from tests.engine.ophidian.tables import PASS, fighter, go, table

pytestmark = pytest.mark.kernels

DECKS = tuple(deck.id for deck in BOX.decks)


@pytest.mark.parametrize("decks", [DECKS[:2], DECKS[2:], DECKS[1:3]], ids=range(3))
def test_random_matches_of_the_box(decks: tuple[str, str]) -> None:
    assert compare_game(BOX, [seat_of(BOX, deck) for deck in decks], 7) > 150


def test_random_matches_of_random_rules() -> None:
    for seed in range(40):
        compare_game(*random_seats(seed), seed)


def test_cards_given_up_on_the_wounded() -> None:
    life = '[{when="static",do=[{act="modify",stat="life",amount=2}]}]'
    rules = load_rules(overrides=[f"cards.plate.abilities={life}", f"cards.parasite.abilities={life}"])
    own = [fighter("thorn", 8, pumps="plate ~parasite adrenal-gland"), fighter("drone"), fighter("hound")]
    other = [
        fighter("scrap", 6, pumps="~plate spiked-fists parasite"),
        fighter("acolyte"),
        fighter("guardian"),
    ]
    state = go(table([*own, fighter("runt", 6, pumps="spiked-fists plate")], other, rules=rules), PASS, PASS)
    compiled = kernel_rules(rules, [seat_of(rules, deck) for deck in DECKS[:2]])
    for seed in range(30):
        BOTH.compare(state, encode(state), compiled, seed)


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
