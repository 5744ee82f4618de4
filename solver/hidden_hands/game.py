"""The contract between a game and the hidden-hands solver: arrays in, a certified solution out.

A *hidden-hands game* is played by two players, each with a stock of typed items of its own. Each holds a
hidden hand drawn from its stock, both place one item a step (at the same time), refill by a draw, and reveal.
What has been revealed drives a public *row automaton*; what the game pays depends on the two final rows only,
never on the hands.

Play may also begin at a *position*: a public state and a range for each player, that is how likely it holds
which hand, and has hidden which items, as far as the other side can tell. Hands being independent given the
public history, the two ranges are all there is to know about the past.

Letters used for shapes throughout this package: ``T`` item types; ``A = T + 1`` actions of the row automaton
(the last is "nothing"), ``R`` rows, ``F`` faces, ``C`` terminal classes; ``P`` local actions (the placeable
types, then "nothing" where that can happen); ``S`` hands, or other private states, of a level, ``J`` (hand,
action) pairs of a level, ``I`` support indices, ``L = 8`` lanes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray


class HandGame(Protocol):
    """A hidden-hands game as arrays (see the module docstring for the letters)."""

    @property
    def type_ids(self) -> tuple[str, ...]:
        """Names of the T types, for messages only."""

    @property
    def copies(self) -> NDArray[np.int64]:
        """``[2, T]`` items of each type in each player's stock before the deal."""

    @property
    def hand_size(self) -> int:
        """Items a player holds as long as its stock lasts."""

    @property
    def row_length(self) -> int:
        """Slots of a full row."""

    @property
    def placeable(self) -> NDArray[np.bool_]:
        """``[T]`` types that may be placed."""

    @property
    def start_row(self) -> int:
        """The row both players start with."""

    @property
    def num_faces(self) -> int:
        """F."""

    @property
    def face(self) -> NDArray[np.int64]:
        """``[R]`` what a row shows to the other side while a step is being resolved."""

    @property
    def next_row(self) -> NDArray[np.int32]:
        """``[R, F, A, A]`` own next row by (own row, opponent's face, own action, opponent's action); -1
        impossible."""

    @property
    def pending(self) -> NDArray[np.bool_]:
        """``[R]`` the owner must place a further item before the step ends."""

    @property
    def hides(self) -> NDArray[np.bool_]:
        """``[R]`` the owner places one hidden item: now if `served` says so, else once the step is over."""

    @property
    def commit(self) -> NDArray[np.int32]:
        """``[R, 2]`` row at the start of the next step; second index: a hidden item was placed."""

    @property
    def served(self) -> NDArray[np.int32]:
        """``[R, 2]`` row once its owner was to hide an item, where that comes before further items of the
        step; second index: it did. -1 where it waits for the end of the step."""

    @property
    def full(self) -> NDArray[np.bool_]:
        """``[R]`` the row is full: play is over."""

    @property
    def length(self) -> NDArray[np.int64]:
        """``[R]`` slots used of a committed row."""

    @property
    def terminal_class(self) -> NDArray[np.int32]:
        """``[R]`` class of a committed row for the payoff tables."""

    @property
    def payoff(self) -> NDArray[np.float64]:
        """``[C, C]`` what play pays the player with class i against class j; antisymmetric, whole numbers."""

    @property
    def gp(self) -> NDArray[np.float64]:
        """``[C, C]`` the player's own points; ``payoff = gp - gp.T``."""

    @property
    def outcome(self) -> NDArray[np.int8]:
        """``[C, C]`` 0 win, 1 draw, 2 loss, 3 two losers, for the player with class i."""


@dataclass(frozen=True)
class LockedFrequency:
    """One player's fixed frequency of one type at one step."""

    player: int  # {0, 1}
    step: int  # steps finished before it: 0 is the opening
    item: int  # number of the type
    frequency: float  # probability of placing it where it can be placed and something else could be


@dataclass(frozen=True)
class BaselinePolicy:
    """A simple way of playing, without any strategy. Of equally good types any, each as likely."""

    name: str
    # The type placed is one with the highest ``place[t] + per_item[t] * (items of it in hand)``
    place: tuple[float, ...]
    per_item: tuple[float, ...]
    hide: tuple[float, ...]  # the type hidden is one with the highest of these
    # Makes any exchange before the first step, or none, each as likely; otherwise it never exchanges
    exchanges: bool = False
    # If positive, all this is ignored: each possible action is tried in so many playouts in which everything
    # else is random, and the one with the best mean is taken
    playouts: int = 0


