"""Which hands are likely in the second step of a stored day: Bayes' rule, from the opening on.

Needs neither numba nor scipy. Letters as in `answer`; S states (cards in hand and cards hidden).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from analysis.ragers.answers.answer import HandStrategy
from analysis.ragers.answers.second_step import HIDDEN, NOTHING, Later, SecondStep, Shown
from engine.ragers.isomorphism import DayGame
from engine.ragers.rules import NUM_TYPES

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@dataclass(frozen=True, eq=False)
class Reached:
    """A stored decision, and what may be believed of both hands there.

    Attributes
    ----------
    ranges : by player, [S] float64, how likely each state is; they add up to one.
    seen : of each decision before, how likely what each player did was, over its range; None for who did not
        decide.
    """

    later: Later
    ranges: tuple[NDArray[np.float64], NDArray[np.float64]]
    seen: tuple[tuple[float | None, float | None], ...]

    def row(self, player: int, hand: Sequence[int], hidden: Sequence[int]) -> int | None:
        """Return the number of a player's state, or None if it cannot be in it."""
        rows = (self.later.states[player] == [*hand, *hidden]).all(axis=1).nonzero()[0]
        return int(rows[0]) if len(rows) else None


def reached(strategy: HandStrategy, second: SecondStep, day: DayGame, shown: Shown) -> Reached | None:
    """Return the decision that is due after what both have shown, with the ranges that the strategies give.

    None if it is not stored. Bayes' rule, decision by decision: a range is split by the strategy, what took
    the action seen is kept, and what it then drew is averaged over.
    """
    import numpy as np

    if second.find(shown) is None:
        return None
    ranges = [strategy.reach[p] / strategy.reach[p].sum() for p in range(2)]
    seen: list[tuple[float | None, float | None]] = []
    at = [0, 0]
    later = opening(strategy)
    while at != [len(shown[0]), len(shown[1])]:
        here, before = later, tuple(at)
        shares: list[float | None] = [None, None]
        at = [n + here.acts[p] for p, n in enumerate(before)]
        following = second.find((shown[0][: at[0]], shown[1][: at[1]]))
        if following is None:
            return None
        for p in range(2):
            if here.acts[p]:
                pool = pool_after(day, p, shown[p][: before[p]])
                ways = list(ways_on(here.states[p], shown[p][before[p]], pool))
                after = np.zeros(len(following.states[p]))
                shares[p] = 0.0
                rows = numbered(following.states[p])
                for card, origin, states, weight in ways:
                    mass = ranges[p][origin] * here.mix[p][origin, card] * weight
                    some = mass > 0.0
                    places = [rows[state.tobytes()] for state in states[some]]
                    np.add.at(after, places, mass[some])
                shares[p] = float(after.sum())
                if after.sum() <= 0.0:
                    return None
                ranges[p] = after / after.sum()
        seen.append((shares[0], shares[1]))
        later = following
    return Reached(later, (ranges[0], ranges[1]), tuple(seen))


def opening(strategy: HandStrategy) -> Later:
    """Return the first placement as a decision like those after it."""
    import numpy as np

    states = np.concatenate([strategy.hands, np.zeros_like(strategy.hands)], axis=1)
    mix, worth = strategy.opening.astype(np.float64), strategy.opening_ev.astype(np.float64)
    both = (states, states), (mix[0], mix[1]), (worth[0], worth[1])
    return Later(((), ()), "place", (True, True), *both)


def numbered(states: NDArray[np.int8]) -> dict[bytes, int]:
    """Return where each state stands in a list."""
    return {state.tobytes(): number for number, state in enumerate(states)}


def pool_after(day: DayGame, player: int, shown: Sequence[int]) -> list[int]:
    """Return the cards of each type of a player that not everybody has seen."""
    return [copies - shown.count(card) for card, copies in enumerate(day.copies[player])]


def ways_on(
    states: NDArray[np.int8], shown: int, pool: Sequence[int]
) -> Iterator[tuple[int, NDArray[np.int64], NDArray[np.int8], NDArray[np.float64]]]:
    """Yield how states go on after what is shown: by the card that leaves the hand, and the one drawn for it.

    Each is the number of the action, and for the states that can: their numbers, what they become, and how
    likely the draw is.

    Parameters
    ----------
    states, pool : before the action.
    """
    import numpy as np

    if shown == -1:
        yield NOTHING, np.arange(len(states)), states, np.ones(len(states))
        return
    for card in range(NUM_TYPES) if shown == HIDDEN else [shown]:
        origin = np.flatnonzero(states[:, card])
        after = states[origin].copy()
        after[:, card] -= 1
        if shown == HIDDEN:
            after[:, NUM_TYPES + card] += 1
        left = np.array(pool) - (shown >= 0) * np.eye(NUM_TYPES, dtype=np.int64)[card]
        deck = left - after[:, :NUM_TYPES] - after[:, NUM_TYPES:]
        stock = deck.sum(axis=1)
        yield card, origin[stock <= 0], after[stock <= 0], np.ones(int((stock <= 0).sum()))
        for drawn in range(NUM_TYPES):
            can = (deck[:, drawn] > 0) & (stock > 0) & (deck.min(axis=1) >= 0)
            held = after[can].copy()
            held[:, drawn] += 1
            yield card, origin[can], held, deck[can, drawn] / stock[can]
