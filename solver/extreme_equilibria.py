"""All extreme equilibria of a small two-player game, in rational numbers.

Every equilibrium of a two-player game is a mixture of extreme ones: pairs of corners of two best-response
polytopes that carry all labels between them (Mangasarian 1964; Avis, Rosenberg, Savani and von Stengel 2010).
The corners come from the double description method (Motzkin et al. 1953; Fukuda and Prodon 1996) on integers,
so that ties, uneven payoffs and payoffs of any size lose none of them.

Letters used for shapes: M rows (actions of player 0), N columns (actions of player 1).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import gcd, lcm

Payoffs = Sequence[Sequence[Fraction]]
Mix = tuple[Fraction, ...]

# Actions of both players together; beyond this there may be thousands of corners.
MAX_ACTIONS = 16


@dataclass(frozen=True)
class ExtremeEquilibrium:
    """An exact equilibrium: [M] and [N] probabilities, and what it pays the two players."""

    strategies: tuple[Mix, Mix]
    payoffs: tuple[Fraction, Fraction]


def extreme_equilibria(payoffs_0: Payoffs, payoffs_1: Payoffs) -> list[ExtremeEquilibrium]:
    """Return all extreme equilibria of a game given by its `[M][N]` payoffs, the best for both first.

    Not checked: shapes. Exponential in the number of actions: see `MAX_ACTIONS`.
    """
    num_rows, num_columns = len(payoffs_0), len(payoffs_0[0])
    # Labels: rows, then columns; a row is there if it is not played, or if it is a best answer.
    transposed = [[row[column] for row in payoffs_1] for column in range(num_columns)]
    row_corners = [
        (mix, unplayed | tight << num_rows) for mix, unplayed, tight in _corners(_positive(transposed))
    ]
    column_corners = [
        (mix, unplayed << num_rows | tight) for mix, unplayed, tight in _corners(_positive(payoffs_0))
    ]
    everything = (1 << num_rows + num_columns) - 1
    found = []
    for row_mix, row_labels in row_corners:
        for column_mix, column_labels in column_corners:
            if row_labels | column_labels == everything:
                pays = expected(payoffs_0, row_mix, column_mix), expected(payoffs_1, row_mix, column_mix)
                found.append(ExtremeEquilibrium((row_mix, column_mix), pays))
    found.sort(key=lambda e: (-sum(e.payoffs), [-p for p in e.strategies[0]], [-p for p in e.strategies[1]]))
    for equilibrium in found:
        if any(exact_gains(payoffs_0, payoffs_1, *equilibrium.strategies)):
            raise AssertionError(f"not an equilibrium: {equilibrium}")
    return found


def exact_gains(
    payoffs_0: Payoffs, payoffs_1: Payoffs, row_mix: Mix, column_mix: Mix
) -> tuple[Fraction, Fraction]:
    """Return the most each player could gain by deviating alone. O(M N)."""
    rows = max(_dot(row, column_mix) for row in payoffs_0)
    columns = max(_dot([row[column] for row in payoffs_1], row_mix) for column in range(len(column_mix)))
    return (
        rows - expected(payoffs_0, row_mix, column_mix),
        columns - expected(payoffs_1, row_mix, column_mix),
    )


def expected(payoffs: Payoffs, row_mix: Mix, column_mix: Mix) -> Fraction:
    """Return what a pair of mixes pays. O(M N)."""
    return _dot([_dot(row, column_mix) for row in payoffs], row_mix)


def _dot(first: Sequence[Fraction], second: Sequence[Fraction]) -> Fraction:
    return sum((a * b for a, b in zip(first, second, strict=True) if a and b), Fraction(0))


def _positive(payoffs: Payoffs) -> list[list[int]]:
    """Return payoffs as whole numbers above 0 of the same best answers."""
    smallest = min(min(row) for row in payoffs)
    unit = lcm(*(amount.denominator for row in payoffs for amount in row), smallest.denominator)
    table = [[int((amount - smallest) * unit) for amount in row] for row in payoffs]
    step = max(1, gcd(*(amount for row in table for amount in row)))
    return [[amount // step + 1 for amount in row] for row in table]


def _corners(answers: list[list[int]]) -> list[tuple[Mix, int, int]]:
    """Return the corners of the mixes' polytope {z >= 0, answers z <= 1}, but for 0.

    Each as the mix it is in proportion to, the actions it leaves out and the answers that are best against
    it, both as bits. `answers` holds, for each action of the other player, what it gets against each action
    mixed here.
    """
    size = len(answers[0])
    # Rays (z, t) of the cone {z >= 0, t >= answers z}, first for a single answer; bits say which bounds they
    # touch: those of z first, then the answers.
    every = (1 << size) - 1
    rays: list[tuple[tuple[int, ...], int]] = [((*(0,) * size, 1), every)]
    for action in range(size):
        unit = [int(action == other) for other in range(size)]
        rays.append(((*unit, answers[0][action]), every & ~(1 << action) | 1 << size))
    for number, answer in enumerate(answers[1:], size + 1):
        rays = _cut(rays, answer, 1 << number, size)
    corners = []
    for ray, touches in rays:
        total = sum(ray[:-1])
        if total:
            mix = tuple(Fraction(part, total) for part in ray[:-1])
            corners.append((mix, touches & every, touches >> size))
    return corners


def _cut(
    rays: list[tuple[tuple[int, ...], int]], answer: list[int], bit: int, size: int
) -> list[tuple[tuple[int, ...], int]]:
    """Return the rays of what is left of a cone where the bound t >= answer z is added."""
    slack = [ray[-1] - sum(a * z for a, z in zip(answer, ray, strict=False)) for ray, _ in rays]
    kept = [
        (ray, touches | bit if room == 0 else touches)
        for (ray, touches), room in zip(rays, slack, strict=True)
        if room >= 0
    ]
    masks = [touches for _, touches in rays]
    outside = [index for index, room in enumerate(slack) if room < 0]
    inside = [index for index, room in enumerate(slack) if room > 0]
    for first in inside:
        for second in outside:
            common = masks[first] & masks[second]
            # Neighbours share so many bounds at least, and no other ray touches all of them.
            if common.bit_count() < size - 1:
                continue
            if any(
                common & mask == common and index not in (first, second) for index, mask in enumerate(masks)
            ):
                continue
            ray = [
                slack[first] * far - slack[second] * near
                for near, far in zip(rays[first][0], rays[second][0], strict=True)
            ]
            divisor = gcd(*ray)
            kept.append((tuple(part // divisor for part in ray), common | bit))
    return kept
