"""The loops of attrition: one round backward, in place, and one round forward.

Shapes as in `attrition`; totals are counted from 1, so that total `i + 1` lies in row or column `i`.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from arena_solver.kernel_cache import cached_njit
from solver.stochastic.game import FloatArray, IntArray

_OPTIONS: dict[str, Any] = {"error_model": "numpy", "nogil": True}


class Modes(NamedTuple):
    """What is the same in every round; see `attrition.Attrition`."""

    mode_class: IntArray
    successors: IntArray
    chances: FloatArray
    gains: IntArray


@cached_njit(**_OPTIONS)
def sweep_round(
    values: FloatArray,
    old: FloatArray,
    place_of: IntArray,
    num_modes: int,
    modes: Modes,
    losses: FloatArray,
    bounds: IntArray,
    side: int,
    fights: bool,
    mixed: FloatArray,
    line: FloatArray,
) -> None:
    """Values before a round from those after it. Modified in place: `values`, and scratch.

    Modes are gone through upwards: what follows a mode lies above it, or is kept in `old`.
    """
    mode_class, successors, chances, gains = modes
    rows, columns = values.shape[1], values.shape[2]
    for mode in range(num_modes):
        group = mode_class[mode]
        table = values[mode]
        gain = gains[group, side]
        if not fights:
            _gained(table, gain, side)
            continue
        _mix(values, old, place_of, mode, successors, chances, mixed)
        low, high = bounds[group, side, 0], bounds[group, side, 1]
        if side == 0:
            for row in range(rows):  # upwards: a gain reads rows that are still as they were
                from_row = min(row + gain, rows - 1)
                for column in range(columns):
                    line[column] = 0.0
                for loss in range(low, high):
                    weight = losses[group, 0, 0, loss] + losses[group, 0, 1, loss]
                    for column in range(min(loss, columns)):
                        line[column] += weight
                for loss in range(low, high, 2):
                    _two_losses(line, table[from_row], mixed[from_row], losses[group, 0], loss, columns)
                for column in range(columns):
                    table[row, column] = line[column]
        else:
            for row in range(rows - 1, -1, -1):  # downwards: a loss reads rows that are still as they were
                for column in range(columns):
                    line[column] = 0.0
                for loss in range(low, min(high, row + 1)):
                    plain, flagged = losses[group, 1, 0, loss], losses[group, 1, 1, loss]
                    for column in range(columns):
                        line[column] += (
                            plain * table[row - loss, column] + flagged * mixed[row - loss, column]
                        )
                for column in range(columns):
                    table[row, column] = line[min(column + gain, columns - 1)]


@cached_njit(**_OPTIONS)
def _two_losses(
    line: FloatArray, table: FloatArray, mixed: FloatArray, weights: FloatArray, loss: int, columns: int
) -> None:
    """Add what two losses in sequence lead to; the second may be impossible. Modified in place: `line`."""
    plain, flagged = weights[0, loss], weights[1, loss]
    more, more_flagged = weights[0, loss + 1], weights[1, loss + 1]
    if loss < columns:
        line[loss] += plain * table[0] + flagged * mixed[0]
    for column in range(loss + 1, columns):
        line[column] += (
            plain * table[column - loss]
            + flagged * mixed[column - loss]
            + more * table[column - loss - 1]
            + more_flagged * mixed[column - loss - 1]
        )


@cached_njit(**_OPTIONS)
def _mix(
    values: FloatArray,
    old: FloatArray,
    place_of: IntArray,
    mode: int,
    successors: IntArray,
    chances: FloatArray,
    mixed: FloatArray,
) -> None:
    """What a mode's successors are worth on average. Modified in place: `mixed`."""
    rows, columns = mixed.shape
    first = True
    for choice in range(successors.shape[1]):
        after, chance = successors[mode, choice], chances[mode, choice]
        if after < 0 or chance == 0.0:
            continue
        source = values[after] if after > mode else old[place_of[after]]
        for row in range(rows):
            if first:
                for column in range(columns):
                    mixed[row, column] = chance * source[row, column]
            else:
                for column in range(columns):
                    mixed[row, column] += chance * source[row, column]
        first = False


@cached_njit(**_OPTIONS)
def _gained(table: FloatArray, gain: int, side: int) -> None:
    """A round in which the side that acts gains only. Modified in place."""
    rows, columns = table.shape
    if gain == 0:
        return
    for row in range(rows):
        for column in range(columns):
            if side == 0:
                table[row, column] = table[min(row + gain, rows - 1), column]
            else:
                table[row, column] = table[row, min(column + gain, columns - 1)]


@cached_njit(**_OPTIONS)
def push_round(
    here: FloatArray,
    there: FloatArray,
    num_modes: int,
    modes: Modes,
    counts: IntArray,
    amounts: IntArray,
    weights: FloatArray,
    side: int,
    fights: bool,
    mass: FloatArray,
    ended: FloatArray,
) -> None:
    """Chances after a round from those before it. Modified in place: `there`, `ended` and scratch."""
    mode_class, successors, chances, gains = modes
    rows, columns = here.shape[1], here.shape[2]
    for mode in range(num_modes):
        group = mode_class[mode]
        gain = gains[group, side]
        for row in range(rows):
            some = False
            for column in range(columns):
                mass[column] = 0.0
            for column in range(columns):
                some = some or here[mode, row, column] > 0.0
                to = min(column + gain, columns - 1) if side == 1 else column
                mass[to] += here[mode, row, column]
            if not some:
                continue
            to_row = min(row + gain, rows - 1) if side == 0 else row
            if not fights:
                for column in range(columns):
                    there[mode, to_row, column] += mass[column]
                continue
            for flag in range(2):
                for entry in range(counts[group, side, flag]):
                    loss, weight = amounts[group, side, flag, entry], weights[group, side, flag, entry]
                    if flag == 0:
                        _spread(there[mode], to_row, mass, loss, weight, side, ended)
                        continue
                    _end(to_row, mass, loss, weight, side, ended)
                    for choice in range(successors.shape[1]):
                        after = successors[mode, choice]
                        if after >= 0:
                            share = weight * chances[mode, choice]
                            _move(there[after], to_row, mass, loss, share, side)


@cached_njit(**_OPTIONS)
def _move(table: FloatArray, row: int, mass: FloatArray, loss: int, weight: float, side: int) -> None:
    """Those who survive a loss. Modified in place: `table`."""
    if side == 0:
        for column in range(loss, len(mass)):
            table[row, column - loss] += weight * mass[column]
    elif loss <= row:
        for column in range(len(mass)):
            table[row - loss, column] += weight * mass[column]


@cached_njit(**_OPTIONS)
def _end(row: int, mass: FloatArray, loss: int, weight: float, side: int, ended: FloatArray) -> None:
    """Those who do not. Modified in place: `ended`."""
    total = 0.0
    if side == 0:
        for column in range(min(loss, len(mass))):
            total += mass[column]
    elif loss > row:
        for column in range(len(mass)):
            total += mass[column]
    ended[side] += weight * total


@cached_njit(**_OPTIONS)
def _spread(
    table: FloatArray, row: int, mass: FloatArray, loss: int, weight: float, side: int, ended: FloatArray
) -> None:
    """Both of them. Modified in place: `table`, `ended`."""
    _end(row, mass, loss, weight, side, ended)
    _move(table, row, mass, loss, weight, side)
