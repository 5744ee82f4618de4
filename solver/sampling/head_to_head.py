"""Policies against each other, deal by deal, with confidence intervals.

Each deal is played once per seat: one policy sits in each seat in turn while the other one has all the
others. Chance draws the same numbers in all plays of a deal, whatever the players do, so what luck the deal
brings to a seat is shared and cancels ("duplicate"). A deal's mean over its seats is one observation.

Letters used for shapes: P players, D deals, W words of a state, M most moves.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, partial
from statistics import NormalDist
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt
from numba import types

from solver.extensive import CHANCE, TERMINAL
from solver.sampling.bundles import ROOT, Root
from solver.sampling.game import (
    NUM_MOVES,
    REALS,
    WORDS,
    FloatArray,
    IntArray,
    MalformedSamplingGameError,
    SamplingGame,
    apply,
    chance_weights,
    observe,
    payoffs,
)
from solver.sampling.policy import POLICY_ARGUMENTS, CompiledPolicy, policy_probabilities, uniform_policy
from solver.sampling.randomness import drawn_index, drawn_outcome, new_stream, stream_word
from solver.sampling.specialisation import sampling_kernel, specialised
from solver.sampling.threads import in_threads

# `_advance` returns this instead of a player when a play does not end.
_TOO_LONG = -3
# Kernels may play this many deals between two calls of `progress`.
_DEALS_AT_ONCE = 64


@sampling_kernel
def record(
    tables: IntArray, state: IntArray, work: IntArray, decider: int, move: int, noted: IntArray
) -> None:
    """Stand for a game's own function that notes what a play comes to; this one notes nothing."""


class WatchingPolicy(Protocol):
    """A policy that is asked from Python and told of each play as it goes, if it `watches`.

    It is told true states, and has to see to it that it uses no more of them than its player knows.
    """

    @property
    def name(self) -> str:
        """What to call it in tables."""

    @property
    def watches(self) -> bool:
        """Whether it wants to be told."""

    def choose(self, state: IntArray, seed: int) -> int:
        """See `ChoosingPolicy`."""

    def begin(self) -> None:
        """A play begins."""

    def see(self, state: IntArray, decider: int, move: int) -> None:
        """A player makes a move at a [W] int64 state."""


class ChoosingPolicy(Protocol):
    """A policy that is asked from Python, such as a search."""

    @property
    def name(self) -> str:
        """What to call it in tables."""

    def choose(self, state: IntArray, seed: int) -> int:
        """Return a move at a [W] int64 state, which must not be changed; the same for the same seed."""


@dataclass(frozen=True, eq=False)
class MatchResult:
    """What one policy won from another.

    Attributes
    ----------
    names : tuple of 2 str
    mean : float
        Payoff per play of the first policy, over all seats it sat in.
    standard_error : float
        Of the mean, over deals; nan with fewer than two.
    interval : tuple of 2 floats
        The mean's confidence interval, by the normal approximation: for some dozens of deals and more.
    confidence : float
    seat_means : [P] float64
        Payoff per play by seat; nan for seats it did not sit in.
    wins, draws, losses : int
        Plays with a payoff above, at and below 0.
    num_deals : int
    seed : int
    payoffs : [D, S] float64
        Of each deal, by the S seats it sat in.
    all_payoffs : [D, S, P] float64
        The same of all players, by their seats.
    ends : [D, S, W] int64
        The states in which plays ended; None unless they were asked for.
    noted : [D, S, N] int64
        What the game noted of each play; None unless it was asked for.
    """

    names: tuple[str, str]
    mean: float
    standard_error: float
    interval: tuple[float, float]
    confidence: float
    seat_means: FloatArray
    wins: int
    draws: int
    losses: int
    num_deals: int
    seed: int
    payoffs: FloatArray = field(repr=False)
    all_payoffs: FloatArray = field(repr=False)
    ends: IntArray | None = field(default=None, repr=False)
    noted: IntArray | None = field(default=None, repr=False)


