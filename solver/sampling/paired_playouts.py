"""Moves compared in pairs: what each earns with the same luck as the others, until they are told apart.

Whoever can play some moves on to the end in the same drawn states, with the same numbers for chance, hands
that over as a function; nothing here knows a game. A few pairs that end alike do not say that all others do:
no standard error is smaller than one pair of all that differs would make it (`PairedPlayouts.ahead`).

Source: Maron and Moore 1994, *Hoeffding races*. Deviations: all moves meet the same random numbers, and
errors are those of a normal mean with the floor named above, in place of Hoeffding's bounds.

Letters used for shapes: R rounds, n moves, k of them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from solver.sampling.game import FloatArray

Moves = npt.NDArray[np.int64]
PlayRounds = Callable[[Moves, int], FloatArray]
"""Plays R rounds of moves [k], all with the same luck within a round, and returns payoffs [R, k]."""

INTERVAL = 1.96
"""Standard errors to either side that are shown."""
SURELY = 3.0
"""Standard errors after which two moves are told apart: there are a hundred decisions in a game, and no more
than one in some games shall be called a mistake by chance alone."""
_DROPPED = 2.0
_ROUNDS = 8
_LEAST_PAIRS = 32


class PairedPlayouts:
    """Playouts of n moves as they come in, each compared with each.

    Parameters
    ----------
    play : PlayRounds
    count : int
        Moves.
    span : float
        How far two payoffs can lie apart at most: standard errors are no smaller than if one of all pairs
        differed by that. 0 leaves them as they are: all that went alike is then taken to be equal.

    Attributes
    ----------
    spent : int
        Playouts of all moves together.
    playouts : [n] int64
    """

    def __init__(self, play: PlayRounds, count: int, span: float) -> None:
        self._play, self._span = play, span
        self.spent = 0
        self.playouts = np.zeros(count, np.int64)
        self._totals, self._squares = np.zeros(count), np.zeros(count)
        self._pairs = np.zeros((count, count), np.int64)
        self._ahead, self._ahead_squares = np.zeros((count, count)), np.zeros((count, count))

    def add(self, moves: Moves, rounds: int) -> None:
        """Play some moves [k] on for so many rounds."""
        payoffs = self._play(moves, rounds)
        self.spent += payoffs.size
        self.playouts[moves] += rounds
        self._totals[moves] += payoffs.sum(axis=0)
        self._squares[moves] += (payoffs**2).sum(axis=0)
        differences = payoffs[:, :, None] - payoffs[:, None, :]
        where = np.ix_(moves, moves)
        self._pairs[where] += rounds
        self._ahead[where] += differences.sum(axis=0)
        self._ahead_squares[where] += (differences**2).sum(axis=0)

    @property
    def means(self) -> FloatArray:
        """Mean payoffs [n]; nan of moves that were not tried."""
        return _ratio(self._totals, self.playouts)

    @property
    def errors(self) -> FloatArray:
        """Standard errors of the means [n]; nan of moves that were not tried."""
        return self._errors(self._squares, self.means, self.playouts)

    def ahead(self, base: int) -> tuple[FloatArray, FloatArray]:
        """Return how far moves [n] are ahead of one of them on average, and the standard errors of that.

        Nan of a move that was never tried beside it.
        """
        pairs = self._pairs[:, base]
        means = _ratio(self._ahead[:, base], pairs)
        errors = self._errors(self._ahead_squares[:, base], means, pairs)
        errors[base] = 0.0
        return means, errors

    def _errors(self, squares: FloatArray, means: FloatArray, numbers: Moves) -> FloatArray:
        """Standard errors of means [n] of so many numbers, of which one could have been anything seen."""
        one = _ratio(np.full_like(means, self._span**2), numbers)
        return np.sqrt(_ratio(np.maximum(_ratio(squares, numbers) - means**2, one), numbers))

    @property
    def alike(self) -> bool:
        """Whether all moves that were tried together have gone alike so far."""
        return not self._ahead_squares.any()

    def race(self, budget: int, kept: int = -1, margin: float = SURELY) -> Moves:
        """Play all moves until one is ahead of all others, or the budget ends; return those still in it.

        Parameters
        ----------
        budget : int
            Playouts; a round of all moves is played in any case.
        kept : int
            A move that stays in it; -1 for none.
        margin : float
            Standard errors behind the one ahead after which a move is dropped.
        """
        left = np.arange(len(self.playouts))
        most = 1 if kept < 0 else 2
        while len(left) > most and self.spent < budget:
            self.add(left, max(1, min(_ROUNDS, (budget - self.spent) // len(left))))
            leader = left[int(np.argmax(self.means[left]))]
            ahead, errors = self.ahead(int(leader))
            behind = ahead[left] + margin * errors[left] < 0.0
            left = left[~behind | (left == kept)]
        return left


def _ratio(sums: FloatArray, numbers: Moves) -> FloatArray:
    ratios: FloatArray = np.divide(sums, numbers, out=np.full(len(sums), np.nan), where=numbers > 0)
    return ratios


@dataclass(frozen=True)
class Judgement:
    """What is known of a move that was made.

    Attributes
    ----------
    better : int
        The move that did best among the others.
    cost : float
        How far that one is ahead of the move made, on average over `pairs` of playouts that had no part in
        choosing it; below 0 where it is behind.
    error : float
        Standard error of the cost.
    most : float
        What the move made may have cost at most, beside any other one.
    pairs : int
    worth : float
        What the move made came to in these playouts, on average.
    """

    better: int
    cost: float
    error: float
    most: float
    pairs: int
    worth: float

    @property
    def dear(self) -> bool:
        """Whether another move was surely better."""
        return self.cost > SURELY * self.error

    def cheap(self, least: float) -> bool:
        """Whether the move made surely cost less than this."""
        return self.most < least


def judge(play: PlayRounds, count: int, made: int, budget: int, least: float, span: float) -> Judgement:
    """Compare a move with the best one of the others.

    Half of the budget chooses which one that is; what is left compares the two anew, for the best of many by
    the same playouts looks better than it is. It ends early where the move surely cost less than `least`.

    Parameters
    ----------
    play : PlayRounds
    count, made : int
        Moves, at least 2, and the one that was made.
    budget : int
        Playouts.
    span : float
        How far two payoffs can lie apart at most.
    """
    chosen = PairedPlayouts(play, count, span)
    others = np.setdiff1d(np.arange(count), [made])
    if count > 2:
        chosen.race(budget // 2, made, _DROPPED)
        # Who was dropped is behind; who stayed has had the most playouts.
        others = others[chosen.playouts[others] == chosen.playouts[others].max()]
        better = int(others[int(np.argmax(chosen.means[others]))])
    else:
        better = int(others[0])
    pair = np.array([better, made])
    final = PairedPlayouts(lambda moves, rounds: play(pair[moves], rounds), 2, span)
    most = np.inf
    while True:
        final.add(np.arange(2), _ROUNDS)
        ahead, errors = final.ahead(1)
        cost, error = float(ahead[0]), float(errors[0])
        most = _most(chosen, made, better, cost + INTERVAL * error)
        ended = chosen.spent + final.spent + 2 * _ROUNDS > budget
        if most < least or (ended and final.playouts[0] >= _LEAST_PAIRS):
            break
    return Judgement(better, cost, error, most, int(final.playouts[0]), float(final.means[1]))


def _most(chosen: PairedPlayouts, made: int, better: int, most: float) -> float:
    """What the move made may have cost beside any other: beside the best by the last playouts."""
    if not chosen.spent:
        return most
    ahead, errors = chosen.ahead(made)
    bounds = ahead + INTERVAL * errors
    bounds[[made, better]] = most
    return float(np.max(bounds))
