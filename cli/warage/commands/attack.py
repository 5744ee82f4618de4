"""``warage attack``: what the attacks of one hero on another do."""

from __future__ import annotations

from pathlib import Path

import click

from analysis.files import check_output
from analysis.warage import attack as asked
from cli.entry import command
from cli.output import write_output
from cli.warage.commands.options import (
    EXIT_CODES,
    EXIT_FAILURE,
    SETTINGS,
    output_options,
    rules_of,
    rules_options,
)


@command("attack", context_settings=SETTINGS, epilog=EXIT_CODES)
@click.argument("attacker", metavar="ATTACKER")
@click.argument("defender", metavar="DEFENDER")
@click.option("--season", default="summer", show_default=True, help="The base season in force.")
@click.option("--hp", type=int, default=100, show_default=True, help="Of the defender.")
@click.option("--with", "played", multiple=True, metavar="CARDS", help='Played for one attack: "battle-cry".')
@click.option("--against", multiple=True, metavar="CARDS", help='Played against it: "parry,bulwark".')
@rules_options
@output_options
@click.pass_context
def attack(
    ctx: click.Context,
    attacker: str,
    defender: str,
    season: str,
    hp: int,
    played: tuple[str, ...],
    against: tuple[str, ...],
    rules_files: tuple[Path, ...],
    overrides: tuple[str, ...],
    form: str,
    output: Path | None,
) -> None:
    """Price the attacks of one loadout on another: damage, kill chance, spells apart or together.

    A loadout is race/class:cards in play, all of them ready. Nothing is sampled; --format json has fractions.

    \b
    Examples:
      warage attack orc/warrior:great-sword human/paladin:lunar-shield --hp 12
      warage attack "elf/mage:scepter-of-the-lich,fireball 2" human/paladin --season spring --hp 20
      warage attack orc/warrior:war-axe elf/mage --with battle-cry --against parry
    """
    if output is not None:
        check_output(output)
    report = asked(
        attacker,
        defender,
        rules=rules_of(rules_files, overrides),
        season=season,
        hp=hp,
        played=played,
        against=against,
    )
    from cli.warage.views.attack import render

    if not write_output(render(report, form), output):
        ctx.exit(EXIT_FAILURE)
