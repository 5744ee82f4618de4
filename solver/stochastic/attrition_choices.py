"""Attrition with decisions: pieces that may be given up for a gain, attacks that may be declined.

As in `attrition`, but a round is a list of attacks, and before each the side that acts may decline it. Once
an attack is declared, both sides may give up pieces, the acting side first, each as long as it likes, until
both pass in sequence; then it is carried out. What a side loses depends on the pieces that both have left.

Values only, by batches of matrix products: for two or three pieces a side. Letters as in `attrition`; P and
Q sets of pieces that sides 0 and 1 have left, a bit for each piece; K attacks of a round.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from solver.stochastic.attrition import Attrition
from solver.stochastic.game import FloatArray, IntArray


@dataclass(frozen=True, eq=False)
class Choices:
    """What may be decided in a game of attrition, whose `losses` and `gains` do not count then.

    Attributes
    ----------
    attacks : [2][C][K] of [P, Q, 2, D] float64
        Losses by the side that acts, class, attack, pieces left, and flag.
    gains : [P, Q, C, 2] int64
        What the side that acts gains at the beginning of its round.
    prices : two tuples
        What each piece brings.
    may_decline : whether an attack may be left out.
    """

    game: Attrition
    attacks: list[list[list[FloatArray]]]
    gains: IntArray
    prices: tuple[tuple[int, ...], tuple[int, ...]]
    may_decline: bool

    @property
    def sets(self) -> tuple[int, int]:
        """P and Q."""
        return 1 << len(self.prices[0]), 1 << len(self.prices[1])


def solve_choices(choices: Choices) -> FloatArray:
    """Return [roots, A, B]: the chance of side 0 with all pieces left, both sides deciding as is best."""
    game = choices.game
    shape = (*choices.sets, *game.largest)
    num_modes = game.modes_at(len(game.fights))
    values = np.full((num_modes, *shape), 1.0 if game.last == 0 else 0.0)
    matrices = _Matrices(choices)
    wrapped = game.wrapped()
    for number in reversed(range(len(game.fights))):
        side = (game.first + number) % 2
        old = {int(mode): values[mode].copy() for mode in wrapped if mode < num_modes}
        for mode in range(game.modes_at(number)):
            group = int(game.mode_class[mode])
            after = values[mode]
            if game.fights[number]:
                flagged = np.zeros(shape)
                for successor, chance in zip(game.successors[mode], game.chances[mode], strict=True):
                    if successor >= 0 and chance:
                        source = values[successor] if successor > mode else old[int(successor)]
                        flagged += chance * source
                after = _round(choices, matrices, side, group, after, flagged)
            values[mode] = _gained(choices.gains[:, :, group, side], after, side)
    full = tuple(number - 1 for number in choices.sets)
    root_values: FloatArray = values[: game.num_roots, full[0], full[1]].copy()
    return root_values


class _Matrices:
    """Losses as matrices, and what they leave to nobody: made once for each attack."""

    def __init__(self, choices: Choices) -> None:
        sizes = choices.game.largest
        self._made = {
            (side, group, attack): _matrices(table, sizes[1 - side])
            for side, groups in enumerate(choices.attacks)
            for group, attacks in enumerate(groups)
            for attack, table in enumerate(attacks)
        }

    def of(self, side: int, group: int, attack: int) -> tuple[FloatArray, FloatArray]:
        """[2, P, Q, N, N] from totals after to totals before, and [P, Q, N] the chance of falling."""
        return self._made[side, group, attack]


def _matrices(table: FloatArray, size: int) -> tuple[FloatArray, FloatArray]:
    first, second, _, width = table.shape
    moves = np.zeros((2, first, second, size, size))
    falls = np.zeros((first, second, size))
    for loss in range(width):
        for flag in (0, 1):
            chance = table[:, :, flag, loss]
            places = np.arange(loss, size)
            moves[flag][:, :, places - loss, places] += chance[:, :, None]
            falls[:, :, : min(loss, size)] += chance[:, :, None]
    return moves, falls


def _round(
    choices: Choices,
    matrices: _Matrices,
    side: int,
    group: int,
    plain: FloatArray,
    flagged: FloatArray,
) -> FloatArray:
    """Values before the attacks of a round, from those after it without and with a flag."""
    better = np.maximum if side == 0 else np.minimum
    for attack in reversed(range(len(choices.attacks[side][group]))):
        moves, falls = matrices.of(side, group, attack)
        before = []
        # Nothing raises a flag before the first attack: its value with one is not needed.
        cases = ((flagged, plain), (flagged, flagged))[: 1 if attack == 0 else 2]
        for up, down in cases:
            if side == 0:
                carried = down @ moves[0] + up @ moves[1] + falls[:, :, None, :]
            else:
                carried = np.swapaxes(moves[0], 2, 3) @ down + np.swapaxes(moves[1], 2, 3) @ up
            declared = _window(choices, side, carried)
            before.append(better(declared, down) if choices.may_decline else declared)
        plain, flagged = before[0], before[-1]
    return plain


def _window(choices: Choices, side: int, carried: FloatArray) -> FloatArray:
    """Values as an attack is declared: both may give up pieces before it is carried out."""
    # [side to move][passes]: after one pass the other one's pass carries it out.
    nodes = [[np.empty_like(carried) for _ in range(2)] for _ in range(2)]
    sets = choices.sets
    order = sorted(np.ndindex(sets), key=lambda pair: pair[0].bit_count() + pair[1].bit_count())
    for pair in order:
        for passes in (1, 0):
            for mover in (1 - side, side):
                onward = carried[pair] if passes == 1 else nodes[1 - mover][1][pair]
                nodes[mover][passes][pair] = _best(choices, mover, pair, onward, nodes[mover][0])
    return nodes[side][0]


def _best(
    choices: Choices, mover: int, pair: tuple[int, ...], onward: FloatArray, given_up: FloatArray
) -> FloatArray:
    """Pass, or give up a piece and go on."""
    better = np.maximum if mover == 0 else np.minimum
    value = onward
    for piece, price in enumerate(choices.prices[mover]):
        if pair[mover] >> piece & 1:
            left = list(pair)
            left[mover] ^= 1 << piece
            value = better(value, _shifted(given_up[left[0], left[1]], price, mover))
    return value


def _shifted(table: FloatArray, amount: int, axis: int) -> FloatArray:
    """Values with so much more of a side's total, as far as there is room."""
    size = table.shape[axis]
    places = np.minimum(np.arange(size) + amount, size - 1)
    shifted: FloatArray = np.take(table, places, axis=axis)
    return shifted


def _gained(gains: IntArray, table: FloatArray, side: int) -> FloatArray:
    """Values before the side that acts gains."""
    if not gains.any():
        return table
    gained = np.empty_like(table)
    for pair in np.ndindex(*gains.shape):
        gained[pair] = _shifted(table[pair], int(gains[pair]), side)
    return gained
