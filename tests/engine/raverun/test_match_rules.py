"""Set-up, rounds and the end: V1-V4, P1-P5, A2, and the rulebook's two worked examples."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import comb

import pytest

from engine.raverun.reference import (
    CHANCE,
    OVER,
    Move,
    Phase,
    chance_outcomes,
    decider,
    payoffs,
    start,
    start_dealt,
    step,
    winner,
)
from engine.raverun.reference_view import view
from engine.raverun.rules import load_rules
from tests.engine.raverun.notation import Table
from tests.engine.raverun.plays import BOX

pytestmark = pytest.mark.usefixtures("tables")

NO_ROUNDS = Phase.LAST


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


def test_V3_highest_first_card_decides_the_order_and_first_cards_are_stacks() -> None:
    table = Table(["1A 8A 5B", "2B 8B 3C", "4C 6A 7A"], phase=Phase.BID)
    assert table.who == 0
    table.play("8A")
    assert table.who == 1
    assert view(table.state, 1).stacks == ((), (), ())
    assert view(table.state, 1).chosen is None
    table.play("8B", "4C")
    assert [table.stack(player) for player in range(3)] == ["8A", "8B", "4C"]
    assert (table.phase, table.who) == (Phase.ORDER, 1)
    assert len(table.options) == 6


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


def test_P1_the_order_is_chosen_by_the_highest_top_and_cards_are_played_in_it() -> None:
    table = Table(["1A 5B", "2B 3C", "4C 6A"], stacks=["8A 1B", "2A", "1C 2C"])
    assert table.who == 2
    table.play("order 1 2 0")
    for player in (1, 2, 0):
        assert table.who == player
        table.play(table.hand(player).split()[1])
    assert table.state.players[1].chosen is None


def test_P1_a_played_card_is_seen_by_who_plays_later() -> None:
    table = Table(["1A 5B", "2B 3C"], stacks=["8A", "1C"]).play("order 0 1", "5B")
    assert view(table.state, 1).battlefields == ((BOX.card("5B"),), ())


def test_P1_with_all_stacks_empty_the_last_one_decides_again() -> None:
    # In the box a stack loses cards in the last phase only: here buries act in the rounds.
    rules = load_rules(overrides=["characters.1.action=bury", "characters.3.action=bury"])
    table = Table(["5A 5B", "6B 6C"], stacks=["8A", "1A"], rules=rules).play("order 1 0", "6B", "5A")
    # 5A goes onto 8A; the 1A may bury.
    assert (table.offered, table.who) == ("1A", 1)
    table = Table(["5A", "6B"], stacks=["", "1A"], rules=rules, phase=Phase.ROUND).play(">1")
    assert (table.stack(0), table.stack(1)) == ("", "")
    assert (table.phase, table.who) == (Phase.ORDER, 0)


def test_P2_the_rulebooks_clash() -> None:
    """First worked example: Monika's 4A stays, Karol's 3B and Wojtek's 1C go onto their stacks."""
    table = Table(
        ["4A 5C 6A", "3B 5A 6B", "1C 7A 7B"], stacks=["8A", "8B", "8C"], battlefields=["", "5B", ""]
    )
    assert table.who == 2
    table.play("order 0 1 2", "4A", "3B", "1C")
    assert [table.battlefield(player) for player in range(3)] == ["4A", "5B", ""]
    assert [table.stack(player) for player in range(3)] == ["8A", "8B 3B", "8C 1C"]
    assert (table.phase, table.offered, table.who) == (Phase.ROUND, "1C", 2)


def test_P3_the_rulebooks_actions() -> None:
    """Second worked example: 1C, 3B, 4A, and then the 4C that came up on the way."""
    karol, monika, wojtek = 0, 1, 2
    table = Table(
        ["5A 6A", "6B 6C", "4C 7A"],
        stacks=["8B 3B", "8C 4A", "7C 1C"],
        battlefields=["5B", "8A", ""],
        deck=["2A 2B"],
        phase=Phase.ROUND,
    )
    assert (table.offered, table.who) == ("1C", wojtek)
    table.play(f"4C>{wojtek}")
    assert (table.stack(wojtek), table.hand(wojtek)) == ("7C 4C", "1C 7A")
    assert (table.offered, table.who) == ("3B", karol)
    table.play(f">{karol}", "2A")
    assert table.hand(karol) == "2A 5A 6A"
    assert (table.offered, table.who) == ("4A", monika)
    table.play(f"5B>{monika}")
    assert table.stack(monika) == "8C 4A 5B"
    assert (table.offered, table.who) == ("4C", wojtek)
    table.play(f"8A>{wojtek}")
    assert table.stack(wojtek) == "7C 4C 8A"
    assert table.battlefield(monika) == ""
    # Nobody can use anything any more: the next round, Wojtek's 8A being the highest top.
    assert (table.phase, table.who) == (Phase.ORDER, wojtek)


