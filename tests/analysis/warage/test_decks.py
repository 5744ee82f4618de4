"""Decks and tables of heroes: what is counted, what swaps keep, shares that add up."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from dataclasses import field as attribute
from itertools import pairwise
from types import SimpleNamespace
from typing import Any

import msgspec
import numpy as np
import pytest
from numpy.typing import NDArray

from analysis.estimates import estimate
from analysis.front.asking import function_of
from analysis.front.question import Running
from analysis.interrupt import Interrupt
from analysis.warage import tables
from analysis.warage.deck_building import (
    Field,
    _after,
    _swaps,
    blanked,
    swapped,
    tune_report,
    value_report,
    with_blank,
)
from analysis.warage.deck_contents import deck_report, most_hp, problem
from analysis.warage.game import GAME
from analysis.warage.players import ByRules, Greedy
from analysis.warage.questions.brawl import BrawlAnswer, KingReport
from analysis.warage.tables import TableQuestion, _kings, _orders, table_report
from engine.warage.reference import hero_of
from engine.warage.reference_state import HeroSetup, Setup
from engine.warage.rules import DeckRule, Rules, load_rules

BOX = load_rules()
DECK = BOX.deck("orc-warrior")


def field(duels: int = 40, seed: int = 3, against: tuple[str, ...] = ("elf-mage",)) -> Field:
    return Field(BOX, tuple(map(BOX.deck, against)), ByRules(), duels, seed)


@pytest.mark.parametrize("name", [deck.id for deck in BOX.decks])
def test_a_decks_figures_are_those_of_its_cards(name: str) -> None:
    deck = BOX.deck(name)
    found = deck_report(BOX, deck)
    counted = {row.card: row.copies for row in found.cards}
    assert counted == dict(deck.cards)
    assert found.size == sum(counted.values()) == sum(found.kinds.values())
    cards = [BOX.card(card) for card, copies in deck.cards for _ in range(copies)]
    assert found.cost == sum(card.cost for card in cards)
    assert found.mean_cost == pytest.approx(found.cost / found.size)
    assert found.needs == [sum(card.red for card in cards), sum(card.blue for card in cards)]
    assert found.kinds == {kind: sum(card.kind == kind for card in cards) for kind in found.kinds}
    assert found.useless == 0


def test_cards_that_a_hero_has_no_slots_for_are_counted_by_copies() -> None:
    few = load_rules(overrides=["classes.mage.slots.blue=2"])
    found = deck_report(few, few.deck("elf-mage"))
    unusable = {row.card: row.copies for row in found.cards if row.problem}
    assert set(unusable) == {row.card for row in found.cards if row.blue > 2 or row.red > 6}
    assert found.useless == sum(unusable.values()) > 0


def test_hp_are_bounded_by_every_gain_there_is() -> None:
    none = [f"cards.{card.id}.sell=0" for card in BOX.cards if card.sell]
    bare = load_rules(overrides=[*none, "match.life_places=0"])
    deck = bare.deck("orc-warrior")
    gains = sum(
        copies * effect.amount
        for name, copies in deck.cards
        for effect in bare.card(name).effects
        if effect.action == "gain" and effect.trigger == "play"
    )
    bound = most_hp(bare, deck)
    assert bound is not None
    assert bound >= bare.race("orc").hp + gains
    drained = load_rules(
        overrides=['cards.second-wind.effects=[{trigger="play",action="drain",amount=9}]', *none]
    )
    healed = load_rules(
        overrides=['cards.second-wind.effects=[{trigger="play",action="gain",amount=9}]', *none]
    )
    assert most_hp(drained, DECK) == most_hp(healed, DECK)
    more = most_hp(load_rules(overrides=["races.orc.hp=107"]), DECK)
    usual = most_hp(BOX, DECK)
    assert more is not None
    assert usual is not None
    assert more - usual == 107 - BOX.race("orc").hp
    assert most_hp(load_rules(overrides=["match.optional_draw=true"]), DECK) is None


def test_swaps_leave_legal_decks() -> None:
    legal = list(_swaps(BOX, DECK))
    assert len(set(legal)) == len(legal) > 100
    for out, into in legal:
        after = dict(_after(DECK, out, into).cards)
        card = BOX.card(into)
        assert sum(after.values()) == DECK.size
        assert after[into] == dict(DECK.cards).get(into, 0) + 1 <= (1 if card.kind == "amulet" else 3)
        assert after.get(out, 0) == dict(DECK.cards)[out] - 1
        assert card.blue == 0, "a warrior has no slots for spells"


@pytest.mark.kernels
def test_a_card_is_worth_what_its_blank_costs_on_the_same_duels() -> None:
    measured = field()
    base = measured.points(hero_of(BOX, DECK))
    assert len(base) == 40
    assert set(np.unique(base)) <= {0.0, 0.5, 1.0}
    found = value_report(measured, DECK, Running(), ["war-axe", "parry"])
    assert (found.duels, found.complete) == (40, True)
    assert found.win == estimate(base, (0.0, 1.0))
    assert [row.card for row in found.cards] == sorted(
        ("war-axe", "parry"), key=lambda card: -(measured.worth(DECK, card, base).mean or 0.0)
    )
    both = value_report(field(against=("elf-mage", "human-paladin")), DECK, Running(), ["parry"])
    assert both.against == ["elf-mage", "human-paladin"]
    assert both.duels == 40


@pytest.mark.kernels
def test_a_strong_card_is_swapped_in_and_a_stopped_search_says_so() -> None:
    effects = '[{ trigger = "ready", action = "modify", stat = "A", amount = 60 }]'
    strong = load_rules(
        overrides=[f"cards.familiar.effects={effects}", "cards.familiar.cost=1", "cards.familiar.sell=0"]
    )
    measured = Field(strong, (strong.deck("elf-mage"),), ByRules(), 160, 0)
    deck = strong.deck("orc-warrior")
    assert "familiar" not in dict(deck.cards)
    found = tune_report(measured, deck, 1, Running())
    assert [row.into for row in found.swaps] == ["familiar"]
    assert found.swaps[0].gain.low is not None
    assert found.swaps[0].gain.low > 0
    assert found.after > found.before
    assert found.gain.mean == pytest.approx(found.after - found.before)
    assert (found.finished, found.complete) == (False, True)
    assert sum(int(text.rpartition(" ")[2]) if text[-1].isdigit() else 1 for text in found.cards) == deck.size
    stopped = Interrupt()
    stopped.requested = True
    early = tune_report(measured, deck, 1, Running(interrupt=stopped))
    assert (early.complete, early.swaps, early.before) == (False, [], early.after)


def table(**asked: Any) -> Any:
    return function_of(GAME.question("brawl"))(**{"plays": 48, "watched": 0, "seed": 2} | asked)


@pytest.mark.kernels
def test_shares_of_a_table_add_up_by_seats_and_by_decks() -> None:
    found = table(decks=["orc-warrior", "elf-mage", "human-paladin"])
    for rows in (found.seats, found.decks):
        assert sum(row.share.mean for row in rows) == pytest.approx(1)
        assert all(row.share.low <= row.share.mean <= row.share.high for row in rows)
    assert found.matches == 48
    assert found.kings is None
    assert [row.name for row in found.decks] == ["orc-warrior", "elf-mage", "human-paladin"]


@pytest.mark.kernels
def test_a_table_that_is_left_has_played_every_order_as_often() -> None:
    class Soon(Interrupt):
        looks = 0

        def __call__(self) -> bool:
            self.looks += 1
            return self.looks > 2

    decks = ["orc-warrior", "elf-mage", "human-paladin"]
    found = table(decks=decks, plays=10_000_000, running=Running(interrupt=Soon()))
    assert not found.complete
    assert 0 < found.matches < 10_000
    assert found.matches % 6 == 0
    assert found.turns > 1
    whole = table(decks=decks, plays=found.matches)
    assert whole.complete
    assert whole.matches == found.matches


@pytest.mark.kernels
def test_a_guild_shares_what_it_wins() -> None:
    found = table(decks=["orc-warrior", "elf-mage", "human-paladin", "angel-paladin"], guilds=2)
    shares: Mapping[str, float] = {row.name: row.share.mean for row in found.decks}
    # They sit A1 B1 A2 B2: each is paid half of what its guild wins.
    assert shares["orc-warrior"] == pytest.approx(shares["human-paladin"])
    assert shares["elf-mage"] == pytest.approx(shares["angel-paladin"])
    assert sum(shares.values()) == pytest.approx(1)


@pytest.mark.kernels
def test_players_without_chances_are_watched() -> None:
    found = table(decks=["orc-warrior", "elf-mage", "human-paladin"], plays=6, watched=1)
    assert found.kings.matches == 1
    assert found.kings.attacks >= found.kings.lost >= 0
    assert (found.kings.moved.mean is None) == (found.kings.lost == 0)
    greedy = table(decks=["orc-warrior", "elf-mage", "human-paladin"], player=Greedy())
    assert greedy.player == "greedy"
    assert [row.share for row in greedy.seats] != [row.share for row in table().seats]


def deck_of(cards: dict[str, int], rules: Rules = BOX) -> DeckRule:
    """The orc's deck with other cards."""
    return msgspec.structs.replace(rules.deck("orc-warrior"), cards=tuple(cards.items()))


