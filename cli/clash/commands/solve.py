"""``clash-solve``: one battle, solved exactly."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import click

from analysis.clash import battle
from analysis.clash.scenario import Moment
from analysis.version import __version__
from cli.clash.commands.options import EXIT_CODES, ArmyOptions, both_armies, moment_options, pair, with_battle
from cli.entry import command
from cli.options import GivenRules, Output, bundle, choice, with_output
from engine.clash.rules import Rules

MOST_ROUNDS = 1000


@dataclass(frozen=True)
class Flight:
    """Rules by which the sides flee."""

    retreat_when: str | None
    retreat_when_defender: str | None


@command("solve", epilog=EXIT_CODES)
@both_armies
@choice(
    "--objective",
    ["win", "material", "own"],
    "To hold the territory; gains less losses by weight; or the same, each side by its own weights.",
)
@click.option(
    "--weights",
    metavar="TEXT",
    help='What counts how much: "I=1, II=2, III=3, territory=3, templar=1, elder=1, guard=1" (the default).',
)
@click.option("--weights-defender", metavar="TEXT", help="With own: what counts how much for the defender.")
@moment_options
@click.option("--injuries", type=click.IntRange(0, 10_000), help="So many are to be distributed now: how?")
@click.option("--hits", type=click.IntRange(0, 10_000), help="So many dice injure: roll blanks again?")
@click.option("--rerolls", type=click.IntRange(0, 10_000), help="With --hits: rerolls left.  [default: 0]")
@bundle(
    "flight",
    Flight,
    click.option(
        "--retreat-when",
        metavar="RULE",
        help='The attacker flees then, and then only: "losses>=3"; of losses, left, enemies, with "and".',
    ),
    click.option("--retreat-when-defender", metavar="RULE", help="The same for the defender."),
)
@click.option(
    "--rounds",
    type=click.IntRange(1, MOST_ROUNDS),
    help="How it stands after so many, an assault of either side each.",
)
@click.option("--simple", is_flag=True, help="What simple players lose to optimal play, too.")
@click.option("--fraction", is_flag=True, help="The chance as a fraction too; small battles only.")
@with_battle
@with_output(quiet=False)
@click.version_option(__version__, prog_name="clash-solve")
def solve(
    attacker: str,
    defender: str,
    objective: Any,
    weights: str | None,
    weights_defender: str | None,
    rage: str,
    turn: str | None,
    injuries: int | None,
    hits: int | None,
    rerolls: int | None,
    flight: Flight,
    rounds: int | None,
    simple: bool,
    fraction: bool,
    armies: ArmyOptions,
    memory: int,
    rules: GivenRules[Rules],
    out: Output,
) -> None:
    """Solve one battle of Clash of Rage: who wins, what is lost, when to flee, whom to eliminate.

    Both sides decide optimally: rerolls, whom injuries eliminate or spare, flight. Nothing is sampled.

    \b
    Examples:
      clash-solve --attacker "bohorg: 2 Executioner, 1 Kragrider" --defender "elves: 3 Templar"
      clash-solve --attacker "bohorg: 3 Pummeler" --defender "elves: 2 Guard" --equip "Pummeler: axe"
      clash-solve --attacker "bohorg: 3 I" --defender "tomb: 2 II" --objective material --simple
      clash-solve --attacker "bohorg: 5 I" --defender "tomb: 2 II" --retreat-when "losses>=3" --rounds 2
      clash-solve --attacker "bohorg: 3 I, 1 III" --defender "tomb: 2 II" --turn attacker --rage 1,2
      clash-solve --attacker "bohorg: 3 I, 1 III" --defender "tomb: 2 II" --turn attacker --injuries 5
    """
    scenario = battle(
        attacker,
        defender,
        rules=rules.load(),
        objective=objective,
        weights=(weights, weights_defender),
        rage=pair(rage, "--rage"),
        turn=turn,
        most_tokens=armies.bracket,
        retreat_when=(flight.retreat_when, flight.retreat_when_defender),
        **armies.words,
    )
    # numba, and with it all that solves, is imported when nothing is wrong any more.
    from analysis.clash.solving import battle_report
    from cli.clash.views import battle as view

    asked = None if injuries is hits is rerolls is None else Moment(injuries, hits, rerolls or 0)
    report = battle_report(
        scenario, moment=asked, simple=simple, fraction=fraction, rounds=rounds, memory=memory
    )
    out.show(report, view)
