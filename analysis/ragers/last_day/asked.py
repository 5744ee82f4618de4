"""A day of a match that is asked about: as its standing is typed, or as a transcript tells it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from analysis.amounts import size
from analysis.errors import RefusedError, RequestError
from analysis.ragers.bundles import counts_of
from analysis.ragers.scenarios import scenarios
from engine.ragers.rules import PLAYERS, Rules

if TYPE_CHECKING:
    from analysis.front.question import Running
    from analysis.ragers.answers.solving import Effort
    from analysis.ragers.last_day.advice import LastDayReport
    from analysis.ragers.last_day.solving import LastDayQuestion
    from analysis.ragers.last_day.worth import Worth

_OPTION = "--standing"


@dataclass(frozen=True, kw_only=True)
class Asked:
    """What is asked about a day of a match.

    Attributes
    ----------
    standing : where the match stands, or a file that tells it.
    preparation : ``seen`` before the discard; None as a transcript tells, else after it.
    worth : file of what the match is worth after the day; None: read from where play of the day leads.
    """

    rules: Rules
    standing: str
    patrons: Sequence[str]
    cheers: Sequence[str]
    preparation: str | None
    side: str
    hand: Mapping[str, int]
    worth: Path | None
    effort: Effort


def solve_standing(asked: Asked, running: Running) -> LastDayReport:
    """Solve the day, with beliefs by the course of play if it is known, and with fresh hands."""
    try:
        return _solved(asked, running)
    except RequestError as error:
        raise RequestError(str(error), _OPTION if error.option == "--match" else error.option) from None


def _solved(asked: Asked, running: Running) -> LastDayReport:
    from analysis.ragers.game import GAME
    from analysis.ragers.last_day.reading import with_read_worth
    from analysis.ragers.last_day.solving import solve_last_day
    from solver.hidden_hands import MemoryRefused

    if asked.preparation == "redraw":
        raise RequestError("in a match the discard is over (none), or it is seen", "--preparation")
    path = Path(asked.standing)
    question = _followed(path, asked) if path.is_file() else _typed(asked)
    running.reporter.total = 1 if question.beliefs is None else 2
    if asked.worth is None:
        question = with_read_worth(question, running.reporter)
    try:
        found = solve_last_day(question, running.reporter, running.interrupt)
    except MemoryRefused as refused:
        less = " Without the discard (--preparation none) it takes less." if question.exchange else ""
        raise RefusedError(
            f"solving this day needs at least {size(refused.needed_bytes)}, and only"
            f" {size(refused.limit_bytes)} may be used (--memory).{less}"
        ) from None
    note = GAME.rules_note(question.rules)
    return msgspec.structs.replace(found, rules=note, complete=not running.interrupt())


def _typed(asked: Asked) -> LastDayQuestion:
    from analysis.ragers.last_day.solving import LastDayQuestion
    from analysis.ragers.last_day.standings import parse_standing

    standing = parse_standing(asked.standing, asked.rules)
    if len(asked.patrons) != 1 or not asked.cheers:
        raise RequestError(
            "name the patron of the day (--patron) and all cheers cards on the table (--cheers)"
        )
    named = scenarios(asked.rules, asked.patrons, asked.cheers, "none")
    return LastDayQuestion(
        asked.rules,
        named[0].patron.id,
        tuple(each.cheers.id for each in named),
        standing,
        PLAYERS.index(asked.side),
        counts_of(asked.hand) if asked.hand else None,
        asked.effort,
        exchange=asked.preparation == "seen",
        worth=_worth(asked.worth, asked.rules, standing.day),
    )


def _followed(path: Path, asked: Asked) -> LastDayQuestion:
    from analysis.ragers.last_day.followed import followed
    from analysis.ragers.last_day.solving import LastDayQuestion

    match = followed(path)
    if asked.patrons or asked.cheers or asked.hand:
        raise RequestError("a transcript tells patron, cheers cards and hand itself")
    if match.has_begun:
        raise RequestError(
            f"{path}: cards have been placed on this day; ragers advise --match {path} goes on from there"
        )
    standing, beliefs = match.beliefs()
    patron, cheers = match.day
    rules = match.state.rules
    return LastDayQuestion(
        rules,
        patron,
        cheers,
        standing,
        match.player,
        match.state.players[match.player].hand,
        asked.effort,
        exchange=match.discards_due and asked.preparation != "none",
        beliefs=beliefs,
        worth=_worth(asked.worth, rules, standing.day),
    )


def _worth(file: Path | None, rules: Rules, day: int) -> Worth | None:
    from analysis.ragers.last_day.worth import read_worth

    if day < rules.match.days:
        return read_worth(file, rules, day + 1)
    if file is not None:
        raise RequestError("does nothing here: nothing follows the last day", "--worth")
    return None
