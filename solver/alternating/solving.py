"""Values of states, proved: a table of bounds that is kept from question to question."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np

from solver.alternating.game import AlternatingGame
from solver.alternating.kernels import (
    AGAIN,
    DEPTH,
    EFFORT,
    ENTRY_WORDS,
    FIXED,
    FRAME_WORDS,
    FULL,
    HIGH,
    LOW,
    NODES,
    REACHED,
    STOPPED,
    TOO_LONG,
    TRAIL,
    USED,
    WRONG,
    claim,
    found,
    prove,
)

_NODES_AT_ONCE = 200_000
_FIRST_LENGTH, _LONGEST = 1 << 7, 1 << 16


class MalformedAlternatingGameError(ValueError):
    """The game broke its contract; the message says where."""


class TableFullError(Exception):
    """Plays can come back to more states than the table has room for."""


@dataclass(frozen=True)
class Bounds:
    """What is proved of a value: it lies between these, ends included."""

    low: int
    high: int

    @property
    def exact(self) -> bool:
        """Whether they are equal."""
        return self.low == self.high


@dataclass(frozen=True)
class Action:
    """An action of the mover: its code, and the outcomes among which the other player chooses."""

    code: int
    outcomes: tuple[int, ...]


class ProofSearch:
    """A search in one game; all it has proved is kept, as far as the table has room.

    Parameters
    ----------
    game : AlternatingGame
    table_bytes : int
        Memory for the table, rounded down to a power of two entries of 40 bytes.
    stopped : () -> bool
        Asked before every search and every 200,000 nodes; it then ends with what is proved so far.
    past : set of int
        States to which the play has come already.
    """

    def __init__(
        self,
        game: AlternatingGame,
        table_bytes: int = 1 << 28,
        stopped: Callable[[], bool] = lambda: False,
        past: Iterable[int] = (),
    ) -> None:
        entries = 1 << max(10, (table_bytes // (8 * ENTRY_WORDS)).bit_length() - 1)
        width = FRAME_WORDS + 3 * game.max_actions + 1 + game.max_outcomes
        self.game = game
        self._stopped = stopped
        self._table = np.zeros((entries, ENTRY_WORDS), np.int64)
        self._history = np.zeros(2 * game.num_codes, np.int64)
        self._stack = np.zeros((_FIRST_LENGTH, width), np.int64)
        self._trail = np.zeros(entries // 2 if game.level else 0, np.int64)
        self._work = np.zeros(game.work_words, np.int64)
        self._progress = np.array([-1, 0, 0, 0, 0, 0], np.int64)
        self._opened = np.zeros(1, np.int64)
        self._table_bytes, self.past = table_bytes, frozenset(past)
        self._work[-1] = game.end_of(game.again)
        for state in self.past:
            self.actions(state)
            end = game.end_of(int(self._work[-1]))
            entry = claim(self._table, state, end, end, self._progress)
            self._table[entry, EFFORT] = FIXED

    def after(self, states: Iterable[int]) -> Self:
        """The search once a play has come to states: this one, if no play comes to a state twice."""
        past = self.past.union(states)
        if not self.game.level or past == self.past:
            return self
        later = type(self)(self.game, self._table_bytes, self._stopped, past)
        later._opened = self._opened
        return later

    @property
    def num_nodes(self) -> int:
        """States opened so far, again and again where the table had no room for them."""
        return int(self._opened[0])

    @property
    def num_kept(self) -> int:
        """Entries of the table in use."""
        return int(self._progress[USED])

    def at_least(self, state: int, bound: int) -> bool | None:
        """Whether a state is worth at least so much; None if the search was stopped.

        Raises
        ------
        MalformedAlternatingGameError
            If a play is too long.
        TableFullError
            If the table has no room for all the states to which plays may come back.
        """
        game, known = self.game, self.proved(state)
        if known.low >= bound or known.high < bound:
            return known.low >= bound
        if self._stopped():
            return None
        self._progress[DEPTH] = -1
        if game.level:
            # What a search assumed that was stopped is assumed no more.
            self._table[self._trail[: self._progress[TRAIL]], EFFORT] = 0
            self._progress[[TRAIL, WRONG, AGAIN]] = 0
        sizes = game.max_actions, game.max_outcomes
        limits = np.array([game.lowest, game.highest, *sizes, 0, game.level], np.int64)
        while True:
            opened = self._progress[NODES]
            limits[4] = opened + _NODES_AT_ONCE
            answer = prove(
                game.expand,
                game.tables,
                state,
                bound,
                limits,
                self._work,
                self._table,
                self._history,
                self._stack,
                self._trail,
                self._progress,
            )
            self._opened[0] += self._progress[NODES] - opened
            if answer == TOO_LONG:
                if len(self._stack) >= _LONGEST:
                    raise MalformedAlternatingGameError(f"a play is longer than {_LONGEST:,} states")
                self._stack = np.concatenate((self._stack, np.zeros_like(self._stack)))
            elif answer == FULL:
                raise TableFullError
            elif answer != STOPPED:
                return bool(answer == REACHED)
            elif self._stopped():
                return None

    def proved(self, state: int) -> Bounds:
        """What is known of a state's value without searching."""
        if state < 0:
            value = self.game.end_of(state)
            return Bounds(value, value)
        entry = found(self._table, state)
        if entry < 0:
            return Bounds(self.game.lowest, self.game.highest)
        return Bounds(int(self._table[entry, LOW]), int(self._table[entry, HIGH]))

    def value(self, state: int, guess: int | None = None) -> Bounds:
        """Return the value of a state, or the bounds that were proved before the search was stopped.

        Found scale by scale: the coarse part of the value first, outwards from the guess.
        """
        return self._narrowed(self.proved(state), guess, lambda bound: self.at_least(state, bound))

    def _narrowed(self, bounds: Bounds, guess: int | None, reached: Callable[[int], bool | None]) -> Bounds:
        """Ask about bound after bound, until the value is known or the search is stopped."""
        middle = (self.game.lowest + self.game.highest) // 2 if guess is None else guess
        for scale in self.game.scales:
            while (bound := _next_bound(self.game, bounds, middle, scale)) is not None:
                answer = reached(bound)
                if answer is None:
                    return bounds
                bounds = Bounds(bound, bounds.high) if answer else Bounds(bounds.low, bound - 1)
        return bounds

    def actions(self, state: int) -> list[Action]:
        """Return the actions of a state, in the game's order."""
        game = self.game
        starts = np.zeros(game.max_actions + 1, np.int64)
        codes, targets = np.zeros(game.max_actions, np.int64), np.zeros(game.max_outcomes, np.int64)
        count = game.expand(game.tables, state, self._work, starts, targets, codes)
        return [
            Action(int(codes[each]), tuple(map(int, targets[starts[each] : starts[each + 1]])))
            for each in range(count)
        ]

    def action_value(self, mover: int, outcomes: Sequence[int], guess: int | None = None) -> Bounds:
        """Return what an action is worth, the other player choosing its outcome: bounds, as `value`."""

        def reached(bound: int) -> bool | None:
            # One outcome that the other player likes is enough for it.
            stopped = False
            for outcome in outcomes:
                answer = self.at_least(outcome, bound)
                if answer is None:
                    stopped = True
                elif answer == bool(mover):
                    return answer
            return None if stopped else not mover

        return self._narrowed(Bounds(self.game.lowest, self.game.highest), guess, reached)


def _next_bound(game: AlternatingGame, bounds: Bounds, middle: int, scale: int) -> int | None:
    """The next bound to ask about at a scale, None if the value is known to within it."""
    low = (bounds.low - game.lowest) // scale
    high = (bounds.high - game.lowest) // scale
    if low == high:
        return None
    here = (middle - game.lowest) // scale
    if low <= here < high and (high - low) > 2:
        # First whether it is the guess or below, or above it; then by halves.
        step = here + 1
    elif low < here <= high and (high - low) > 2:
        step = here
    else:
        step = (low + high + 1) // 2
    return game.lowest + step * scale
