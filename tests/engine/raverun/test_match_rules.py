"""Set-up and what players see: rules that no case of `rules.txt` can try."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import comb

import pytest

from engine.raverun.reference import (
    CHANCE,
    Move,
    Phase,
    chance_outcomes,
    decider,
    start,
    start_dealt,
    step,
)
from engine.raverun.reference_view import view
from engine.raverun.rules import load_rules
from tests.engine.raverun.notation import Table
from tests.engine.raverun.plays import BOX

pytestmark = pytest.mark.usefixtures("tables")


def test_V1_cards_are_numbered_by_value() -> None:
    names = [f"{number}{letter}" for number, letter in product(range(1, 9), "ABC")]
    assert [BOX.card_name(card) for card in range(BOX.num_cards)] == names
    assert [BOX.card(name) for name in names] == list(range(24))
    places = [BOX.acts_on(BOX.card(f"{number}A")) for number in range(1, 9)]
    assert places == ["stacks"] * 4 + ["battlefields"] * 4


@pytest.mark.parametrize(("num_players", "hand", "deck"), [(2, 7, 10), (3, 6, 6)])
def test_V2_hands_and_deck(num_players: int, hand: int, deck: int) -> None:
    state = start(BOX, num_players)
    for _ in range(num_players * hand):
        assert decider(state) == CHANCE
        outcomes = chance_outcomes(state)
        assert {weight for _, weight in outcomes} == {1}
        state = step(state, outcomes[-1][0])
    assert [len(player.hand) for player in state.players] == [hand] * num_players
    assert [len(batch) for batch in state.deck] == [deck]
    assert (state.phase, decider(state)) == (Phase.BID, 0)


def test_V2_every_hand_is_equally_likely() -> None:
    """The odds of a hand, dealt card by card, in a game small enough to list them."""
    rules = load_rules(overrides=["match.characters=2", "match.hand_size=2"])
    odds: dict[tuple[int, ...], Fraction] = {}
    states = [(start(rules), Fraction(1))]
    while states:
        state, reach = states.pop()
        if decider(state) != CHANCE:
            hand = state.players[1].hand
            odds[hand] = odds.get(hand, Fraction(0)) + reach
            continue
        outcomes = chance_outcomes(state)
        states += [(step(state, card), reach / len(outcomes)) for card, _ in outcomes]
    assert len(odds) == comb(6, 2)
    assert set(odds.values()) == {Fraction(1, comb(6, 2))}


def test_V3_a_chosen_card_is_unseen_until_all_are_chosen() -> None:
    hands = ((0, 1), (2, 3))
    views = {view(step(start_dealt(BOX_2, hands), Move(card)), 1) for card in (0, 1)}
    assert len(views) == 1
    own = {view(step(start_dealt(BOX_2, hands), Move(card)), 0) for card in (0, 1)}
    assert len(own) == 2


BOX_2 = load_rules(overrides=["match.characters=2", "match.hand_size=2"])


def test_V4_hands_and_deck_are_hidden_what_was_seen_is_remembered() -> None:
    one = Table(["1A 5B", "2B 3C"], stacks=["8A", "1C"], deck=["6A 6B"], phase=Phase.ROUND)
    other = Table(["1A 5B", "2B 6A"], stacks=["8A", "1C"], deck=["3C 6B"], phase=Phase.ROUND)
    assert view(one.state, 0) == view(other.state, 0)
    assert view(one.state, 1) != view(other.state, 1)
    # Player 1 swaps a hand card with the 8A: all know where it went.
    one.play("2B>0")
    assert one.hand(1) == "3C 8A"
    assert view(one.state, 0).known == ((BOX.card("8A"),),)
    assert view(one.state, 1).exposed == ((BOX.card("8A"),),)


def test_P1_a_played_card_is_seen_by_who_plays_later() -> None:
    table = Table(["1A 5B", "2B 3C"], stacks=["8A", "1C"]).play("order 0 1", "5B")
    assert view(table.state, 1).battlefields == ((BOX.card("5B"),), ())
