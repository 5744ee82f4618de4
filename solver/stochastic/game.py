"""What a game offers to the solver of stochastic games: numbered positions, and one compiled function.

Two players and chance, perfect information, no position twice in a play. The game numbers its positions so
that all moves lead to lower numbers; the solver goes through them once, upwards. What happens between two
positions (decide, roll, decide again what to roll again, ...) is the position's *local graph*, which the game
writes down whenever it is asked for: small, acyclic, with nodes that may be reached in more ways than one.
Stored is one value for each position that can be reached, so a game keeps its positions few and its
local graphs larger. Numbers that are never reached cost four bytes each: a game whose positions are too
many to be numbered densely needs search instead.

A play ends in one of finitely many *outcomes*; each pays a vector of K numbers. Each player has an order of
columns, the first to be made as large (or small) as possible, the next one only to decide between options
that are equal in those before. So a game may be zero-sum or not, and ties are broken in a stated way.

Where the state space is cut, options lead *beyond*, to one more number, `beyond`. In zero-sum games two
passes, with the worst and with the best that could lie there, bracket the value.

Letters used for shapes: N positions, O outcomes, K columns, Q columns that are compared.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from numba import types

CHANCE = 2
"""The kind of a local node where chance moves; 0 and 1 are the players."""

IntArray = npt.NDArray[np.int64]
RowArray = npt.NDArray[np.int32]
FloatArray = npt.NDArray[np.float64]

WORDS = types.int64[::1]
REALS = types.float64[::1]
EXPAND = types.FunctionType(
    types.int64(WORDS, REALS, types.int64, WORDS, WORDS, WORDS, WORDS, REALS),
)
"""The numba type of `StochasticGame.expand`."""


class MalformedStochasticGameError(ValueError):
    """The game broke its contract; the message says where."""


@dataclass(frozen=True, eq=False)
class StochasticGame:
    """A game as numbers and a compiled function.

    Attributes
    ----------
    num_positions : int
        N.
    payoffs : [O, K] float64
        What each outcome pays.
    preference : [2, Q] int64
        Columns in the order in which each player compares them: `c + 1` for a column `c` to be made large,
        `-(c + 1)` for one to be made small. Numbers that differ by no more than `tie` count as equal.
    tie : float
        Larger than what rounding does to a payoff, smaller than what matters.
    beyond_worst, beyond_best : [K] float64
        What may lie beyond the cut at worst and at best, for player 0 by its first column. They count only if
        an option leads to `beyond`.
    tables, reals : [any] int64, [any] float64
        The game's parameters, passed to every call; at least one element each.
    work_words, max_nodes, max_edges : int
        Words of scratch that every call gets, at least 1, and room that the largest local graph needs.
    expand : (tables, reals, position, work, kinds, starts, targets, weights) -> number of local nodes
        Writes the local graph of a position and allocates nothing. Local node i is of kind `kinds[i]` and
        has the options, or outcomes of chance, `starts[i] .. starts[i + 1] - 1`, at least one. An option
        leads to `targets[e]`: a position below this one, `num_positions + o` for outcome o, `beyond`, or
        `-1 - j` for local node j, which has to come before i. The last local node is where the
        position begins. Edges of chance have probabilities in `weights`, which sum to 1 (not checked); other
        weights may hold anything.
    """

    num_positions: int
    payoffs: FloatArray
    preference: IntArray
    tie: float
    beyond_worst: FloatArray
    beyond_best: FloatArray
    tables: IntArray
    reals: FloatArray
    work_words: int
    max_nodes: int
    max_edges: int
    expand: Callable[..., int]

    @property
    def num_outcomes(self) -> int:
        """O."""
        return len(self.payoffs)

    @property
    def num_columns(self) -> int:
        """K."""
        return int(self.payoffs.shape[1])

    @property
    def beyond(self) -> int:
        """The target of options that lead out of the positions that are numbered."""
        return self.num_positions + self.num_outcomes

    @property
    def zero_sum(self) -> bool:
        """Whether the players compare the same column first, one each way: only then a bracket is sound."""
        return bool(self.preference[0, 0] == -self.preference[1, 0])


class LocalGraph(NamedTuple):
    """Room for the local graph of one position; see `StochasticGame.expand`."""

    work: IntArray
    kinds: IntArray
    starts: IntArray
    targets: IntArray
    weights: FloatArray

    @classmethod
    def of(cls, game: StochasticGame) -> LocalGraph:
        """Return room for any position of a game."""
        return cls(
            np.zeros(game.work_words, np.int64),
            np.zeros(game.max_nodes, np.int64),
            np.zeros(game.max_nodes + 1, np.int64),
            np.zeros(game.max_edges, np.int64),
            np.zeros(game.max_edges),
        )


class Evaluation(NamedTuple):
    """What evaluates local graphs.

    Attributes
    ----------
    preference, tie : of the players, see `StochasticGame`.
    rows, values : of positions, [N] and [rows, K].
    ends : [O + 1, K], see `StochasticGame.ends`.
    local, chosen : of the nodes of one local graph, [nodes, K] and [nodes]; written by each evaluation.
    """

    preference: IntArray
    tie: float
    rows: RowArray
    values: FloatArray
    ends: FloatArray
    local: FloatArray
    chosen: IntArray

    @classmethod
    def of(
        cls, game: StochasticGame, rows: RowArray, values: FloatArray, beyond: FloatArray | None = None
    ) -> Evaluation:
        """Return what evaluates with such values; what lies beyond is at its worst if it is not given."""
        ends = np.ascontiguousarray(
            np.vstack([game.payoffs, game.beyond_worst if beyond is None else beyond])
        )
        local = np.zeros((game.max_nodes, game.num_columns))
        return cls(game.preference, game.tie, rows, values, ends, local, np.zeros(game.max_nodes, np.int64))


_TABLE = types.float64[:, ::1]
GRAPH = types.NamedTuple([WORDS, WORDS, WORDS, WORDS, REALS], LocalGraph)  # type: ignore[no-untyped-call]
EVALUATION = types.NamedTuple(  # type: ignore[no-untyped-call]
    [types.int64[:, ::1], types.float64, types.int32[::1], _TABLE, _TABLE, _TABLE, WORDS], Evaluation
)
