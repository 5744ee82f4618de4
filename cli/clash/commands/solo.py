"""``clash solo``: chances against the elves alone."""

from __future__ import annotations

from pathlib import Path

import click

from analysis.clash.matches import clan_ids, read_habits
from analysis.clash.solo import SoloQuestion, clans_to_play
from analysis.files import check_output
from cli.clash.commands.options import (
    EXIT_FAILURE,
    EXIT_INTERRUPTED,
    budget_options,
    jobs_options,
    output_options,
    rules_of,
    rules_options,
)
from cli.clash.progress import Progress, say_that_games_compile
from cli.entry import command
from cli.output import write_output
from engine.clash.rules_schema import DIFFICULTIES


@command(
    "solo",
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="Exit codes: 0 answered; 1 failure; 2 wrong usage; 130 interrupted, with what was finished.",
)
@click.option(
    "--policy",
    default="search",
    show_default=True,
    metavar="NAME",
    help="Who plays: search (the planner), rule or random.",
)
@click.option("--clans", metavar="CLANS", help='In turn, such as "bohorg,tomb".  [default: all]')
@click.option(
    "--difficulty",
    "difficulties",
    multiple=True,
    metavar="NAME",
    help="easy, medium, difficult or impossible; repeatable.  [default: all]",
)
@click.option(
    "--games", type=click.IntRange(min=1), default=20, show_default=True, help="At each difficulty."
)
@click.option("--first/--no-first", default=True, show_default=True, help="Say what to do first.")
@click.option("--seed", type=int, default=0, show_default=True, help="Of set-ups and chance.")
@budget_options
@jobs_options
@rules_options
@output_options
@click.pass_context
def solo(
    ctx: click.Context,
    policy: str,
    clans: str | None,
    difficulties: tuple[str, ...],
    games: int,
    first: bool,
    seed: int,
    playouts: int,
    seconds: float | None,
    habits: tuple[str, ...],
    jobs: int,
    scheduler: str | None,
    keep: Path | None,
    quiet: bool,
    rules_files: tuple[Path, ...],
    overrides: tuple[str, ...],
    form: str,
    output: Path | None,
) -> None:
    """Say how often a player wins alone against the elves, at each difficulty, and what he does first.

    The chance is that of a named policy: who plays better wins more often.

    \b
    Examples:
      clash solo --policy rule --games 100
      clash solo --clans tomb --difficulty medium --games 200 --jobs 2
      clash solo --games 2000 --keep solo.jsonl
    """
    for path in (output, keep):
        if path is not None:
            check_output(path)
    rules = rules_of(rules_files, overrides)
    question = SoloQuestion(
        rules,
        policy,
        clans_to_play(rules, clan_ids(rules, clans)),
        difficulties or DIFFICULTIES,
        games,
        seed,
        (playouts, seconds),
        read_habits(habits),
        first,
    )
    from analysis.clash.solo import solo_report
    from analysis.interrupt import Interrupt
    from cli.clash.views.games import render_solo

    if not quiet:
        say_that_games_compile()
    interrupt = Interrupt("Stopping with what is finished; again to leave without it.")
    with interrupt.installed(), Progress(quiet) as progress:
        report = solo_report(
            question, jobs=jobs, scheduler=scheduler, interrupt=interrupt, keep=keep, note=progress
        )
    if not write_output(render_solo(report, form), output):
        ctx.exit(EXIT_FAILURE)
    if not report.complete:
        ctx.exit(EXIT_INTERRUPTED)
