"""The transition kernel against the plain-Python reference, move by move and bit by bit."""

from __future__ import annotations

import random

import msgspec
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.ragers import kernel, layout, resolve
from engine.ragers.codec import decode, encode
from engine.ragers.kernel_rules import kernel_rules
from engine.ragers.reference import NOTHING, deciders, drawing
from engine.ragers.reference_row import icons
from engine.ragers.rules import NUM_TYPES, Rules, load_rules
from tests.engine.ragers.plays import compare_match, random_states, rules_files

# Every example is a whole match; how long it takes says nothing.
_WHOLE_MATCHES = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow], derandomize=True)


def test_random_matches_of_the_box() -> None:
    rules = load_rules()
    num_moves = [compare_match(rules, seed) for seed in range(400)]
    # A match that ends early still deals, prepares and fights one day.
    assert min(num_moves) > 20


@pytest.mark.parametrize("card", ["after-veterans", "at-once"])
def test_K9_random_matches_of_deadeyes_and_veterans(card: str) -> None:
    many = [f"cards.{name}.copies=6" for name in ("deadeye", "veteran")]
    rules = load_rules(overrides=[*many, "cards.cheater.copies=3", f"match.deadeye_card={card}"])
    for seed in range(150):
        compare_match(rules, seed)


@settings(_WHOLE_MATCHES, max_examples=400)
@given(rules_files(), st.integers(0, 2**32))
def test_random_matches_of_random_rules(rules: Rules, seed: int) -> None:
    for offset in range(4):
        compare_match(rules, seed + offset)


@pytest.mark.slow
@pytest.mark.parametrize("chunk", range(10))
def test_many_random_matches_of_the_box(chunk: int) -> None:
    rules = load_rules()
    for seed in range(6000):
        compare_match(rules, 1_000_000 * (chunk + 1) + seed)


@pytest.mark.slow
@settings(_WHOLE_MATCHES, max_examples=10_000)
@given(rules_files(), st.integers(0, 2**32))
def test_many_random_matches_of_random_rules(rules: Rules, seed: int) -> None:
    for offset in range(5):
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


@given(st.lists(st.integers(0, 7), min_size=NUM_TYPES, max_size=NUM_TYPES), st.data())
def test_multisets(counts: list[int], data: st.DataObject) -> None:
    packed = sum(count << layout.CARDS.offset + i * layout.CARDS.stride for i, count in enumerate(counts))
    packed |= data.draw(st.integers(0, layout.TAKEN.mask)) << layout.TAKEN.offset  # must not disturb
    cards = [card for card, count in enumerate(counts) for _ in range(count)]
    assert kernel.total(packed) == len(cards)
    assert [kernel.nth_card(packed, index) for index in range(len(cards))] == cards
    held = kernel.support(packed)
    assert [held >> i * layout.CARDS.stride & layout.CARDS.mask for i in range(NUM_TYPES)] == [
        int(count > 0) for count in counts
    ]


def test_kernel_rules_refuses_what_does_not_fit() -> None:
    box = load_rules()
    too_long = msgspec.structs.replace(box, match=msgspec.structs.replace(box.match, row_length=8))
    with pytest.raises(ValueError, match="row length: 8 is more than the 7"):
        kernel_rules(too_long)
    rich = (msgspec.structs.replace(box.cards[0], gp=21), *box.cards[1:])
    with pytest.raises(ValueError, match="GP of a card: 21"):
        kernel_rules(msgspec.structs.replace(box, cards=rich))


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


def test_nothing_is_one_past_the_last_type() -> None:
    assert NOTHING == resolve.NOTHING == NUM_TYPES


def test_start_deals_nothing_yet() -> None:
    words = np.zeros(layout.NUM_WORDS, np.int64)
    kernel.start(words, kernel_rules(load_rules()))
    decoded = decode(words)
    assert [sum(side.hand) for side in decoded.sides] == [0, 0]
    assert [sum(side.deck) for side in decoded.sides] == [22, 22]
    assert decoded.drawing == (0, 1)
