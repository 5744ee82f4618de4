"""Decks and tables of heroes: what is counted, what swaps keep, shares that add up."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest

from analysis.estimates import estimate
from analysis.front.question import Running
from analysis.interrupt import Interrupt
from analysis.warage.deck_building import Field, _after, _swaps, tune_report, value_report
from analysis.warage.deck_contents import deck_report, most_hp
from analysis.warage.game import GAME
from analysis.warage.players import ByRules, Greedy
from engine.warage.reference import hero_of
from engine.warage.rules import load_rules

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
    return GAME.question("brawl").python()(**{"plays": 48, "watched": 0, "seed": 2} | asked)


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
