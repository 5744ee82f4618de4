"""What a game offers to the solvers that sample: a handful of compiled functions on flat integer states.

A game too large to be written down as a tree is walked instead. It hands over plain numbers and compiled
functions (`SamplingGame`); search (`information_set_search`) and match play (`head_to_head`) take any object
of that shape, as the tests give explicit trees.

Kernels call a game's functions by the names of the stand-ins below; `specialisation` compiles them for a
game.

Letters used for shapes: P players, W words of a state, M most moves of a decision or outcomes of a chance
node, T words of a game's tables.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

import numpy as np
import numpy.typing as npt
from numba import types

#: Where `observe` leaves the number of moves (or outcomes) and the infoset key.
NUM_MOVES = 0
INFOSET_KEY = 1
LEAST_WORK_WORDS = 2

IntArray = npt.NDArray[np.int64]
FloatArray = npt.NDArray[np.float64]

WORDS = types.int64[::1]
REALS = types.float64[::1]
POLICY = types.FunctionType(types.void(WORDS, WORDS, WORDS, REALS))


class MalformedSamplingGameError(ValueError):
    """The game broke its contract; the message says in which call and how."""


class SamplingGame(Protocol):
    """A game as compiled functions. All arrays are C-contiguous; nothing is allocated in the functions.

    Attributes
    ----------
    num_players : int
        P. Two-player results are about zero-sum games; with more players they are heuristics.
    state_words : int
        W: int64 words of a state.
    work_words : int
        At least 2: words of scratch that every call gets. `observe` leaves its results in the first two, the
        rest is the game's own and holds garbage between calls.
    max_moves : int
        M: most moves of a decision and most outcomes of a chance node.
    max_own_decisions : int
        Most decisions of one player in a play.
    max_length : int
        Most nodes on a path from the root, the terminal one included.
    tables : [T] int64
        The rules as numbers, T at least 1, passed to every call and never changed. Reals go in as bit
        patterns.
    root : [W] int64
    observe : (tables, state, work) -> int64
        Who decides: 0 .. P - 1, `CHANCE` or `TERMINAL`. Writes work[0], the number of moves or outcomes (at
        least 1), and at decisions work[1], the infoset key (above 0), which tells all the decider knows, and
        who decides.
    apply : (tables, state, work, move) -> None
        Modifies the state in place; moves and outcomes are 0 .. n - 1.
    chance_weights : (tables, state, work, weights) -> float64
        Writes one weight above 0 per outcome and returns their sum. If all outcomes are equally likely it
        may write nothing and return 0, which is quicker.
    payoffs : (tables, state, work, payoffs) -> None
        Writes the [P] payoffs of a terminal state.
    determinise : (tables, state, work, player, seed, sampled) -> None, or None
        Writes to `sampled` a state that `player`, who is to decide, cannot tell from `state`; drawn by
        `seed`, and independent of what is hidden from it in `state`. Only search needs it.
    """

    @property
    def num_players(self) -> int: ...
    @property
    def state_words(self) -> int: ...
    @property
    def work_words(self) -> int: ...
    @property
    def max_moves(self) -> int: ...
    @property
    def max_own_decisions(self) -> int: ...
    @property
    def max_length(self) -> int: ...
    @property
    def tables(self) -> IntArray: ...
    @property
    def root(self) -> IntArray: ...
    @property
    def observe(self) -> Callable[..., int]: ...
    @property
    def apply(self) -> Callable[..., None]: ...
    @property
    def chance_weights(self) -> Callable[..., float]: ...
    @property
    def payoffs(self) -> Callable[..., None]: ...
    @property
    def determinise(self) -> Callable[..., None] | None: ...


def observe(tables: IntArray, state: IntArray, work: IntArray) -> int:
    """Stand for the game's own function in a kernel's text; so do the next four."""
    raise NotImplementedError


def apply(tables: IntArray, state: IntArray, work: IntArray, move: int) -> None:
    """See `observe`."""
    raise NotImplementedError


def chance_weights(tables: IntArray, state: IntArray, work: IntArray, weights: FloatArray) -> float:
    """See `observe`."""
    raise NotImplementedError


def payoffs(tables: IntArray, state: IntArray, work: IntArray, payoffs: FloatArray) -> None:
    """See `observe`."""
    raise NotImplementedError


def determinise(
    tables: IntArray, state: IntArray, work: IntArray, player: int, seed: int, sampled: IntArray
) -> None:
    """See `observe`."""
    raise NotImplementedError
