"""What a value is worth in HP: read off a table that is known, and the words for a card's price."""

from __future__ import annotations

import numpy as np
import pytest

from analysis.warage.loadouts import parse_loadout
from analysis.warage.questions.worth import WorthPoint
from analysis.warage.race import RaceQuestion
from analysis.warage.worth import _break_even, _card_point, _hp_of, _point, _verdict, worth_report
from engine.warage.rules import load_rules

COLUMN = np.array([0.1, 0.3, 0.3, 0.7, 1.0])
"""The chance to win with 1 to 5 HP."""
HERE = 2
"""The place of 3 HP."""


@pytest.mark.parametrize(
    ("wanted", "hp"),
    [
        (0.1, -2.0),
        (0.2, -1.5),
        (0.3, -1.0),
        (0.5, 0.5),
        (0.7, 1.0),
        (0.85, 1.5),
        (1.0, 2.0),
        (0.05, None),
        (0.0, None),
        (-0.2, None),
        (1.01, None),
    ],
)
def test_a_chance_is_as_many_hp_as_bring_it(wanted: float, hp: float | None) -> None:
    assert _hp_of(COLUMN, wanted, HERE) == (None if hp is None else pytest.approx(hp))


def test_no_chance_is_not_bought_by_hp() -> None:
    assert _hp_of(np.array([0.0, 0.5]), 0.0, 1) is None


def test_a_chance_that_rounding_lowered_still_counts_as_reached() -> None:
    assert _hp_of(COLUMN, float(np.nextafter(0.3, 1.0)), HERE) == pytest.approx(-1.0)


def same(found: WorthPoint, rounds: int, win: float, hp: float | None) -> bool:
    """Whether a point is this one, up to rounding."""
    return (
        found.rounds_left == rounds
        and found.win == pytest.approx(win, abs=1e-12)
        and (found.hp == hp if hp is None else found.hp == pytest.approx(hp))
    )


def test_what_is_better_is_worth_the_hp_that_do_as_much() -> None:
    base = np.array([COLUMN, COLUMN])
    better = np.array([0.5, 0.3])
    assert same(_point(base, better, HERE, 0, 9), 9, 0.2, 0.5)
    assert _point(base, better, HERE, 1, 7) == WorthPoint(7, 0.0, 0.0)
    assert _point(base, np.array([0.2, 0.2]), HERE, 0, 9).hp == pytest.approx(-1.5)


def test_a_card_is_worth_the_hp_that_it_could_be_paid_with() -> None:
    base = np.array([COLUMN])
    without = np.array([[0.0, 0.1, 0.2, 0.3, 0.7]])
    assert same(_card_point(base, without, HERE, 0, 9), 9, 0.1, 1.5)
    assert _card_point(base, base, HERE, 0, 9) == WorthPoint(9, 0.0, 0.0)
    assert same(_card_point(base, np.full((1, 5), 0.01), HERE, 0, 9), 9, 0.29, None)


@pytest.mark.parametrize(
    ("hp", "verdict"),
    [(None, "under"), (6.0, "under"), (5.5, "fair"), (5.0, "fair"), (4.5, "fair"), (4.4, "over")],
)
def test_a_card_is_fair_within_half_a_hp_of_its_cost(hp: float | None, verdict: str) -> None:
    assert _verdict(WorthPoint(9, 0.1, hp), 5) == verdict


@pytest.mark.parametrize(
    ("points", "found"),
    [
        ({9: 6.0, 7: 5.0, 5: 4.9, 3: 8.0}, 7),
        ({3: 5.0, 9: 5.0, 5: None, 7: 9.0}, 3),
        ({9: 4.0, 7: 9.0}, None),
        ({9: None}, 9),
    ],
)
def test_a_card_breaks_even_where_it_does_with_any_more_rounds(
    points: dict[int, float | None], found: int | None
) -> None:
    rows = [WorthPoint(rounds, 0.1, hp) for rounds, hp in points.items()]
    assert _break_even(rows, 5) == found


@pytest.mark.kernels
def test_before_the_last_attack_a_point_is_worth_what_it_adds_to_the_chance_to_kill() -> None:
    rules = load_rules()
    heroes = parse_loadout(rules, "human/warrior:war-axe"), parse_loadout(rules, "human/warrior")
    told: list[tuple[str, int, int]] = []
    asked = RaceQuestion(rules, heroes, (9, 6), season="summer", rounds_left=2, specials=False, truce=True)
    found = worth_report(asked, lambda *each: told.append(each))
    # 21 and a die against 16 and a die: all 6 HP are lost by 15 of 36 throws; who has not won by then, loses.
    assert [each.rounds_left for each in found.base] == [2]
    assert found.base[0].win == pytest.approx(15 / 36)
    points = {row.name: row.points[0] for row in found.prices}
    assert same(points["+1 A"], 2, 6 / 36, None)
    assert same(points["+1 D"], 2, 0.0, 0.0)
    assert same(points["+1 HP"], 2, 0.0, 0.0)
    assert same(points["war-axe"], 2, 14 / 36, None)
    assert [(row.name, row.cost, row.break_even, row.verdict) for row in found.prices[-1:]] == [
        ("war-axe", 5, 2, "under")
    ]
    assert told == [("races", done, 5) for done in (1, 2, 3, 4)]
    assert found.left_out == ["eclipse", "tempest", "harvest", "drought"]
