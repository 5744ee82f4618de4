"""``ophidian worth``: what momentum, a cheer, a level and each gladiator are worth."""

from __future__ import annotations

import click

from analysis.exit_codes import EXIT_INTERRUPTED
from analysis.interrupt import Interrupt
from analysis.ophidian.worths import Question, worth_report
from cli.entry import command
from cli.ophidian.views import worth as view
from cli.options import (
    GivenRules,
    Output,
    Workers,
    at_least,
    exit_codes,
    seed_option,
    with_output,
    with_rules,
    with_workers,
)
from cli.progress import Counter
from engine.ophidian.rules import Rules, load_rules


@command("worth", epilog=exit_codes({EXIT_INTERRUPTED: "interrupted, with what was finished"}))
@click.option(
    "--size",
    type=click.IntRange(1, 4),
    default=2,
    show_default=True,
    help="Gladiators a side.",
)
@click.option("--wave", type=click.IntRange(1, 4), default=4, show_default=True, help="Proved to its end.")
@at_least(1, "--positions", "Random ones, over which values are averaged.", 100)
@seed_option("Of the positions.")
@with_workers(1, "Processes", "one for each processor")
@with_rules(load_rules, "gladiators.runt.attack=3")
@with_output()
def worth(
    size: int,
    wave: int,
    positions: int,
    seed: int,
    workers: Workers,
    rules: GivenRules[Rules],
    out: Output,
) -> None:
    """Say what momentum, a cheer and a level bring, and each gladiator for its points.

    Every value is proved, to the end of the wave and without cards; their averages over random positions are
    samples, with an interval.

    \b
    Examples:
      ophidian worth
      ophidian worth --size 3 --positions 20 --jobs 2
      ophidian worth --wave 1 --set gladiators.runt.attack=3
    """
    question = Question(rules.load(), size, wave, positions, seed)
    interrupt = Interrupt("Stopping with what is finished; again to leave without it.")
    with interrupt.installed(), Counter(out.quiet) as counter:
        report = worth_report(
            question, jobs=workers.jobs, scheduler=workers.scheduler, interrupt=interrupt, note=counter
        )
    out.show(report, view, 0 if report.complete else EXIT_INTERRUPTED)