FEW = (
    *("match.draws=2", "match.hand_size=5", "match.redraw_hand_size=4", "match.life_places=2"),
    *("seasons.harvest.copies=0", "races.orc.effects=[]"),
)


@pytest.mark.parametrize(
    ("cards", "more", "gained"),
    [
        # The dearest two of the deck go into the life pile, and everything that sells is sold.
        ({"war-axe": 1, "plate-armour": 2, "great-sword": 1, "parry": 8}, (), 8 + 7 + 2 + 3 + 3 + 3),
        # Gains of cards that are played come once for each copy.
        ({"second-wind": 3, "parry": 9}, (), 2 + 2 + 3 * 8),
        # Those of openings come once in every round of anybody: (12 - 4) // 2 + 1 of each.
        ({"oak-heart": 1, "parry": 11}, (), 6 + 2 + 3 + 2 * 2 * 5),
        ({"monk": 2, "parry": 10}, (), 5 + 5 + 2 + 2 + 2 * 2 * 2 * 5),
        # A use that is limited comes once in every own round.
        ({"mending": 2, "parry": 10}, (), 5 + 5 + 2 + 2 + 2 * 3 * 5),
        ({"parry": 13}, (), 2 + 2),
        # What is lost adds nothing; a race and the seasons in the deck do.
        ({"parry": 12}, ('races.orc.effects=[{trigger="use",action="gain",amount=4}]',), 2 + 2 + 4 * 5),
        ({"parry": 12}, ("seasons.harvest.copies=1",), 2 + 2 + 2 * 2 * 5),
        ({"monk": 1, "parry": 11}, ("match.redraw_hand_size=2",), 5 + 2 + 2 + 2 * 2 * 6),
        ({"monk": 1, "parry": 11}, ("match.hand_size=4",), 5 + 2 + 2 + 2 * 2 * 5),
        ({"monk": 1, "parry": 11}, ("match.draws=3",), 5 + 2 + 2 + 2 * 2 * 3),
        ({"oak-heart": 1}, ('cards.oak-heart.effects=[{trigger="hit",action="gain",amount=1}]',), None),
        ({"oak-heart": 1}, ('cards.oak-heart.effects=[{trigger="hit",action="draw",amount=1}]',), 6 + 3),
    ],
)
def test_hp_are_bounded_by_gains_that_are_counted_by_hand(
    cards: dict[str, int], more: tuple[str, ...], gained: int | None
) -> None:
    rules = load_rules(overrides=[*FEW, *more])
    bound = most_hp(rules, deck_of(cards, rules))
    assert bound == (None if gained is None else rules.race("orc").hp + gained)


