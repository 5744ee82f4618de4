"""``warage race``: two loadouts against each other, exactly."""

from __future__ import annotations

from pathlib import Path

import click

from analysis.errors import RequestError
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
@click.option(
    "--sell-a", metavar="CARDS", help="Pieces that A may sell at any time, in reply too: at most 3."
)
@click.option("--sell-b", metavar="CARDS", help="The same for B.")
@click.option("--decline", is_flag=True, help="Attacks may be declined.")
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
    sell_a: str | None,
    sell_b: str | None,
    decline: bool,
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
        sell=(sell_a, sell_b),
        decline=decline,
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
    sell: tuple[str | None, str | None] = (None, None),
    decline: bool = False,
) -> None:
    """Solve a race, with decisions if any are allowed, and write the answer."""
    from analysis.warage.loadouts import parse_loadout, season_of

    loadouts = parse_loadout(rules, heroes[0], "A"), parse_loadout(rules, heroes[1], "B")
    usual = loadouts[0].race.hp, loadouts[1].race.hp
    totals = pair(hp, "--hp", usual, least=1)
    cards = pair(cards_left, "--cards-left", (43, 43))
    in_force = season_of(rules, season)
    begins = hp is None and rounds_left is None if truce is None else truce
    from analysis.warage.pieces import parse_pieces

    pieces = (
        parse_pieces(rules, loadouts[0], sell[0], "--sell-a"),
        parse_pieces(rules, loadouts[1], sell[1], "--sell-b"),
    )
    if (any(pieces) or decline) and specials:
        raise RequestError("a race with decisions leaves special season cards out", "--specials")
    # numba, and with it all that solves, is imported when nothing is wrong any more.
    from analysis.warage.race import RaceQuestion, race_report
    from cli.warage.views.race import render, render_choices

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
    if any(pieces) or decline:
        from analysis.warage.race_choices import choice_report

        text = render_choices(choice_report(question, pieces, may_decline=decline), form)
    else:
        with Counter(quiet) as progress:
            text = render(race_report(question, progress), form)
    if not write_output(text, output):
        ctx.exit(EXIT_FAILURE)