def play_matches(
    game: SamplingGame,
    own: CompiledPolicy | ChoosingPolicy,
    opp: CompiledPolicy | ChoosingPolicy,
    *,
    num_deals: int,
    seed: int = 0,
    seats: Sequence[int] | None = None,
    confidence: float = 0.95,
    progress: Callable[[int], bool | None] | None = None,
    first_deal: int = 0,
    threads: int = 1,
    keep_ends: bool = False,
    num_noted: int = 0,
    alike: bool = False,
) -> MatchResult:
    """Play `own` in each of `seats` in turn against `opp` in all others.

    Parameters
    ----------
    game : SamplingGame
    own, opp : CompiledPolicy or ChoosingPolicy
        Deals between two compiled policies are played in one kernel.
    num_deals : int
        Each is played once per seat.
    seed : int
        The same seed gives the same plays, if the policies answer alike.
    seats : sequence of int, optional
        All if None.
    confidence : float
        Of the interval, above 0 and below 1.
    progress : callable, optional
        Called with the number of deals finished, after each of them and before a policy is asked from
        Python; True ends the match there.
    first_deal : int
        Its number. A deal depends on its number and the seed, so a match can be played in parts.
    threads : int
        Used between two compiled policies.
    keep_ends : bool
        Whether the result has the states in which plays ended.
    num_noted : int
        N, words for what the game notes of a play, which are 0 when it begins. A game may have a compiled
        function `record` of (tables, state, work, decider, move, noted): it is told of each move and outcome
        before it is made, and of the end as a move -1 of `TERMINAL`; it modifies `noted` [N] and scratch.
    alike : bool
        Whether both policies are one player. A deal's plays are then the same from every seat, as choices are
        drawn by the deal alone; each is played once, and counts for all seats.

    Raises
    ------
    ValueError
        For a number of deals, seats or a confidence that mean nothing.
    MalformedSamplingGameError
        If a play does not end.
    """
    played = tuple(range(game.num_players)) if seats is None else tuple(seats)
    if num_deals < 1 or first_deal < 0 or not played or not set(played) <= set(range(game.num_players)):
        raise ValueError(f"need deals and seats of the game, got {num_deals} deals and seats {played}")
    if not 0.0 < confidence < 1.0:
        raise ValueError(f"confidence must lie between 0 and 1, got {confidence}")
    table = _Table(game, own, opp, seed)
    results = np.zeros((num_deals, len(played), game.num_players))
    ends = np.zeros((num_deals if keep_ends else 0, len(played), len(game.root)), np.int64)
    noted = np.zeros((num_deals, len(played), num_noted), np.int64)
    done, last = 0, first_deal + num_deals
    once = played[:1] if alike else played
    compiled = isinstance(own, CompiledPolicy) and isinstance(opp, CompiledPolicy)

    def part(first: int) -> list[tuple[FloatArray, IntArray]]:
        # A table is for one thread.
        own_table = _Table(game, own, opp, seed)
        end = min(last, first + _DEALS_AT_ONCE)
        here = noted[first - first_deal : end - first_deal]
        return [
            own_table.play_compiled(first, end, seat, here[:, column]) for column, seat in enumerate(once)
        ]

    if compiled:
        for by_seat in in_threads(part, range(first_deal, last, _DEALS_AT_ONCE), threads):
            size = len(by_seat[0][0])
            for column, (paid, states) in enumerate(by_seat):
                results[done : done + size, column] = paid
                ends[done : done + size, column] = states[: len(ends)]
            done += size
            if progress is not None and progress(done):
                break

    def told(number: int) -> bool:
        return progress is not None and bool(progress(number))

    while not compiled and done < num_deals:
        for column, seat in enumerate(once):
            ended = table.play(first_deal + done, seat, noted[done, column], partial(told, done))
            if ended is None:
                break
            results[done, column], ends[done : done + 1, column] = ended
        else:
            done += 1
            if not told(done):
                continue
        break
    for every in (results, ends, noted):
        every[:, len(once) :] = every[:, :1]
    found = _summary((own.name, opp.name), results[:done], played, confidence, seed)
    return replace(found, ends=ends[:done] if keep_ends else None, noted=noted[:done] if num_noted else None)


def _summary(
    names: tuple[str, str],
    all_payoffs: FloatArray,
    seats: tuple[int, ...],
    confidence: float,
    seed: int,
) -> MatchResult:
    """Summarise payoffs [D, seats, P]."""
    num_players = all_payoffs.shape[2]
    results = all_payoffs[:, np.arange(len(seats)), list(seats)]
    deals = results.mean(axis=1)
    # None were finished if it was stopped within the first one.
    mean = float(deals.mean()) if len(deals) else float("nan")
    error = float(deals.std(ddof=1) / np.sqrt(len(deals))) if len(deals) > 1 else float("nan")
    width = NormalDist().inv_cdf(0.5 + confidence / 2.0) * error
    seat_means = np.full(num_players, np.nan)
    seat_means[list(seats)] = results.mean(axis=0) if len(deals) else np.nan
    return MatchResult(
        names=names,
        mean=mean,
        standard_error=error,
        interval=(mean - width, mean + width),
        confidence=confidence,
        seat_means=seat_means,
        wins=int(np.count_nonzero(results > 0.0)),
        draws=int(np.count_nonzero(results == 0.0)),
        losses=int(np.count_nonzero(results < 0.0)),
        num_deals=len(deals),
        seed=seed,
        payoffs=results,
        all_payoffs=all_payoffs.copy(),
    )


