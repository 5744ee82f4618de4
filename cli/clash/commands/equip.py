"""``clash equip``: what to buy for a battle."""

from __future__ import annotations

from pathlib import Path

import click

from analysis.clash import purchases_for
from analysis.clash.study_reports import EquipReport
from analysis.errors import RequestError
from analysis.files import check_output
from cli.clash.commands.options import (
    EXIT_CODES,
    answered,
    army_options,
    memory_option,
    output_options,
    rules_of,
    rules_options,
)
from cli.clash.progress import Progress
from cli.entry import command


@command(
    "equip",
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog=EXIT_CODES,
)
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
@click.option("--gold", required=True, type=click.IntRange(min=0), help="How much may be spent.")
@click.option("--buyer", type=click.Choice(["attacker", "defender"]), default="attacker", show_default=True)
@click.option("--shares", metavar="NUMBERS", help='How much each battle counts: "2,1".  [default: the same]')
@click.option(
    "--objective",
    type=click.Choice(["win", "material"]),
    default="win",
    show_default=True,
    help="The chance to hold the territory, or gains less losses by weight.",
)
@click.option(
    "--weights", metavar="TEXT", help='With material: "I=1, II=2, III=3, territory=3" (the default).'
)
@click.option("-q", "--quiet", is_flag=True, help="No progress on stderr.")
@army_options
@memory_option
@rules_options
@output_options
@click.pass_context
def equip(
    ctx: click.Context,
    attackers: tuple[str, ...],
    defenders: tuple[str, ...],
    market: str,
    gold: int,
    buyer: str,
    shares: str | None,
    objective: str,
    weights: str | None,
    quiet: bool,
    equip: tuple[str, ...],
    equip_defender: tuple[str, ...],
    solo: bool,
    memory: int,
    rules_files: tuple[Path, ...],
    overrides: tuple[str, ...],
    form: str,
    output: Path | None,
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
    if output is not None:
        check_output(output)
    question = purchases_for(
        attackers,
        defenders,
        market,
        gold,
        rules=rules_of(rules_files, overrides),
        buyer=buyer,  # type: ignore[arg-type]
        shares=_numbers(shares),
        equip=equip,
        equip_defender=equip_defender,
        objective=objective,  # type: ignore[arg-type]
        weights=weights,
        solo=solo,
    )
    from analysis.clash.purchases import equip_report
    from cli.clash.views.equip import render

    def ask() -> EquipReport:
        with Progress(quiet) as progress:
            return equip_report(question, memory=memory, note=progress)

    answered(ctx, ask, lambda report: render(report, form), output)


def _numbers(text: str | None) -> tuple[float, ...]:
    """Read numbers between commas."""
    if text is None:
        return ()
    try:
        return tuple(float(part) for part in text.split(","))
    except ValueError:
        raise RequestError(f"{text!r}: write a number for each battle, such as 2,1", "--shares") from None
