"""Set-up, what players see of it and of actions, and odds of orders: what no case of `rules.txt` can try."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import pairwise, product
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
from engine.raverun.reference_view import View, view
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


ROUND, LAST = Phase.ROUND, Phase.LAST


def test_2_the_others_see_the_number_only() -> None:
    def seen(player: int, *cards: str) -> list[View]:
        table = Table(["5A 6A 7A", "5B"], stacks=["2A", "8A"], deck=["1A 1B"], phase=ROUND)
        views = [view(table.play(card).state, player) for card in cards]
        return [after for before, after in pairwise((None, *views)) if after != before]

    # The 7A being its last card, nothing is left to decide after it; after the 6A something is.
    assert seen(1, "5A", "6A", "-") == seen(1, "5A", "7A")
    assert seen(0, "5A", "6A", "-") != seen(0, "5A", "7A")
    assert seen(1, "5A", "-") != seen(1, "5A", "7A")


def test_2_what_was_known_of_a_hand_may_be_gone() -> None:
    table = Table(["2A 5A", "1A 5B"], stacks=["1B", "8A 8B"], deck=["6A 6B"], phase=ROUND)
    table.play("2A>1")  # 8B into the hand of player 0, 2A onto the stack of player 1
    assert view(table.state, 1).known == ((BOX.card("8B"),),)
    assert (table.offered, table.who) == ("2A", 1)
    table.play("-")
    table = Table(["2B 5A", "1A 5B"], stacks=["1B", "8A 8B"], deck=["6A 6B"], phase=ROUND)
    table.play("2B>0")  # its own 1B for the 2B, which it then uses
    assert view(table.state, 1).known == ((BOX.card("1B"),),)
    table.play("5A", "6A")
    assert view(table.state, 1).known == ((),)


def test_3_a_card_drawn_is_seen_by_its_owner_only() -> None:
    views = []
    for card in ("6A", "6B"):
        table = Table(["5A", "5B"], stacks=["3A", "8A"], deck=["6A 6B"], phase=ROUND).play(">0", card)
        views.append((view(table.state, 0), view(table.state, 1)))
    assert views[0][1] == views[1][1]
    assert views[0][0] != views[1][0]


def test_6_all_know_where_the_card_lies() -> None:
    rules = load_rules(overrides=["characters.4.action=bury", "characters.3.action=exchange"])
    table = Table(["5A", "5B"], stacks=["4A", "3C 8A"], deck=["1A 1B"], phase=ROUND, rules=rules)
    table.play(">1")
    for player in (0, 1):
        assert view(table.state, player).known == ((), (1, BOX.card("8A")))


def _orders(table: Table) -> Counter[tuple[int, ...]]:
    """Odds of every order of player 0's stack, after chance has had its say."""
    odds: Counter[tuple[int, ...]] = Counter()
    states = [(table.state, Fraction(1))]
    while states:
        state, reach = states.pop()
        if decider(state) == CHANCE:
            outcomes = chance_outcomes(state)
            states += [(step(state, card), reach / len(outcomes)) for card, _ in outcomes]
        else:
            odds[state.players[0].stack] += reach  # type: ignore[assignment]
    return odds


def test_8_the_order_below_is_drawn_where_it_may_still_come_up() -> None:
    """With a bury after the shuffle all orders come up equally often; in the box none can."""
    rules = load_rules(overrides=["characters.8.action=bury", "characters.7.action=shuffle"])
    table = Table(["", ""], stacks=["1A 2A 3A", "2B"], battlefields=["7A 8A", ""], phase=LAST, rules=rules)
    odds = _orders(table.play(">0"))
    assert len(odds) == 6
    assert set(odds.values()) == {Fraction(1, 6)}
    table = Table(["", ""], stacks=["1A 2A 3A", "2B"], battlefields=["8A", ""], phase=LAST)
    assert len(_orders(table.play(">0"))) == 3


def test_8_the_new_top_is_seen_by_all_the_order_below_by_the_owner() -> None:
    rules = load_rules(overrides=["characters.8.action=bury", "characters.7.action=shuffle"])
    states = []
    for below in ("1A", "2A"):
        table = Table(
            ["", ""], stacks=["1A 2A 3A 4A", "2B"], battlefields=["7A 8A", ""], phase=LAST, rules=rules
        )
        states.append(table.play(">0", "3A", below, "4A").state)
    assert view(states[0], 1) == view(states[1], 1)
    assert view(states[0], 1).stacks[0] == (None, None, None, BOX.card("3A"))
    assert view(states[0], 0) != view(states[1], 0)
    table = Table(
        ["", ""], stacks=["1A 2A 3A 4A", "2B"], battlefields=["7A 8A", ""], phase=LAST, rules=rules
    ).play(">0", "3A", "1A", "4A")
    table.play(">0")  # the bury uncovers the next one for all
    assert view(table.state, 1).stacks[0] == (None, None, BOX.card("1A"))