def test_P3_actions_are_optional_and_ascending() -> None:
    table = Table(["1A 5A", "5B 5C"], stacks=["3A", "2A"], deck=["6A 6B 6C"], phase=Phase.ROUND)
    assert (table.offered, table.who) == ("2A", 1)
    table.play("-")
    assert (table.offered, table.who) == ("3A", 0)
    table.play("-")
    assert table.phase == Phase.ORDER
    # A lower card that comes up is too late: the 1A laid by a 1B may not act any more.
    table = Table(["1A 5A", "5B 5C"], stacks=["1B", "8A"], phase=Phase.ROUND).play("1A>0")
    assert table.stack(0) == "1A"
    assert table.phase == Phase.ORDER


def test_P3_red_cards_on_stacks_do_not_act() -> None:
    table = Table(["1A", "1B"], stacks=["6A", "8C"], phase=Phase.ROUND)
    assert (table.phase, table.who) == (Phase.ORDER, 1)


@pytest.mark.parametrize("hands", [("1A", ""), ("", "1A"), ("", "")])
def test_P4_an_empty_hand_ends_the_rounds(hands: tuple[str, str]) -> None:
    table = Table(hands, stacks=["5A", "5B"], phase=Phase.ROUND)
    assert table.phase == Phase.OVER
    assert Table(["1A", "1B"], stacks=["5A", "5B"], phase=Phase.ROUND).phase == Phase.ORDER


def test_P4_hands_of_the_last_round_are_played_out() -> None:
    table = Table(["1A", "2A"], stacks=["5A", "5B"]).play("order 0 1", "1A", "2A")
    # 1A on the stack: no card in hand, so it has no target, and the game is over.
    assert table.phase == Phase.OVER
    assert (table.stack(0), table.battlefield(1)) == ("5A 1A", "2A")


def test_P5_red_cards_act_from_battlefields_in_ascending_order() -> None:
    table = Table(
        ["", ""],
        stacks=["1A 2A", "3A 4B"],
        battlefields=["4A 6A 8A", "5A 7A"],
        phase=NO_ROUNDS,
    )
    seen = []
    while table.who != OVER:
        seen.append((table.offered, table.who))
        table.play("-")
    assert seen == [("5A", 1), ("6A", 0), ("7A", 1), ("8A", 0)]


def test_P5_a_captured_card_acts_for_its_new_owner_if_it_is_not_too_late() -> None:
    table = Table(["", ""], stacks=["1A", "2A"], battlefields=["5B 6A", "5A"], phase=NO_ROUNDS)
    assert (table.offered, table.who) == ("5A", 1)
    table.play("6A")
    assert table.battlefield(1) == "5A 6A"
    assert (table.offered, table.who) == ("5B", 0)
    table.play("5A")
    # The 5A lies with player 0 now, too late to act again; the 6A acts for player 1.
    assert (table.offered, table.who) == ("6A", 1)
    assert table.options == [">0", ">1", "-"]


def test_P5_the_highest_top_wins() -> None:
    over = Table(["", ""], stacks=["8C 1A", "1B"], phase=NO_ROUNDS).state
    assert winner(over) == 1
    assert payoffs(over) == (-1.0, 1.0)


def test_P5_an_empty_stack_loses_and_all_empty_is_a_draw() -> None:
    table = Table(["", ""], stacks=["", "1A"], battlefields=["6A", ""], phase=NO_ROUNDS)
    assert winner(table.play("-").state) == 1
    table = Table(["", ""], stacks=["", "1A"], battlefields=["6A", ""], phase=NO_ROUNDS).play(">1")
    assert winner(table.state) is None
    assert payoffs(table.state) == (0.0, 0.0)


def test_A2_three_players_share_what_the_winner_takes() -> None:
    over = Table(["", "", ""], stacks=["1A", "8C", "8B"], phase=NO_ROUNDS).state
    assert payoffs(over) == (-0.5, 1.0, -0.5)


def test_A2_two_players_is_zero_sum() -> None:
    assert sum(payoffs(Table(["", ""], stacks=["1A", ""], phase=NO_ROUNDS).state)) == 0.0