def test_a_card_needs_no_more_slots_than_there_are() -> None:
    assert problem(BOX.card("great-sword"), 2, 0) == ""
    assert problem(BOX.card("great-sword"), 1, 5) == "needs 2 red slots of 1"
    assert problem(BOX.card("fireball"), 0, 2) == ""
    assert problem(BOX.card("fireball"), 9, 1) == "needs 2 blue slots of 1"


def test_a_blank_takes_the_place_of_one_copy_and_nothing_else_moves() -> None:
    rules = with_blank(BOX, "war-axe")
    place = BOX.card_numbers["war-axe"]
    ids = [card.id for card in rules.cards]
    assert ids[place : place + 2] == ["war-axe", "a-blank"]
    assert [id_ for id_ in ids if id_ != "a-blank"] == [card.id for card in BOX.cards]
    blank = rules.card("a-blank")
    assert (blank.cost, blank.sell, blank.red, blank.blue, blank.effects) == (0, 0, 0, 0, ())
    hero = hero_of(rules, DECK)
    changed = np.subtract(blanked(rules, hero, "war-axe").deck, hero.deck)
    assert {ids[card]: int(number) for card, number in enumerate(changed) if number} == {
        "war-axe": -1,
        "a-blank": 1,
    }
    moved = np.subtract(swapped(BOX, hero_of(BOX, DECK), "parry", "hound").deck, hero_of(BOX, DECK).deck)
    assert {BOX.cards[card].id: int(number) for card, number in enumerate(moved) if number} == {
        "parry": -1,
        "hound": 1,
    }


