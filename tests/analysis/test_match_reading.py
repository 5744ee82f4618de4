"""What a match is worth after a day, read from where play leads: positions, curves, when it is asked."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from analysis.ragers.answers.solving import Effort
from analysis.ragers.last_day import reading
from analysis.ragers.last_day.reading import (
    PositionReader,
    left_of,
    read_worth_after,
)
from analysis.ragers.last_day.solving import LastDayQuestion
from analysis.ragers.last_day.standings import parse_standing
from analysis.ragers.last_day.worth import Worth
from analysis.ragers.match import networks
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


def reader(text: str, iterations: int = 20) -> PositionReader:
    trained = networks.carried(BOX)
    assert trained is not None
    return PositionReader(asked(text), trained, iterations)


@pytest.mark.kernels
def test_curves_rise_with_the_lead(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, few in (("PLAYED", 60), ("READ_BY_NETWORK", 40), ("READ_BY_SEARCH", 2)):
        monkeypatch.setattr(reading, name, few)
    monkeypatch.setattr(reading, "SEARCH_ITERATIONS", 50)
    trained = networks.carried(BOX)
    assert trained is not None
    worth = read_worth_after(asked("day 2, score 3:2, left B2S2P2C1H1T1V1:B2S2P2C1H1T1V1"), trained)
    assert (np.diff(worth.values) >= 0.0).all()
    assert worth.values[0] < -0.6
    assert worth.values[-1] > 0.6
    assert len(worth.prices) == len(TYPES)


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
def test_where_no_card_is_left_after_the_day_the_lead_has_decided(monkeypatch: pytest.MonkeyPatch) -> None:
    """Both place their two cards, and the last day is over before anybody can place one."""
    for name, few in (("PLAYED", 20), ("READ_BY_NETWORK", 10), ("READ_BY_SEARCH", 2)):
        monkeypatch.setattr(reading, name, few)
    trained = networks.carried(BOX)
    assert trained is not None
    worth = read_worth_after(asked("day 2, score 3:2, left B1S1:B1S1"), trained)
    odds = 199.0**1.04
    sure = (odds - 1.0) / (odds + 1.0)
    # A level match is the Defenders', unless cheers cards were taken.
    assert worth.values[:9] == pytest.approx([-sure] * 9)
    assert worth.values[10:] == pytest.approx([sure] * 9)


def test_prices_are_what_a_card_moves_the_odds_by_beside_a_point_of_lead() -> None:
    random = np.random.default_rng(3)
    left = random.integers(0, 4, (30, 2, len(TYPES)))
    prices = np.array([1.5, 0.5, -0.25, 2.0, 0.0, 0.75, 1.0, -1.0])
    leads = np.arange(-3, 4)
    more = (left[:, 0] - left[:, 1]) @ prices
    read = np.tanh(0.02 + 0.05 * (leads[:, None] + more[None, :]))
    assert reading._prices(read, leads, left) == pytest.approx(prices)
