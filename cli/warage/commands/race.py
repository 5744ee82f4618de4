"""``warage race``: two loadouts against each other, exactly."""

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
from engine.warage.rules import Rules

FIRST = {"a": 0, "b": 1, "both": None}


@command("race", context_settings=SETTINGS, epilog=EXIT_CODES)
@click.argument("hero_a", metavar="A")
@click.argument("hero_b", metavar="B")
@click.option("--season", help="In force at the beginning.  [default: any, by the cards in the deck]")
@click.option(
    "--first", type=click.Choice(list(FIRST)), default="both", show_default=True, help="Who moves first."
)
@click.option(
    "--truce/--no-truce",
    default=None,
    help="Whether first rounds go by without attacks.  [default: yes, unless --rounds-left or --hp is said]",
)
@race_options
@rules_options
@output_options
@click.pass_context
def race(
    ctx: click.Context,
    hero_a: str,
    hero_b: str,
    season: str | None,
    first: str,
    truce: bool | None,
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
    """Let two loadouts race: no hidden cards, no decisions, everybody attacks with all he has.

    The season deck is exact, drawn without replacement. Values by who moves first and by season; a second
    computation checks them. The first of the two wins with the chance shown.

    \b
    Examples:
      warage race orc/warrior:great-sword,plate-armour human/mage:bone-collar,fireball,lightning
      warage race orc/warrior:war-axe elf/mage:fireball --hp 60,45 --season spring --rounds-left 12
      warage race human/warrior:war-axe elf/warrior:war-axe --set match.season_unit=point
    """
    if output is not None:
        check_output(output)
    answer_race(
        ctx,
        rules_of(rules_files, overrides),
        (hero_a, hero_b),
        season=season,
        first=first,
        truce=truce,
        hp=hp,
        cards_left=cards_left,
        rounds_left=rounds_left,
        specials=specials,
        memory=memory,
        quiet=quiet,
        form=form,
        output=output,
    )


def answer_race(
    ctx: click.Context,
    rules: Rules,
    heroes: tuple[str, str],
    *,
    season: str | None,
    first: str,
    truce: bool | None,
    hp: str | None,
    cards_left: str,
    rounds_left: int | None,
    specials: bool | None,
    memory: int,
    quiet: bool,
    form: str,
    output: Path | None,
) -> None:
    """Solve a race and write the answer."""
    from analysis.warage.loadouts import parse_loadout, season_of

    loadouts = parse_loadout(rules, heroes[0], "A"), parse_loadout(rules, heroes[1], "B")
    usual = loadouts[0].race.hp, loadouts[1].race.hp
    totals = pair(hp, "--hp", usual, least=1)
    cards = pair(cards_left, "--cards-left", (43, 43))
    in_force = season_of(rules, season)
    begins = hp is None and rounds_left is None if truce is None else truce
    # numba, and with it all that solves, is imported when nothing is wrong any more.
    from analysis.warage.race import RaceQuestion, race_report
    from cli.warage.views.race import render

    question = RaceQuestion(
        rules,
        loadouts,
        totals,
        season=in_force,
        first=FIRST[first],
        cards_left=cards,
        rounds_left=rounds_left,
        truce=begins,
        specials=specials,
        memory=memory,
    )
    with Counter(quiet) as progress:
        report = race_report(question, progress)
    if not write_output(render(report, form), output):
        ctx.exit(EXIT_FAILURE)