@pytest.mark.kernels
@pytest.mark.parametrize(("duels", "against", "points"), [(41, 2, 40), (8, 2, 8), (7, 2, 4), (1, 3, 6)])
def test_duels_are_spread_evenly_over_opponents_and_seats(duels: int, against: int, points: int) -> None:
    others = ("elf-mage", "human-paladin", "angel-paladin")[:against]
    measured = field(duels, against=others)
    hero = hero_of(BOX, DECK)
    found = measured.points(hero)
    assert len(found) == points
    each = points // (2 * against)
    alone = [field(2 * each, against=(other,)).points(hero).tolist() for other in others]
    assert found.tolist() == [point for one in alone for point in one]
    # Duels are numbered: later ones are the same whether earlier ones are played or not.
    more = field(8, against=("elf-mage",)).points(hero, first=2).reshape(2, 4)
    assert field(12, against=("elf-mage",)).points(hero).reshape(2, 6)[:, 2:].tolist() == more.tolist()
    mirror = Field(BOX, (DECK,), ByRules(), 40, 5).points(hero).reshape(2, 20)
    assert (mirror[0] + mirror[1]).tolist() == [1.0] * 20


@dataclass(frozen=True)
class Valued(Field):
    """A field in which cards have values: a duel is worth those of the hero's cards, and a little chance."""

    values: dict[str, float] = attribute(default_factory=dict)
    asked: list[tuple[int, int]] = attribute(default_factory=list)
    noise: float = 0.0

    def points(
        self, hero: HeroSetup, duels: int | None = None, first: int = 0, rules: Rules | None = None
    ) -> NDArray[np.float64]:
        known, count = rules or self.rules, duels or self.duels
        self.asked.append((first, count))
        worth = sum(
            copies * self.values.get(card.id, 0.0)
            for card, copies in zip(known.cards, hero.deck, strict=True)
        )
        chance = np.sin(np.arange(first, first + count) + np.dot(hero.deck, np.arange(len(hero.deck))) % 7)
        found: NDArray[np.float64] = np.full(count, worth) + self.noise * chance
        return found


def valued(values: dict[str, float], duels: int = 80, noise: float = 0.0) -> Valued:
    return Valued(BOX, (BOX.deck("elf-mage"),), ByRules(), duels, 0, values, [], noise)


