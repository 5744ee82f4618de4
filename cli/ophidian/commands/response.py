"""``ophidian response``: whether to dare an attack that a hidden hand may answer."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import click

from cli.entry import command
from cli.ophidian.commands.options import Exchange, with_exchange
from cli.options import GivenRules, Output, exit_codes, with_output, with_rules
from engine.ophidian.rules import Rules, load_rules


@command("response", epilog=exit_codes())
@with_exchange
@click.option(
    "--objective",
    type=click.Choice(["result", "points", "wounds"]),
    help="What counts: who wins the match, the difference of points, or that of wounds.  [default: result in"
    " the last wave, else points]",
)
@with_rules(load_rules, "cards.hex.cost=3")
@with_output(quiet=False, details=True)
def response(exchange: Exchange, objective: Any, rules: GivenRules[Rules], out: Output) -> None:
    """Say whether to dare an attack, and how likely each response has to be for it to be wrong.

    Both sides may respond to this one attack, from hands that are hidden; then cards are put aside, and the
    rest of the wave is worth what is proved without them. An equilibrium over all hands, exact.

    \b
    Examples:
      ophidian response --team "Tempest, Scrap@S" --against "Thorn, Runt" --attack "Tempest > Thorn" \\
                        --hidden brood
      ophidian response --team "Bastion L2, Runt" --against "Tempest w4, Scrap" --wave 2 --cheer 1:1 \\
                        --attack "Bastion > Tempest" --hidden "hex 3, dread 3, other 45" --cards 5
    """
    question = replace(exchange.question(rules.load()), objective=objective)
    from analysis.ophidian.responses import response_report
    from cli.ophidian.views import response as view

    out.show(response_report(question), view.View(out.details))
