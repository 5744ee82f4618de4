"""A transcript read again: what was played, what came of it, and what decisions cost."""

from __future__ import annotations

import msgspec

from analysis.ragers.notation import move_text
from analysis.ragers.play.equilibrium import DaySolver
from analysis.ragers.play.judging import Judgement, judge_move
from analysis.ragers.play.transcript import Replay
from analysis.version import __version__
from engine.ragers.reference import CHANCE, deciders, is_over, scores, winner
from engine.ragers.rules import PLAYERS

SCHEMA = 1


class DayReview(msgspec.Struct, frozen=True, kw_only=True):
    """A day of a transcript: the moves that players made, and what came of it (None while unfinished)."""

    patron: str
    cheers: list[str]
    moves: list[str]
    outcome: str | None
    gp: tuple[int, int] | None


class Review(msgspec.Struct, frozen=True, kw_only=True):
    """Everything `ragers review` says."""

    schema: int = SCHEMA
    game: str = "ragers"
    version: str = __version__
    you: str
    opponent: str
    rules: str
    finished: bool
    scores: tuple[int, int]
    winner: str | None
    taken_back: int
    days: list[DayReview]
    judged: list[Judgement]
    unjudged: int


def review(played: Replay, solver: DaySolver | None) -> Review:
    rules = played.end.rules
    days: list[DayReview] = []
    judged = []
    num_decisions = 0
    for each in played.steps:
        state, move = each.state, each.move
        if deciders(state) == (CHANCE,):
            continue
        assert state.patron is not None
        if state.day == len(days):
            cheers = [rules.cheers[index].id for index in state.cheers_table]
            days.append(
                DayReview(
                    patron=rules.patrons[state.patron].id, cheers=cheers, moves=[], outcome=None, gp=None
                )
            )
        days[-1].moves.append(move_text(state, move))
        num_decisions += played.header.player in deciders(state)
        for player in deciders(state):
            judgement = judge_move(each, player, solver)
            if judgement is not None:
                judged.append(judgement)
    results = played.end.results
    finished = [
        msgspec.structs.replace(day, outcome=result.outcome.name.lower(), gp=result.gp)
        for day, result in zip(days, results, strict=False)
    ]
    over = is_over(played.end)
    you = PLAYERS[played.header.player]
    return Review(
        you=you,
        opponent=played.header.opponent,
        rules=rules.name,
        finished=over,
        scores=scores(played.end),
        winner=PLAYERS[winner(played.end)] if over and played.header.day is None else None,
        taken_back=played.undone,
        days=[*finished, *days[len(finished) :]],
        judged=judged,
        unjudged=num_decisions - sum(judgement.player == you for judgement in judged),
    )
