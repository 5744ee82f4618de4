"""``warage worth``: the price of points and cards."""

from __future__ import annotations

import click

from cli.entry import command
from cli.options import GivenRules, Output, with_output
from cli.progress import Counter
from cli.warage.commands.options import MEMORY_CODES, RaceOptions, season_option, with_race, with_rules
from engine.warage.rules import Rules


@command("worth", epilog=MEMORY_CODES)
@click.argument("hero_a", metavar="A")
@click.argument("hero_b", metavar="B")
@season_option
@with_race
@with_rules
@with_output()
def worth(
    hero_a: str, hero_b: str, season: str, race: RaceOptions, rules: GivenRules[Rules], out: Output
) -> None:
    """Say what a point and each card are worth to A in a race against B, by the rounds left.

    A card is worth as many HP as A may pay for it and be as well off as without it; it breaks even with the
    fewest rounds left from which on that is its cost. Exact races, one for each row.

    \b
    Examples:
      warage worth orc/warrior:great-sword,wolf-fang human/paladin:war-axe,lunar-shield
      warage worth human/mage:bone-collar,fireball elf/mage:fireball --hp 60,60 --season winter
      warage worth orc/warrior:war-axe elf/mage:fireball --set cards.war-axe.cost=9 --format csv
    """
    question = race.question(rules.load(), (hero_a, hero_b), season)
    from analysis.warage.worth import worth_report
    from cli.warage.views import worth as view

    with Counter(out.quiet) as progress:
        report = worth_report(question, progress)
    out.show(report, view)
