"""The arithmetic of one attack: the joint law of damage and sixes, in whole numbers (K2, S3).

Sixes are kept beside the damage since one of them turns the season.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import cache
from itertools import product
from typing import NamedTuple

Law = dict[tuple[int, bool], Fraction]
"""(damage, whether any die shows a 6) -> probability."""
NO_DAMAGE: Law = {(0, False): Fraction(1)}
FACES = 6


class Attack(NamedTuple):
    """An attack with all modifiers: totals before dice, and how many dice each side rolls."""

    attack: int
    attack_dice: int
    defence: int
    defence_dice: int
    prevent: int = 0

    @property
    def margin(self) -> int:
        """What the attack has ahead before dice."""
        return self.attack - self.defence


@cache
def sums(dice: int) -> dict[tuple[int, bool], int]:
    """(sum, whether any die shows a 6) -> ways to roll so many dice."""
    ways = {(0, False): 1}
    for _ in range(dice):
        after: dict[tuple[int, bool], int] = {}
        for (total, six), number in ways.items():
            for face in range(1, FACES + 1):
                key = total + face, six or face == FACES
                after[key] = after.get(key, 0) + number
        ways = after
    return ways


@cache
def law(attack: Attack) -> Law:
    """Return the joint law of damage and sixes of one attack."""
    found: Law = {}
    of = FACES ** (attack.attack_dice + attack.defence_dice)
    pairs = product(sums(attack.attack_dice).items(), sums(attack.defence_dice).items())
    for ((own, own_six), ways), ((other, other_six), other_ways) in pairs:
        damage = max(attack.margin + own - other - attack.prevent, 0)
        key = damage, own_six or other_six
        found[key] = found.get(key, Fraction(0)) + Fraction(ways * other_ways, of)
    return found


def both(one: Law, other: Law) -> Law:
    """Return the law of two attacks one after the other: damage adds up, sixes count once."""
    found: Law = {}
    for (damage, six), chance in one.items():
        for (more, again), factor in other.items():
            key = damage + more, six or again
            found[key] = found.get(key, Fraction(0)) + chance * factor
    return found


def all_of(attacks: Iterable[Attack]) -> Law:
    """Return the law of several attacks by one hero on one target, in one round: the season stands still."""
    found = NO_DAMAGE
    for attack in attacks:
        found = both(found, law(attack))
    return found


def mean_damage(damage: Law) -> Fraction:
    """Return the damage on average."""
    return sum((amount * chance for (amount, _), chance in damage.items()), Fraction(0))


def chance_of_six(damage: Law) -> Fraction:
    """Return the chance that a die shows a 6."""
    return sum((chance for (_, six), chance in damage.items() if six), Fraction(0))


def kill_chance(damage: Law, hp: int) -> Fraction:
    """Return the chance of at least so much damage."""
    return sum((chance for (amount, _), chance in damage.items() if amount >= hp), Fraction(0))


def combinations(copies: int) -> Sequence[tuple[int, ...]]:
    """Ways to cast so many copies of one spell: sizes of the attacks, the largest first (K4)."""

    def parts(left: int, most: int) -> list[tuple[int, ...]]:
        if left == 0:
            return [()]
        return [(size, *rest) for size in range(min(left, most), 0, -1) for rest in parts(left - size, size)]

    return parts(copies, copies)
