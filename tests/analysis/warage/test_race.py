"""Races against plain recursion over the season deck card by card, against plays, and known facts."""

from __future__ import annotations

import random
from dataclasses import replace
from fractions import Fraction
from functools import cache

import pytest

from analysis.errors import WorkError
from analysis.warage import race
from analysis.warage import race_modes as race_modes_module
from analysis.warage.loadouts import Table, parse_loadout
from analysis.warage.race import (
    RaceQuestion,
    modes_of,
    race_game,
    race_report,
    season_weights,
)
from analysis.warage.race_modes import race_modes, signature
from engine.warage.combat import Law
from engine.warage.rules import load_rules

BOX = load_rules()
FEW = load_rules(
    overrides=[
        *(f"seasons.{name}.copies=1" for name in ("spring", "summer", "autumn", "harvest")),
        *(f"seasons.{name}.copies=0" for name in ("winter", "tempest", "drought", "eclipse")),
    ]
)


def rational(question: RaceQuestion, first: int, season: str) -> Fraction:
    """The first hero's chance by recursion in fractions: cards of the deck by name, nothing lumped."""
    cards = {each.id: each.copies for each in question.rules.seasons if each.copies}
    bases = {each.id for each in question.rules.seasons if each.base}
    rounds, last = question.horizon(first)

    @cache
    def laws(base: str, special: str | None) -> tuple[tuple[Law, Law], tuple[int, int]]:
        found = signature(Table(question.rules, question.heroes, base, special))
        return found.laws, found.gains

    @cache
    def value(
        number: int, own: int, other: int, deck: tuple[tuple[str, int], ...], base: str, special: str | None
    ) -> Fraction:
        if number == rounds:
            return Fraction(int(last == 0))
        side = (first + number) % 2
        both_laws, gains = laws(base, special)
        hp = [own, other]
        hp[side] += gains[side]
        if question.truce and number < 2:
            return value(number + 1, *hp, deck, base, special)
        total = Fraction(0)
        for (damage, six), chance in both_laws[side].items():
            left = list(hp)
            left[1 - side] -= damage
            if left[1 - side] <= 0:
                total += chance * int(side == 0)
            elif not six:
                total += chance * value(number + 1, *left, deck, base, special)
            else:
                there = dict(deck)
                if not sum(there.values()):
                    there = {name: n - (name == base) - (name == special) for name, n in cards.items()}
                size = sum(there.values())
                for name, copies in there.items():
                    if copies:
                        rest = tuple((each, n - (each == name)) for each, n in there.items())
                        in_force = (name, None) if name in bases else (base, name)
                        total += chance * Fraction(copies, size) * value(number + 1, *left, rest, *in_force)
        return total

    deck = tuple((name, copies - (name == season)) for name, copies in cards.items())
    return value(0, *question.hp, deck, season, None)


def question(a: str, b: str, known: object = FEW, **settings: object) -> RaceQuestion:
    heroes = parse_loadout(known, a), parse_loadout(known, b)  # type: ignore[arg-type]
    usual: dict[str, object] = {"hp": (6, 5), "rounds_left": 7, "specials": True}
    return RaceQuestion(known, heroes, **(usual | settings))  # type: ignore[arg-type]


@pytest.mark.kernels
@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("elf/warrior:war-axe", "orc/paladin:lunar-shield,wolf-fang"),
        ("angel/paladin:fireball,oak-heart", "human/warrior:war-axe"),
        ("elf/mage:fireball 2,bone-collar", "angel/warrior:great-sword"),
    ],
)
def test_races_are_rational_recursion(a: str, b: str) -> None:
    asked = question(a, b)
    report = race_report(asked)
    for row in report.by_season:
        assert row.first == pytest.approx(float(rational(asked, 0, row.season)), abs=1e-12)
        assert row.second == pytest.approx(float(rational(asked, 1, row.season)), abs=1e-12)
    assert report.certificate.difference is not None
    assert report.certificate.difference < report.certificate.slack


@pytest.mark.kernels
def test_races_are_plays() -> None:
    asked = question(
        "human/warrior:war-axe", "elf/warrior:war-axe", FEW, hp=(25, 25), rounds_left=20, first=0
    )
    report = race_report(asked)
    rng = random.Random(5)
    plays = 1_500
    wins = sum(_play(asked, row.season, rng) for row in report.by_season for _ in range(plays))
    share = wins / (plays * len(report.by_season))
    mean = sum(row.mean for row in report.by_season) / len(report.by_season)
    assert abs(share - mean) < 4 * (0.25 / (plays * len(report.by_season))) ** 0.5


def _play(asked: RaceQuestion, season: str, rng: random.Random) -> int:
    """One play, with a deck of cards in random order; returns whether the first hero wins."""
    cards = [each.id for each in asked.rules.seasons for _ in range(each.copies)]
    cards.remove(season)
    deck = rng.sample(cards, len(cards))
    everything = [*cards, season]
    bases = {each.id for each in asked.rules.seasons if each.base}
    base, special = season, None
    hp = list(asked.hp)
    rounds, last = asked.horizon(0)
    for number in range(rounds):
        side = number % 2
        found = _laws(asked, base, special)
        hp[side] += found.gains[side]
        if asked.truce and number < 2:
            continue
        outcomes = found.laws[side]
        [(damage, six)] = rng.choices(list(outcomes), [float(chance) for chance in outcomes.values()])
        hp[1 - side] -= damage
        if hp[1 - side] <= 0:
            return int(side == 0)
        if six:
            if not deck:
                rest = list(everything)
                rest.remove(base)
                if special is not None:
                    rest.remove(special)
                deck = rng.sample(rest, len(rest))
            card = deck.pop()
            base, special = (card, None) if card in bases else (base, card)
    return int(last == 0)


