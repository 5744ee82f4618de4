"""``clash balance``: all armies that count the same against each other."""

from __future__ import annotations

from pathlib import Path

import click

from analysis.clash.balancing import balance_question
from analysis.clash.scenario import TooLargeError
from analysis.files import check_output
from cli.clash.commands.options import (
    EXIT_FAILURE,
    EXIT_INTERRUPTED,
    EXIT_MEMORY,
    memory_option,
    output_options,
    rules_of,
    rules_options,
    workers_options,
)
from cli.clash.progress import Progress
from cli.entry import command
from cli.output import write_output


@command(
    "balance",
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="Exit codes: 0 answered; 1 failure; 2 wrong usage; 4 refused for memory; 130 interrupted, with"
    " what was finished.",
)
@click.option("--clans", metavar="CLANS", help='"bohorg,tomb".  [default: all]')
@click.option(
    "--points",
    type=click.FloatRange(min=0, min_open=True),
    default=6.0,
    show_default=True,
    help="What every army counts.",
)
@click.option("--weights", metavar="TEXT", help='"I=1, II=2, III=3" (the default): points of a figure.')
@click.option(
    "--compare",
    "changes",
    multiple=True,
    metavar="KEY=VALUE",
    help="The same battles by other rules, such as battle.sparing=false; repeatable.",
)
@click.option(
    "--battles",
    type=click.IntRange(min=0),
    default=40,
    show_default=True,
    help="In which icons, cards and figures are tried; 0 for no worths.",
)
@click.option("--seed", type=int, default=0, show_default=True, help="Which battles those are.")
@workers_options
@click.option("-q", "--quiet", is_flag=True, help="No progress on stderr.")
@memory_option
@rules_options
@output_options
@click.pass_context
def balance(
    ctx: click.Context,
    clans: str | None,
    points: float,
    weights: str | None,
    changes: tuple[str, ...],
    battles: int,
    seed: int,
    jobs: int,
    scheduler: str | None,
    quiet: bool,
    memory: int,
    rules_files: tuple[Path, ...],
    overrides: tuple[str, ...],
    form: str,
    output: Path | None,
) -> None:
    """Let all armies that count the same fight each other, and measure what icons, cards and units are worth.

    Every battle is solved exactly. Interrupted, it shows what is finished.

    \b
    Examples:
      clash balance
      clash balance --points 4 --compare battle.sparing=false --compare clans.tomb.units.tomb-2.power=5
      clash balance --clans bohorg,tomb --points 8 --battles 0 --format csv --output battles.csv
    """
    if output is not None:
        check_output(output)
    question = balance_question(
        rules_of(rules_files, overrides),
        clans=clans,
        points=points,
        weights=weights,
        compared=[(change, rules_of(rules_files, (*overrides, change))) for change in changes],
        contested=battles,
        seed=seed,
    )
    from analysis.clash.balancing import Several, balance_report
    from analysis.interrupt import Interrupt
    from cli.clash.views.balance import render

    interrupt = Interrupt("Stopping with what is finished; again to leave without it.")
    several = None if jobs == 1 and scheduler is None else Several(jobs, scheduler, interrupt)
    with interrupt.installed(), Progress(quiet) as progress:
        try:
            report = balance_report(question, memory=memory, note=progress, stop=interrupt, several=several)
        except TooLargeError as error:
            click.echo(f"Refused: {error}.", err=True)
            ctx.exit(EXIT_MEMORY)
    if not write_output(render(report, form), output):
        ctx.exit(EXIT_FAILURE)
    if not report.complete:
        ctx.exit(EXIT_INTERRUPTED)
