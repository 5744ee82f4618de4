"""``warage-solve``: two heroes, and who wins."""

from __future__ import annotations

import click

from analysis.errors import RequestError
from analysis.version import __version__
from cli.entry import command
from cli.options import GivenRules, Output, Workers, with_output
from cli.warage.commands.match import answer_match
from cli.warage.commands.options import MEMORY_CODES, RaceOptions, Start, with_race, with_rules, with_start
from cli.warage.commands.race import answer_race
from engine.warage.rules import Rules

_DUELS = 20_000


@command("solve", epilog=MEMORY_CODES)
@click.argument("hero_a", metavar="A")
@click.argument("hero_b", metavar="B")
@with_start
@with_race
@with_rules
@with_output()
@click.version_option(__version__, prog_name="warage-solve")
def solve(
    hero_a: str, hero_b: str, start: Start, race: RaceOptions, rules: GivenRules[Rules], out: Output
) -> None:
    """Say who wins, A or B.

    Two loadouts, race/class:cards in play, race each other exactly. Two decks play 20,000 duels by the whole
    rules (warage match has more to set).

    \b
    Examples:
      warage-solve orc/warrior:great-sword,plate-armour human/mage:bone-collar,fireball,lightning
      warage-solve orc/warrior:war-axe elf/warrior:war-axe --season spring --hp 60,60
      warage-solve orc-warrior elf-mage
    """
    loaded = rules.load()
    if "/" not in hero_a and "/" not in hero_b:
        asked = {
            "--hp": race.hp,
            "--season": start.season,
            "--rounds-left": race.rounds_left,
            "--specials": race.specials,
        }
        for option, value in asked.items():
            if value is not None:
                raise RequestError(f"decks begin at the beginning: no {option}", option)
        answer_match(loaded, (hero_a, hero_b), ("rules", "rules"), _DUELS, 0, Workers(1, None), out)
    if "/" not in hero_a or "/" not in hero_b:
        deck, option = (hero_a, "A") if "/" not in hero_a else (hero_b, "B")
        said = f"{deck!r} is no loadout: write two of them, as race/class:cards, or two decks"
        raise RequestError(said, option)
    answer_race(loaded, (hero_a, hero_b), start, None, race, out)
