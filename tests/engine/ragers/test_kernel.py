"""The transition kernel against the plain-Python reference, move by move and bit by bit."""

from __future__ import annotations

import random

import msgspec
import pytest

from engine.ragers import layout
from engine.ragers.codec import decode, encode
from engine.ragers.reference import deciders, drawing
from engine.ragers.reference_row import icons
from engine.ragers.rules import NUM_TYPES, load_rules
from tests.engine.ragers.plays import compare_match, random_states
from tests.engine.random_rules import random_rules


def test_random_matches_of_the_box() -> None:
    rules = load_rules()
    num_moves = [compare_match(rules, seed) for seed in range(60)]
    # A match that ends early still deals, prepares and fights one day.
    assert min(num_moves) > 20


@pytest.mark.parametrize("card", ["after-veterans", "at-once"])
def test_K9_random_matches_of_deadeyes_and_veterans(card: str) -> None:
    many = [f"cards.{name}.copies=6" for name in ("deadeye", "veteran")]
    rules = load_rules(overrides=[*many, "cards.cheater.copies=3", f"match.deadeye_card={card}"])
    for seed in range(60):
        compare_match(rules, seed)


@pytest.mark.parametrize("chunk", [0, *(pytest.param(each, marks=pytest.mark.slow) for each in range(1, 90))])
def test_random_matches_of_random_rules(chunk: int) -> None:
    for seed in range(100 * chunk, 100 * chunk + 100):
        rules = random_rules("ragers", seed)
        for offset in range(4):
            compare_match(rules, seed + offset)


def test_decode_reads_back_every_field() -> None:
    rng = random.Random(4)
    seen = set()
    for _ in range(60):
        for state in random_states(load_rules(), rng):
            decoded = decode(encode(state))
            assert decoded.phase == state.phase
            assert decoded.day == state.day
            assert decoded.patron == state.patron
            assert decoded.patrons_left == state.patrons_left
            assert decoded.cheers_left == state.cheers_left
            assert decoded.cheers_table == state.cheers_table
            assert decoded.acting == tuple(player for player in deciders(state) if player >= 0)
            assert (decoded.drawing or (None,))[0] == drawing(state)
            for own, side in zip(state.players, decoded.sides, strict=True):
                assert (side.hand, side.deck) == (own.hand, own.deck)
                assert (side.score, side.cheers_taken) == (own.score, len(own.cheers))
                assert (side.length, side.mark) == (own.row_length, own.mark)
                counted = icons((*own.row, own.slot[:-1]))
                assert side.icons == tuple(min(counted[icon], 3) for icon in range(NUM_TYPES))
                if own.slot and own.slot[-1].face_up:
                    top = own.slot[-1]
                    assert side.top == (layout.BLANK if top.icon is None else top.icon)
                    assert side.top_is_marked == top.marked
            seen.add(state.phase)
    assert len(seen) == 7  # every phase came up


def test_scores_at_the_limits_do_not_spill() -> None:
    """The most GP a row can hold stay within their fields: 20 GP a card, rows of 7, Stoppers."""
    box = load_rules()
    cards = tuple(
        msgspec.structs.replace(card, gp=20, copies=(count, count))
        for card, count in zip(box.cards, (9, 0, 0, 9, 0, 0, 9, 9), strict=True)
    )
    match = msgspec.structs.replace(box.match, row_length=7, winning_lead=999, hand_size=7)
    rules = msgspec.structs.replace(box, cards=cards, match=match)
    for seed in range(60):
        compare_match(rules, seed)
