"""Positions: points of play at which the public tree may begin, with what is believed about both hands.

A position is a public state and a *range* for each player: how likely he holds which hand, and has hidden
which items, as far as the other side can tell. Hands being independent given the public history, the two
ranges are all there is to know about the past. Letters as in ``game``: ``T`` types, ``S`` private states of a
level, ``J`` (state, action) pairs of a decision.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray


class Start(NamedTuple):
    """A public state: where a tree begins.

    Everybody holds as many items as he can: a decision comes after all draws.
    """

    kind: int  # PLACE, HIDE or EXCHANGE of ``spaces``
    acts: int  # bit p: player p decides
    rows: tuple[int, int]  # of both players
    hidden: tuple[int, int]  # how many items each has hidden
    step: int  # steps finished
    pools: NDArray[np.int64]  # [2, T] items of each player that not everybody has seen


@dataclass(frozen=True, eq=False)
class Position:
    """A public state and both ranges.

    Attributes
    ----------
    start : Start
    ranges : two ``[S]`` float64 arrays, each adding up to one
        Over the private states of each player's level, in the order of ``Spaces``.
    """

    start: Start
    ranges: tuple[NDArray[np.float64], NDArray[np.float64]]


@dataclass(frozen=True, eq=False)
class PositionSolution:
    """How to play on from a position, and how exact that is (units: points).

    The certificate holds for the game that begins with the given ranges; it says nothing about how they came
    about.

    Attributes
    ----------
    mixes, values : two ``[J]`` arrays
        By pair of the first decision: with what probability the state takes the action, and what the action
        is worth with best play of one's own afterwards, against the other side's average strategy. Empty for
        a player who does not act.
    best_response_values : what a best response is worth to each player, on average over his range.
    nash_conv : their sum, rounding slack included.
    """

    mixes: tuple[NDArray[np.float64], NDArray[np.float64]]
    values: tuple[NDArray[np.float64], NDArray[np.float64]]
    best_response_values: tuple[float, float]
    nash_conv: float
    iterations: int
    seconds: float
    peak_memory_bytes: int
    seed: int
    converged: bool
    history: list[tuple[int, float, float]] = field(default_factory=list)
