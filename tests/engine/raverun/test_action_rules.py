"""What players see of actions, and odds of orders: rules that no case of `rules.txt` can try."""

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
