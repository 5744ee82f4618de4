"""``clash balance``: all armies that count the same against each other."""

from __future__ import annotations

import click

from analysis.clash.balancing import balance_question
from analysis.errors import RequestError
from analysis.exit_codes import EXIT_INTERRUPTED, EXIT_MEMORY
from analysis.interrupt import Interrupt
from cli.clash.commands.options import memory_option, with_rules, with_workers
from cli.entry import command
from cli.options import (
    GivenRules,
    Output,
    Workers,
    at_least,
    exit_codes,
    seed_option,
    with_output,
)
from cli.payoff_matrices import MatrixFile, matrix_option
from cli.progress import Counter
from engine.clash.rules import Rules


@command(
    "balance",
    epilog=exit_codes(
        {EXIT_MEMORY: "refused for memory", EXIT_INTERRUPTED: "interrupted, with what was finished"}
    ),
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
@at_least(0, "--battles", "In which icons, cards and figures are tried; 0 for no worths.", 40)
@seed_option("Which battles those are.")
@with_workers
@memory_option
@with_rules
@matrix_option
@with_output()
def balance(
    clans: str | None,
    points: float,
    weights: str | None,
    changes: tuple[str, ...],
    battles: int,
    seed: int,
    workers: Workers,
    memory: int,
    rules: GivenRules[Rules],
    matrix: MatrixFile,
    out: Output,
) -> None:
    """Let all armies that count the same fight each other, and measure what icons, cards and units are worth.

    Every battle is solved exactly. Interrupted, it shows what is finished. Rows of --matrix are attackers,
    columns defenders, numbers chances; as .nfg it takes two --clans, of which the first attacks.

    \b
    Examples:
      clash balance
      clash balance --points 4 --compare battle.sparing=false --compare clans.tomb.units.tomb-2.power=5
      clash balance --clans bohorg,tomb --points 8 --battles 0 --format csv --output battles.csv
    """
    question = balance_question(
        rules.load(),
        clans=clans,
        points=points,
        weights=weights,
        compared=[(change, _changed(rules, change)) for change in changes],
        contested=battles,
        seed=seed,
    )
    if matrix.needs_all and len(question.clans) != 2:
        said = "no army fights its own clan, and .nfg needs all numbers: name two --clans, or write .csv"
        raise RequestError(said, "--matrix")
    from analysis.clash.balancing import Several, balance_report, battle_matrix
    from cli.clash.views import balance as view

    interrupt = Interrupt("Stopping with what is finished; again to leave without it.")
    alone = workers == Workers(1, None)
    several = None if alone else Several(workers.jobs, workers.scheduler, interrupt)
    with interrupt.installed(), Counter(out.quiet) as counter:
        report = balance_report(question, memory=memory, note=counter, stop=interrupt, several=several)
    if matrix:
        matrix.write(battle_matrix(report, whole=not matrix.needs_all))
    out.show(report, view, 0 if report.complete else EXIT_INTERRUPTED)


def _changed(rules: GivenRules[Rules], change: str) -> Rules:
    """Return the rules with a change to compare; what is wrong with it is said of its own option."""
    try:
        return rules.load(change)
    except RequestError as error:
        raise RequestError(str(error).removeprefix("--set: "), "--compare") from None
