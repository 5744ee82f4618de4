"""An opponent who plays to win the match, not the day: a search guided by learned values."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

from analysis.ragers.play.opponents import View

if TYPE_CHECKING:
    from analysis.ragers.match.searching import MatchSearcher

MOST_S = 1.0
"""Of a search: more is not needed for the strength that was measured."""


class ForTheMatch:
    """Searches from every decision; claims no equilibrium.

    Parameters
    ----------
    think_s
        Seconds a search may take, at most `MOST_S` of them.
    """

    def __init__(self, think_s: float) -> None:
        self.name = "match: plays to win the match, by a search guided by values learned in self-play"
        self._seconds = min(think_s, MOST_S)
        self._searcher: MatchSearcher | None = None

    def choose(self, view: View, random: Random) -> int:
        """Return the action that the search finds."""
        if self._searcher is None:
            # Here, since numba starts with it.
            from analysis.ragers.match.searching import MatchSearcher

            self._searcher = MatchSearcher(view.state.rules, seconds=self._seconds)
        return self._searcher.choose(view.state, view.player, view.buried, random)
