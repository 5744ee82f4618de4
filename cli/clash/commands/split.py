"""``clash split``: one army against two targets."""

from __future__ import annotations

from typing import Any

import click

from analysis.clash import split_targets
from cli.clash.commands.options import EXIT_CODES, ArmyOptions, weights_option, with_battle
from cli.entry import command
from cli.options import GivenRules, Output, choice, with_output
from engine.clash.rules import Rules


@command("split", epilog=EXIT_CODES)
@click.option("--attacker", required=True, metavar="ARMY", help='All at hand: "bohorg: 4 I, 2 II, 1 III".')
@click.option(
    "--defender", "defenders", required=True, multiple=True, metavar="ARMY", help="A target; name two."
)
@choice(
    "--objective",
    ["both", "either", "material"],
    "To hold both targets, or at least one; or gains less losses by weight.",
)
@weights_option
@with_battle
@with_output(quiet=False)
def split(
    attacker: str,
    defenders: tuple[str, ...],
    objective: Any,
    weights: str | None,
    armies: ArmyOptions,
    memory: int,
    rules: GivenRules[Rules],
    out: Output,
) -> None:
    """Split one army over two targets, or leave some of it at home.

    Every split is valued exactly, from one table for each target. More can be less: a slow unit may cost the
    first assault.

    \b
    Examples:
      clash split --attacker "bohorg: 4 I, 1 III" --defender "elves: 2 Elder" --defender "elves: 2 Guard"
      clash split --attacker "tomb: 4 I, 2 III" --defender "elves: 2 Elder" --defender "godleif: 2 I" \\
                  --objective material --weights "territory=5"
    """
    targets = split_targets(
        attacker,
        defenders,
        rules=rules.load(),
        objective=objective,
        weights=weights,
        most_tokens=armies.bracket,
        **armies.words,
    )
    from analysis.clash.splitting import split_report
    from cli.clash.views import split as view

    out.show(split_report(targets, objective, memory=memory), view)
