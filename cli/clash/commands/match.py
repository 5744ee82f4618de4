"""``clash match``: players of the whole game against each other."""

from __future__ import annotations

from pathlib import Path

import click

from analysis.clash.matches import MatchQuestion, clan_ids, read_habits
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


@command(
    "match",
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="Exit codes: 0 answered; 1 failure; 2 wrong usage; 130 interrupted, with what was finished.",
)
@click.option(
    "--players",
    default="search,rule",
    show_default=True,
    metavar="NAMES",
    help="Two to four of search, rule and random.",
)
@click.option("--clans", metavar="CLANS", help='In the order of seats: "bohorg,tomb".  [default: by chance]')
@click.option(
    "--deals",
    type=click.IntRange(min=1),
    default=10,
    show_default=True,
    help="Each is played once per seat, so with two players there are twice as many games.",
)
@click.option("--long-game", is_flag=True, help="Play for more points (V1).")
@click.option("--seed", type=int, default=0, show_default=True, help="Of deals and chance.")
@budget_options
@jobs_options
@rules_options
@output_options
@click.pass_context
def match(
    ctx: click.Context,
    players: str,
    clans: str | None,
    deals: int,
    long_game: bool,
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
    """Let players play whole games against each other: every deal once per seat, same clans, same luck.

    Battles are drawn from exact tables of outcomes, whoever plays. random makes any move; rule takes what
    gains most by its habits; search tries choices by playouts.

    \b
    Examples:
      clash match --deals 5
      clash match --players search,rule,random --playouts 300 --jobs 2
      clash match --deals 200 --time 1s --keep games.jsonl
    """
    for path in (output, keep):
        if path is not None:
            check_output(path)
    rules = rules_of(rules_files, overrides)
    question = MatchQuestion(
        rules,
        tuple(name.strip() for name in players.split(",")),
        clan_ids(rules, clans),
        deals,
        seed,
        (playouts, seconds),
        read_habits(habits),
        long_game,
    )
    from analysis.clash.matches import match_report
    from analysis.interrupt import Interrupt
    from cli.clash.views.games import render_match

    if not quiet:
        say_that_games_compile()
    interrupt = Interrupt("Stopping with what is finished; again to leave without it.")
    with interrupt.installed(), Progress(quiet) as progress:
        report = match_report(
            question, jobs=jobs, scheduler=scheduler, interrupt=interrupt, keep=keep, note=progress
        )
    if not write_output(render_match(report, form), output):
        ctx.exit(EXIT_FAILURE)
    if not report.complete:
        ctx.exit(EXIT_INTERRUPTED)
