"""Backward induction over all that can be reached, and the bracket where the state space is cut."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from solver.stochastic.game import (
    Evaluation,
    FloatArray,
    IntArray,
    LocalGraph,
    MalformedStochasticGameError,
    RowArray,
    StochasticGame,
)
from solver.stochastic.kernels import (
    NO_OPTION,
    NO_ROOM,
    NO_SUCH_TARGET,
    NOT_BEFORE,
    NOT_LOWER,
    SOUND,
    induce,
    mark,
    number_rows,
)

_AT_ONCE = 1 << 19
_WRONG = {
    NOT_LOWER: "an option leads to a position that is not below it",
    NO_OPTION: "a local node has no option",
    NOT_BEFORE: "an option leads to a local node that does not come before",
    NO_SUCH_TARGET: "an option leads to an outcome that there is not",
    NO_ROOM: "the local graph is larger than max_nodes and max_edges say",
}


@dataclass(frozen=True, eq=False)
class Solution:
    """Values of a game's positions, and with them optimal play.

    Attributes
    ----------
    game : StochasticGame
    rows : [N] int32
        The row of each position in `values`; -1 where no root leads to it.
    values : [rows, K] float64
        With what lies beyond the cut, if anything does, at its worst for player 0.
    best : root -> float, or None
        Player 0's first column at the roots with what lies beyond at its best; None if nothing was cut: then
        `values` are exact but for rounding.
    """

    game: StochasticGame
    rows: RowArray
    values: FloatArray
    best: dict[int, float] | None

    @property
    def num_states(self) -> int:
        """Positions that can be reached."""
        return len(self.values)

    def value(self, position: int) -> FloatArray:
        """Return the K numbers that a position is worth; KeyError if no root leads to it."""
        row = int(self.rows[position])
        if row < 0:
            raise KeyError(f"position {position} is not among the roots, nor do they lead to it")
        value: FloatArray = self.values[row]
        return value

    def bracket(self, root: int) -> tuple[float, float]:
        """Return two numbers between which player 0's first column lies; they are equal if nothing is cut."""
        low = float(self.value(root)[first_column(self.game)])
        high = low if self.best is None else self.best[root]
        return min(low, high), max(low, high)


def first_column(game: StochasticGame) -> int:
    """Return the column that player 0 compares first."""
    return abs(int(game.preference[0, 0])) - 1


def solve(game: StochasticGame, roots: Sequence[int] | IntArray, *, max_rows: int | None = None) -> Solution:
    """Solve a game from some positions on.

    Parameters
    ----------
    game : StochasticGame
        That its numbering is sound is checked, also that options lead somewhere; not that weights sum to 1.
    roots : sequence of int
    max_rows : int, optional
        Most positions to evaluate.

    Returns
    -------
    Solution
        In time proportional to the edges of the local graphs of all positions that can be reached, which are
        written down twice (a third time where the state space is cut), and to N, the latter quick.

    Raises
    ------
    MalformedStochasticGameError
        With a position where the game breaks its contract; or if it is cut and not zero-sum: then what lies
        beyond may change the value in any direction, whatever the players think of it.
    MemoryError
        If more than `max_rows` positions can be reached.
    """
    rows = np.full(game.num_positions, -1, np.int32)
    rows[np.asarray(roots, np.int64)] = 0
    num_ends = game.num_outcomes + 1
    parameters = (game.expand, game.tables, game.reals, LocalGraph.of(game))
    num_beyond = 0
    for begin, end in reversed(_parts(game.num_positions)):
        code, position, more = mark(*parameters, num_ends, rows, begin, end)
        if code != SOUND:
            raise MalformedStochasticGameError(f"position {position}: {_WRONG[code]}")
        num_beyond += more
    if num_beyond and not game.zero_sum:
        raise MalformedStochasticGameError("the state space is cut, but the game is not zero-sum")
    num_rows = number_rows(rows)
    if max_rows is not None and num_rows > max_rows:
        raise MemoryError(f"{num_rows} positions can be reached, more than {max_rows}")
    values = np.zeros((num_rows, game.num_columns))

    def go_through(beyond: FloatArray) -> None:
        evaluation = Evaluation.of(game, rows, values, beyond)
        for begin, end in _parts(game.num_positions):
            induce(*parameters, evaluation, begin, end)

    best = None
    if num_beyond:
        # Only the roots' numbers are kept: a second table would double what the solve takes.
        go_through(game.beyond_best)
        column = first_column(game)
        best = {int(root): float(values[rows[root], column]) for root in roots}
    go_through(game.beyond_worst)
    return Solution(game, rows, values, best)


def _parts(num_positions: int) -> list[tuple[int, int]]:
    """Ranges of positions for one call each: Ctrl-C waits for the end of a call."""
    begins = range(0, num_positions, _AT_ONCE)
    return [(begin, min(begin + _AT_ONCE, num_positions)) for begin in begins]