@cache
def _laws(asked: RaceQuestion, base: str, special: str | None):  # type: ignore[no-untyped-def]
    return signature(Table(asked.rules, asked.heroes, base, special))


def test_seasons_that_treat_both_alike_are_one_class() -> None:
    def classes(a: str, b: str) -> int:
        heroes = parse_loadout(BOX, a), parse_loadout(BOX, b)
        return len(race_modes(BOX, heroes, specials=False).bases)

    assert classes("elf/warrior:war-axe", "human/warrior:war-axe") == 3
    assert classes("elf/warrior:war-axe", "orc/warrior:war-axe") == 3
    assert classes("elf/warrior:war-axe", "angel/warrior:war-axe") == 4 + 1 - 1
    assert classes("human/warrior", "human/mage:fireball") == 1


@pytest.mark.kernels
def test_mirrors_without_seasons_are_worth_the_first_seat() -> None:
    asked = question("human/warrior:war-axe", "human/warrior:war-axe", BOX, hp=(20, 20), rounds_left=None)
    report = race_report(asked)
    assert report.by_seat[0] == pytest.approx(1 - report.by_seat[1], abs=1e-12)  # type: ignore[operator]
    assert report.win == pytest.approx(0.5, abs=1e-12)


@pytest.mark.parametrize(
    ("first", "cards", "draws", "found"),
    [
        (0, (43, 43), 2, (42, 1)),
        (0, (4, 4), 2, (4, 1)),
        (1, (4, 4), 2, (4, 0)),
        (0, (4, 2), 2, (3, 0)),
        (1, (4, 2), 2, (2, 0)),
        (0, (5, 3), 1, (7, 0)),
        (0, (5, 9), 1, (10, 1)),
        (0, (1, 0), 2, (0, 1)),
        (1, (0, 1), 2, (0, 0)),
        (0, (2, 0), 2, (1, 0)),
    ],
)
def test_who_has_to_draw_and_cannot_loses(
    first: int, cards: tuple[int, int], draws: int, found: tuple[int, int]
) -> None:
    known = load_rules(overrides=[f"match.draws={draws}"])
    asked = question("human/warrior", "elf/mage", known, rounds_left=None, cards_left=cards)
    assert asked.horizon(first) == found
    # Card by card: whoever is to draw and has too few loses.
    left, number = list(cards), 0
    while left[(first + number) % 2] >= draws:
        left[(first + number) % 2] -= draws
        number += 1
    assert found == (number, 1 - (first + number) % 2)


def test_a_race_has_room_for_all_that_may_be_gained() -> None:
    heals = load_rules(
        overrides=[
            'cards.oak-heart.effects=[{trigger="opening",action="gain",amount=3}]',
            "seasons.harvest.copies=0",
        ]
    )
    asked = question("human/warrior:oak-heart", "elf/warrior", heals, hp=(6, 5), rounds_left=7)
    modes = race_modes(heals, asked.heroes, specials=False)
    # Who moves first has four of seven rounds.
    assert race_game(asked, modes, 0).largest == (6 + 3 * 4, 5)
    assert race_game(asked, modes, 1).largest == (6 + 3 * 3, 5)
    assert race_game(asked, modes, 0, room=9).largest == (6 + 3 * 4 + 9, 5)
    few = load_rules(overrides=["match.infinite_hp=101"])
    most = question("human/warrior:oak-heart", "elf/warrior", few, hp=(99, 100), rounds_left=7)
    assert race_game(most, race_modes(few, most.heroes, specials=False), 0).largest == (101, 100)


def test_special_cards_are_left_out_where_there_would_be_too_many_values(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked = question("human/warrior:oak-heart", "elf/warrior", specials=None)
    for first in (None, 1):
        here = replace(asked, first=first)
        values = race_game(here, race_modes(FEW, here.heroes), first or 0).state_values
        monkeypatch.setattr(race, "MOST_VALUES", values)
        assert modes_of(here).specials
        monkeypatch.setattr(race, "MOST_VALUES", values - 1)
        assert not modes_of(here).specials
        assert modes_of(replace(here, specials=True)).specials
    monkeypatch.setattr(race, "MOST_VALUES", 10**9)
    many = len(race_modes(FEW, asked.heroes).mode_class)
    monkeypatch.setattr(race_modes_module, "MAX_MODES", many)
    assert modes_of(asked).specials
    monkeypatch.setattr(race_modes_module, "MAX_MODES", many - 1)
    assert not modes_of(asked).specials
    with pytest.raises(WorkError, match=f"more than {many - 1} states"):
        modes_of(replace(asked, specials=True))


def test_a_race_begins_in_seasons_by_their_copies() -> None:
    known = load_rules(
        overrides=["seasons.spring.copies=3", "seasons.summer.copies=1", "seasons.winter.copies=0"]
    )
    asked = question("elf/warrior", "human/warrior", known)
    modes = race_modes(known, asked.heroes)
    weights = season_weights(asked, modes)
    assert sum(weights.values()) == pytest.approx(1)
    assert weights[modes.roots["spring"]] == pytest.approx(3 / 8)
    assert weights[modes.roots["summer"]] == pytest.approx(1 / 8)
    assert season_weights(replace(asked, season="summer"), modes) == {modes.roots["summer"]: 1.0}
    # Seasons that treat both alike have one root together.
    even = question("human/warrior", "human/mage", known)
    alike = race_modes(known, even.heroes, specials=False)
    assert season_weights(even, alike) == {alike.roots["spring"]: pytest.approx(1.0)}
