"""Whole matches of two a side at most, proved: later waves with their promotions and placements, too."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from analysis.ophidian.proving import Fight, Outcome
from analysis.ophidian.teams import check_ends
from engine.ophidian.match_codec import PHASES, encode_match, match_tables
from engine.ophidian.match_kernel import expand_match
from engine.ophidian.match_layout import MATCH_TEAM, MAX_ACTIONS, MAX_OUTCOMES, NUM_CODES, WORK_WORDS
from engine.ophidian.reference import Move, State, is_over
from engine.ophidian.rules import Rules
from engine.ophidian.wave_codec import Objective
from solver.alternating.game import AlternatingGame
from solver.alternating.solving import Bounds

__all__ = ["MatchFight", "match_game"]


def match_game(rules: Rules, teams: Sequence[Sequence[int]], favoured: int, free: int = 0) -> AlternatingGame:
    """Return a whole match as a game for the search.

    Parameters
    ----------
    favoured : chooses where a die would decide (B1).
    free : how often gladiators can be unset between two wounds.
    """
    lives = sum(rules.gladiators[each].life[-1] for team in teams for each in team)
    waves = rules.match.waves + rules.match.extra_waves
    healed = 2 * MATCH_TEAM * waves * rules.match.promotion_heals
    # In each wave as in `proving`; five decisions come before it, and wounds are healed.
    wounds = lives + healed
    unset = wounds + free * (wounds + waves)
    longest = 2 * (4 * sum(map(len, teams)) * waves + 4 * unset) + 6 * waves
    return AlternatingGame(
        tables=match_tables(rules, teams, favoured),
        work_words=WORK_WORDS,
        max_actions=MAX_ACTIONS,
        max_outcomes=MAX_OUTCOMES,
        max_length=longest,
        num_codes=NUM_CODES,
        lowest=-1,
        highest=1,
        scales=(1,),
        expand=expand_match,
    )


class MatchFight(Fight):
    """The rest of a match of at most two a side, its waves with promotions and placements.

    The result is proved, and nothing else. A die after a full tie (B1) is no chance here: it falls against
    player 0 in one search, for him in another one, and what the match is worth lies between.

    Parameters
    ----------
    favoured
        For whom dice fall in this search; with None for player 0, and against him in a second search.
    """

    def __init__(
        self,
        state: State,
        memory: int,
        time_limit_s: float | None = None,
        stopped: Callable[[], bool] = lambda: False,
        favoured: int | None = None,
    ) -> None:
        self.favoured = favoured or 0
        self.against: MatchFight | None = None
        if favoured is None:
            memory //= 2
            self.against = MatchFight(state, memory, time_limit_s, stopped, 1)
        super().__init__(state, Objective.RESULT, memory, time_limit_s, stopped)

    def _game(self, state: State) -> AlternatingGame:
        teams = [[fighter.gladiator for fighter in team] for team in state.teams]
        return match_game(state.rules, teams, self.favoured, check_ends(state, any_level=True))

    def _word(self, state: State) -> int:
        return encode_match(state, self.favoured)

    def _goes_on(self, state: State) -> bool:
        return state.phase in PHASES

    def _ends(self, state: State) -> bool:
        return is_over(state)

    @property
    def num_nodes(self) -> int:
        """Positions opened in both searches."""
        return self.search.num_nodes + (0 if self.against is None else self.against.num_nodes)

    @property
    def num_kept(self) -> int:
        """Positions of which something is kept in both searches."""
        return self.search.num_kept + (0 if self.against is None else self.against.num_kept)

    def value(self, state: State, guess: int | None = None) -> Bounds:
        """What a position is worth; bounds where a die matters, or the search was stopped."""
        return self._both(super().value(state, guess), lambda other: other.value(state, guess))

    def outcome_value(self, outcome: Outcome) -> Bounds:
        """What an outcome is worth, likewise; one that ends the match has the same word in both searches."""
        found = super().outcome_value(outcome)
        if self._ends(outcome.state):
            return found
        return self._both(found, lambda other: other.value(outcome.state))

    def action(self, state: State, move: Move, guess: int | None) -> tuple[Bounds, str]:
        """What an action is worth, likewise, and the other side's best answer if that is known."""
        bounds, answer = super().action(state, move, guess)
        bounds = self._both(bounds, lambda other: other.action(state, move, guess)[0])
        return bounds, answer if bounds.exact else ""

    def _both(self, found: Bounds, ask: Callable[[MatchFight], Bounds]) -> Bounds:
        return found if self.against is None else Bounds(ask(self.against).low, found.high)
