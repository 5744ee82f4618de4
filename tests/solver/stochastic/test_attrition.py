"""Attrition: backward against forward, against rational recursion, and against the solver of positions."""

from __future__ import annotations

from fractions import Fraction
from functools import cache

import numpy as np
import pytest

from solver.stochastic.attrition import Attrition, follow_attrition, solve_attrition

pytestmark = pytest.mark.kernels


def small(last: int = 1, gains: tuple[int, int] = (0, 0), first: int = 0, rounds: int = 7) -> Attrition:
    """Three modes in a ring, of two classes; the last mode leads back to the first."""
    losses = np.zeros((2, 2, 2, 4))
    losses[0, 0, 0, :3] = 0.25, 0.25, 0.125
    losses[0, 0, 1, 1:] = 0.125, 0.125, 0.125
    losses[0, 1, 0, 0], losses[0, 1, 1, 2] = 0.5, 0.5
    losses[1, 0, 0, 0], losses[1, 0, 1, 3] = 0.75, 0.25
    losses[1, 1, 0, 1], losses[1, 1, 0, 2], losses[1, 1, 1, 0] = 0.25, 0.5, 0.25
    return Attrition(
        losses=losses,
        gains=np.array([gains, (0, 0)]),
        mode_class=np.array([0, 1, 0]),
        successors=np.array([[1, 2], [2, -1], [0, 2]]),
        chances=np.array([[0.75, 0.25], [1.0, 0.0], [0.5, 0.5]]),
        depth=np.array([0, 1, 1]),
        largest=(5, 6),
        first=first,
        fights=(False, *(True,) * (rounds - 1)),
        last=last,
    )


def rational(game: Attrition, root: int, totals: tuple[int, int]) -> Fraction:
    """The chance of side 0 by plain recursion in fractions."""

    @cache
    def value(number: int, mode: int, own: int, other: int) -> Fraction:
        if number == len(game.fights):
            return Fraction(int(game.last == 0))
        side = (game.first + number) % 2
        group = int(game.mode_class[mode])
        hp = [own, other]
        hp[side] = min(hp[side] + int(game.gains[group, side]), game.largest[side])
        if not game.fights[number]:
            return value(number + 1, mode, *hp)
        total = Fraction(0)
        for flag in (0, 1):
            for loss, chance in enumerate(game.losses[group, side, flag]):
                if not chance:
                    continue
                left = list(hp)
                left[1 - side] -= loss
                if left[1 - side] <= 0:
                    total += Fraction(chance) * int(side == 0)
                elif not flag:
                    total += Fraction(chance) * value(number + 1, mode, *left)
                else:
                    for after, share in zip(game.successors[mode], game.chances[mode], strict=True):
                        if after >= 0:
                            total += Fraction(chance) * Fraction(share) * value(number + 1, int(after), *left)
        return total

    return value(0, root, *totals)


GAMES = [
    small(),
    small(last=0),
    small(gains=(2, 1)),
    small(first=1, gains=(1, 3)),
    small(first=1, last=0, rounds=12),
]


@pytest.mark.parametrize("game", GAMES, ids=range(len(GAMES)))
def test_backward_is_rational_recursion(game: Attrition) -> None:
    values = solve_attrition(game)
    for own in range(1, 6):
        for other in range(1, 7):
            exact = rational(game, 0, (own, other))
            assert values.value(0, (own, other)) == pytest.approx(float(exact), abs=1e-14)


@pytest.mark.parametrize("game", GAMES, ids=range(len(GAMES)))
def test_forward_is_backward(game: Attrition) -> None:
    values = solve_attrition(game)
    for totals in ((1, 1), (3, 4), (5, 6)):
        plays = follow_attrition(game, {0: 1.0}, totals)
        assert plays.win == pytest.approx(values.value(0, totals), abs=1e-14)
        assert plays.ended.sum() + plays.lasted == pytest.approx(1.0, abs=1e-14)
        assert 1 <= plays.quantile(0.1) <= plays.quantile(0.9) <= len(game.fights)
        assert 1 <= plays.mean_rounds <= len(game.fights)
