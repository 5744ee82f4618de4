"""``ophidian-solve``: a position within a wave, proved to the wave's end."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from analysis.exit_codes import EXIT_INTERRUPTED
from analysis.interrupt import Interrupt
from analysis.ophidian import HORIZONS, OBJECTIVES, position
from analysis.ophidian import solve as solve_position
from analysis.ophidian.teams import named_team
from analysis.version import __version__
from cli.entry import command
from cli.ophidian.commands.options import Place, place_options, values_option
from cli.options import (
    GivenRules,
    Output,
    bundle,
    choice,
    details_option,
    exit_codes,
    memory_option,
    time_limit_option,
    with_output,
    with_rules,
)
from engine.ophidian.rules import Rules, load_rules


@command(
    "solve",
    epilog=exit_codes({EXIT_INTERRUPTED: "interrupted, with what was proved"}),
)
@bundle("place", Place, *place_options)
@click.option("--pending", metavar="ATTACK", help='What to answer to an attack, "Tempest > Thorn".')
@click.option(
    "--objective",
    type=click.Choice(OBJECTIVES),
    default="points",
    show_default=True,
    help="Who wins the match; then the difference of points; then that of wounds. Or (match) the chance to"
    " win it, an estimate where the match goes on after the wave.",
)
@choice(
    "--horizon",
    HORIZONS,
    "To the end of the wave; or of the match, for two a side at most, and the result alone.",
)
@values_option
@click.option("--thresholds", is_flag=True, help="Also the cheer from which it is worth something else.")
@time_limit_option("Stop then with what is proved, such as 30s.")
@memory_option("For what is proved; more makes long proofs shorter.", default="512MiB")
@details_option
@with_rules(load_rules, "match.riot=12")
@with_output()
@click.version_option(__version__, prog_name="ophidian-solve")
def solve(
    place: Place,
    pending: str | None,
    objective: Any,
    horizon: Any,
    values: Path | None,
    thresholds: bool,
    time_limit: float | None,
    memory: int,
    details: bool,
    rules: GivenRules[Rules],
    out: Output,
) -> None:
    """Prove what a fight of Ophidian Arena is worth at the end of its wave, and what each action costs.

    With --horizon match, at the end of the match, promotions and placements played out.

    Both sides play perfectly; there are no cards. A gladiator stands in the action field, unset, unhurt and
    of level 1 unless words say otherwise: @S support field, w5 five wounds, L3 level 3, set, out (destroyed).

    \b
    Examples:
      ophidian-solve --team iron --against storm
      ophidian-solve --team "Bastion w4, Thorn@S" --against "Tempest set, Scrap" --wave 4 --cheer 2:1
      ophidian-solve --team "Thorn, Runt" --against "Tempest, Scrap" --momentum against \\
                     --pending "Tempest > Thorn"
      ophidian-solve --team "Thorn, Runt" --against "Whisper, Scrap" --wave 3 --horizon match
      ophidian-solve --team iron --against storm --wave 2 --objective match --time-limit 1m
    """
    chosen = rules.load()
    asked = position(place.team, place.against, rules=chosen, **place.further)
    from cli.ophidian.views import fight as view

    interrupt = Interrupt("Stopping with what is proved; again to leave at once.")
    with interrupt.installed():
        report = solve_position(
            asked,
            names=(named_team(chosen, place.team), named_team(chosen, place.against)),
            objective=objective,
            horizon=horizon,
            pending=pending,
            thresholds=thresholds,
            memory=memory,
            time_limit_s=time_limit,
            stopped=interrupt,
            values=values,
        )
    out.show(report, view.View(details), EXIT_INTERRUPTED if interrupt.requested else 0)
