"""Matches and days of Ragers between players who are asked move by move: who won, how long, in which seat."""

from __future__ import annotations

from itertools import count

import pytest

from analysis.errors import RequestError
from analysis.front.contest import Deals
from analysis.ragers.contest import Matches, day_of
from analysis.ragers.setup import Greedy, Random, Rollouts, Setup
from engine.ragers.rules import Rules, load_rules
from tests.oracles.games import decks

BOX = load_rules()
QUICK = load_rules(
    overrides=(*decks("BSPDV", "BSPCT"), "match.hand_size=3", "match.row_length=3", "match.winning_lead=4")
)
MIXED = (Rollouts(playouts=1), Greedy())


def one_kind(own: str, opp: str) -> Rules:
    """Rules by which each has two cards of one kind, and places both: nothing is left to choose."""
    overrides = (*decks(2 * own, 2 * opp), "match.hand_size=2", "match.row_length=2")
    return load_rules(overrides=overrides)


def played(contest: Matches, first: int, count: int, seed: int) -> Deals:
    found = contest.play(first, count, seed)
    assert found is not None
    return found


def test_where_nothing_can_be_chosen_the_seat_decides_or_nobody_wins() -> None:
    """One attack beats the other, so the same seat wins in both rotations; against its like it draws."""
    day = Setup(patron="the-nameless", cheers="slasher-veteran", no_discard=True)
    first, second = (
        played(Matches(one_kind(own, opp), day, MIXED), 0, 2, 1) for own, opp in (("B", "S"), ("S", "B"))
    )
    accusers, defenders = ([[[1.0, 0.0], [0.0, 1.0]]] * 2, [[[0.0, 1.0], [1.0, 0.0]]] * 2)
    assert [first.won, second.won] in ([accusers, defenders], [defenders, accusers])
    assert first.draws == second.draws == 0
    level = played(Matches(one_kind("B", "B"), day, MIXED), 0, 3, 1)
    assert level.won == [[[0.5, 0.5], [0.5, 0.5]]] * 3
    assert level.draws == 6
    assert level.tallies == {"day": {"drawn": (6, 3.0)}}


@pytest.mark.parametrize("setup", [Setup(), Setup(patron="the-nameless")])
def test_each_deal_has_chance_of_its_own_however_deals_are_parted(setup: Setup) -> None:
    contest = Matches(QUICK, setup, MIXED)
    whole = played(contest, 0, 4, 2)
    parts = [played(contest, first, 2, 2) for first in (0, 2)]
    assert whole.won == [deal for part in parts for deal in part.won]
    assert sum(whole.lengths.values()) == (0 if setup.patron else 8)
    assert played(contest, 0, 4, 3).won != whole.won


def test_two_rotations_of_a_deal_have_the_same_luck_for_each_seat() -> None:
    """Who plays itself wins in one rotation what it loses in the other."""
    contest = Matches(QUICK, Setup(), [Rollouts(playouts=1), Rollouts(playouts=1)])
    for first, second in played(contest, 0, 3, 4).won:
        assert first == second[::-1]


def test_a_stop_ends_the_match_between_two_plays() -> None:
    contest = Matches(QUICK, Setup(), MIXED)
    asked = count()
    assert contest.play(0, 3, 0, lambda: next(asked) == 5) is None
    assert next(asked) == 6
    never = contest.play(0, 3, 0, lambda: False)
    assert never is not None
    assert never.won == played(contest, 0, 3, 0).won


def test_the_day_of_a_setup_is_what_it_names_and_the_rest_by_chance() -> None:
    assert day_of(BOX, Setup(), 5) is None
    assert day_of(BOX, Setup(patron="Solennos", cheers="two-bashers"), 5) == ("solennos", "two-bashers")
    days = [day_of(BOX, Setup(cheers="two-bashers"), seed) for seed in range(60)]
    assert {day[1] for day in days if day} == {"two-bashers"}
    assert {day[0] for day in days if day} == {patron.id for patron in BOX.patrons}
    days = [day_of(BOX, Setup(patron="Solennos"), seed) for seed in range(120)]
    assert {day[0] for day in days if day} == {"solennos"}
    assert {day[1] for day in days if day} == {card.id for card in BOX.cheers}
    with pytest.raises(RequestError, match="is for a single day"):
        day_of(BOX, Setup(no_discard=True), 0)
    assert day_of(BOX, Setup(cheers="two-bashers", no_discard=True), 0) is not None


@pytest.mark.kernels
def test_deals_in_kernels_are_the_same_however_they_are_parted_and_counted_once() -> None:
    contest = Matches(BOX, Setup(), [Greedy(), Random()])
    whole = played(contest, 5, 40, 3)
    parts = [played(contest, first, 20, 3) for first in (5, 25)]
    assert whole.won == [deal for part in parts for deal in part.won]
    for deal in whole.won:
        assert all(sum(rotation) == 1.0 for rotation in deal)
    assert sum(whole.lengths.values()) == 80
    assert set(whole.lengths) <= {1, 2, 3}
    decided = whole.tallies["decided by"]
    assert sum(plays for plays, _ in decided.values()) == 80
    won = sum(deal[rotation][0] for deal in whole.won for rotation in (0, 1))
    assert sum(points for _, points in decided.values()) == won
    early = whole.lengths.get(1, 0) + whole.lengths.get(2, 0)
    assert decided["a winning lead"][0] == early
    assert contest.play(5, 40, 3, lambda: True) == whole
