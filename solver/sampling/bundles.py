"""What kernels take together, as named tuples, and their numba types.

A kernel unpacks them where it begins, which costs nothing once compiled.

Letters used for shapes: P players, W words of a state, M most moves, A most facts at once, L longest path,
H hidden units, D deepest open end, C records of a table, R reals.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from numba import types

from solver.sampling.game import REALS, WORDS, FloatArray, IntArray, SamplingGame

Singles = npt.NDArray[np.float32]

_WORD_TABLE = types.int64[:, ::1]
_REAL_TABLE = types.float64[:, ::1]
_SINGLES = types.float32[:, ::1]


def bundle_type(bundle: type[Any], *members: Any) -> Any:
    """Return the numba type of a named tuple whose members have these types."""
    kinds: Any = types
    return kinds.BaseTuple.from_types(members, bundle)


class Root(NamedTuple):
    """A game's tables, the state in which plays begin, [W], and how many nodes a path may have."""

    tables: IntArray
    state: IntArray
    max_length: int


ROOT = bundle_type(Root, WORDS, WORDS, types.int64)


class Roots(NamedTuple):
    """A `Root` with several states, [N, W]."""

    tables: IntArray
    states: IntArray
    max_length: int


ROOTS = bundle_type(Roots, WORDS, _WORD_TABLE, types.int64)


class Network(NamedTuple):
    """The weights of a `value_network.ValueNetwork`."""

    inputs: Singles
    hidden: Singles
    scale: FloatArray


NETWORK = bundle_type(Network, _SINGLES, _SINGLES, REALS)


class Trials(NamedTuple):
    """Scratch of a look one move ahead: a state [W], facts [A], units [H], the states [D, W], steps [D, 3]
    and reals [D, 4 + M] of an open end, payoffs [P].
    """

    state: IntArray
    active: IntArray
    units: Singles
    states: IntArray
    steps: IntArray
    reals: FloatArray
    payoff: FloatArray


TRIALS = bundle_type(Trials, WORDS, WORDS, types.float32[::1], _WORD_TABLE, _WORD_TABLE, _REAL_TABLE, REALS)


class Table(NamedTuple):
    """An `infoset_table.InfosetTable`: records [C, 4], reals [R], counters [3], most infosets."""

    records: IntArray
    reals: FloatArray
    counters: IntArray
    capacity: int


TABLE = bundle_type(Table, _WORD_TABLE, REALS, WORDS, types.int64)


class Scratch(NamedTuple):
    """Scratch of a play: a state [W], work, and weights of moves [M]."""

    state: IntArray
    work: IntArray
    weights: FloatArray


SCRATCH = bundle_type(Scratch, WORDS, WORDS, REALS)


def new_scratch(game: SamplingGame) -> Scratch:
    """Return scratch of plays of a game."""
    return Scratch(
        np.zeros(game.state_words, dtype=np.int64),
        np.zeros(game.work_words, dtype=np.int64),
        np.zeros(game.max_moves),
    )


class Rule(NamedTuple):
    """How a search chooses: see `information_set_search.SearchSettings` and `guided_search.Guidance`."""

    exploration: float
    frozen: int
    prior_visits: float
    temperature: float


RULE = bundle_type(Rule, types.float64, types.int64, types.float64, types.float64)


class Particles(NamedTuple):
    """States drawn for a search, [K, W], and what each counts, [K]."""

    states: IntArray
    weights: FloatArray


PARTICLES = bundle_type(Particles, _WORD_TABLE, REALS)


class Past(NamedTuple):
    """Moves that have been made: the states before them [J, W], who made which [J, 2], how many there are,
    and how moves are believed to be chosen: the network's temperature, and the share of even ones.
    """

    states: IntArray
    moves: IntArray
    num_moves: int
    temperature: float
    even_share: float


PAST = bundle_type(Past, _WORD_TABLE, _WORD_TABLE, types.int64, types.float64, types.float64)