class _Table:
    """Where two policies meet: their arguments for the kernels, and scratch."""

    def __init__(
        self,
        game: SamplingGame,
        own: CompiledPolicy | ChoosingPolicy,
        opp: CompiledPolicy | ChoosingPolicy,
        seed: int,
    ) -> None:
        self.game = game
        self.seed = seed
        self.choosers: list[ChoosingPolicy | None] = []
        watchers = [each for each in (own, opp) if getattr(each, "watches", False)]
        self.watchers: list[WatchingPolicy] = watchers  # type: ignore[assignment]
        if watchers:
            # Moves made inside a kernel would go by unseen.
            own, opp = (
                AskedPolicy(game, each) if isinstance(each, CompiledPolicy) else each for each in (own, opp)
            )
        self.arguments: list[tuple[Any, ...]] = []
        for policy in (own, opp):
            outside = not isinstance(policy, CompiledPolicy)
            self.choosers.append(policy if not isinstance(policy, CompiledPolicy) else None)
            compiled = policy if isinstance(policy, CompiledPolicy) else uniform_policy()
            self.arguments.append((int(outside), compiled.arguments))
        self.scratch = (
            np.zeros(game.max_moves),
            np.zeros(game.work_words, dtype=np.int64),
            np.zeros(game.num_players),
        )

    def play_compiled(self, first: int, last: int, seat: int, noted: IntArray) -> tuple[FloatArray, IntArray]:
        """Return payoffs [D, P] and ends of deals first .. last - 1 with the first policy in a seat.

        `noted` [D, N] is written.
        """
        here = np.zeros(noted.shape, np.int64)
        kernel = specialised(self.game, _match_kernel, _match_signature(), (_advance,))
        results = np.zeros((last - first, self.game.num_players))
        states = np.zeros((last - first, len(self.game.root)), np.int64)
        self._check(
            kernel(
                Root(self.game.tables, self.game.root, self.game.max_length),
                *(self.seed, first, seat, results, tuple(self.arguments)),
                *(np.zeros((2, 1), dtype=np.uint64), states, *self.scratch, here),
            )
        )
        noted[:] = here
        return results, states

    def play(
        self, deal: int, seat: int, noted: IntArray, stop: Callable[[], bool]
    ) -> tuple[FloatArray, IntArray] | None:
        """Return all payoffs [P] of one deal with the first policy in a seat, and its end; None if stopped.

        Outside policies are asked. `noted` [N] is written.
        """
        game = self.game
        kernel = specialised(game, _advance, _advance_signature())
        chance, choices = new_stream(self.seed, 2 * deal), new_stream(self.seed, 2 * deal + 1)
        # The same luck in each seat, of searches too: a policy against itself then wins what it loses.
        questions = np.random.default_rng((self.seed % 2**64, deal))
        state, recorded = game.root.copy(), getattr(game, "record", record)
        for watcher in self.watchers:
            watcher.begin()
        for _ in range(game.max_length):
            decider = kernel(
                *(Root(game.tables, state, game.max_length), seat, tuple(self.arguments)),
                *(chance, choices, *self.scratch, noted),
            )
            if decider == TERMINAL:
                return self.scratch[2].copy(), state
            self._check(int(decider == _TOO_LONG))
            if stop():
                return None
            chooser = self.choosers[0 if decider == seat else 1]
            assert chooser is not None
            move = chooser.choose(state.copy(), int(questions.integers(2**62)))
            for watcher in self.watchers:
                watcher.see(state, decider, move)
            if len(noted):
                recorded(game.tables, state, self.scratch[1], decider, move, noted)
            game.apply(game.tables, state, self.scratch[1], move)
        raise self._endless()

    def _check(self, failed: int) -> None:
        if failed:
            raise self._endless()

    def _endless(self) -> MalformedSamplingGameError:
        return MalformedSamplingGameError(f"a path has more than max_length = {self.game.max_length} nodes")


