"""``clash-solve``: one battle, solved exactly."""

from __future__ import annotations

from pathlib import Path

import click

from analysis.clash import battle
from analysis.clash.scenario import Moment, TooLargeError
from analysis.files import check_output
from analysis.version import __version__
from cli.clash.commands.options import (
    EXIT_CODES,
    EXIT_FAILURE,
    EXIT_MEMORY,
    common_options,
    pair,
    rules_of,
)
from cli.entry import command
from cli.output import write_output


@command(
    "solve",
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog=EXIT_CODES,
)
@click.option("--attacker", required=True, metavar="ARMY", help='"bohorg: 2 Executioner, 1 Kragrider".')
@click.option("--defender", required=True, metavar="ARMY", help='The same, or elves: "elves: 3 Templar".')
@click.option(
    "--objective",
    type=click.Choice(["win", "material", "own"]),
    default="win",
    show_default=True,
    help="To hold the territory; gains less losses by weight; or the same, each side by its own weights.",
)
@click.option(
    "--weights",
    metavar="TEXT",
    help='What counts how much: "I=1, II=2, III=3, territory=3, templar=1, elder=1, guard=1" (the default).',
)
@click.option("--weights-defender", metavar="TEXT", help="With own: what counts how much for the defender.")
@click.option(
    "--rage", default="0,0", show_default=True, metavar="A,D", help="Tokens now, without icons to come."
)
@click.option("--turn", type=click.Choice(["attacker", "defender"]), help="Whose assault is next.")
@click.option("--injuries", type=click.IntRange(min=0), help="So many are to be distributed now: how?")
@click.option("--hits", type=click.IntRange(min=0), help="So many dice injure: roll blanks again?")
@click.option("--rerolls", type=click.IntRange(min=0), help="With --hits: rerolls left.  [default: 0]")
@click.option("--simple", is_flag=True, help="What simple players lose to optimal play, too.")
@click.option("--fraction", is_flag=True, help="The chance as a fraction too; small battles only.")
@common_options
@click.version_option(__version__, prog_name="clash-solve")
@click.pass_context
def solve(
    ctx: click.Context,
    attacker: str,
    defender: str,
    objective: str,
    weights: str | None,
    weights_defender: str | None,
    rage: str,
    turn: str | None,
    injuries: int | None,
    hits: int | None,
    rerolls: int | None,
    simple: bool,
    fraction: bool,
    equip: tuple[str, ...],
    equip_defender: tuple[str, ...],
    solo: bool,
    bracket: int | None,
    memory: int,
    rules_files: tuple[Path, ...],
    overrides: tuple[str, ...],
    form: str,
    output: Path | None,
) -> None:
    """Solve one battle of Clash of Rage: who wins, what is lost, when to flee, whom to eliminate.

    Both sides decide optimally: rerolls, whom injuries eliminate or spare, flight. Nothing is sampled.

    \b
    Examples:
      clash-solve --attacker "bohorg: 2 Executioner, 1 Kragrider" --defender "elves: 3 Templar"
      clash-solve --attacker "bohorg: 3 Pummeler" --defender "elves: 2 Guard" --equip "Pummeler: axe"
      clash-solve --attacker "bohorg: 3 I" --defender "tomb: 2 II" --objective material --simple
      clash-solve --attacker "bohorg: 3 I, 1 III" --defender "tomb: 2 II" --turn attacker --rage 1,2
      clash-solve --attacker "bohorg: 3 I, 1 III" --defender "tomb: 2 II" --turn attacker --injuries 5
    """
    if output is not None:
        check_output(output)
    scenario = battle(
        attacker,
        defender,
        rules=rules_of(rules_files, overrides),
        equip=equip,
        equip_defender=equip_defender,
        objective=objective,  # type: ignore[arg-type]
        weights=(weights, weights_defender),
        solo=solo,
        rage=pair(rage, "--rage"),
        turn=turn,
        most_tokens=bracket,
    )
    # numba, and with it all that solves, is imported when nothing is wrong any more.
    from analysis.clash.solving import battle_report
    from cli.clash.views.battle import render

    asked = None if injuries is hits is rerolls is None else Moment(injuries, hits, rerolls or 0)
    try:
        report = battle_report(scenario, moment=asked, simple=simple, fraction=fraction, memory=memory)
    except TooLargeError as error:
        click.echo(f"Refused: {error}.", err=True)
        ctx.exit(EXIT_MEMORY)
    if not write_output(render(report, form), output):
        ctx.exit(EXIT_FAILURE)
