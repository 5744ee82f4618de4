"""``ragers tune``: rule values for a goal, found by solving variant after variant."""

from __future__ import annotations

import click

from analysis.ragers.answers.asking import Question
from analysis.ragers.answers.solving import Effort
from analysis.ragers.workbench.trying import Aim
from analysis.ragers.workbench.trying import tune as tuned
from cli.entry import command
from cli.options import (
    GivenRules,
    Output,
    Workers,
    at_least,
    bundle,
    choice,
    examples,
    with_output,
    with_workers,
)
from cli.progress import Reporter
from cli.ragers.commands.options import (
    GivenScenarios,
    seat_option,
    with_effort,
    with_rules,
    with_scenarios,
)
from cli.ragers.views import tune as view
from engine.ragers.rules import Rules


@command(
    "tune",
    short_help="Search rule values for a goal.",
    epilog=examples(
        "ragers tune --vary cards.basher.gp=1:6 --goal opening.each=5:35 --patron Solennos",
        "ragers tune --vary cards.basher.gp=1:6 --vary cards.slasher.gp=1:6 --vary cards.prodder.gp=1:6"
        ' --goal "opening.basher=opening.slasher=opening.prodder within 3" --patron Solennos --budget 60',
        "ragers tune --vary cheers.two-bashers.gp=0:6 --goal draw=:10 --goal opening.basher=10:20"
        " --patron Solennos --cheers two-bashers --target 0.1",
    )
    + "\n\n\b\nExit codes: 0 a variant meets all goals; 3 none tried does; 1, 2, 4, 130 as for ragers solve"
    " (what was\nfound is printed). What is finished is kept: started again, only the rest is solved.",
)
@bundle(
    "aim",
    Aim,
    click.option(
        "--goal",
        "goals",
        multiple=True,
        required=True,
        metavar="GOAL",
        help="METRIC=LOW:HIGH, where one end may be missing, or METRIC=METRIC=METRIC [within N] (5 if nothing"
        " is said); repeatable. Metrics as for ragers sweep, in % or GP; opening.each is every type.",
    ),
    click.option(
        "--vary",
        multiple=True,
        required=True,
        metavar="KEY=VALUES",
        help="A value that may change, and its bounds: FIRST:LAST, FIRST:LAST:STEP or a,b,c; repeatable.",
    ),
    at_least(1, "--budget", "Variants tried at most, each one solve per scenario.", Aim.budget),
    choice(
        "--over",
        ["each", "mean"],
        "Whether each scenario is to meet the goals, or the means over the scenarios.",
    ),
)
@with_rules
@with_scenarios
@seat_option
@with_workers()
@with_effort
@with_output(details=True)
def tune(
    aim: Aim,
    rules: GivenRules[Rules],
    asked: GivenScenarios,
    seat: int,
    workers: Workers,
    effort: Effort,
    fresh: bool,
    out: Output,
) -> None:
    """Search rule values that meet goals, as near as possible to the present rules.

    Every variant tried is solved (or was, and is kept in your own library). Reported are the proposal, what
    less of a change would bring, how the proposal's neighbours do, and whether the difference is more than
    the solver's own uncertainty.
    """
    question = Question(seat, None, effort, fresh, strategy=True)
    changes, names = (rules.files, rules.overrides), (asked.patrons, asked.cheers)
    with Reporter(quiet=out.quiet, total=1) as reporter:
        report, code = tuned(
            aim, changes, names, asked.preparation, question, (workers.jobs, workers.scheduler), reporter
        )
    if report.proposal is None:
        click.echo("Nothing was solved.", err=True)
        raise click.exceptions.Exit(code)
    out.show(report, view, code)