class AskedPolicy:
    """A compiled policy asked from Python."""

    def __init__(self, game: SamplingGame, policy: CompiledPolicy) -> None:
        self.game, self.name = game, policy.name
        self._arguments = policy.arguments
        self._work = np.zeros(game.work_words, dtype=np.int64)
        self._weights = np.zeros(game.max_moves)

    def choose(self, state: IntArray, seed: int) -> int:
        """Return a move, see `ChoosingPolicy`."""
        tables, work, weights = self.game.tables, self._work, self._weights
        decider = int(self.game.observe(tables, state, work))
        count = int(work[NUM_MOVES])
        policy_probabilities(self._arguments, decider, tables, state, work, weights)
        return int(drawn_index(new_stream(seed), weights, count, 1.0))


Sides = tuple[tuple[int, tuple[Any, ...]], tuple[int, tuple[Any, ...]]]
"""Of both policies: whether it is asked from outside, and what it takes."""


@cache
def _advance_signature() -> Any:
    integer, stream = types.int64, types.uint64[::1]
    return integer(ROOT, integer, _sides(), stream, stream, REALS, WORDS, REALS, WORDS)


def _sides() -> Any:
    kinds: Any = types
    return kinds.UniTuple(kinds.Tuple([types.int64, POLICY_ARGUMENTS]), 2)


@cache
def _match_signature() -> Any:
    integer = types.int64
    return integer(
        *(ROOT, integer, integer, integer, types.float64[:, ::1], _sides()),
        *(types.uint64[:, ::1], types.int64[:, ::1], REALS, WORDS, REALS, types.int64[:, ::1]),
    )


def _advance(
    root: Root,
    seat: int,
    sides: Sides,
    chance: npt.NDArray[np.uint64],
    choices: npt.NDArray[np.uint64],
    weights: FloatArray,
    work: IntArray,
    payoff: FloatArray,
    noted: IntArray,
) -> int:
    """Play on until an outside policy has to decide or the play is over; return the decider or `TERMINAL`.

    Modifies the root's state, `noted` and both streams in place; at the end `payoff` [P] is written.
    weights [M] and work are scratch.
    """
    tables, state, max_length = root
    (own_outside, own_policy), (opp_outside, opp_policy) = sides
    for _ in range(max_length):
        decider = observe(tables, state, work)
        if decider == TERMINAL:
            payoffs(tables, state, work, payoff)
            if len(noted):
                record(tables, state, work, TERMINAL, -1, noted)
            return TERMINAL
        count = work[NUM_MOVES]
        if decider == CHANCE:
            # One number per chance node, used or not, keeps the plays of a deal in step.
            total = chance_weights(tables, state, work, weights)
            move = drawn_outcome(chance, weights, count, total)
        elif count == 1:
            move = 0
        elif decider == seat:
            if own_outside == 1:
                return decider
            policy_probabilities(own_policy, decider, tables, state, work, weights)
            move = drawn_index(choices, weights, count, 1.0)
        else:
            if opp_outside == 1:
                return decider
            policy_probabilities(opp_policy, decider, tables, state, work, weights)
            move = drawn_index(choices, weights, count, 1.0)
        if len(noted):
            record(tables, state, work, decider, move, noted)
        apply(tables, state, work, move)
    return _TOO_LONG


def _match_kernel(
    root: Root,
    seed: int,
    first_deal: int,
    seat: int,
    results: FloatArray,
    sides: Sides,
    streams: npt.NDArray[np.uint64],
    states: IntArray,
    weights: FloatArray,
    work: IntArray,
    payoff: FloatArray,
    noted: IntArray,
) -> int:
    """Play deals first_deal ..; write payoffs to `results` [D, P], ends to `states` [D, W], `noted` [D, N].

    Return 1 if one did not end.
    """
    for index in range(results.shape[0]):
        state = states[index]
        streams[0, 0] = stream_word(seed, 2 * (first_deal + index))
        streams[1, 0] = stream_word(seed, 2 * (first_deal + index) + 1)
        for word in range(state.shape[0]):
            state[word] = root.state[word]
        deal = Root(root.tables, state, root.max_length)
        ended = _advance(deal, seat, sides, streams[0], streams[1], weights, work, payoff, noted[index])
        if ended != TERMINAL:
            return 1
        for player in range(payoff.shape[0]):
            results[index, player] = payoff[player]
    return 0
