"""Options that the commands share, and the questions they make of them."""

from __future__ import annotations

from pathlib import Path

import click

from analysis.errors import RequestError
from analysis.exit_codes import EXIT_FAILURE as EXIT_FAILURE
from analysis.exit_codes import EXIT_INTERRUPTED as EXIT_INTERRUPTED
from cli.entry import SETTINGS as SETTINGS
from cli.options import (
    GivenRules,
    at_least,
    exit_codes,
    format_option,
    memory_option,
    output_option,
    quiet_option,
    rules_file_option,
    seed_option,
    set_option,
    together,
)
from engine.warage.rules import Rules, load_rules

EXIT_CODES = exit_codes({EXIT_FAILURE: "failure, or refused for memory"})

rules_options = together(rules_file_option(), set_option("cards.fireball.cost=6 or match.season_unit=point"))
output_options = together(format_option(), output_option)
race_options = together(
    click.option("--hp", metavar="A,B", help="HP now.  [default: those of the races]"),
    click.option(
        "--cards-left",
        metavar="A,B",
        default="43,43",
        show_default=True,
        help="Cards in the decks: two are drawn each round, and who cannot loses.",
    ),
    click.option(
        "--rounds-left",
        type=click.IntRange(0, 200),
        help="Or rounds of single heroes until whoever is next loses.",
    ),
    click.option(
        "--specials/--no-specials",
        default=None,
        help="With special season cards, or without them.  [default: with, unless it takes long]",
    ),
    memory_option("Refuse what takes more.", default="2GiB"),
    quiet_option,
)
duel_options = together(
    click.option(
        "--style",
        default="rule-based",
        show_default=True,
        metavar="STYLE",
        help='"greedy", or "rule-based:life_below=10,reserve=5,horizon=6,gain=2".',
    ),
    at_least(1, "--duels", "Of a pair of decks.", 20_000),
    seed_option(most=2**62),
    quiet_option,
)


def rules_of(files: tuple[Path, ...], overrides: tuple[str, ...]) -> Rules:
    """Load a card set; wrong usage if it cannot be used."""
    return GivenRules(files, overrides, load_rules).load()


def pair(text: str | None, option: str, usual: tuple[int, int], *, least: int = 0) -> tuple[int, int]:
    """Read two whole numbers, those of the first and the second hero: ``60,45``."""
    if text is None:
        return usual
    try:
        one, two = map(int, text.split(","))
    except ValueError:
        raise RequestError(f"{text!r}: write two whole numbers, such as 60,45", option) from None
    if min(one, two) < least:
        raise RequestError(f"{text!r}: at least {least} each", option)
    return one, two
