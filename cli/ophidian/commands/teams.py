"""``ophidian teams``: the teams that may play."""

from __future__ import annotations

import click

from analysis.ophidian.decks import teams_report
from cli.entry import command
from cli.ophidian.views.decks import TeamsView
from cli.options import GivenRules, Output, details_option, exit_codes, with_output, with_rules
from engine.ophidian.rules import Rules, load_rules


@command("teams", epilog=exit_codes({}))
@click.argument("gladiators", nargs=-1)
@details_option
@with_rules(load_rules, "gladiators.runt.points=2")
@with_output(quiet=False)
def teams(gladiators: tuple[str, ...], details: bool, rules: GivenRules[Rules], out: Output) -> None:
    """List the teams that may play: exactly so many points, one Legend at a discount if need be.

    With gladiators, only the teams that have them; or why there is none.

    \b
    Examples:
      ophidian teams
      ophidian teams Pathogenesis Bastion
      ophidian teams --format csv
    """
    out.show(teams_report(rules.load(), gladiators), TeamsView(details), 0)