@dataclass(frozen=True)
class Sampling:
    """What to sample once a game is solved."""

    plays: int  # plays of the strategies found against each other
    # Ways of playing to measure against the strategies found, and in how many plays each
    policies: tuple[tuple[BaselinePolicy, int], ...] = ()


@dataclass(frozen=True, eq=False)
class Samples:
    """Plays sampled from a solution: its own ones, and other players' results against it (points).

    ``N`` plays, ``D`` decisions at most.
    """

    # [N, D, 2] type that each player places at each decision (or shows in an exchange), in order; T
    # where it hides an item; -1 where it does nothing; -2 once play is over. An item that is hidden as play
    # ends, which is no decision, is not shown
    shown: NDArray[np.int8]
    payoff_deviation: float  # standard deviation of the payoff of a play
    # [2, 2] by name of the policy and player: mean payoff for its owner against the
    # solution, and its standard error
    worths: dict[str, NDArray[np.float64]]


@dataclass(frozen=True)
class Settings:
    """What to solve and how long."""

    preparation: str = "redraw"  # "none", "redraw" or "seen": model of the exchange before the first step
    # "auto", "exact" or "merged": the un-merged public tree, or public histories with equal rows merged (see
    # ``merging``); "auto" merges where the un-merged tree would take more memory than allowed, or is so large
    # that the time limit would end it after a few iterations. Certificates are of the un-merged game
    method: str = "auto"
    target: float | None = None  # stop once the certified NashConv is at most this
    # Or once it is at most such a share of what a play pays: the mean of both players' mean points
    target_share: float | None = None
    time_limit_s: float | None = None  # stop iterating so that the certificate is ready about then
    # Stop after so many iterations. Where histories are merged and there are more than eight, eight others
    # come first, to see where play goes
    iterations: int | None = None
    threads: int = 0  # 0 means all processors this process may use. The answer does not depend on it
    seed: int = 0  # recorded with the result; the full-width methods draw no random numbers
    # Refuse above this; None means three quarters of what is free. Where histories are merged, what is left
    # of it goes into refining more of them
    memory_bytes: int | None = None
    # Folder in which regrets may lie where they do not fit in memory. The answer is the same
    disk: Path | None = None
    # Frequencies that are fixed; best responses keep to their owner's
    locked: tuple[LockedFrequency, ...] = ()
    # What to sample from the solution, unless it was stopped; None for nothing
    sampling: Sampling | None = None
    # Positions whose tree takes at most so many bytes with its final steps expanded into ordinary decisions
    # are solved that way, and without lazy updates: more work per iteration, and fewer iterations where hands
    # are few
    expand_bytes: int = 0


@dataclass(frozen=True)
class Estimate:
    """Size of a solve, known before anything is allocated."""

    method: str
    memory_bytes: int
    seconds_per_iteration: float
    num_nodes: int
    disk_bytes: int = 0


@dataclass(frozen=True)
class Progress:
    """One progress report of a running solve."""

    phase: str
    fraction: float | None
    iteration: int
    nash_conv: float | None
    elapsed_s: float
    memory_bytes: int
    message: str


class CannotMerge(ValueError):
    """The method "merged" was asked for, and histories of this game cannot be merged."""


class MemoryRefused(Exception):
    """The solve would need more memory than it may use.

    Attributes
    ----------
    needed_bytes, limit_bytes : what it would need, and what it may use.
    threads : the most threads with which it would fit; None if it fits with none.
    """

    def __init__(self, needed_bytes: int, limit_bytes: int, threads: int | None = None) -> None:
        self.needed_bytes = needed_bytes
        self.limit_bytes = limit_bytes
        self.threads = threads
        fewer = "" if threads is None else f"; {threads} thread{'s' * (threads > 1)} would fit"
        super().__init__(
            f"needs {needed_bytes / 2**30:.1f} GiB, may use {limit_bytes / 2**30:.1f} GiB{fewer}"
        )


class DiskRefused(Exception):
    """What should lie on disk cannot."""

    def __init__(self, needed_bytes: int, folder: str, reason: str) -> None:
        self.needed_bytes = needed_bytes
        super().__init__(f"cannot keep {needed_bytes / 2**30:.1f} GiB in {folder}: {reason}")


StopFlag = Callable[[], bool]
Show = Callable[["Solution"], None]


class Left(Exception):
    """Somebody left at once, before there was anything to show."""


