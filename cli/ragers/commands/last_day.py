"""``ragers solve --match``: the last day of a match, from a standing or from the match as played."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

import click

from analysis.amounts import size
from analysis.errors import RequestError
from analysis.exit_codes import EXIT_INTERRUPTED, EXIT_MEMORY
from analysis.interrupt import LEAVING, STOPPING, Interrupt
from analysis.ragers.answers.solving import Effort
from analysis.ragers.hands import HandError, parse_hand
from analysis.ragers.scenarios import scenarios
from cli.options import Output
from cli.progress import Reporter
from cli.ragers.commands.options import GivenScenarios
from cli.ragers.views import last_day as view
from engine.ragers.rules import Rules

if TYPE_CHECKING:
    from analysis.ragers.last_day.solving import LastDayQuestion
    from analysis.ragers.last_day.worth import Worth


@dataclass(frozen=True)
class GivenMatch:
    """What was typed beside ``--match``."""

    text: str
    asked: GivenScenarios
    player: int
    hand: str | None
    worth: Path | None = None


def show_last_day(given: GivenMatch, rules: Rules, effort: Effort, out: Output) -> NoReturn:
    """Answer ``--match``."""
    from analysis.ragers.last_day.solving import solve_last_day, with_read_worth
    from solver.hidden_hands import MemoryRefused

    if given.asked.preparation == "redraw":
        raise RequestError("--match knows the discard as none or as seen, not redraw", "--preparation")
    path = Path(given.text)
    question = _followed(path, given, effort) if path.is_file() else _typed(given, rules, effort)
    interrupt = Interrupt(STOPPING, LEAVING)
    total = 1 if question.beliefs is None else 2
    with Reporter(quiet=out.quiet, total=total) as reporter, interrupt.installed():
        if given.worth is None:
            question = with_read_worth(question, reporter)
        try:
            report = solve_last_day(question, reporter, interrupt)
        except MemoryRefused as refused:
            less = " Without the discard (--preparation none) it takes less." if question.exchange else ""
            reporter.say(
                f"Refused: solving this day needs at least {size(refused.needed_bytes)}, and only"
                f" {size(refused.limit_bytes)} may be used (--memory).{less}"
            )
            raise click.exceptions.Exit(EXIT_MEMORY) from None
    out.show(report, view, EXIT_INTERRUPTED if interrupt.requested else 0)


def _typed(given: GivenMatch, rules: Rules, effort: Effort) -> LastDayQuestion:
    from analysis.ragers.last_day.solving import LastDayQuestion
    from analysis.ragers.last_day.standings import parse_standing

    standing = parse_standing(given.text, rules)
    asked = given.asked
    if len(asked.patrons) != 1 or not asked.cheers:
        raise RequestError(
            "--match needs the patron of the day (--patron) and all cheers cards on the table (--cheers,"
            " once for each)"
        )
    named = scenarios(rules, asked.patrons, asked.cheers, "none")
    return LastDayQuestion(
        rules,
        named[0].patron.id,
        tuple(each.cheers.id for each in named),
        standing,
        given.player,
        _hand(given.hand),
        effort,
        exchange=asked.preparation == "seen",
        worth=_worth(given, rules, standing.day),
    )


def _followed(path: Path, given: GivenMatch, effort: Effort) -> LastDayQuestion:
    from analysis.ragers.last_day.followed import followed
    from analysis.ragers.last_day.solving import LastDayQuestion

    match = followed(path)
    if given.asked.patrons or given.asked.cheers or given.hand is not None:
        raise RequestError("a transcript tells patron, cheers cards and hand itself")
    if match.has_begun:
        raise RequestError(
            f"{path}: cards have been placed on this day; ragers advise --match {path} goes on from there"
        )
    standing, beliefs = match.beliefs()
    patron, cheers = match.day
    discards = match.discards_due and given.asked.preparation != "none"
    return LastDayQuestion(
        match.state.rules,
        patron,
        cheers,
        standing,
        match.player,
        match.state.players[match.player].hand,
        effort,
        exchange=discards,
        beliefs=beliefs,
        worth=_worth(given, match.state.rules, standing.day),
    )


def _worth(given: GivenMatch, rules: Rules, day: int) -> Worth | None:
    from analysis.ragers.last_day.worth import read_worth

    return None if day == rules.match.days else read_worth(given.worth, rules, day + 1)


def _hand(text: str | None) -> tuple[int, ...] | None:
    if text is None:
        return None
    try:
        return parse_hand(text)
    except HandError as error:
        raise RequestError(str(error), "--hand") from None
