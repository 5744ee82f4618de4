"""What decisions of a played match cost in chance of winning it, by a search of the whole match."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import msgspec

from analysis.ragers.notation import action_text
from analysis.ragers.play.judging import DID
from engine.ragers.reference import Phase, deciders, legal_actions
from engine.ragers.rules import PLAYERS

if TYPE_CHECKING:
    from analysis.ragers.match.searching import MatchSearcher
    from analysis.ragers.play.transcript import Replay
    from analysis.ragers.play.views import Played

ITERATIONS = 10_000
"""Of a search; no clock ends it, so that the same transcript has the same judgement."""


class MatchJudgement(msgspec.Struct, frozen=True):
    """A decision against a search; all chances are the search's own estimates.

    Attributes
    ----------
    player : who decided.
    day, step : from 1; step 0 for the discard.
    did, action : what kind of decision, in words, and what it did.
    win : chance of winning the match with it; None if the search did not try it.
    best, best_win : the action the search would take, and the chance with that.
    """

    player: str
    day: int
    step: int
    did: str
    action: str
    win: float | None
    best: str
    best_win: float

    @property
    def cost(self) -> float | None:
        """What was lost, in chance of winning; the search may also think less of its own choice."""
        return None if self.win is None else max(0.0, self.best_win - self.win)


def judge_match(played: Replay, seed: int = 0) -> list[list[MatchJudgement]]:
    """Return all decisions of a match that had an alternative, judged; those made at once together."""
    from analysis.ragers.match.searching import MatchSearcher

    searcher = MatchSearcher(played.end.rules, iterations=ITERATIONS, seconds=0.0)
    return [
        [
            _judged(searcher, each, player, seed)
            for player in deciders(each.state)
            if player in (0, 1) and len(legal_actions(each.state, player)) > 1
        ]
        for each in played.steps
    ]


def _judged(searcher: MatchSearcher, played: Played, player: int, seed: int) -> MatchJudgement:
    state, move = played.state, played.move
    assert not isinstance(move, int)
    best, chances = searcher.chances(state, player, played.buried, seed)
    win = chances[move[player]]
    placed = sum(before.phase == Phase.PLACE for before, _ in played.past)
    return MatchJudgement(
        PLAYERS[player],
        state.day + 1,
        1 + placed - (state.phase != Phase.PLACE),
        DID[state.phase],
        action_text(move[player]),
        None if math.isnan(win) else win,
        action_text(best),
        chances[best],
    )