_leave: ContextVar[StopFlag | None] = ContextVar("leave", default=None)


@contextmanager
def leaving(leave: StopFlag) -> Iterator[None]:
    """Let what is counted and built inside end between two of its parts once somebody leaves."""
    before = _leave.set(leave)
    try:
        yield
    finally:
        _leave.reset(before)


def poll_leave(leave: StopFlag | None = None) -> None:
    """Raise ``Left`` if somebody leaves, by this flag or else by that of `leaving`."""
    asked = leave or _leave.get()
    if asked is not None and asked():
        raise Left


@dataclass(frozen=True)
class Solution:
    """A strategy for both players, what it is worth and how exact that is (units: points).

    ``S`` hands at the first step, ``A = T + 1`` actions (the last: nothing). ``nash_conv`` is the sum over
    both players of what an exact best response gains against the returned strategy, rounding slack included.
    ``value`` is what both strategies pay player 0, within what best responses allow; 0 in a symmetric game.
    ``started_from`` names the game whose tables the solve began from, if any; ``iterations`` are those since.
    ``refined``, where histories are merged, is the share of play in which more than rows distinguishes them;
    None elsewhere.
    """

    value: float
    nash_conv: float
    certified: bool
    certificate: str
    best_response_values: tuple[float, float]
    iterations: int
    seconds: float
    peak_memory_bytes: int
    seed: int
    method: str
    preparation: str
    converged: bool
    hands: NDArray[np.int8]
    hand_probability: NDArray[np.float64]
    opening: NDArray[np.float32]
    reach: NDArray[np.float64]
    opening_ev: NDArray[np.float32]
    opening_mix: NDArray[np.float64]
    preparation_mix: NDArray[np.float32] | None
    usage: NDArray[np.float64]
    outcome: NDArray[np.float64]
    mean_gp: NDArray[np.float64]
    samples: Samples | None = None
    history: list[tuple[int, float, float]] = field(default_factory=list)
    refined: float | None = None
    started_from: str = ""


@dataclass(frozen=True)
class Certificate:
    """Exact best-response values of both players against the average strategies, and what rounding may
    hide."""

    best_response_values: tuple[float, float]
    slack: float
    # [J] by pair of the first decision: what the action is worth with best play of one's own afterwards;
    # empty for a player who does not act
    opening_values: tuple[NDArray[np.float64], NDArray[np.float64]]
    # How it was done beyond what is always done, and what was counted at its worst; begins with a comma
    left_out: str = ""
    # [jobs, 2, S, P] the same of first steps after a seen exchange, below each public one, if there is any
    seen_worths: NDArray[np.float64] | None = None

    @property
    def nash_conv(self) -> float:
        """Upper bound on the sum of both players' gains from deviating."""
        return max(sum(self.best_response_values), 0.0) + self.slack


class Start(NamedTuple):
    """A public state: where a tree begins.

    Everybody holds as many items as it can: a decision comes after all draws.
    """

    kind: int  # PLACE, HIDE or EXCHANGE of ``spaces``
    acts: int  # bit p: player p decides
    rows: tuple[int, int]  # of both players
    hidden: tuple[int, int]  # how many items each has hidden
    step: int  # steps finished
    pools: NDArray[np.int64]  # [2, T] items of each player that not everybody has seen


@dataclass(frozen=True, eq=False)
class Position:
    """A public state and both ranges."""

    start: Start
    # [S] each, adding up to one: over the private states of each player's level, in
    # the order of ``Spaces``
    ranges: tuple[NDArray[np.float64], NDArray[np.float64]]


@dataclass(frozen=True, eq=False)
class PositionSolution:
    """How to play on from a position, and how exact that is (units: points).

    The certificate holds for the game that begins with the given ranges; it says nothing about how they came
    about.
    """

    # [J] each, by pair of the first decision: with what probability the state takes the action, and
    # what the action is worth with best play of one's own afterwards, against the other side's average
    # strategy. Empty for a player who does not act
    mixes: tuple[NDArray[np.float64], NDArray[np.float64]]
    values: tuple[NDArray[np.float64], NDArray[np.float64]]
    # what a best response is worth to each player, on average over its range
    best_response_values: tuple[float, float]
    nash_conv: float  # their sum, rounding slack included
    iterations: int
    seconds: float
    peak_memory_bytes: int
    seed: int
    converged: bool
    history: list[tuple[int, float, float]] = field(default_factory=list)
