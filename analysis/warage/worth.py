"""What a point of A, D, M, a die, a HP, and each card in play is worth in a race, by the rounds left."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from analysis.errors import RequestError
from analysis.front.question import Running
from analysis.warage.game import GAME
from analysis.warage.loadouts import Loadout
from analysis.warage.questions.worth import Worth, WorthAnswer, WorthPoint, WorthRow
from analysis.warage.race import Note, RaceQuestion, check_size, modes_of, race_game, race_question
from analysis.warage.race_modes import race_modes
from solver.stochastic.attrition import solve_attrition

FAIR_HP = 0.5
ROOM = 40
"""A point may be worth so many HP; what is worth more is not measured."""
NOTHING = 1e-12
"""A gain of no more than this is rounding."""
Curve = np.ndarray[tuple[int, ...], np.dtype[np.float64]]
"""[rounds left, own HP]: the chance to win before an own round, the other hero at its HP."""


def answer(asked: Worth, running: Running) -> WorthAnswer:
    """Price points and cards in a race."""
    question = race_question(GAME.rules_of(asked.rules), asked.heroes, asked.race, season=asked.season)
    return worth_report(question, running.note)


def curve(question: RaceQuestion, *, specials: bool) -> tuple[Curve, list[int]]:
    """Return values of the first hero before each of its own rounds, and how many are left then."""
    modes = race_modes(question.rules, question.heroes, specials=specials)
    game = race_game(question, modes, 0, room=ROOM)
    check_size(question, game, forward=False)
    values = solve_attrition(game).values
    assert question.season is not None
    own = range(0, len(game.fights), 2)
    root = modes.roots[question.season]
    table = np.array([values[number, root, :, question.hp[1] - 1] for number in own])
    return table, [len(game.fights) - number for number in own]


def worth_report(question: RaceQuestion, note: Note | None = None) -> WorthAnswer:
    """Price points and cards for the first hero, who moves first, in a season.

    Raises
    ------
    RequestError
        If a card cannot be raced, or no rounds are left.
    WorkError
        If it takes too much memory.
    """
    hero = question.heroes[0]
    if question.season is None:
        raise RequestError("say in which season, such as --season summer", "--season")
    if question.horizon(0)[0] < 1:
        raise RequestError("no round is left in which anything could be worth something", "--rounds-left")
    season = question.season
    # Without a truce and with room above: a price in HP may lie above what the hero has.
    question = replace(question, first=0, truce=False)
    specials = bool(modes_of(question).specials)
    over = [season.id for season in question.rules.seasons if not season.base and season.copies]
    points = [("+1 A", "A"), ("+1 D", "D"), *([("+1 M", "M")] if hero.spells else []), ("+1 die", "dice")]
    cards = list(dict.fromkeys(card.id for card in hero.cards))
    todo = 1 + len(points) + len(cards)
    base, left = curve(question, specials=specials)
    own = question.hp[0] - 1
    rows = []
    done = 1

    def of(first: Loadout) -> Curve:
        nonlocal done
        if note is not None:
            note("races", done, todo)
        done += 1
        return curve(replace(question, heroes=(first, question.heroes[1])), specials=specials)[0]

    rows.append(
        WorthRow(
            "+1 HP",
            None,
            [_point(base, _more_hp(base, own), own, n, r) for n, r in enumerate(left)],
            None,
            "",
        )
    )
    for name, stat in points:
        better = of(hero.plus(stat, 1))
        row = [_point(base, better[:, own], own, number, rounds) for number, rounds in enumerate(left)]
        rows.append(WorthRow(name, None, row, None, ""))
    for card in cards:
        less = of(hero.without(card))
        cost = question.rules.card(card).cost
        row = [_card_point(base, less, own, number, rounds) for number, rounds in enumerate(left)]
        rows.append(WorthRow(card, cost, row, _break_even(row, cost), _verdict(row[0], cost)))
    return WorthAnswer(
        heroes=[each.text for each in question.heroes],
        hp=list(question.hp),
        season=season,
        base=[WorthPoint(rounds, float(base[number, own]), None) for number, rounds in enumerate(left)],
        prices=rows,
        left_out=[] if specials else over,
    )


def _more_hp(base: Curve, own: int) -> Curve:
    """Values with one HP more."""
    more: Curve = base[:, own + 1]
    return more


def _hp_of(column: Curve, wanted: float, own: int) -> float | None:
    """HP at which a value is reached, less those there are; None if it is not within the table.

    Between whole HP the value is taken as straight.
    """
    if wanted <= 0.0 or wanted < column[0]:
        return None
    above = np.flatnonzero(column >= wanted - 1e-15)
    if not len(above):
        return None
    place = int(above[0])
    if place == 0:
        return float(-own)
    low, high = float(column[place - 1]), float(column[place])
    return place - 1 + (wanted - low) / (high - low) - own


def _point(base: Curve, better: Curve, own: int, number: int, rounds: int) -> WorthPoint:
    """What something better is worth: as many HP more would do as much."""
    gain = float(better[number] - base[number, own])
    if abs(gain) <= NOTHING:
        return WorthPoint(rounds, gain, 0.0)
    return WorthPoint(rounds, gain, _hp_of(base[number], float(better[number]), own))


def _card_point(base: Curve, less: Curve, own: int, number: int, rounds: int) -> WorthPoint:
    """What a card is worth: with so many HP less, and the card, the hero is as well off as without it."""
    gain = float(base[number, own] - less[number, own])
    if abs(gain) <= NOTHING:
        return WorthPoint(rounds, gain, 0.0)
    found = _hp_of(base[number], float(less[number, own]), own)
    return WorthPoint(rounds, gain, None if found is None else -found)


def _break_even(points: list[WorthPoint], cost: int) -> int | None:
    """The fewest rounds left from which on a card is worth its cost, whatever more are left."""
    best = None
    for point in sorted(points, key=lambda each: -each.rounds_left):
        if point.hp is not None and point.hp < cost:
            break
        best = point.rounds_left
    return best


def _verdict(point: WorthPoint, cost: int) -> str:
    if point.hp is None or point.hp > cost + FAIR_HP:
        return "under"
    return "over" if point.hp < cost - FAIR_HP else "fair"
