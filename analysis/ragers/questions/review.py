"""``review``: a transcript is read again, checked, and what decisions cost is said."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from textwrap import wrap
from typing import TYPE_CHECKING, Annotated

import msgspec

from analysis.errors import RequestError
from analysis.front.bundles import RulesFiles
from analysis.front.hints import SPLIT_NOTE, split_sections, split_words
from analysis.front.page import Board, Cell, Column, Format, Page, Section, Table, data_of, flat
from analysis.front.parameters import param
from analysis.front.question import Answer, Question, Running
from analysis.ragers.notation import move_text, row_text
from analysis.ragers.play.judging import Judgement, judge_move, judgement_text, named
from analysis.ragers.play.match_judging import MatchJudgement, judge_match
from analysis.ragers.play.scoring import DayScore, Reason, day_scores
from analysis.reviewed import Split
from engine.ragers.reference import CHANCE, deciders, is_over, legal_actions, scores, winner
from engine.ragers.rules import PLAYERS, TYPES, Rules

if TYPE_CHECKING:
    from analysis.ragers.play.views import Played

_OUTCOMES = {
    "win_0": f"{PLAYERS[0].capitalize()} win",
    "win_1": f"{PLAYERS[1].capitalize()} win",
    "draw": "draw",
    "two_losers": "both lose",
    None: "unfinished",
}


class CardReview(msgspec.Struct, frozen=True):
    """A card of a final row: what it scored, and if nothing, why."""

    card: str
    gp: int
    reason: Reason | None


class DayReview(msgspec.Struct, frozen=True, kw_only=True):
    """A day of a transcript: the moves that players made, and what came of it (None while unfinished).

    `names` are those of the patron and of the cheers cards on the table, for people.
    `rows` are the final rows, with every hidden card shown; `cards` what each card of them scored, `met`
    which of the cheers cards each player met, all of these of the accusers first; `told` says why in words.
    """

    patron: str
    cheers: list[str]
    names: list[str]
    moves: list[str]
    outcome: str | None
    gp: tuple[int, int] | None
    rows: tuple[str, str] | None = None
    cards: tuple[list[CardReview], list[CardReview]] | None = None
    met: tuple[list[str], list[str]] | None = None
    told: list[str] = []


class Review(msgspec.Struct, frozen=True, kw_only=True):
    """Which game is looked at, and how its decisions are judged."""

    transcript: Annotated[Path, param("File that play --transcript wrote.", argument=True)]
    think: (
        Annotated[
            float,
            param(
                "Judge later decisions of the first day, too, by solving the rest of it so long for each.",
                ge=0.001,
                le=86_400,
                unit="s",
            ),
        ]
        | None
    ) = None
    for_match: Annotated[
        bool, param("Judge every decision of a match in chance of winning it, too, by a search.")
    ] = False
    rules: RulesFiles = RulesFiles()


class ReviewAnswer(Answer, frozen=True, kw_only=True):
    """A game that was played.

    Attributes
    ----------
    you, opponent : the person's side, and who played the other one.
    scores : of the Accusers, and of the Defenders.
    winner : of a match that is finished.
    judged, judged_for_match : decisions in GP, and in chance of winning the match.
    unjudged : how many decisions of the person's with a choice nothing tells about in GP.
    split_gp, split_win : the balance of a day in GP, and a match (1 if it was won), in luck and decisions;
        None where the last decisions are not judged.
    """

    you: str
    opponent: str
    finished: bool
    scores: tuple[int, int]
    winner: str | None
    taken_back: int
    days: list[DayReview]
    judged: list[Judgement]
    unjudged: int
    judged_for_match: list[MatchJudgement]
    split_gp: Split | None
    split_win: Split | None


def answer(asked: Review, running: Running) -> ReviewAnswer:
    """Read a transcript again, and judge what can be judged; RequestError if it is none, or damaged."""
    from analysis.ragers.game import GAME
    from analysis.ragers.last_day.followed import day_of_state
    from analysis.ragers.last_day.solving import names_of
    from analysis.ragers.play.equilibrium import StoredDays, thinker
    from analysis.ragers.play.splitting import split_day, split_match
    from analysis.ragers.play.transcript import replayed

    GAME.rules_of(asked.rules)  # what is wrong with them is said of them
    played = replayed(asked.transcript, asked.rules, "TRANSCRIPT")
    if asked.for_match and played.header.day is not None:
        raise RequestError("is for matches, and this is a single day", "--for-match")
    rules = played.end.rules
    solver = StoredDays() if asked.think is None else thinker(asked.think)
    days: list[DayReview] = []
    judged: list[Judgement] = []
    moves: list[tuple[Played, dict[int, Judgement]]] = []
    unjudged = 0
    for each in played.steps:
        state, move = each.state, each.move
        if deciders(state) == (CHANCE,):
            continue
        if state.day == len(days):
            patron, cheers = day_of_state(state)
            names = names_of(rules, patron, cheers)
            days.append(
                DayReview(patron=patron, cheers=list(cheers), names=names, moves=[], outcome=None, gp=None)
            )
        days[-1].moves.append(move_text(state, move))
        found = {player: judge_move(each, player, solver) for player in deciders(state)}
        moves.append((each, {player: one for player, one in found.items() if one is not None}))
        judged += moves[-1][1].values()
        own = played.header.player
        unjudged += own in found and found[own] is None and len(legal_actions(state, own)) > 1
    scored = day_scores(played.steps, played.end)
    finished = [_finished(day, score, rules) for day, score in zip(days, scored, strict=False)]
    over = is_over(played.end)
    you = PLAYERS[played.header.player]
    by_search = judge_match(played) if asked.for_match else []
    return ReviewAnswer(
        rules=GAME.rules_note(rules),
        you=you,
        opponent=played.header.opponent,
        finished=over,
        scores=scores(played.end),
        winner=PLAYERS[winner(played.end)] if over and played.header.day is None else None,
        taken_back=played.undone,
        days=[*finished, *days[len(finished) :]],
        judged=judged,
        unjudged=unjudged,
        judged_for_match=[one for several in by_search for one in several],
        split_gp=split_day(played, moves),
        split_win=split_match(played, by_search),
    )


def _finished(day: DayReview, score: DayScore, rules: Rules) -> DayReview:
    """Return a day with what came of it."""
    from analysis.ragers.narration import PLAYER_SIDES, final_row_lines, why

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
        told=[*final_row_lines(score.rows), *why(rules, score, PLAYER_SIDES)],
    )


def page(found: ReviewAnswer) -> Page:
    """Return days, moves, why days scored so, and what decisions cost."""
    heads = [Column(name, name.capitalize(), "count") for name in PLAYERS]
    columns = [Column("day", "day", "count"), Column("patron", "patron"), Column("cheers", "cheers cards")]
    columns += [Column("outcome", "outcome"), *heads]
    rows: list[list[Cell]] = [
        [number, day.names[0], ", ".join(day.names[1:]), _OUTCOMES[day.outcome], *(day.gp or (None, None))]
        for number, day in enumerate(found.days, 1)
    ]
    sections: list[Section] = [Table(columns, rows, "Days")]
    both = " and of the ".join(name.capitalize() for name in PLAYERS)
    for number, day in enumerate(found.days, 1):
        sections.append(Board(day.moves, f"Day {number}: moves of the {both}"))
        if day.told:
            lines = [line for text in day.told for line in wrap(text, 78, subsequent_indent="  ")]
            sections.append(Board(lines, f"Day {number}: final rows, and why it scored so"))
    own = [each for each in found.judged_for_match if each.player == found.you]
    if own:
        sections.append(_for_match(own))
    of: list[tuple[Split | None, Format]] = [(found.split_gp, "signed"), (found.split_win, "gain")]
    splits = [(each, kind) for each, kind in of if each is not None]
    for each, kind in splits:
        what = "the balance of the day in GP" if kind == "signed" else "the match, in chance of winning"
        sections += split_sections(each, what, kind)
    score = " to ".join(map(str, found.scores))
    notes = [f"You: the {found.you.capitalize()}. Opponent {found.opponent}."]
    if found.taken_back:
        notes.append(f"Decisions taken back: {found.taken_back}.")
    notes += [judgement_text(each, f"the {each.player.capitalize()}") for each in found.judged]
    if found.unjudged:
        told = f"{found.unjudged} of your decisions with a choice are not judged in GP"
        how = "--think 10s solves on from later decisions of the first day"
        if found.winner and not own:
            how += ", and --for-match judges those of the match"
        notes.append(f"{told}, since nothing is stored or solved for them: {how}.")
    if splits:
        notes.append(SPLIT_NOTE)
    headline = f"Not finished; scores so far (Accusers to Defenders): {score}."
    if found.finished:
        end = f"; the {found.winner.capitalize()} win the match" if found.winner else ""
        headline = f"Scores (Accusers to Defenders): {score}{end}."
        headline += "".join(f" {split_words(each, kind)}" for each, kind in splits)
    return Page(
        headline=headline,
        sections=sections,
        notes=notes,
        data=data_of([{"number": at, **flat(day)} for at, day in enumerate(found.days, 1)]),
    )


def _for_match(judged: Sequence[MatchJudgement]) -> Table:
    """What decisions of the person cost in chance of winning."""
    columns = [Column("when", "day, step"), Column("did", "you"), Column("best", "the search")]
    columns += [Column("best_win", "then wins", "share"), Column("cost", "lost", "share")]
    rows: list[list[Cell]] = [
        [
            f"{each.day}.{each.step}" if each.step else f"{each.day}",
            f"{each.did} {named(each.action)}",
            *(named(each.best), each.best_win, each.cost),
        ]
        for each in judged
    ]
    return Table(columns, rows, "Your decisions by a search of the match; nothing is proved")


QUESTION = Question(
    name="review",
    about="Say what the decisions of a transcript cost. It is played again by the rules, and its scores"
    " are checked. First placements from full decks are judged where a solution is stored; with --think"
    " later decisions of the first day, too, in glory points. With --for-match every decision of a match"
    " is judged in its chance of winning, by a search of the whole match that proves nothing.",
    asked=Review,
    answers=ReviewAnswer,
    function=answer,
    page=page,
    exactness="bounded",
    examples=("review match.txt", "review match.txt --think 1s", "review match.txt --for-match"),
)
