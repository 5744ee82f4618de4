"""``warage attack``: what the attacks of one hero on another do."""

from __future__ import annotations

import click

from analysis.warage import attack as asked
from cli.entry import command
from cli.options import GivenRules, Output, exit_codes, with_output
from cli.warage.commands.options import season_option, with_rules
from engine.warage.rules import Rules


@command("attack", epilog=exit_codes())
@click.argument("attacker", metavar="ATTACKER")
@click.argument("defender", metavar="DEFENDER")
@season_option
@click.option("--hp", type=int, help="Of the defender.  [default: those of the race]")
@click.option("--with", "played", multiple=True, metavar="CARDS", help='Played for one attack: "battle-cry".')
@click.option("--against", multiple=True, metavar="CARDS", help='Played against it: "parry,bulwark".')
@with_rules
@with_output(quiet=False)
def attack(
    attacker: str,
    defender: str,
    season: str,
    hp: int | None,
    played: tuple[str, ...],
    against: tuple[str, ...],
    rules: GivenRules[Rules],
    out: Output,
) -> None:
    """Price the attacks of one loadout on another: damage, kill chance, spells apart or together.

    A loadout is race/class:cards in play, all of them ready. Nothing is sampled; --format json has fractions.

    \b
    Examples:
      warage attack orc/warrior:great-sword human/paladin:lunar-shield --hp 12
      warage attack "elf/mage:scepter-of-the-lich,fireball 2" human/paladin --season spring --hp 20
      warage attack orc/warrior:war-axe elf/mage --with battle-cry --against parry
    """
    report = asked(
        attacker, defender, rules=rules.load(), season=season, hp=hp, played=played, against=against
    )
    from cli.warage.views import attack as view

    out.show(report, view)
