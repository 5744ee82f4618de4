"""``clash equip``: what to buy for a battle."""

from __future__ import annotations

from typing import Any

import click

from analysis.clash import purchases_for
from analysis.errors import RequestError
from cli.clash.commands.options import (
    EXIT_CODES,
    ArmyOptions,
    memory_option,
    weights_option,
    with_armies,
    with_rules,
)
from cli.entry import command
from cli.options import GivenRules, Output, choice, with_output
from cli.progress import Counter
from engine.clash.rules import Rules


@command("equip", epilog=EXIT_CODES)
@click.option("--attacker", "attackers", required=True, multiple=True, metavar="ARMY", help='"bohorg: 3 I".')
@click.option(
    "--defender",
    "defenders",
    required=True,
    multiple=True,
    metavar="ARMY",
    help="The buyer's enemies may be several armies: a battle with each.",
)
@click.option("--market", required=True, metavar="CARDS", help='What lies there: "axe 2, crossbow".')
@click.option("--gold", required=True, type=click.IntRange(0, 10_000), help="How much may be spent.")
@choice("--buyer", ["attacker", "defender"])
@click.option("--shares", metavar="NUMBERS", help='How much each battle counts: "2,1".  [default: the same]')
@choice(
    "--objective",
    ["win", "material"],
    "The chance to hold the territory, or gains less losses by weight.",
)
@weights_option
@with_armies
@memory_option
@with_rules
@with_output()
def equip(
    attackers: tuple[str, ...],
    defenders: tuple[str, ...],
    market: str,
    gold: int,
    buyer: Any,
    shares: str | None,
    objective: Any,
    weights: str | None,
    armies: ArmyOptions,
    memory: int,
    rules: GivenRules[Rules],
    out: Output,
) -> None:
    """Find what to buy for a battle: the best purchase for every amount of gold, proved.

    All ways to buy and attach are tried, each battle solved exactly. What the buyer has attached already
    (--equip, or --equip-defender) may be moved and left off.

    \b
    Examples:
      clash equip --attacker "bohorg: 2 I, 1 III" --defender "elves: 3 Templar" \\
                  --market "axe 2, crossbow, plate-armor" --gold 15
      clash equip --attacker "tomb: 3 I" --defender "elves: 2 Guard" --defender "elves: 2 Elder" \\
                  --shares 2,1 --market "club 2, buckler" --gold 8 --equip "tomb-1: axe"
    """
    question = purchases_for(
        attackers,
        defenders,
        market,
        gold,
        rules=rules.load(),
        buyer=buyer,
        shares=_numbers(shares),
        objective=objective,
        weights=weights,
        **armies.words,
    )
    from analysis.clash.purchases import equip_report
    from cli.clash.views import equip as view

    with Counter(out.quiet) as counter:
        report = equip_report(question, memory=memory, note=counter)
    out.show(report, view)


def _numbers(text: str | None) -> tuple[float, ...]:
    """Read numbers between commas."""
    if text is None:
        return ()
    try:
        return tuple(float(part) for part in text.split(","))
    except ValueError:
        raise RequestError(f"{text!r}: write a number for each battle, such as 2,1", "--shares") from None
