"""What a match is worth after a day, read from where play leads: positions, curves, when it is asked."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import numpy as np
import pytest

from analysis.progress import Silent
from analysis.ragers.answers.solving import Effort
from analysis.ragers.last_day import reading
from analysis.ragers.last_day.reading import (
    PositionReader,
    ReadWorth,
    chance_of,
    left_of,
    log_odds,
    read_worth_after,
)
from analysis.ragers.last_day.solving import LastDayQuestion, with_read_worth
from analysis.ragers.last_day.standings import parse_standing
from analysis.ragers.last_day.worth import Worth, costs_of
from analysis.ragers.match import networks
from analysis.ragers.match.figures import with_lead
from analysis.ragers.match.prices import card_counts
from engine.ragers import layout
from engine.ragers.codec import decode
from engine.ragers.rules import TYPES, load_rules
from engine.ragers.sampling_layout import BURIED, CHOICE, FIRST, HIDDEN

BOX = load_rules()
CURVE = Worth(3, 0.3, (0.0,) * len(TYPES), "nobody")


def asked(text: str) -> LastDayQuestion:
    effort = Effort(iterations=1, threads=1)
    standing = parse_standing(text, BOX)
    return LastDayQuestion(BOX, "solennos", ("two-slashers",), standing, 0, None, effort, worth=CURVE)


def test_prices_become_costs_of_half_points_and_never_less_than_nothing() -> None:
    assert costs_of((0.2, 0.3, 1.24, 1.26, -0.9)) == (0, 1, 2, 3, 0)


def reader(text: str, iterations: int = 20) -> PositionReader:
    trained = networks.carried(BOX)
    assert trained is not None
    return PositionReader(asked(text), trained, iterations)


@pytest.mark.kernels
def test_positions_begin_the_day_asked_about() -> None:
    trained = networks.carried(BOX)
    assert trained is not None
    question = asked("day 2, score 3:7, cheers 1:0, left B2S2P2C1H1T1V2:B2S2P3C1D1T1V1, hidden 1:0")
    states = PositionReader(question, trained).day_states(5, Random(1))
    assert (left_of(states) == np.array(question.standing.left)).all()
    for words in states:
        state = decode(words[: layout.NUM_WORDS])
        assert state.patron is not None
        assert (state.day, BOX.patrons[state.patron].id) == (1, "solennos")
        assert [side.score for side in state.sides] == [3, 7]
        assert [side.cheers_taken for side in state.sides] == [1, 0]
        assert [sum(side.hand) + sum(side.deck) for side in state.sides] == [10, 11]
        assert len(state.patrons_left) == len(BOX.patrons) - 1
    for lead in (-4, 0, 9):
        sides = decode(with_lead(states, lead)[0][: layout.NUM_WORDS]).sides
        assert sides[0].score - sides[1].score == lead


@pytest.mark.kernels
def test_curves_rise_with_the_lead(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, few in (("PLAYED", 60), ("READ_BY_NETWORK", 40), ("READ_BY_SEARCH", 2)):
        monkeypatch.setattr(reading, name, few)
    monkeypatch.setattr(reading, "SEARCH_ITERATIONS", 50)
    trained = networks.carried(BOX)
    assert trained is not None
    worth = read_worth_after(asked("day 2, score 3:2, left B2S2P2C1H1T1V1:B2S2P2C1H1T1V1"), trained, "; x")
    assert (np.diff(worth.values) >= 0.0).all()
    assert worth.values[0] < -0.6
    assert worth.values[-1] > 0.6
    assert len(worth.prices) == len(TYPES)
    assert worth.words.endswith("; x")


def test_the_last_day_and_rules_without_learned_values_are_left_as_they_are() -> None:
    last = replace(asked("day 3, score 3:2, left B2S2P2:B2S2P2"), worth=None)
    assert with_read_worth(last, Silent()) is last
    rules = load_rules(overrides=("match.winning_lead=7",))
    other = replace(asked("day 2, score 3:2, left B2S2P2:B2S2P2"), rules=rules)
    assert with_read_worth(other, Silent()) is other


@pytest.mark.kernels
def test_cards_are_dealt_to_hand_deck_and_hidden_pile_by_chance() -> None:
    """On the last day nothing comes afterwards: no patron and no cheers card are left."""
    left = reader("day 3, score 3:7, cheers 1:0, left B2S2P2C1H1:B1S1, hidden 2:0")
    states = left.day_states(40, Random(1))
    hands = [{tuple(row) for row in card_counts(states[:, layout.HAND + side]).tolist()} for side in (0, 1)]
    assert len(hands[0]) > 10
    assert hands[1] == {(1, 1, 0, 0, 0, 0, 0, 0)}
    for word, sizes in ((layout.HAND, (5, 2)), (layout.DECK, (1, 0)), (HIDDEN, (2, 0))):
        for side, size in enumerate(sizes):
            assert set(card_counts(states[:, word + side]).sum(axis=1).tolist()) == {size}
    whole = decode(states[0][: layout.NUM_WORDS])
    assert (whole.patrons_left, whole.cheers_left) == ((), ())
    assert whole.day == 2
    # Who chooses first is the Accusers, and everything hidden lies under a patron that forbids nothing.
    assert not (states[:, CHOICE] >> FIRST.offset & 1).any()
    assert (states[:, BURIED + 1] == 0).all()
    early = decode(reader("day 2, score 3:7, left B2S2:B1S1").day_states(1, Random(1))[0][: layout.NUM_WORDS])
    table = BOX.cheers.index(BOX.cheers_card("two-slashers"))
    assert sorted(early.cheers_left) == [each for each in range(len(BOX.cheers)) if each != table]
    solennos = BOX.patrons.index(BOX.patron("solennos"))
    assert sorted(early.patrons_left) == [each for each in range(len(BOX.patrons)) if each != solennos]
    assert [side.cheers_taken for side in early.sides] == [0, 0]


@pytest.mark.kernels
def test_a_day_that_is_over_goes_on_with_any_next_patron_and_full_hands() -> None:
    from analysis.ragers.match.players import player_of
    from analysis.ragers.match.self_play import record
    from analysis.ragers.setup import Random as AnyCard

    asking = reader("day 2, score 0:0, left B2S2P2C1H1T1:B2S2P2C1H1T1")
    roots = asking.day_states(30, Random(3))
    marks = record(
        asking.game, player_of(AnyCard(), asking.game), 3, num_matches=30, seed=1, roots=roots
    ).marks
    ends = marks[marks[:, 1].any(axis=1), 1]
    assert len(ends) > 15
    shown = asking.revealed(ends, Random(2))
    patrons = set()
    for before, after in zip(ends, shown, strict=True):
        past, now = (decode(words[: layout.NUM_WORDS]) for words in (before, after))
        assert past.patron is None
        assert now.patron in past.patrons_left
        assert now.patron not in now.patrons_left
        assert len(now.cheers_left) == len(past.cheers_left) - 1
        for old, new in zip(past.sides, now.sides, strict=True):
            assert np.array_equal(np.add(old.hand, old.deck), np.add(new.hand, new.deck))
            assert sum(new.hand) == min(5, sum(old.hand) + sum(old.deck))
        patrons.add(now.patron)
    assert len(patrons) > 2
    assert np.array_equal(left_of(shown), left_of(ends))


@pytest.mark.kernels
def test_searches_say_what_the_network_says_where_nothing_can_be_chosen() -> None:
    """With one card each nothing is tried; with more, searches of both have their say."""
    forced = reader("day 3, score 3:3, left B1:S1")
    states = forced.day_states(2, Random(1))
    assert forced.by_search(states, 5) == pytest.approx(forced.by_network(states))
    free = reader("day 3, score 3:3, left B2S2P1:B2S1P1T1")
    positions = with_lead(free.day_states(3, Random(1)), 0)
    found = free.by_search(positions, 5)
    assert found != pytest.approx(free.by_network(positions))
    assert (np.abs(found) <= 1.0).all()
    # Seeds count up, so that a position asked by itself is searched as it was among others.
    assert free.by_search(positions[1:2], 6) == pytest.approx(found[1:2])
    # Who is far ahead has as good as won, in the searches of both players.
    for lead, sign in ((9, 1.0), (-9, -1.0)):
        assert (sign * free.by_search(with_lead(positions, lead), 5) > 0.5).all()
        assert (sign * free.by_network(with_lead(positions, lead)) > 0.5).all()


@pytest.mark.kernels
def test_where_no_card_is_left_after_the_day_the_lead_has_decided(monkeypatch: pytest.MonkeyPatch) -> None:
    """Both place their two cards, and the last day is over before anybody can place one."""
    for name, few in (("PLAYED", 20), ("READ_BY_NETWORK", 10), ("READ_BY_SEARCH", 2)):
        monkeypatch.setattr(reading, name, few)
    trained = networks.carried(BOX)
    assert trained is not None
    worth = read_worth_after(asked("day 2, score 3:2, left B1S1:B1S1"), trained, "")
    odds = 199.0**1.04
    sure = (odds - 1.0) / (odds + 1.0)
    # A level match is the Defenders', unless cheers cards were taken.
    assert worth.values[:9] == pytest.approx([-sure] * 9)
    assert worth.values[10:] == pytest.approx([sure] * 9)


def test_odds_are_stretched_alike_on_both_sides() -> None:
    """A chance of 3 in 4 has odds of 3: stretched they are 3 to the power of `STRETCH`."""
    assert log_odds(np.array([0.5, 0.75, 0.25])) == pytest.approx([0.0, np.log(3.0), -np.log(3.0)])
    assert log_odds(np.array([0.0, 1.0])) == pytest.approx([-np.log(199.0), np.log(199.0)])
    assert chance_of(np.array([0.0, np.log(3.0)])) == pytest.approx([0.5, 0.75])
    stretched = reading._stretched(np.array([0.0, 0.5, -0.5, 1.0, -1.0]))
    odds = 3.0**1.04
    assert stretched[1] == pytest.approx((odds - 1.0) / (odds + 1.0))
    assert stretched[3] == pytest.approx((199.0**1.04 - 1.0) / (199.0**1.04 + 1.0))
    assert stretched[[0, 2, 4]] == pytest.approx([0.0, -stretched[1], -stretched[3]])


def test_prices_are_what_a_card_moves_the_odds_by_beside_a_point_of_lead() -> None:
    random = np.random.default_rng(3)
    left = random.integers(0, 4, (30, 2, len(TYPES)))
    prices = np.array([1.5, 0.5, -0.25, 2.0, 0.0, 0.75, 1.0, -1.0])
    leads = np.arange(-3, 4)
    more = (left[:, 0] - left[:, 1]) @ prices
    read = np.tanh(0.02 + 0.05 * (leads[:, None] + more[None, :]))
    assert reading._prices(read, leads, left) == pytest.approx(prices)


def test_what_is_read_lies_between_the_leads_asked_about() -> None:
    worth = ReadWorth((-2.0, 0.0, 2.0), (-0.5, 0.1, 0.9), (0.2, 0.3, -1.0), 0.75, "read")
    asked_at = np.array([-9.0, -1.0, 0.0, 1.5, 7.0])
    assert worth.value(asked_at) == pytest.approx([-0.5, -0.2, 0.1, 0.7, 0.9])
    assert worth.costs == (0, 1, 0)
    assert worth.lead_of_cards(((1,), (2,))) == 0.75


@pytest.mark.kernels
def test_the_curve_is_that_of_many_ends_moved_by_searches_of_a_few(monkeypatch: pytest.MonkeyPatch) -> None:
    """Readings are made up, so that the whole answer can be told: a Basher more is worth half a GP.

    Searches find odds a little better for the Accusers than the network does, at all leads alike.
    """
    for name, few in (("PLAYED", 80), ("READ_BY_NETWORK", 50), ("READ_BY_SEARCH", 4)):
        monkeypatch.setattr(reading, name, few)
    monkeypatch.setattr(reading, "STRETCH", 1.0)
    searched: list[tuple[int, int]] = []

    def by_network(self: PositionReader, states: reading.Ints) -> reading.Reals:
        left = left_of(states)
        lead = [decode(words[: layout.NUM_WORDS]).sides for words in states]
        ahead = np.array([first.score - second.score for first, second in lead])
        found: reading.Reals = np.tanh(0.1 * (ahead + 0.5 * (left[:, 0, 0] - left[:, 1, 0])))
        return found

    def by_search(self: PositionReader, states: reading.Ints, seed: int) -> reading.Reals:
        first, second = decode(states[0][: layout.NUM_WORDS]).sides
        searched.append((len(states), first.score - second.score))
        return by_network(self, states) + 0.03

    monkeypatch.setattr(PositionReader, "by_network", by_network)
    monkeypatch.setattr(PositionReader, "by_search", by_search)
    trained = networks.carried(BOX)
    assert trained is not None
    text = "day 2, score 3:2, cheers 1:0, left B4S2P2C1H1D1T1V2:B3S2P2C1H1D1T1V2, hidden 1:0"
    worth = read_worth_after(asked(text), trained, "; x")
    assert searched == [(4, lead) for lead in (-8, -4, 0, 4, 8)]
    assert worth.leads == tuple(range(-9, 10))
    # Both place equally many cards, so that only differences between prices can be told.
    assert np.subtract(worth.prices[:5], worth.prices[1]) == pytest.approx([0.5, 0, 0, 0, 0], abs=1e-6)
    assert worth.costs == (1, *(0,) * (len(TYPES) - 1))
    # Bashers placed by the Accusers less those placed by the Defenders, at half a GP each.
    assert -1.5 <= worth.kept <= 2.0
    assert 100.0 * worth.kept == pytest.approx(round(100.0 * worth.kept))
    # One Basher more at first, fewer by those that were placed: the middle of the curve tells how many.
    bashers = 1.0 - 2.0 * worth.kept
    assert worth.values[9] == pytest.approx(np.tanh(0.05 * bashers) + 0.03, abs=0.01)
    assert worth.values[13] == pytest.approx(np.tanh(0.4 + 0.05 * bashers) + 0.03, abs=0.01)
    assert worth.words == (
        f"50 ends of the day in self-play of learned values ({trained.words}), read by the network"
        " and 4 of them by searches of 10,000 iterations; x"
    )


@pytest.mark.kernels
def test_a_small_reading_is_as_it_was_before(monkeypatch: pytest.MonkeyPatch) -> None:
    few = {"PLAYED": 40, "READ_BY_NETWORK": 8, "READ_BY_SEARCH": 2, "SEARCH_ITERATIONS": 30}
    for name, number in few.items():
        monkeypatch.setattr(reading, name, number)
    trained = networks.carried(BOX)
    assert trained is not None
    text = "day 2, score 3:2, cheers 1:0, left B2S2P2C1H1D1T1V1:B2S2P2C1H1D1T1V1, hidden 1:0"
    worth = read_worth_after(asked(text), trained, "")
    middle = (-0.47080, -0.34349, -0.20268, -0.11015, -0.01814, 0.09033, 0.20013, 0.28060, 0.36280)
    assert worth.values[4:13] == pytest.approx(middle, abs=1e-4)
    assert (worth.values[0], worth.values[-1]) == pytest.approx((-0.90797, 0.91662), abs=1e-4)
    prices = (0.34684, 1.09012, 0.01250, -0.86572, 0.89378, -1.64798, 0.17046, 0.0)
    assert worth.prices == pytest.approx(prices, abs=1e-4)
    assert worth.kept == pytest.approx(0.0625)