def test_the_best_pair_is_swapped_until_none_is_better() -> None:
    # Helpers need no slots; an amulet may be in a deck once, other cards three times.
    measured = valued({"insight": -0.3, "monk": -0.1, "hound": 0.2, "familiar": 0.1, "war-axe": 0.01})
    found = tune_report(measured, DECK, 20, Running())
    pairs = [(row.out, row.into) for row in found.swaps]
    assert pairs[:3] == [("insight", "hound"), ("insight", "hound"), ("monk", "hound")]
    assert [into for _, into in pairs[3:]] == ["familiar"] * 3
    assert [row.gain.mean for row in found.swaps[:3]] == pytest.approx([0.5, 0.5, 0.3])
    assert (found.finished, found.complete) == (True, True)
    assert found.gain.mean == pytest.approx(found.after - found.before)
    assert found.gain.mean == pytest.approx(0.5 + 0.5 + 0.3 + 3 * 0.1)
    after = {text.rpartition(" ")[0] if text[-1].isdigit() else text for text in found.cards}
    assert after >= {"hound", "familiar"}
    assert not after & {"insight", "monk"}
    assert "hound 3" in found.cards


def test_swaps_are_at_most_so_many() -> None:
    measured = valued({"hound": 0.2})
    found = tune_report(measured, DECK, 2, Running())
    assert [row.into for row in found.swaps] == ["hound"] * 2
    assert (found.finished, found.complete) == (False, True)


def test_swaps_are_ranked_measured_and_counted_by_different_duels() -> None:
    measured = valued({"hound": 0.2, "familiar": 0.15}, duels=80)
    tune_report(measured, DECK, 2, Running())
    spans = sorted(set(measured.asked))
    # In both rounds a few duels rank and all measure; at the end the two decks meet others.
    assert spans == [(80, 10), (160, 80), (240, 10), (320, 80), (480, 80)]
    assert all(begin + count <= later for (begin, count), (later, _) in pairwise(spans))
    few = valued({"hound": 0.02}, duels=9)
    tune_report(few, DECK, 1, Running())
    assert min(count for _, count in few.asked) == 2


def test_a_gain_that_could_be_chance_is_no_swap() -> None:
    measured = valued({"hound": 0.0005}, duels=40, noise=0.5)
    found = tune_report(measured, DECK, 3, Running())
    assert (found.swaps, found.finished) == ([], True)
    assert found.before == pytest.approx(found.after)


def test_a_search_for_swaps_tells_how_far_it_is() -> None:
    told: list[tuple[str, int, int]] = []
    measured = valued({"hound": 0.02}, duels=16)
    tune_report(measured, DECK, 1, Running(note=lambda *each: told.append(each)))
    legal = list(_swaps(BOX, DECK))
    total = len({out for out, _ in legal}) + len({into for _, into in legal})
    assert told == [("cards", done, total) for done in range(1, total + 1)]


def test_no_swap_brings_in_what_the_deck_may_hold_no_more_of() -> None:
    into = {card for _, card in _swaps(BOX, DECK)}
    assert not into & {"war-axe", "wolf-fang", "parry", "fireball"}
    assert into >= {"short-sword", "bone-collar", "hound", "insight"}
    single = load_rules(overrides=["match.max_copies=4", "match.min_deck=40"])
    assert "war-axe" in {card for _, card in _swaps(single, single.deck("orc-warrior"))}
    assert all(out != card for out, card in _swaps(BOX, DECK))


def test_cards_are_measured_as_asked_or_all_and_a_stopped_measurement_says_so() -> None:
    measured = valued({"war-axe": 0.02, "parry": 0.05, "monk": -0.01})
    told: list[tuple[str, int, int]] = []
    found = value_report(measured, DECK, Running(note=lambda *each: told.append(each)))
    assert found.complete
    assert [row.card for row in found.cards[:2]] == ["parry", "war-axe"]
    assert found.cards[-1].card == "monk"
    assert {row.card: row.copies for row in found.cards} == dict(DECK.cards)
    assert [row.worth.mean for row in found.cards[:2]] == pytest.approx([0.05, 0.02])
    assert told == [("cards", number, len(DECK.cards)) for number in range(len(DECK.cards))]

    class Soon(Interrupt):
        looks = 0

        def __call__(self) -> bool:
            self.looks += 1
            return self.looks > 1

    few = value_report(measured, DECK, Running(interrupt=Soon()), ["monk", "parry"])
    assert ([row.card for row in few.cards], few.complete) == (["monk"], False)


