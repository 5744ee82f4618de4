"""Decks: what is counted by hand, what swaps keep, what is found where cards have known values."""

from __future__ import annotations

from dataclasses import dataclass
from dataclasses import field as attribute
from itertools import pairwise

import msgspec
import numpy as np
import pytest
from numpy.typing import NDArray

from analysis.front.asking import function_of
from analysis.front.question import Running
from analysis.warage.deck_building import Field, _after, _swaps, blanked, swapped, tune_report, with_blank
from analysis.warage.deck_contents import deck_finding, most_hp, problem
from analysis.warage.game import GAME
from analysis.warage.players import ByRules
from engine.warage.reference import hero_of
from engine.warage.reference_state import HeroSetup
from engine.warage.rules import DeckRule, Rules, load_rules

BOX = load_rules()
DECK = BOX.deck("orc-warrior")


def field(duels: int = 40, seed: int = 3, against: tuple[str, ...] = ("elf-mage",)) -> Field:
    return Field(BOX, tuple(map(BOX.deck, against)), ByRules(), duels, seed)


@pytest.mark.parametrize("name", [deck.id for deck in BOX.decks])
def test_a_decks_figures_are_those_of_its_cards(name: str) -> None:
    for rules in (BOX, load_rules(overrides=["classes.mage.slots.blue=2"])):
        deck = rules.deck(name)
        found = deck_finding(rules, deck)
        assert {row["card"]: row["copies"] for row in found.rows} == dict(deck.cards)
        cards = [rules.card(card) for card, copies in deck.cards for _ in range(copies)]
        hero = rules.hero_class(deck.hero_class)
        useless = [card.id for card in cards if card.red > hero.red or card.blue > hero.blue]
        assert found.facts["cards"] == len(cards)
        assert found.facts["HP that all cards cost"] == sum(card.cost for card in cards)
        assert found.facts["red slots that all cards need"] == sum(card.red for card in cards)
        assert found.facts["blue slots that all cards need"] == sum(card.blue for card in cards)
        for kind in {card.kind for card in cards}:
            assert found.facts[kind] == sum(card.kind == kind for card in cards)
        assert found.facts["cards of no use"] == len(useless)
        assert [line.split()[0] for line in found.lines] == list(dict.fromkeys(useless))


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
    for card in BOX.cards:
        assert problem(card, card.red, card.blue) == ""
        for red, blue in ((card.red - 1, 9), (9, card.blue - 1)):
            assert bool(problem(card, red, blue)) == (red < card.red or blue < card.blue)


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


@pytest.mark.kernels
def test_a_card_is_worth_what_its_blank_costs_on_the_same_duels() -> None:
    def balance(only: str) -> dict[str, object]:
        asked = function_of(GAME.question("balance"))
        found = asked(only=only, deck=["orc-warrior", "elf-mage"], deals=20, seed=3)
        return {each.entry: each for each in found.entries}

    measured = field()
    base = measured.points(hero_of(BOX, DECK))
    assert set(np.unique(base)) <= {0.0, 0.5, 1.0}
    for card in ("war-axe", "parry"):
        found = balance(card)[card]
        without = measured.points(
            blanked(with_blank(BOX, card), hero_of(with_blank(BOX, card), DECK), card),
            rules=with_blank(BOX, card),
        )
        assert found.with_it.mean == pytest.approx(base.mean())  # type: ignore[attr-defined]
        assert found.worth.mean == pytest.approx((base - without).mean())  # type: ignore[attr-defined]


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
