"""``match``: who wins; of one player with itself, how its matches go and what leads and cards are worth."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import msgspec

from analysis.front.players import Player
from analysis.front.question import Question, Running
from analysis.front.verbs.match import Match, match_of, seated
from analysis.front.verbs.match import observed as who_wins
from analysis.ragers.game import GAME
from analysis.ragers.match.report import MatchesAnswer
from analysis.ragers.pages.figures import amounts, page
from analysis.ragers.setup import Setup, has_kernel

__all__ = ["QUESTION"]


def answer(asked: Match[Setup, Player], running: Running) -> MatchesAnswer:
    """Let players meet."""
    return observed(asked, running)[0]


def observed(asked: Match[Setup, Player], running: Running) -> tuple[MatchesAnswer, dict[str, list[float]]]:
    """Let players meet; also return what each deal came to."""
    won, seen = who_wins(GAME, asked, running)
    found = MatchesAnswer(**msgspec.structs.asdict(won))
    one, other = seated(GAME, asked.player, asked.setup)
    if one != other or not found.complete or not has_kernel(asked.setup, one):
        return found, seen
    from analysis.ragers.match.studying import given_matches, study

    figures = study(GAME.rules_of(asked.rules), one, found.deals, asked.work.seed, running)
    return msgspec.structs.replace(
        found,
        figures=[] if figures is None else [figures],
        given_matches=given_matches(found.deals),
        complete=not running.interrupt(),
    ), seen


_WON: Question[Any, Any] = match_of(GAME)
QUESTION = replace(
    _WON,
    about=f"{_WON.about} One player with itself also tells how its matches go: how many end early, what"
    " decides ties, how often who is behind still wins, and the chance of winning by lead. With --details it"
    " tells what one card more of each type is worth, too.",
    answers=MatchesAnswer,
    function=answer,
    page=page,
    amounts=amounts,
    observed=observed,
)
