"""``ragers solve --match``: the last day of a match, from a standing or from the match as played."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from analysis.amounts import size
from analysis.exit_codes import EXIT_FAILURE, EXIT_INTERRUPTED, EXIT_MEMORY
from analysis.interrupt import LEAVING, STOPPING, Interrupt
from analysis.ragers.answers.solving import Effort
from analysis.ragers.hands import HandError, parse_hand
from analysis.ragers.scenarios import scenarios
from cli import grid
from cli.output import write_output
from cli.progress import Reporter
from cli.ragers.views import last_day as view
from engine.ragers.rules import PLAYERS, Rules

if TYPE_CHECKING:
    from analysis.ragers.last_day.solving import LastDayQuestion

#: Options of the command that only a day from full decks takes, by the name of their parameter.
_FOR_FIRST_DAYS = ("checkpoint", "resume", "force", "disk", "dry_run")


@dataclass(frozen=True)
class GivenMatch:
    """What was typed beside ``--match``."""

    text: str
    patrons: tuple[str, ...]
    cheers: tuple[str, ...]
    preparation: str | None
    player: str
    hand: str | None


def answer_last_day(
    ctx: click.Context, given: GivenMatch, rules: Rules, effort: Effort, out: tuple[str, Path | None, bool]
) -> int:
    """Answer ``--match`` and return the exit code; `out`: format, file, and whether to be quiet."""
    from analysis.ragers.last_day.solving import solve_last_day
    from solver.hidden_hands import MemoryRefused

    for name in _FOR_FIRST_DAYS:
        if ctx.params[name]:
            raise click.UsageError(f"--{name.replace('_', '-')} does not go with --match")
    if given.preparation == "redraw":
        raise click.UsageError("--match knows the discard as none or as seen, not redraw")
    path = Path(given.text)
    question = _followed(path, given, effort) if path.is_file() else _typed(given, rules, effort)
    form, output, quiet = out
    interrupt = Interrupt(STOPPING, LEAVING)
    total = 1 if question.beliefs is None else 2
    with Reporter(quiet=quiet, total=total) as reporter, interrupt.installed():
        try:
            report = solve_last_day(question, reporter, interrupt)
        except MemoryRefused as refused:
            reporter.say(
                f"Refused: solving this day needs at least {size(refused.needed_bytes)}, and only"
                f" {size(refused.limit_bytes)} may be used (--memory)."
                + (" Without the discard (--preparation none) it takes less." if question.exchange else "")
            )
            return EXIT_MEMORY
    text = grid.in_format(report, form, view.csv_rows, view.sections, view.notes)
    if not write_output(text, output):
        return EXIT_FAILURE
    return EXIT_INTERRUPTED if interrupt.requested else 0


def _typed(given: GivenMatch, rules: Rules, effort: Effort) -> LastDayQuestion:
    from analysis.ragers.last_day.solving import LastDayQuestion
    from analysis.ragers.last_day.standings import parse_standing

    standing = parse_standing(given.text, rules)
    if len(given.patrons) != 1 or not given.cheers:
        raise click.UsageError(
            "--match needs the patron of the day (--patron) and all cheers cards on the table (--cheers,"
            " once for each)"
        )
    named = scenarios(rules, given.patrons, given.cheers, "none")
    return LastDayQuestion(
        rules,
        named[0].patron.id,
        tuple(each.cheers.id for each in named),
        standing,
        PLAYERS.index(given.player),
        _hand(given.hand),
        effort,
        exchange=given.preparation == "seen",
    )


def _followed(path: Path, given: GivenMatch, effort: Effort) -> LastDayQuestion:
    from analysis.ragers.last_day.followed import followed
    from analysis.ragers.last_day.solving import LastDayQuestion

    match = followed(path)
    if given.patrons or given.cheers or given.hand is not None:
        raise click.UsageError("a transcript tells patron, cheers cards and hand itself")
    if match.has_begun:
        raise click.UsageError(
            f"{path}: cards have been placed on this day; ragers advise --match {path} goes on from there"
        )
    standing, beliefs = match.beliefs()
    patron, cheers = match.day
    discards = match.discards_due and given.preparation != "none"
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
    )


def _hand(text: str | None) -> tuple[int, ...] | None:
    if text is None:
        return None
    try:
        return parse_hand(text)
    except HandError as error:
        raise click.BadParameter(str(error), param_hint="'--hand'") from None
