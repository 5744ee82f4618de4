"""``clash need``: the smallest armies that take a territory with a given chance."""

from __future__ import annotations

from pathlib import Path

import click

from analysis.clash import between
from analysis.clash.armies import Army, clan_of, parse_army, side_of
from analysis.clash.scenario import TooLargeError
from analysis.errors import RequestError
from analysis.files import check_output
from cli.clash.commands.options import (
    EXIT_CODES,
    EXIT_FAILURE,
    EXIT_MEMORY,
    common_options,
    rules_of,
)
from cli.entry import command
from cli.output import write_output
from engine.clash.rules import ClanRule


@command(
    "need",
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog=EXIT_CODES,
)
@click.option("--attacker", required=True, metavar="CLAN", help="The clan whose armies are tried.")
@click.option("--defender", required=True, metavar="ARMY", help='"elves: 2 Templar, 2 Guard".')
@click.option(
    "--chance",
    type=click.FloatRange(0, 1),
    default=0.9,
    show_default=True,
    help="To hold the territory in the end.",
)
@click.option("--max", "most", metavar="I,II,III", help="Units at hand, by level.  [default: the whole clan]")
@common_options
@click.pass_context
def need(
    ctx: click.Context,
    attacker: str,
    defender: str,
    chance: float,
    most: str | None,
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
    """Find the smallest armies that win a battle with a given chance.

    All armies of the clan are valued in one solve. Listed are those that are enough and contain no smaller
    one that is. More can be less: a slow unit may cost the first assault.

    \b
    Examples:
      clash need --attacker bohorg --defender "elves: 2 Templar, 2 Guard"
      clash need --attacker bohorg --defender "elves: 2 Templar" --chance .75 --max 3,2,1
    """
    rules = rules_of(rules_files, overrides)
    if output is not None:
        check_output(output)
    clan = clan_of(rules, attacker, "--attacker")
    _, types = side_of(rules, attacker, "--attacker")
    armies = Army(clan.id, types, _most(clan, most)), parse_army(rules, defender, "--defender")
    scenario = between(rules, armies, equip, equip_defender, solo=solo, most_tokens=bracket)
    from analysis.clash.smallest import need_report
    from cli.clash.views.need import render

    try:
        report = need_report(scenario, chance, memory=memory)
    except TooLargeError as error:
        click.echo(f"Refused: {error}.", err=True)
        ctx.exit(EXIT_MEMORY)
    if not write_output(render(report, form), output):
        ctx.exit(EXIT_FAILURE)


def _most(clan: ClanRule, text: str | None) -> tuple[int, int, int]:
    """Read how many units there are of each level."""
    limits = [unit.max for unit in clan.units]
    if text is None:
        return limits[0], limits[1], limits[2]
    try:
        one, two, three = map(int, text.split(","))
    except ValueError:
        said = f"{text!r}: write the units of level I, II and III, such as 3,2,1"
        raise RequestError(said, "--max") from None
    for count, unit in zip((one, two, three), clan.units, strict=True):
        if not 0 <= count <= unit.max:
            raise RequestError(f"{count} {unit.name}: {clan.id} has from 0 to {unit.max}", "--max")
    if not one + two + three:
        raise RequestError("no units at hand; allow at least one, such as 1,0,0", "--max")
    return one, two, three
