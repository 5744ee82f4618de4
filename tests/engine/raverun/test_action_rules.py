"""What the cards do: 1-8, and A1."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import pairwise

import pytest

from engine.raverun.reference import CHANCE, Phase, chance_outcomes, decider, step
from engine.raverun.reference_view import View, view
from engine.raverun.rules import load_rules
from tests.engine.raverun.notation import Table
from tests.engine.raverun.plays import BOX

pytestmark = pytest.mark.usefixtures("tables")

ROUND, LAST = Phase.ROUND, Phase.LAST


def test_1_swaps_a_hand_card_with_the_top_of_any_stack() -> None:
    table = Table(["2A 5A", "5B"], stacks=["1A", "8A 8B"], phase=ROUND)
    assert table.options == ["2A>0", "2A>1", "5A>0", "5A>1", "-"]
    table.play("5A>1")
    assert (table.hand(0), table.stack(0), table.stack(1)) == ("2A 8B", "1A", "8A 5A")


def test_1_needs_a_hand_card_and_a_stack_with_a_card() -> None:
    # No hand card: nothing is offered, and with an empty hand the game ends.
    assert Table(["", "5B"], stacks=["1A", "8A"], phase=ROUND).phase == Phase.OVER
    assert Table(["2A", "5B"], stacks=["1A", ""], phase=ROUND).options == ["2A>0", "-"]


def test_1_a_swapped_card_comes_up_and_acts_later() -> None:
    table = Table(["2A 5A", "5B"], stacks=["1A", "8A"], deck=["6A"], phase=ROUND).play("2A>1")
    assert (table.offered, table.who) == ("2A", 1)


def test_2_puts_hand_cards_under_and_draws_as_many() -> None:
    table = Table(["5A 6A 7A", "5B"], stacks=["2A", "8A"], deck=["1A 1B"], phase=ROUND)
    assert table.options == ["5A", "6A", "7A", "-"]
    table.play("5A")
    assert table.options == ["6A", "7A", "-"]
    table.play("7A")
    # No further card could follow the 7A: two draws, from the old deck first.
    assert table.deck == ["1A 1B", "5A 7A"]
    assert (table.who, table.state.draws) == (CHANCE, 2)
    table.play("1A", "1B")
    assert (table.hand(0), table.deck) == ("1A 1B 6A", ["5A 7A"])


def test_2_more_cards_than_the_deck_holds() -> None:
    table = Table(["5A 6A", "5B"], stacks=["2A", "8A"], deck=["1A"], phase=ROUND).play("5A", "6A", "1A")
    # The second card is one of the two that went under, in random order.
    assert chance_outcomes(table.state) == [(BOX.card("5A"), 1), (BOX.card("6A"), 1)]
    table.play("6A")
    assert (table.hand(0), table.deck) == ("1A 6A", ["5A"])


def test_2_may_stop_after_any_card() -> None:
    table = Table(["5A 6A 7A", "5B"], stacks=["2A", "8A"], deck=["1A 1B"], phase=ROUND).play("5A", "-", "1B")
    assert (table.hand(0), table.deck) == ("1B 6A 7A", ["1A", "5A"])


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


def test_2_needs_a_hand_card_and_a_deck() -> None:
    assert Table(["5A", "5B"], stacks=["2A", "8A"], phase=ROUND).phase == Phase.ORDER


def test_3_draws_the_top_card() -> None:
    table = Table(["5A", "5B"], stacks=["3A", "8A"], deck=["6A", "1A 1B"], phase=ROUND)
    assert table.options == [">0", "-"]
    table.play(">0")
    assert chance_outcomes(table.state) == [(BOX.card("6A"), 1)]
    table.play("6A")
    assert (table.hand(0), table.deck) == ("5A 6A", ["1A 1B"])


def test_3_with_an_empty_deck_nothing_happens() -> None:
    assert Table(["5A", "5B"], stacks=["3A", "8A"], phase=ROUND).phase == Phase.ORDER


def test_3_a_card_drawn_is_seen_by_its_owner_only() -> None:
    views = []
    for card in ("6A", "6B"):
        table = Table(["5A", "5B"], stacks=["3A", "8A"], deck=["6A 6B"], phase=ROUND).play(">0", card)
        views.append((view(table.state, 0), view(table.state, 1)))
    assert views[0][1] == views[1][1]
    assert views[0][0] != views[1][0]


def test_4_moves_a_card_from_any_battlefield_to_any_stack() -> None:
    table = Table(["5A", "5B"], stacks=["4A", ""], battlefields=["6A", "7A 8A"], deck=["1A"], phase=ROUND)
    assert table.options == ["6A>0", "6A>1", "7A>0", "7A>1", "8A>0", "8A>1", "-"]
    table.play("8A>1")
    assert (table.stack(1), table.battlefield(1)) == ("8A", "7A")


def test_4_needs_a_card_on_a_battlefield() -> None:
    assert Table(["5A", "5B"], stacks=["4A", "8A"], phase=ROUND).phase == Phase.ORDER


def test_5_takes_a_card_from_another_battlefield() -> None:
    table = Table(["", "", ""], stacks=["1A", "2A", "3A"], battlefields=["1B 5A", "6A", "7A"], phase=LAST)
    assert table.options == ["6A", "7A", "-"]
    table.play("6A")
    assert [table.battlefield(player) for player in range(3)] == ["1B 5A 6A", "", "7A"]


def test_5_not_from_his_own() -> None:
    assert Table(["", ""], stacks=["1A", "2A"], battlefields=["1B 5A", ""], phase=LAST).who < 0


def test_6_buries_the_top_of_a_stack() -> None:
    table = Table(["", ""], stacks=["1A 8A", "2A"], battlefields=["", "6A"], deck=["3A 3B"], phase=LAST)
    assert table.options == [">0", ">1", "-"]
    table.play(">0")
    assert (table.stack(0), table.deck) == ("1A", ["3A 3B", "8A"])


def test_6_all_know_where_the_card_lies() -> None:
    rules = load_rules(overrides=["characters.4.action=bury", "characters.3.action=exchange"])
    table = Table(["5A", "5B"], stacks=["4A", "3C 8A"], deck=["1A 1B"], phase=ROUND, rules=rules)
    table.play(">1")
    for player in (0, 1):
        assert view(table.state, player).known == ((), (1, BOX.card("8A")))


def test_7_recalls_a_card_of_its_letter() -> None:
    table = Table(["", ""], stacks=["8A 1B 2A 3A", "2B"], battlefields=["7A", ""], phase=LAST)
    assert table.options == ["2A", "8A", "-"]  # not the 3A, which is the top already
    table.play("8A")
    assert table.stack(0) == "1B 2A 3A 8A"


def test_7_needs_such_a_card() -> None:
    assert Table(["", ""], stacks=["8B 1B 2A", "2B"], battlefields=["7A", ""], phase=LAST).who < 0


def test_8_shuffles_any_stack_uniformly() -> None:
    table = Table(["", ""], stacks=["1A 2A 3A", "2B"], battlefields=["8A", ""], phase=LAST)
    assert table.options == [">0", "-"]  # a single card cannot be shuffled
    table.play(">0")
    assert chance_outcomes(table.state) == [(BOX.card(name), 1) for name in ("1A", "2A", "3A")]
    table.play("2A")
    assert table.who < 0
    assert table.state.players[0].stack[-1] == BOX.card("2A")


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


def test_A1_a_used_card_stays_where_it_lies() -> None:
    table = Table(["2A 5A", "5B 6B"], stacks=["3A", "8A"], deck=["6A"], phase=ROUND).play(">0", "6A")
    assert table.stack(0) == "3A"
    table = Table(["", ""], stacks=["1A", "2A"], battlefields=["6A", ""], phase=LAST).play(">0")
    assert table.battlefield(0) == "6A"


def test_A1_a_card_without_a_target_is_passed_over() -> None:
    # 2A: no deck. 3A: no deck. 4A: a battlefield has a card.
    table = Table(
        ["5A", "5B", "5C"],
        stacks=["2A", "3A", "4A"],
        battlefields=["6A", "", ""],
        phase=ROUND,
    )
    assert (table.offered, table.who) == ("4A", 2)
