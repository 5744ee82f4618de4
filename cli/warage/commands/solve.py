"""``warage-solve``: two heroes, and who wins."""

from __future__ import annotations

from pathlib import Path

import click

from analysis.errors import RequestError
from analysis.files import check_output
from analysis.version import __version__
from cli.entry import command
from cli.warage.commands.match import answer_match
from cli.warage.commands.options import (
    EXIT_CODES,
    SETTINGS,
    output_options,
    race_options,
    rules_of,
    rules_options,
)
from cli.warage.commands.race import FIRST, answer_race


@command("solve", context_settings=SETTINGS, epilog=EXIT_CODES)
@click.argument("hero_a", metavar="A")
@click.argument("hero_b", metavar="B")
@click.option("--season", help="In force at the beginning.  [default: any, by the cards in the deck]")
@click.option(
    "--first", type=click.Choice(list(FIRST)), default="both", show_default=True, help="Who moves first."
)
@race_options
@rules_options
@output_options
@click.version_option(__version__, prog_name="warage-solve")
@click.pass_context
def solve(
    ctx: click.Context,
    hero_a: str,
    hero_b: str,
    season: str | None,
    first: str,
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
    """Say who wins, A or B.

    Two loadouts, race/class:cards in play, race each other exactly. Two decks play 20,000 duels by the whole
    rules (warage match has more to set).

    \b
    Examples:
      warage-solve orc/warrior:great-sword,plate-armour human/mage:bone-collar,fireball,lightning
      warage-solve orc/warrior:war-axe elf/warrior:war-axe --season spring --hp 60,60
      warage-solve orc-warrior elf-mage
    """
    if output is not None:
        check_output(output)
    rules = rules_of(rules_files, overrides)
    if "/" not in hero_a and "/" not in hero_b:
        asked = {"hp": hp, "season": season, "rounds-left": rounds_left, "specials": specials}
        for option, value in asked.items():
            if value is not None:
                raise RequestError(f"decks begin at the beginning: no --{option}", f"--{option}")
        answer_match(
            ctx,
            rules,
            (hero_a, hero_b),
            styles=("rule-based", "rule-based"),
            duels=20_000,
            seed=0,
            quiet=quiet,
            form=form,
            output=output,
        )
        return
    if "/" not in hero_a or "/" not in hero_b:
        deck, option = (hero_a, "A") if "/" not in hero_a else (hero_b, "B")
        said = f"{deck!r} is no loadout: write two of them, as race/class:cards, or two decks"
        raise RequestError(said, option)
    answer_race(
        ctx,
        rules,
        (hero_a, hero_b),
        season=season,
        first=first,
        truce=None,
        hp=hp,
        cards_left=cards_left,
        rounds_left=rounds_left,
        specials=specials,
        memory=memory,
        quiet=quiet,
        form=form,
        output=output,
    )
