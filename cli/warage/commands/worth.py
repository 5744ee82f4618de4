"""``warage worth``: the price of points and cards."""

from __future__ import annotations

from pathlib import Path

import click

from analysis.files import check_output
from cli.entry import command
from cli.output import write_output
from cli.progress import Counter
from cli.warage.commands.options import (
    EXIT_CODES,
    EXIT_FAILURE,
    SETTINGS,
    output_options,
    pair,
    race_options,
    rules_of,
    rules_options,
)


@command("worth", context_settings=SETTINGS, epilog=EXIT_CODES)
@click.argument("hero_a", metavar="A")
@click.argument("hero_b", metavar="B")
@click.option("--season", default="summer", show_default=True, help="In force when the price is asked.")
@race_options
@rules_options
@output_options
@click.pass_context
def worth(
    ctx: click.Context,
    hero_a: str,
    hero_b: str,
    season: str,
    hp: str | None,
    cards_left: str,
    rounds_left: int | None,
    specials: bool | None,
    memory: int,
    quiet: bool,
    rules_files: tuple[Path, ...],
    overrides: tuple[str, ...],
    form: str,
    output: Path | None,
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
    if output is not None:
        check_output(output)
    rules = rules_of(rules_files, overrides)
    from analysis.warage.loadouts import parse_loadout, season_of

    loadouts = parse_loadout(rules, hero_a, "A"), parse_loadout(rules, hero_b, "B")
    totals = pair(hp, "--hp", (loadouts[0].race.hp, loadouts[1].race.hp), least=1)
    cards = pair(cards_left, "--cards-left", (43, 43))
    in_force = season_of(rules, season)
    from analysis.warage.race import RaceQuestion
    from analysis.warage.worth import worth_report
    from cli.warage.views.worth import render

    question = RaceQuestion(
        rules,
        loadouts,
        totals,
        season=in_force,
        cards_left=cards,
        rounds_left=rounds_left,
        specials=specials,
        memory=memory,
    )
    with Counter(quiet) as progress:
        report = worth_report(question, progress)
    if not write_output(render(report, form), output):
        ctx.exit(EXIT_FAILURE)
