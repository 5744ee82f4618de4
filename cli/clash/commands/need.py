"""``clash need``: the smallest armies that take a territory with a given chance."""

from __future__ import annotations

import click

from analysis.clash import between
from analysis.clash.armies import Army, clan_of, parse_army, side_of
from analysis.errors import RequestError
from cli.clash.commands.options import EXIT_CODES, ArmyOptions, whole_numbers, with_battle
from cli.entry import command
from cli.options import GivenRules, Output, with_output
from engine.clash.rules import ClanRule, Rules


@command("need", epilog=EXIT_CODES)
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
@with_battle
@with_output(quiet=False)
def need(
    attacker: str,
    defender: str,
    chance: float,
    most: str | None,
    armies: ArmyOptions,
    memory: int,
    rules: GivenRules[Rules],
    out: Output,
) -> None:
    """Find the smallest armies that win a battle with a given chance.

    All armies of the clan are valued in one solve. Listed are those that are enough and contain no smaller
    one that is. More can be less: a slow unit may cost the first assault.

    \b
    Examples:
      clash need --attacker bohorg --defender "elves: 2 Templar, 2 Guard"
      clash need --attacker bohorg --defender "elves: 2 Templar" --chance .75 --max 3,2,1
    """
    loaded = rules.load()
    clan = clan_of(loaded, attacker, "--attacker")
    _, types = side_of(loaded, attacker, "--attacker")
    both = Army(clan.id, types, _most(clan, most)), parse_army(loaded, defender, "--defender")
    scenario = between(
        loaded, both, armies.equip, armies.equip_defender, solo=armies.solo, most_tokens=armies.bracket
    )
    from analysis.clash.smallest import need_report
    from cli.clash.views import need as view

    out.show(need_report(scenario, chance, memory=memory), view)


def _most(clan: ClanRule, text: str | None) -> tuple[int, int, int]:
    """Read how many units there are of each level."""
    limits = [unit.max for unit in clan.units]
    if text is None:
        return limits[0], limits[1], limits[2]
    what = "the units of level I, II and III, such as 3,2,1"
    one, two, three = whole_numbers(text, 3, what, "--max")
    for count, unit in zip((one, two, three), clan.units, strict=True):
        if not 0 <= count <= unit.max:
            raise RequestError(f"{count} {unit.name}: {clan.id} has from 0 to {unit.max}", "--max")
    if not one + two + three:
        raise RequestError("no units at hand; allow at least one, such as 1,0,0", "--max")
    return one, two, three
