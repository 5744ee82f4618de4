"""``warage race``: two loadouts against each other, exactly."""

from __future__ import annotations

from typing import NoReturn

import click

from analysis.errors import RequestError
from cli.entry import command
from cli.options import GivenRules, Output, with_output
from cli.progress import Counter
from cli.warage.commands.options import MEMORY_CODES, RaceOptions, Start, with_race, with_rules, with_start
from engine.warage.rules import Rules


@command("race", epilog=MEMORY_CODES)
@click.argument("hero_a", metavar="A")
@click.argument("hero_b", metavar="B")
@with_start
@click.option(
    "--truce/--no-truce",
    default=None,
    help="Whether first rounds go by without attacks.  [default: yes, unless --rounds-left or --hp is said]",
)
@click.option(
    "--sell-a", metavar="CARDS", help="Pieces that A may sell at any time, in reply too: at most 3."
)
@click.option("--sell-b", metavar="CARDS", help="The same for B.")
@click.option("--decline", is_flag=True, help="Attacks may be declined.")
@with_race
@with_rules
@with_output()
def race(
    hero_a: str,
    hero_b: str,
    start: Start,
    truce: bool | None,
    sell_a: str | None,
    sell_b: str | None,
    decline: bool,
    race: RaceOptions,
    rules: GivenRules[Rules],
    out: Output,
) -> None:
    """Let two loadouts race: no hidden cards, everybody attacks with all he has.

    There are no decisions but those that --sell-a, --sell-b and --decline allow. The season deck is exact,
    drawn without replacement. Values by who moves first and by season; a second computation checks them.

    \b
    Examples:
      warage race orc/warrior:great-sword,plate-armour human/mage:bone-collar,fireball,lightning
      warage race orc/warrior:war-axe elf/mage:fireball --hp 60,45 --season spring --rounds-left 12
      warage race human/warrior:war-axe elf/warrior:war-axe --set match.season_unit=point
      warage race orc/warrior:war-axe,gauntlets elf/warrior:war-axe --hp 30,30 --rounds-left 14 \\
                  --sell-a gauntlets --sell-b war-axe --decline
    """
    answer_race(rules.load(), (hero_a, hero_b), start, truce, race, out, (sell_a, sell_b), decline=decline)


def answer_race(
    rules: Rules,
    heroes: tuple[str, str],
    start: Start,
    truce: bool | None,
    race: RaceOptions,
    out: Output,
    sell: tuple[str | None, str | None] = (None, None),
    *,
    decline: bool = False,
) -> NoReturn:
    """Solve a race, with decisions if any are allowed, and write the answer."""
    begins = race.hp is None and race.rounds_left is None if truce is None else truce
    if (any(sell) or decline) and race.specials:
        raise RequestError("a race with decisions leaves special season cards out", "--specials")
    question = race.question(rules, heroes, start.season, first=start.first, truce=begins)
    from analysis.warage.pieces import parse_pieces
    from cli.warage.views.race import CHOICES, RACE

    pieces = (
        parse_pieces(rules, question.heroes[0], sell[0], "--sell-a"),
        parse_pieces(rules, question.heroes[1], sell[1], "--sell-b"),
    )
    if any(pieces) or decline:
        from analysis.warage.race_choices import choice_report

        out.show(choice_report(question, pieces, may_decline=decline), CHOICES)
    from analysis.warage.race import race_report

    with Counter(out.quiet) as progress:
        report = race_report(question, progress)
    out.show(report, RACE)
