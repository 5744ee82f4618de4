"""Two answers to a day beside each other: rows that several questions show."""

from __future__ import annotations

from collections.abc import Sequence

from analysis.estimates import Estimate
from analysis.front.page import Cell, Column
from analysis.ragers.answers.trust import GRADES, NO_ANSWER
from analysis.ragers.wording import trust
from analysis.ragers.workbench.comparing import Side

COLUMNS = [
    Column("day", "day"),
    Column("side", "side"),
    Column("value", "value, GP", "signed", 2),
    Column("nash_conv", "NashConv", "number", 3),
    Column("gp", "GP", "number"),
    Column("other_gp", "other's GP", "number"),
    Column("win", "won", "share"),
    Column("draw", "drawn", "share"),
    Column("loss", "lost", "share"),
    Column("two_losers", "both lose", "share"),
    Column("verdict", "how sure"),
]


Half = Side
"""One side of a comparison."""


def interval(low: float, high: float) -> Cell:
    """Return an interval of GP; one number where it has no length."""
    return low if low == high else Estimate((low + high) / 2, low, high, 0)


def rows_of(
    day: str, halves: Sequence[tuple[str, Half]], change: tuple[float, float], verdict: str
) -> list[list[Cell]]:
    """Return a row for each side, and one for what changes from the first to the second."""
    numbers = [_numbers(half) for _, half in halves]
    rows: list[list[Cell]] = [
        [day, name, interval(*half.value_bracket_gp), half.nash_conv_gp, *figures, trust.words(half.trust)]
        for (name, half), figures in zip(halves, numbers, strict=True)
    ]
    shifts = [None if None in pair else pair[1] - pair[0] for pair in zip(*numbers, strict=True)]
    return [*rows, [day, "change", interval(*change), None, *shifts, verdict]]


def _numbers(half: Half) -> list[float | None]:
    if not half.answers:
        return [None] * 6
    ends = half.outcome
    return [*half.mean_gp, ends.win, ends.draw, ends.loss, ends.two_losers]


def worse(one: str, other: str) -> str:
    """Return the worse of two grades."""
    order = [*(grade for grade, _ in GRADES), NO_ANSWER]
    return max((one, other), key=lambda grade: order.index(grade) if grade in order else -1)
