"""``ophidian duel``: whole matches of one gladiator against another, for all pairs."""

from __future__ import annotations

import click

from analysis.exit_codes import EXIT_INTERRUPTED
from analysis.interrupt import Interrupt
from analysis.ophidian.teams import chosen_gladiators
from cli.entry import command
from cli.options import GivenRules, Output, exit_codes, with_output, with_rules
from cli.progress import Reporter
from engine.ophidian.rules import Rules, load_rules


@command("duel", epilog=exit_codes({EXIT_INTERRUPTED: "interrupted, with what was finished"}))
@click.argument("gladiators", nargs=-1)
@with_rules(load_rules, "gladiators.runt.attack=3")
@with_output()
def duel(gladiators: tuple[str, ...], rules: GivenRules[Rules], out: Output) -> None:
    """Prove who wins the match of one gladiator against another; without names, of all pairs.

    Promotions and placements are played out, too; there are no cards. Nothing is sampled.

    \b
    Examples:
      ophidian duel
      ophidian duel Bastion Tempest "Mirror Witch"
      ophidian duel --set gladiators.runt.attack=3 --format csv
    """
    chosen = rules.load()
    numbers = chosen_gladiators(chosen, gladiators)
    from analysis.ophidian.duels import duels_report
    from cli.ophidian.views import duels as view

    interrupt = Interrupt("Stopping with what is finished; again to leave at once.")
    with interrupt.installed(), Reporter(quiet=out.quiet, total=1) as reporter:
        report = duels_report(chosen, numbers, reporter.counted, interrupt)
    out.show(report, view, EXIT_INTERRUPTED if interrupt.requested else 0)
