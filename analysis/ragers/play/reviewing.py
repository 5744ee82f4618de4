"""A transcript read again: what was played, what came of it, and what decisions cost."""

from __future__ import annotations

import msgspec

from analysis.ragers.notation import move_text, row_text
from analysis.ragers.play.equilibrium import DaySolver
from analysis.ragers.play.judging import Judgement, judge_move
from analysis.ragers.play.match_judging import MatchJudgement, judge_match
from analysis.ragers.play.scoring import DayScore, Reason, day_scores
from analysis.ragers.play.transcript import Replay
from analysis.version import __version__
from engine.ragers.reference import CHANCE, deciders, is_over, scores, winner
from engine.ragers.rules import PLAYERS, TYPES, Rules

SCHEMA = 1


class CardReview(msgspec.Struct, frozen=True):
    """A card of a final row: what it scored, and if nothing, why."""

    card: str
    gp: int
    reason: Reason | None


class DayReview(msgspec.Struct, frozen=True, kw_only=True):
    """A day of a transcript: the moves that players made, and what came of it (None while unfinished).

    `rows` are the final rows, with every hidden card shown; `cards` what each card of them scored, `met`
    which of the cheers cards each player met. All of these are of the accusers first.
    """

    patron: str
    cheers: list[str]
    moves: list[str]
    outcome: str | None
    gp: tuple[int, int] | None
    rows: tuple[str, str] | None = None
    cards: tuple[list[CardReview], list[CardReview]] | None = None
    met: tuple[list[str], list[str]] | None = None


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
    judged_for_match: list[MatchJudgement] = []


def review(played: Replay, solver: DaySolver | None, *, for_match: bool = False) -> Review:
    """Return what came of a transcript; `for_match`: decisions are judged by a search of the match, too."""
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
    scored = day_scores(played.steps, played.end)
    finished = [_finished(day, score, rules) for day, score in zip(days, scored, strict=False)]
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
        judged_for_match=judge_match(played) if for_match else [],
    )


def _finished(day: DayReview, score: DayScore, rules: Rules) -> DayReview:
    """Return a day with what came of it."""
    first, second = (
        [CardReview(TYPES[each.printed], each.gp, each.reason) for each in score.cards[player]]
        for player in (0, 1)
    )
    met, other_met = (
        [rules.cheers[each.number].id for each in score.cheers if each.met[player]] for player in (0, 1)
    )
    return msgspec.structs.replace(
        day,
        outcome=score.result.outcome.name.lower(),
        gp=score.result.gp,
        rows=(row_text(score.rows[0], is_own=True), row_text(score.rows[1], is_own=True)),
        cards=(first, second),
        met=(met, other_met),
    )
