"""Races with decisions against plain recursion in fractions, one decision after the other."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from functools import cache

import pytest

from analysis.errors import RequestError
from analysis.warage.loadouts import Loadout, Table, parse_loadout
from analysis.warage.race import RaceQuestion
from analysis.warage.race_choices import choice_report, pieces_of
from engine.warage.combat import law
from engine.warage.rules import Rules, load_rules

FEW = load_rules(
    overrides=[
        *(f"seasons.{name}.copies=1" for name in ("spring", "autumn")),
        *(
            f"seasons.{name}.copies=0"
            for name in ("summer", "winter", "tempest", "drought", "eclipse", "harvest")
        ),
        "cards.war-axe.sell=4",
        "cards.lunar-shield.sell=3",
    ]
)
BASES = ("spring", "autumn")


def recursion(
    known: Rules,
    heroes: tuple[Loadout, Loadout],
    pieces: tuple[tuple[str, ...], tuple[str, ...]],
    rounds: int,
    season: str,
    hp: tuple[int, int],
    *,
    may_decline: bool,
) -> Fraction:
    """The first hero's chance, he moving first: a decision at a time, melee alone."""
    last = 1 - rounds % 2

    @cache
    def attack(one: tuple[str, ...], other: tuple[str, ...], base: str, side: int):  # type: ignore[no-untyped-def]
        left = []
        for hero, own, all_of in zip(heroes, (one, other), pieces, strict=True):
            for card in all_of:
                if card not in own:
                    hero = hero.without(card)
            left.append(hero)
        return law(Table(known, (left[0], left[1]), base).attack(side))

    def best(mover: int, options: list[Fraction]) -> Fraction:
        return max(options) if mover == 0 else min(options)

    @cache
    def before(
        number: int, hp: tuple[int, int], own: tuple[tuple[str, ...], ...], base: str, deck: int
    ) -> Fraction:
        if number == rounds:
            return Fraction(int(last == 0))
        side = number % 2
        options = [window(number, hp, own, base, deck, side, 0)]
        if may_decline:
            options.append(before(number + 1, hp, own, base, deck))
        return best(side, options)

    @cache
    def window(
        number: int,
        hp: tuple[int, int],
        own: tuple[tuple[str, ...], ...],
        base: str,
        deck: int,
        mover: int,
        passes: int,
    ) -> Fraction:
        if passes == 2:
            return carried_out(number, hp, own, base, deck)
        options = [window(number, hp, own, base, deck, 1 - mover, passes + 1)]
        for card in own[mover]:
            more, left = list(hp), list(own)
            more[mover] += known.card(card).sell
            left[mover] = tuple(each for each in own[mover] if each != card)
            options.append(window(number, (more[0], more[1]), tuple(left), base, deck, mover, 0))
        return best(mover, options)

    def carried_out(
        number: int, hp: tuple[int, int], own: tuple[tuple[str, ...], ...], base: str, deck: int
    ) -> Fraction:
        side = number % 2
        total = Fraction(0)
        for (damage, six), chance in attack(own[0], own[1], base, side).items():
            left = list(hp)
            left[1 - side] -= damage
            if left[1 - side] <= 0:
                total += chance * int(side == 0)
            elif six:  # of two cards one is in force: the other one comes, from the deck or shuffled anew
                other = BASES[1 - BASES.index(base)]
                total += chance * before(number + 1, (left[0], left[1]), own, other, 0)
            else:
                total += chance * before(number + 1, (left[0], left[1]), own, base, deck)
        return total

    return before(0, hp, pieces, season, 1)


@pytest.mark.kernels
@pytest.mark.parametrize("may_decline", [False, True])
@pytest.mark.parametrize("pieces", [(("war-axe",), ()), (("war-axe", "lunar-shield"), ("lunar-shield",))])
def test_choices_are_recursion_in_fractions(
    pieces: tuple[tuple[str, ...], tuple[str, ...]], may_decline: bool
) -> None:
    loadouts = (
        parse_loadout(FEW, "elf/warrior:war-axe,lunar-shield"),
        parse_loadout(FEW, "orc/warrior:war-axe,lunar-shield"),
    )
    question = RaceQuestion(FEW, loadouts, (6, 7), rounds_left=5, truce=False, first=0)
    sold = tuple(
        pieces_of(FEW, hero, dict.fromkeys(own, 1), "--sell")
        for hero, own in zip(loadouts, pieces, strict=True)
    )
    report = choice_report(question, (sold[0], sold[1]), may_decline=may_decline)
    for row in report.by_season:
        exact = recursion(FEW, loadouts, pieces, 5, row.season, (6, 7), may_decline=may_decline)
        assert row.first == pytest.approx(float(exact), abs=1e-12)
    assert report.certificate.difference is not None
    assert report.certificate.difference < 1e-12
    assert report.by_seat == [report.win, None]
    both = choice_report(replace(question, first=None), (sold[0], sold[1]), may_decline=may_decline)
    assert both.by_seat[0] == pytest.approx(report.win)
    assert both.by_seat[1] is not None
    assert both.win == pytest.approx((report.win + both.by_seat[1]) / 2)


def test_what_cannot_be_sold_is_refused() -> None:
    hero = parse_loadout(FEW, "elf/mage:fireball,oak-staff,steel-helm,chain-mail,swift-boots")
    for asked, said in (
        ({"war-axe": 1}, "has in play fireball, oak-staff"),
        ({"fireball": 1}, "spells are not sold"),
        ({"oak-staff": 2}, "has in play"),
    ):
        with pytest.raises(RequestError, match=said):
            pieces_of(FEW, hero, asked, "--sell")
    assert pieces_of(FEW, hero, {}, "--sell") == ()
