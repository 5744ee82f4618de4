"""``warage queue``: an attack with hidden replies."""

from __future__ import annotations

from pathlib import Path

import click

from analysis.errors import RequestError
from analysis.files import check_output
from cli.entry import command
from cli.output import write_output
from cli.warage.commands.options import (
    EXIT_CODES,
    EXIT_FAILURE,
    SETTINGS,
    output_options,
    pair,
    rules_of,
    rules_options,
)


@command("queue", context_settings=SETTINGS, epilog=EXIT_CODES)
@click.argument("attacker", metavar="ATTACKER")
@click.argument("defender", metavar="DEFENDER")
@click.option(
    "--pool-a",
    default="battle-cry 3, negate 2, other 11",
    show_default=True,
    metavar="CARDS",
    help="What the attacker may hold: flashes, and all other cards together.",
)
@click.option(
    "--pool-b",
    default="parry 3, bulwark 2, negate 2, other 9",
    show_default=True,
    metavar="CARDS",
    help="The same for the defender.",
)
@click.option("--hidden", default="1,1", show_default=True, metavar="A,B", help="Cards in both hands.")
@click.option("--attack", "weapon", default="melee", show_default=True, help='Or a spell: "fireball 2".')
@click.option("--season", default="summer", show_default=True, help="The base season in force.")
@click.option("--hp", metavar="A,B", help="HP now.  [default: those of the races]")
@click.option(
    "--rounds-left",
    type=click.IntRange(1, 200),
    help="The end is worth the chance to win a race of so many rounds.  [default: it is worth HP]",
)
@click.option(
    "--card-hp", type=click.IntRange(0, 20), default=1, show_default=True, help="What a card kept counts for."
)
@rules_options
@output_options
@click.pass_context
def queue(
    ctx: click.Context,
    attacker: str,
    defender: str,
    pool_a: str,
    pool_b: str,
    hidden: str,
    weapon: str,
    season: str,
    hp: str | None,
    rounds_left: int | None,
    card_hp: int,
    rules_files: tuple[Path, ...],
    overrides: tuple[str, ...],
    form: str,
    output: Path | None,
) -> None:
    """Say whether to answer an attack with a card, or keep it: an equilibrium over all hands.

    Both hold cards from pools that are known. Everything is exact: replies to replies, the order in which
    they resolve, dice. Mixes are shown where play comes to.

    \b
    Examples:
      warage queue orc/warrior:great-sword human/paladin --hp 40,12
      warage queue "elf/mage:bone-collar,fireball 2" orc/warrior --attack "fireball 2" --hidden 2,2 \\
                   --pool-a "arcane-surge 3, negate 2, other 11" --rounds-left 12
    """
    if output is not None:
        check_output(output)
    rules = rules_of(rules_files, overrides)
    from analysis.warage.loadouts import Table, parse_loadout, season_of
    from analysis.warage.queue_game import parse_pool

    heroes = parse_loadout(rules, attacker, "ATTACKER"), parse_loadout(rules, defender, "DEFENDER")
    totals = pair(hp, "--hp", (heroes[0].race.hp, heroes[1].race.hp), least=1)
    sizes = pair(hidden, "--hidden", (1, 1))
    pools = parse_pool(rules, pool_a, "--pool-a"), parse_pool(rules, pool_b, "--pool-b")
    for pool, number, option in zip(pools, sizes, ("--pool-a", "--pool-b"), strict=True):
        if sum(copies for _, copies in pool) < number:
            raise RequestError(f"{number} hidden cards, and the pool has fewer", option)
    spell, copies = None, 1
    if weapon.strip() != "melee":
        name, _, count = weapon.strip().rpartition(" ")
        copies = int(count) if name and count.isdigit() else 1
        word = name if name and count.isdigit() else weapon.strip()
        found = [each for each in heroes[0].spells if each.startswith(word)]
        if not found or not 1 <= copies <= heroes[0].spells[found[0]]:
            there = ", ".join(f"{each} {number}" for each, number in heroes[0].spells.items()) or "none"
            raise RequestError(f"{weapon!r}: melee, or spells in play: {there}", "--attack")
        spell = found[0]
    in_force = season_of(rules, season) or "summer"
    # scipy, and with it all that solves, is imported when nothing is wrong any more.
    from analysis.warage.queues import QueueQuestion, queue_report
    from cli.warage.views.queue import render

    table = Table(rules, heroes, in_force, hp=totals)
    report = queue_report(QueueQuestion(table, spell, copies, pools, sizes, rounds_left, card_hp))
    if not write_output(render(report, form), output):
        ctx.exit(EXIT_FAILURE)