def asked_table(decks: int, guilds: int = 0, matches: int = 60, lost: int = 0) -> TableQuestion:
    names = ["orc-warrior", "elf-mage", "human-paladin", "angel-paladin", "orc-warrior", "elf-mage"][:decks]
    return TableQuestion(BOX, tuple(map(BOX.deck, names)), guilds, ByRules(), matches, lost, 3)


def test_guilds_keep_their_members_and_each_begins_once() -> None:
    assert _orders(asked_table(4, 2)) == [(0, 1, 2, 3), (1, 0, 3, 2)]
    assert _orders(asked_table(6, 3)) == [(0, 1, 2, 3, 4, 5), (1, 2, 0, 4, 5, 3), (2, 0, 1, 5, 3, 4)]


@pytest.mark.parametrize(("decks", "orders"), [(3, 6), (4, 24), (5, 24)])
def test_a_brawl_is_sat_down_to_in_different_orders(decks: int, orders: int) -> None:
    found = _orders(asked_table(decks))
    assert len(set(found)) == len(found) == orders
    assert all(sorted(order) == list(range(decks)) for order in found)


def played_in(
    monkeypatch: pytest.MonkeyPatch, asked: TableQuestion, told: list[tuple[str, int, int]]
) -> tuple[BrawlAnswer, list[Any]]:
    """A table at which the second deck always wins; and which matches were played, by order of sitting."""
    calls: list[Any] = []

    def compiled(rules: Rules, setup: Setup) -> Setup:
        return setup

    def play(setup: Setup, styles: Any, number: int, seed: int, first: int) -> Any:
        calls.append((setup.heroes, number, seed, first))
        winner = [hero.race for hero in setup.heroes].index([race.id for race in BOX.races].index("elf"))
        return SimpleNamespace(
            turns=np.full(number, 7), points=lambda seat: np.full(number, float(seat == winner))
        )

    monkeypatch.setattr(tables, "kernel_rules", compiled)
    monkeypatch.setattr(tables, "matches", play)
    return table_report(asked, Running(note=lambda *each: told.append(each))), calls


def test_every_order_of_sitting_plays_matches_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[tuple[str, int, int]] = []
    found, calls = played_in(monkeypatch, asked_table(3, matches=6 * 250 + 5), told)
    assert (found.matches, found.complete, found.turns) == (1500, True, 7.0)
    assert [row.share.mean for row in found.decks] == [0.0, 1.0, 0.0]
    assert [row.share.mean for row in found.seats] == pytest.approx([1 / 3] * 3)
    assert found.decks[1].share == estimate([1.0] * 1500, (0.0, 1.0))
    assert told == [("matches", done, 1500) for done in (0, 600, 1200)]
    assert [row.name for row in found.seats] == ["seat 1", "seat 2", "seat 3"]
    spans = sorted((first, first + number) for _, number, _, first in calls)
    assert [end - begin for begin, end in spans] == [100, 100, 50] * 6
    assert [begin for begin, _ in spans] == [0, *(end for _, end in spans[:-1])]
    assert len({heroes for heroes, *_ in calls}) == 6
    assert {seed for _, _, seed, _ in calls} == {3}
    fewest, calls = played_in(monkeypatch, asked_table(3, matches=5), [])
    assert (fewest.matches, len(calls)) == (6, 6)


def test_a_table_that_nobody_waits_for_has_played_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    stopped = Interrupt()
    stopped.requested = True
    monkeypatch.setattr(tables, "kernel_rules", lambda *_: None)
    found = table_report(asked_table(3), Running(interrupt=stopped))
    assert (found.matches, found.turns, found.complete) == (0, 0.0, False)
    assert found.decks[0].share.mean is None


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
