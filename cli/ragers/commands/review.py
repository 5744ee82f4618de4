"""``ragers review``: read a transcript again, check it, and say what the openings cost."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from analysis.errors import RequestError, WorkError
from analysis.ragers.play import reviewing
from analysis.ragers.play.equilibrium import thinker
from analysis.ragers.play.judging import judgement_text, named
from analysis.ragers.play.reviewing import Review
from analysis.ragers.play.scoring import Rows, day_scores
from analysis.ragers.play.transcript import Replay, replay
from analysis.transcripts import TranscriptError
from cli.entry import command
from cli.grid import Section, Shown
from cli.options import Output, examples, rules_file_option, with_output
from cli.parameters import duration
from cli.play import wrapped
from cli.ragers.views.days import PLAYER_SIDES, row_text, why
from engine.ragers.reference import is_over
from engine.ragers.rules import PLAYERS

_OUTCOMES = {
    "win_0": f"{PLAYERS[0].capitalize()} win",
    "win_1": f"{PLAYERS[1].capitalize()} win",
    "draw": "draw",
    "two_losers": "both lose",
}


@command(
    "review",
    short_help="Read a transcript of play again.",
    epilog=examples(
        "ragers review match.txt",
        "ragers review match.txt --think 10s",
        "ragers review match.txt --match",
        "ragers review match.txt --format json",
    )
    + "\n\n\b\nExit codes: 0 read; 1 it is damaged, or its scores are not those of its moves; 2 wrong usage.",
)
@click.argument("transcript", type=click.Path(path_type=Path, exists=True, dir_okay=False))
@rules_file_option(text="The rules it was played by, if they cannot be told from the transcript; repeatable.")
@click.option(
    "--think",
    type=duration,
    metavar="TIME",
    help="Judge later decisions of the first day, too, by solving the rest of the day so long for each.",
)
@click.option(
    "--match",
    "for_match",
    is_flag=True,
    help="Judge every decision of a match in chance of winning it, too, by a search.",
)
@with_output(quiet=False)
def review(
    transcript: Path, rules_files: tuple[Path, ...], think: float | None, for_match: bool, out: Output
) -> None:
    """Replay TRANSCRIPT by the rules, check its scores, and say what decisions cost.

    First placements from full decks are judged where a solution is stored; with --think later decisions of
    the first day, too. All that is in glory points; with --match every decision of a match is judged in its
    chance of winning, by a search of the whole match that proves nothing.
    """
    try:
        played = replay(transcript.read_text(encoding="utf-8"), rules_files)
    except OSError as error:
        raise WorkError(f"cannot read {str(transcript)!r}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise WorkError(f"{transcript} is no transcript: it is no text (UTF-8)") from None
    except TranscriptError as error:
        raise WorkError(f"{transcript}: {error}") from None
    if for_match and played.header.day is not None:
        raise RequestError("is for matches, and this is a single day", "--match")
    report = reviewing.review(played, None if think is None else thinker(think), for_match=for_match)
    out.show(report, Shown(_rows, lambda each: _sections(each, played), _notes))


def _rows(report: Review) -> list[dict[str, object]]:
    return [
        {
            "day": number,
            "patron": day.patron,
            "cheers": " ".join(day.cheers),
            "moves": "; ".join(day.moves),
            "outcome": day.outcome,
            "accusers_gp": None if day.gp is None else day.gp[0],
            "defenders_gp": None if day.gp is None else day.gp[1],
        }
        for number, day in enumerate(report.days, 1)
    ]


def _sections(report: Review, played: Replay) -> list[Section]:
    rules = played.end.rules
    names = {each.id: each.name for each in rules.patrons} | {each.id: each.name for each in rules.cheers}
    rows = [
        [
            str(number),
            names[day.patron],
            ", ".join(names[each] for each in day.cheers),
            _OUTCOMES.get(day.outcome or "", "unfinished"),
            *("–" if day.gp is None else str(gp) for gp in (day.gp or (0, 0))),
        ]
        for number, day in enumerate(report.days, 1)
    ]
    heads = (name.capitalize() for name in PLAYERS)
    parts = [Section("Days", ("day", "patron", "cheers cards", "outcome", *heads), rows, left=4)]
    scores = day_scores(played.steps, played.end)
    for number, day in enumerate(report.days, 1):
        both = " and of the ".join(name.capitalize() for name in PLAYERS)
        parts.append(Section(f"Day {number}: moves of the {both}", lines=day.moves))
        if number <= len(scores):
            score = scores[number - 1]
            lines = [*_rows_lines(score.rows), *why(rules, score, PLAYER_SIDES)]
            parts.append(Section(f"Day {number}: final rows, and why it scored so", lines=_wrapped(lines)))
    if report.judged_for_match:
        parts.append(_for_match(report))
    if not is_over(played.end) and any(own.row or own.slot for own in played.end.players):
        first, second = ((*own.row, own.slot) if own.slot else own.row for own in played.end.players)
        parts.append(Section("Rows where it stopped", lines=_wrapped(_rows_lines((first, second)))))
    return parts


def _for_match(report: Review) -> Section:
    """Return what decisions of the person cost in chance of winning."""
    rows = [
        [
            f"{each.day}.{each.step}" if each.step else f"{each.day}",
            f"{each.did} {named(each.action)}",
            named(each.best),
            f"{100 * each.best_win:.0f}",
            "–" if each.cost is None else f"{100 * each.cost:.1f}",
        ]
        for each in report.judged_for_match
        if each.player == report.you
    ]
    head = ("day, step", "you", "the search", "then win %", "lost, win-%")
    return Section("Your decisions by a search of the match; nothing is proved", head, rows, left=3)


def _rows_lines(rows: Rows) -> list[str]:
    return [
        f"{name.capitalize():11}{row_text(row, is_own=True)}" for name, row in zip(PLAYERS, rows, strict=True)
    ]


def _wrapped(lines: Sequence[str]) -> list[str]:
    return [part for line in lines for part in wrapped(line, 0, 2).splitlines()]


def _notes(report: Review) -> list[str]:
    score = " to ".join(map(str, report.scores))
    lines = [f"You: the {report.you.capitalize()}. Opponent {report.opponent}. Rules: {report.rules}."]
    if report.finished:
        end = f"; the {report.winner.capitalize()} win the match" if report.winner else ""
        lines.append(f"Scores (Accusers to Defenders): {score}, as the rules give them for these moves{end}.")
    else:
        lines.append(f"Not finished; scores so far (Accusers to Defenders): {score}.")
    if report.taken_back:
        lines.append(f"Decisions taken back: {report.taken_back}.")
    lines += [judgement_text(each, f"the {each.player.capitalize()}") for each in report.judged]
    if report.unjudged:
        lines.append(_unjudged(report.unjudged))
    return lines


def _unjudged(number: int) -> str:
    return (
        f"{number} of your decisions are not judged: there was no choice, or nothing is stored or"
        " solved for them (--think 10s solves on from later decisions of the first day)."
    )
