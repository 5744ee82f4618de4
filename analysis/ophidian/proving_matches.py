"""Whole matches of two a side at most, proved: later waves with their promotions and placements, too."""

from __future__ import annotations

from collections.abc import Callable

from analysis.ophidian.proving import Fight
from engine.ophidian.harmless import is_endless
from engine.ophidian.match_codec import PHASES, encode_match, match_tables
from engine.ophidian.match_kernel import expand_match
from engine.ophidian.match_layout import MAX_ACTIONS, MAX_OUTCOMES, NUM_CODES, ONE_WAY, WORK_WORDS
from engine.ophidian.reference import State, is_over
from engine.ophidian.wave_codec import Objective
from solver.alternating.game import AlternatingGame

__all__ = ["MatchFight", "match_game"]


def match_game(start: State, favoured: int) -> AlternatingGame:
    """Return a whole match as a game for the search.

    Parameters
    ----------
    favoured : chooses where a die would decide (B1), and wins where a position comes again (W7): what that is
        worth depends on the waves to come, and so on the cheer.
    """
    teams = [[fighter.gladiator for fighter in team] for team in start.teams]
    return AlternatingGame(
        tables=match_tables(start.rules, teams, favoured),
        work_words=WORK_WORDS,
        max_actions=MAX_ACTIONS,
        max_outcomes=MAX_OUTCOMES,
        num_codes=NUM_CODES,
        lowest=-1,
        highest=1,
        scales=(1,),
        expand=expand_match,
        level=ONE_WAY if is_endless(start, any_level=True) else 0,
        again=1 - 2 * favoured,
    )


class MatchFight(Fight):
    """The rest of a match of at most two a side, its waves with promotions and placements.

    The result is proved, and nothing else. A die after a full tie (B1) is no chance here, nor does a wave end
    where a position comes again (W7): both favour player 0 in one search, the other one in another.
    """

    def __init__(
        self,
        state: State,
        memory: int,
        time_limit_s: float | None = None,
        stopped: Callable[[], bool] = lambda: False,
    ) -> None:
        super().__init__(state, Objective.RESULT, memory, time_limit_s, stopped)

    def _game(self, state: State) -> AlternatingGame:
        return match_game(state, self.favoured)

    def _is_bounded(self, state: State) -> bool:
        return True

    def _word(self, state: State) -> int:
        return encode_match(state, self.favoured)

    def _goes_on(self, state: State) -> bool:
        return state.phase in PHASES

    def _ends(self, state: State) -> bool:
        return is_over(state)
