"""Races against plain recursion over the season deck card by card, against plays, and known facts."""

from __future__ import annotations

import random
from fractions import Fraction
from functools import cache

import pytest

from analysis.errors import RequestError
from analysis.warage.loadouts import Table, parse_loadout
from analysis.warage.race import RaceQuestion, race_report
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


@pytest.mark.slow
def test_races_are_a_million_plays() -> None:
    asked = question(
        "human/warrior:war-axe", "elf/warrior:war-axe", FEW, hp=(25, 25), rounds_left=20, first=0
    )
    value = race_report(asked).by_season[0].mean
    rng = random.Random(6)
    share = sum(_play(asked, "spring", rng) for _ in range(1_000_000)) / 1_000_000
    assert abs(share - value) < 4 * (value * (1 - value) / 1_000_000) ** 0.5


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


def test_a_full_duel_ends_at_the_22nd_opening_of_the_first_player() -> None:
    asked = question("human/warrior", "elf/mage", BOX, rounds_left=None)
    assert asked.horizon(0) == (42, 1)
    assert asked.horizon(1) == (42, 0)
    shorter = question("human/warrior", "elf/mage", BOX, rounds_left=None, cards_left=(43, 10))
    assert shorter.horizon(0) == (11, 0)


@pytest.mark.parametrize(
    ("loadout", "said"),
    [
        ("human/paladin:raven-eye", "draws cards"),
        ("human/paladin:warding", "leave it out"),
    ],
)
def test_what_cannot_be_raced_is_refused(loadout: str, said: str) -> None:
    heroes = parse_loadout(BOX, loadout), parse_loadout(BOX, "human/warrior")
    with pytest.raises(RequestError, match=said):
        race_modes(BOX, heroes)


@pytest.mark.kernels
def test_mirrors_without_seasons_are_worth_the_first_seat() -> None:
    asked = question("human/warrior:war-axe", "human/warrior:war-axe", BOX, hp=(20, 20), rounds_left=None)
    report = race_report(asked)
    assert report.by_seat[0] == pytest.approx(1 - report.by_seat[1], abs=1e-12)  # type: ignore[operator]
    assert report.win == pytest.approx(0.5, abs=1e-12)
