"""Two totals that wear each other down by turns, under modes that chance changes: exact, in one pass.

The sides act in turn for a given number of rounds. Whoever acts first gains, then the other one loses a
random number; a side whose total falls to 0 has lost. A *mode* says how much is gained and lost. What is
rolled may also raise a flag: then the mode is replaced by one of its successors. After the last round one
side wins. No decisions: those make a `StochasticGame`.

Values go backward and chances forward, by loops of their own: the two answers check each other.

Letters used for shapes: S modes, C classes of modes that gain and lose alike, D losses, T successors, R
rounds, A and B the largest totals of sides 0 and 1.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from solver.stochastic.attrition_kernels import Modes, push_round, sweep_round
from solver.stochastic.game import FloatArray, IntArray

WIN, LOSS = 1.0, 0.0


@dataclass(frozen=True, eq=False)
class Attrition:
    """A game of attrition.

    Attributes
    ----------
    losses : [C, 2, 2, D] float64
        Probability by class, side that acts, flag, and loss of the other side; the last two sum to 1.
    gains : [C, 2] int64
        What the side that acts gains first; totals never exceed `largest`.
    mode_class : [S] int64
    successors, chances : [S, T] int64, [S, T] float64
        Modes that follow where the flag is up, -1 for none; the chances sum to 1.
    depth : [S] int64
        How many flags it takes at least to get to a mode, ascending; 0 for roots.
    largest : (A, B)
    first : side that acts in round 0.
    fights : [R] bool
        Whether anything is lost in a round; where it is not no flag is raised either.
    last : who wins after the last round.
    """

    losses: FloatArray
    gains: IntArray
    mode_class: IntArray
    successors: IntArray
    chances: FloatArray
    depth: IntArray
    largest: tuple[int, int]
    first: int
    fights: tuple[bool, ...]
    last: int

    @property
    def num_modes(self) -> int:
        """S."""
        return len(self.mode_class)

    @property
    def num_roots(self) -> int:
        """Modes of depth 0: the first ones."""
        return int(np.searchsorted(self.depth, 0, side="right"))

    def modes_at(self, number: int) -> int:
        """How many modes, the first ones, can be there before a round."""
        flags = sum(self.fights[:number])
        return int(np.searchsorted(self.depth, flags, side="right"))

    @property
    def state_values(self) -> int:
        """Values that one pass computes."""
        cells = self.largest[0] * self.largest[1]
        return cells * sum(self.modes_at(number) for number in range(len(self.fights)))

    def bytes_needed(self, *, forward: bool) -> int:
        """What a pass takes, in bytes."""
        copies = 2 if forward else 1
        rows = copies * self.modes_at(len(self.fights)) + (0 if forward else len(self.wrapped()))
        return 8 * self.largest[0] * self.largest[1] * rows

    def wrapped(self) -> IntArray:
        """Modes that follow one that does not stand before them: where the deck of modes begins anew."""
        modes = np.arange(self.num_modes)[:, None]
        back = (self.successors >= 0) & (self.successors <= modes)
        return np.unique(self.successors[back]).astype(np.int64)


@dataclass(frozen=True, eq=False)
class AttritionValues:
    """The chance of side 0 to win before each round: [R, roots, A, B] float64, totals from 1."""

    values: FloatArray

    def value(self, root: int, totals: tuple[int, int], number: int = 0) -> float:
        """The value of a root at totals before a round."""
        return float(self.values[number, root, totals[0] - 1, totals[1] - 1])


@dataclass(frozen=True, eq=False)
class AttritionPlays:
    """How plays from one root go.

    Attributes
    ----------
    ended : [R, 2] float64
        The chance that a side wins in a round.
    lasted : float
        That all rounds are played.
    """

    ended: FloatArray
    lasted: float
    last: int

    @property
    def win(self) -> float:
        """The chance of side 0: the value once more, computed forward."""
        return float(self.ended[:, 0].sum()) + (self.lasted if self.last == 0 else 0.0)

    @property
    def mean_rounds(self) -> float:
        """Rounds that are played on average."""
        numbers = np.arange(1, len(self.ended) + 1)
        return float(numbers @ self.ended.sum(axis=1)) + len(self.ended) * self.lasted

    def quantile(self, share: float) -> int:
        """The first round after which at least such a share of plays is over."""
        done = np.cumsum(self.ended.sum(axis=1)) >= share
        return int(np.argmax(done)) + 1 if done.any() else len(self.ended)


def _listed(game: Attrition) -> tuple[IntArray, IntArray, FloatArray]:
    """Losses that can happen, by class, side and flag: their number, themselves, their chances."""
    num_classes, _, _, width = game.losses.shape
    counts = np.zeros((num_classes, 2, 2), np.int64)
    amounts = np.zeros((num_classes, 2, 2, width), np.int64)
    chances = np.zeros((num_classes, 2, 2, width))
    for place in np.ndindex(num_classes, 2, 2):
        there = np.flatnonzero(game.losses[place])
        counts[place] = len(there)
        amounts[place][: len(there)] = there
        chances[place][: len(there)] = game.losses[place][there]
    return counts, amounts, chances


def _modes(game: Attrition) -> Modes:
    return Modes(game.mode_class, game.successors, game.chances, game.gains)


def _dense(game: Attrition) -> tuple[FloatArray, IntArray]:
    """Losses with room for one more that is impossible; and by class and side the first one, the end."""
    losses = np.concatenate([game.losses, np.zeros((*game.losses.shape[:3], 1))], axis=3)
    bounds = np.zeros((len(losses), 2, 2), np.int64)
    for group, side in np.ndindex(len(losses), 2):
        there = np.flatnonzero(losses[group, side].sum(axis=0))
        bounds[group, side] = there[0], there[-1] + 1
    return np.ascontiguousarray(losses), bounds


def solve_attrition(game: Attrition, note: Callable[[int, int], None] | None = None) -> AttritionValues:
    """Return the chances of side 0 at all totals, for every root; `note` hears of rounds done, and of all.

    In time proportional to `state_values` times the losses that can happen, and in place: memory is that of
    one value for each mode and pair of totals.
    """
    rows, columns = game.largest
    num_modes = game.modes_at(len(game.fights))
    values = np.full((num_modes, rows, columns), WIN if game.last == 0 else LOSS)
    wrapped = game.wrapped()
    wrapped = wrapped[wrapped < num_modes]
    place_of = np.full(game.num_modes, -1, np.int64)
    place_of[wrapped] = np.arange(len(wrapped))
    old = np.zeros((max(len(wrapped), 1), rows, columns))
    losses, bounds = _dense(game)
    mixed, line = np.zeros((rows, columns)), np.zeros(columns)
    kept = np.zeros((len(game.fights), game.num_roots, rows, columns))
    for number in reversed(range(len(game.fights))):
        if note is not None:
            note(len(game.fights) - 1 - number, len(game.fights))
        for place, mode in enumerate(wrapped):
            old[place] = values[mode]
        sweep_round(
            values,
            old,
            place_of,
            game.modes_at(number),
            _modes(game),
            losses,
            bounds,
            (game.first + number) % 2,
            game.fights[number],
            mixed,
            line,
        )
        kept[number] = values[: game.num_roots]
    return AttritionValues(kept)


def follow_attrition(game: Attrition, roots: Mapping[int, float], totals: tuple[int, int]) -> AttritionPlays:
    """Follow plays from roots, each with its chance, at totals; in twice the memory of `solve_attrition`."""
    rows, columns = game.largest
    num_modes = game.modes_at(len(game.fights))
    here = np.zeros((num_modes, rows, columns))
    there = np.zeros_like(here)
    for root, chance in roots.items():
        here[root, totals[0] - 1, totals[1] - 1] += chance
    ended = np.zeros((len(game.fights), 2))
    listed = _listed(game)
    mass = np.zeros(columns)
    for number, fights in enumerate(game.fights):
        side = (game.first + number) % 2
        there[: game.modes_at(number + 1)] = 0.0
        push_round(
            here,
            there,
            game.modes_at(number),
            _modes(game),
            *listed,
            side,
            fights,
            mass,
            ended[number],
        )
        here, there = there, here
    lasted = float(here[: game.modes_at(len(game.fights))].sum())
    return AttritionPlays(ended, lasted, game.last)
