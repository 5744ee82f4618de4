"""Duels that are sampled, and tables of three to six: seeds, shares that add up, orders, when it is left."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from analysis.front.asking import function_of
from analysis.front.question import Running
from analysis.interrupt import Interrupt
from analysis.warage import tables
from analysis.warage.contest import Duels, hero_named
from analysis.warage.game import GAME, Decks
from analysis.warage.players import ByRules, Greedy, Random, Search
from analysis.warage.questions.match import KingReport
from analysis.warage.tables import TableQuestion, _kings, _orders, table_report
from engine.warage import recording
from engine.warage.reference import hero_of
from engine.warage.reference_state import Setup
from engine.warage.rules import Rules, load_rules
from solver.sampling import head_to_head

RULES = load_rules()


def sampled(
    monkeypatch: pytest.MonkeyPatch, payoffs: list[float], turns: list[int], looks_at: tuple[int, ...] = ()
) -> tuple[Duels, list[dict[str, Any]]]:
    """Duels of which every rotation pays and lasts so; `looks_at` says how many are done at each look."""
    calls: list[dict[str, Any]] = []

    def play(*_: Any, **named: Any) -> Any:
        noted = np.zeros((len(payoffs), 1, 2), np.int64)
        noted[:, 0, recording.TURN] = turns
        said = [named["progress"](done) for done in looks_at]
        calls.append(named | {"said": said})
        return SimpleNamespace(draws=1, payoffs=np.array(payoffs)[:, None], noted=noted)

    monkeypatch.setattr(head_to_head, "play_matches", play)
    return Duels(RULES, Decks(), [ByRules(), Random()]), calls


@pytest.mark.kernels
def test_sampled_duels_pay_from_0_to_1_and_are_counted_by_their_turns(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    most = RULES.match.max_turns
    duels, calls = sampled(monkeypatch, [1.0, 0.0, 0.0, -1.0], [9, most, 12, 9])
    found = duels.play(3, 4, 5)
    assert found is not None
    assert found.won == [[[point, 1.0 - point]] * 2 for point in (1.0, 0.5, 0.5, 0.0)]
    assert (found.draws, found.lengths) == (2, {9: 4, most: 2, 12: 2})
    assert found.tallies["ending"] == {
        "one beaten": (4, 2.0),
        "turn limit": (2, 1.0),
        "both beaten": (2, 1.0),
    }
    assert [call["seats"] for call in calls] == [(0,), (1,)]
    assert [call["num_deals"] for call in calls] == [4, 4]


def test_players_by_rules_alone_are_played_by_the_thousand() -> None:
    assert Duels(RULES, Decks(), [ByRules(), Greedy()]).deals_at_once == 2_000
    assert Duels(RULES, Decks(), [ByRules(), Search()]).deals_at_once == 1


def test_a_deck_may_be_played_by_another_race() -> None:
    orc, elf = RULES.deck("orc-warrior"), [race.id for race in RULES.races].index("elf")
    assert hero_named(RULES, "orc-warrior") == hero_of(RULES, orc)
    other = hero_named(RULES, "elf/orc-warrior")
    assert (other.race, other.deck) == (elf, hero_of(RULES, orc).deck)


def table(*more: str, **asked: Any) -> Any:
    given = {"deals": 8, "watched": 0, "seed": 2, "more": more or ("human-paladin",)} | asked
    return function_of(GAME.question("match"))(**given)


@pytest.mark.kernels
@pytest.mark.parametrize(("more", "guilds"), [((), 0), (("human-paladin", "angel-paladin"), 2)])
def test_shares_of_a_table_add_up_by_seats_and_by_decks(more: tuple[str, ...], guilds: int) -> None:
    found = table(*more, guilds=guilds)
    assert sum(side.won.mean for side in found.sides) == pytest.approx(1)
    assert sum(seat.mean for seat in found.seats) == pytest.approx(1)
    for place, seat in enumerate(found.seats):
        here = [side.by_seat[place] for side in found.sides]
        weighted = sum((each.mean or 0.0) * each.observations for each in here)
        assert weighted == pytest.approx(seat.mean * seat.observations)
    assert found.first_seat == found.seats[0]
    assert found.plays == found.deals * len(_orders(asked_table(len(found.sides), guilds)))
    if guilds:
        # They sit A1 B1 A2 B2: each is paid half of what its guild wins.
        first, second, third, fourth = (side.won.mean for side in found.sides)
        assert (first, second) == pytest.approx((third, fourth))


@pytest.mark.kernels
def test_a_table_that_is_left_has_played_every_order_as_often() -> None:
    class Soon(Interrupt):
        looks = 0

        def __call__(self) -> bool:
            self.looks += 1
            return self.looks > 2

    found = table(deals=10_000_000, running=Running(interrupt=Soon()))
    assert not found.complete
    assert 0 < found.plays == 6 * found.deals < 10_000
    whole = table(deals=found.deals)
    assert whole.complete
    assert whole.plays == found.plays


def asked_table(decks: int, guilds: int = 0, deals: int = 10, lost: int = 0) -> TableQuestion:
    names = ["orc-warrior", "elf-mage", "human-paladin", "angel-paladin", "orc-warrior", "elf-mage"][:decks]
    return TableQuestion(RULES, tuple(map(RULES.deck, names)), guilds, (ByRules(),) * decks, deals, lost, 3)


def test_guilds_keep_their_members_and_each_begins_once() -> None:
    assert _orders(asked_table(4, 2)) == [(0, 1, 2, 3), (1, 0, 3, 2)]
    assert _orders(asked_table(6, 3)) == [(0, 1, 2, 3, 4, 5), (1, 2, 0, 4, 5, 3), (2, 0, 1, 5, 3, 4)]


@pytest.mark.parametrize(("decks", "orders"), [(3, 6), (4, 24), (5, 24)])
def test_a_brawl_is_sat_down_to_in_different_orders(decks: int, orders: int) -> None:
    found = _orders(asked_table(decks))
    assert len(set(found)) == len(found) == orders
    assert all(sorted(order) == list(range(decks)) for order in found)


def test_every_order_of_sitting_plays_matches_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    """A table at which the elf always wins: which matches are played, by order of sitting."""
    calls: list[Any] = []
    elf = [race.id for race in RULES.races].index("elf")

    def compiled(rules: Rules, setup: Setup) -> Setup:
        return setup

    def play(setup: Setup, styles: Any, number: int, seed: int, first: int) -> Any:
        calls.append((setup.heroes, number, first))
        winner = [hero.race for hero in setup.heroes].index(elf)
        return SimpleNamespace(
            turns=np.full(number, 7), shared=0, points=lambda seat: np.full(number, float(seat == winner))
        )

    monkeypatch.setattr(tables, "kernel_rules", compiled)
    monkeypatch.setattr(tables, "matches", play)
    found = table_report(asked_table(3, deals=250), Running())
    assert (found.plays, found.complete) == (1500, True)
    assert found.length is not None
    assert found.length.mean == 7.0
    assert [side.won.mean for side in found.sides] == [0.0, 1.0, 0.0]
    assert [seat.mean for seat in found.seats] == pytest.approx([1 / 3] * 3)
    spans = sorted((first, first + number) for _, number, first in calls)
    assert [begin for begin, _ in spans] == [0, *(end for _, end in spans[:-1])]
    assert len({heroes for heroes, *_ in calls}) == 6


def watched(
    monkeypatch: pytest.MonkeyPatch, own: int, shares: dict[int, tuple[list[float], list[float]]]
) -> tuple[KingReport, list[int]]:
    """Two matches in which seat 0 attacks once: how many of 100 it wins, and the shares of all by the target.

    Shares are those of the one half of the playouts, and of the other.
    """
    seeds: list[int] = []

    class Watched:
        rules = None
        words = np.zeros(4000, np.int64)

        def __init__(self, compiled: Any, styles: Any, seed: int) -> None:
            seeds.append(seed)
            # An attack on a hero, another one, and one on a card in play.
            self.left = [np.array([0, 0, 1, -1]), np.array([0, 0, 2, -1]), np.array([0, 0, 1, 4])]

        def to_attack(self) -> list[NDArray[np.int64]]:
            return self.left

        def attack(self, move: NDArray[np.int64]) -> None:
            assert move[3] < 0
            self.left = []

    def play(compiled: Any, styles: Any, number: int, seed: int, board: Any, move: Any = None) -> Any:
        if move is None:
            assert seed in (0, 1)
            return SimpleNamespace(points=lambda seat: (np.arange(number) < own).astype(float))
        one, other = shares[int(move[2])]
        return SimpleNamespace(points=lambda seat: np.where(np.arange(number) % 2, other[seat], one[seat]))

    monkeypatch.setattr(tables, "kernel_rules", lambda *_: None)
    monkeypatch.setattr(tables, "Board", Watched)
    monkeypatch.setattr(tables, "matches", play)
    return _kings(asked_table(3, lost=2), Running()), seeds


def test_a_lost_player_moves_the_share_that_depends_most_on_his_target(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # His own share depends on it more, and does not count; nor does a large share that stays the same.
    shares = {1: ([0.9, 0.8, 0.6], [0.9, 0.0, 0.5]), 2: ([0.0, 0.9, 0.35], [0.0, 0.9, 0.4])}
    found, seeds = watched(monkeypatch, 1, shares)
    assert (found.matches, found.attacks, found.lost) == (2, 2, 2)
    # One half says whose share it is, the other half how far it moves.
    assert found.moved.mean == pytest.approx(0.1)
    assert seeds == [3, 4]
    found, _ = watched(monkeypatch, 0, {1: ([0.0, 0.7, 0.3],) * 2, 2: ([0.0, 0.3, 0.3],) * 2})
    assert found.moved.mean == pytest.approx(0.4)


def test_who_still_has_a_chance_is_no_king(monkeypatch: pytest.MonkeyPatch) -> None:
    found, _ = watched(monkeypatch, 2, {})
    assert (found.matches, found.attacks, found.lost, found.moved.mean) == (2, 2, 0, None)
