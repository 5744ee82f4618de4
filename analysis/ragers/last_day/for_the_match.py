"""An opponent who plays to win the match, not the day: by a search, and on the last day by solves."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

from analysis.ragers.play.views import View
from engine.ragers.reference import legal_actions

if TYPE_CHECKING:
    from analysis.ragers.match.searching import MatchSearcher

MOST_S = 1.0
"""Of a search: more is not needed for the strength that was measured."""


class ForTheMatch:
    """Searches from every decision, guided by learned values; on the last day plays by solves that fit.

    Parameters
    ----------
    think_s : seconds the first solve of a last day may take, and a search, but at most `MOST_S` of them.
    """

    def __init__(self, think_s: float) -> None:
        # Solvers are imported for those who play against it, not for lists of opponents.
        from analysis.ragers.last_day.playing import LastDayPlayer

        self.name = (
            "match: plays to win the match, by a search guided by values learned in self-play; the last day"
            f" by solving the rest of it, once that fits {think_s:g} s"
        )
        self._seconds = min(think_s, MOST_S)
        self._searcher: MatchSearcher | None = None
        self._last_day = LastDayPlayer(think_s)

    def choose(self, view: View, random: Random) -> int:
        """Return an action by the solve of the rest of the last day, or the one that the search finds."""
        legal = legal_actions(view.state, view.player)
        if len(legal) == 1:
            return legal[0]
        mix = self._last_day.mix(view)
        if mix is not None:
            return random.choices(range(len(mix)), mix)[0]
        if self._searcher is None:
            # Here, since numba starts with it.
            from analysis.ragers.match.searching import MatchSearcher

            self._searcher = MatchSearcher(view.state.rules, seconds=self._seconds)
        return self._searcher.choose(view.state, view.player, view.buried, random)

    def news(self) -> list[str]:
        """Return what there is to tell since this was asked last."""
        told, self._last_day.news = self._last_day.news, []
        return told
