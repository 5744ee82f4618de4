"""The arithmetic of attacks: equal to enumeration, in fractions; the facts it states."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest

from engine.warage.combat import (
    Attack,
    all_of,
    chance_of_six,
    law,
    mean_damage,
)


def enumerated(attack: Attack) -> dict[tuple[int, bool], Fraction]:
    """The law by rolling every die in every way."""
    found: dict[tuple[int, bool], Fraction] = {}
    dice = attack.attack_dice + attack.defence_dice
    for faces in product(range(1, 7), repeat=dice):
        own, other = sum(faces[: attack.attack_dice]), sum(faces[attack.attack_dice :])
        damage = max(attack.attack + own - attack.defence - other - attack.prevent, 0)
        key = damage, 6 in faces
        found[key] = found.get(key, Fraction(0)) + Fraction(1, 6**dice)
    return found


@pytest.mark.parametrize("margin", [-9, -2, 0, 3, 7])
@pytest.mark.parametrize("dice", [(0, 0), (1, 1), (2, 1), (0, 2), (2, 2), (3, 1)])
@pytest.mark.parametrize("prevent", [0, 4])
def test_attacks_are_enumeration(margin: int, dice: tuple[int, int], prevent: int) -> None:
    attack = Attack(20 + margin, dice[0], 20, dice[1], prevent)
    assert law(attack) == enumerated(attack)
    assert sum(law(attack).values()) == 1


def test_two_attacks_are_enumeration_too() -> None:
    one, other = Attack(21, 1, 20, 1), Attack(18, 2, 20, 0)
    found: dict[tuple[int, bool], Fraction] = {}
    for (damage, six), chance in enumerated(one).items():
        for (more, again), factor in enumerated(other).items():
            key = damage + more, six or again
            found[key] = found.get(key, Fraction(0)) + chance * factor
    assert all_of([one, other]) == found


@pytest.mark.parametrize(
    ("margin", "dice", "mean"),
    [
        (-2, (1, 1), 0.28),
        (0, (1, 1), 0.97),
        (2, (1, 1), 2.28),
        (4, (1, 1), 4.03),
        (5, (1, 1), 5.0),
        (0, (2, 1), 3.66),
        (3, (0, 1), 0.5),
    ],
)
def test_damage_on_average(margin: int, dice: tuple[int, int], mean: float) -> None:
    assert float(mean_damage(law(Attack(20 + margin, dice[0], 20, dice[1])))) == pytest.approx(
        mean, abs=0.006
    )


def test_chance_of_a_six() -> None:
    assert chance_of_six(law(Attack(0, 1, 0, 1))) == Fraction(11, 36)
    assert chance_of_six(law(Attack(0, 2, 0, 1))) == Fraction(91, 216)
    assert chance_of_six(law(Attack(0, 0, 0, 1))) == Fraction(1, 6)
    assert chance_of_six(law(Attack(9, 0, 0, 0))) == 0


def test_attacks_apart_beat_one_together_where_the_base_beats_the_defence() -> None:
    def means(magic: int, defence: int) -> tuple[float, float]:
        apart = all_of([Attack(magic + 5, 1, defence, 1)] * 2)
        return float(mean_damage(apart)), float(mean_damage(law(Attack(magic + 10, 1, defence, 1))))

    assert means(20, 20) == (10, 10)
    apart, together = means(20, 25)
    assert apart == pytest.approx(1.9, abs=0.06)
    assert together == pytest.approx(5.0, abs=0.01)
    apart, together = means(22, 20)
    assert apart > together
