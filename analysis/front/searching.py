"""The search for a goal: which values to try next. It knows nothing of what they mean.

Where all combinations fit the budget, all are tried. Otherwise half of the budget goes to differential
evolution (Storn and Price 1997; scipy's, with whole numbers), and then the best moves to its best neighbour
as long as that is better, so in the end all its neighbours are known: how robust it is. What is left over is
spent the same way again.
"""

from __future__ import annotations

import contextlib
import inspect
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import product
from math import prod
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["Place", "Search", "Spent"]

Place = tuple[int, ...]
"""Number of a value on each axis."""

#: What a place counts that could not be solved: more than anything real, and finite, as means are taken.
_UNSOLVED = 1e9
#: A step away from the present values counts as much as this much missed: it decides among equals only.
_STEP = 1e-3
_GENERATIONS = 100
_POPULATION_MIN = 5
_SEARCH_SHARE = 0.5


class Spent(Exception):
    """Nothing more may be tried: the budget is used up, or the user has had enough."""


@dataclass
class Search:
    """What was tried, and with what success.

    Attributes
    ----------
    sizes : number of values of each axis.
    start : the place nearest to the present values.
    distance : of a place from the present values.
    evaluate : tries places; returns how much each misses the goals, None where that is not known, and whether
        to go on.
    budget : places that may be tried.
    found : what was tried, in this order.
    """

    sizes: tuple[int, ...]
    start: Place
    distance: Callable[[Place], float]
    evaluate: Callable[[Sequence[Place]], tuple[list[float | None], bool]]
    budget: int
    found: dict[Place, float | None] = field(default_factory=dict)

    @property
    def num_places(self) -> int:
        """Number of all combinations."""
        return prod(self.sizes)

    def run(self, seed: int) -> str:
        """Search; return how, in words."""
        if self.num_places <= self.budget:
            places = sorted(product(*map(range, self.sizes)), key=lambda place: (self.distance(place), place))
            with contextlib.suppress(Spent):
                self.ask(places)
            return "all combinations"
        import numpy as np

        rng = np.random.default_rng(seed)
        try:
            self.ask([self.start])
            # What the first climb leaves over is for looking elsewhere; neighbours come last again.
            for until in (round(self.budget * _SEARCH_SHARE), self.budget - 2 * len(self.sizes)):
                self._evolve(rng, until)
                self._climb()
        except Spent:
            pass
        return "differential evolution, then the neighbours of the best"

    def best(self) -> Place | None:
        """Return what misses least, the nearest to the present of equals; None if nothing was solved."""
        solved = [(self._merit(place), place) for place in self.found if self.found[place] is not None]
        return min(solved)[1] if solved else None

    def neighbours(self, place: Place) -> list[Place]:
        """Return the places one step away along one axis."""
        steps = [(axis, step) for axis in range(len(self.sizes)) for step in (-1, 1)]
        near = [(axis, place[axis] + step) for axis, step in steps]
        return [(*place[:axis], at, *place[axis + 1 :]) for axis, at in near if 0 <= at < self.sizes[axis]]

    def ask(self, places: Sequence[Place]) -> list[float]:
        """Return the merit of places (less is better), after trying those that are new.

        Raises
        ------
        Spent
            If that is not possible for all of them.
        """
        new = [place for place in dict.fromkeys(places) if place not in self.found]
        room = self.budget - len(self.found)
        if new and room > 0:
            some = new[:room]
            amounts, go_on = self.evaluate(some)
            self.found.update(zip(some, amounts, strict=True))
            if not go_on:
                raise Spent
        if len(new) > max(room, 0):
            raise Spent
        return [self._merit(place)[0] for place in places]

    def _merit(self, place: Place) -> tuple[float, float]:
        amount = self.found[place]
        away = self.distance(place)
        return (_UNSOLVED if amount is None else amount + _STEP * away), away

    def _evolve(self, rng: np.random.Generator, most: int) -> None:
        """Spread out, and close in, until `most` places were tried or nothing new turns up."""
        import numpy as np
        from scipy.optimize import differential_evolution

        free = [axis for axis, size in enumerate(self.sizes) if size > 1]
        tops = np.array([self.sizes[axis] - 1 for axis in free])
        members = max(_POPULATION_MIN, min(4 * len(free), most // 3))
        # The name of this argument depends on the version.
        name = "rng" if "rng" in inspect.signature(differential_evolution).parameters else "seed"

        def merits(columns: NDArray[np.float64]) -> NDArray[np.float64]:
            rows = np.rint(columns.T).astype(int).tolist()
            if len(self.found) >= most:
                raise _Enough
            return np.array(self.ask([self._place(free, row) for row in rows]))

        quiet_rounds = 0
        while quiet_rounds < 2:
            tried = len(self.found)
            first = rng.integers(0, tops + 1, (members, len(free))).astype(float)
            first[0] = [(self.best() or self.start)[axis] for axis in free]
            options: dict[str, Any] = {name: rng, "init": first, "integrality": np.ones(len(free), bool)}
            try:
                differential_evolution(
                    merits,
                    [(0, top) for top in tops.tolist()],
                    vectorized=True,
                    updating="deferred",
                    polish=False,
                    maxiter=_GENERATIONS,
                    **options,
                )
            except _Enough:
                return
            quiet_rounds = quiet_rounds + 1 if len(self.found) == tried else 0

    def _place(self, free: Sequence[int], row: Sequence[int]) -> Place:
        place = list(self.start)
        for axis, at in zip(free, row, strict=True):
            place[axis] = at
        return tuple(place)

    def _climb(self) -> None:
        """Move to the best neighbour as long as there is a better one."""
        best = self.best()
        while best is not None:
            self.ask(self.neighbours(best))
            better = self.best()
            if better == best:
                return
            best = better


class _Enough(Exception):
    """Evolution has had its share."""
