"""Options that the commands share, and the questions they make of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeVar

import click

from analysis.errors import RequestError
from cli.parameters import memory
from engine.warage.rules import Rules, RulesError, load_rules

EXIT_FAILURE = 1
EXIT_INTERRUPTED = 130
EXIT_CODES = "Exit codes: 0 answered; 1 failure, or refused for memory; 2 wrong usage; 130 interrupted."
SETTINGS: dict[str, Any] = {"help_option_names": ["-h", "--help"], "max_content_width": 100}

_Command = TypeVar("_Command", bound=Callable[..., Any])


def _applied(function: _Command, options: Sequence[Callable[[_Command], _Command]]) -> _Command:
    for option in reversed(options):
        function = option(function)
    return function


def rules_options(function: _Command) -> _Command:
    """Add the options of the card set."""
    return _applied(
        function,
        (
            click.option(
                "--rules",
                "rules_files",
                multiple=True,
                type=click.Path(path_type=Path, exists=True, dir_okay=False),
                help="TOML file with the cards and values that differ; repeatable.",
            ),
            click.option(
                "--set",
                "overrides",
                multiple=True,
                metavar="KEY=VALUE",
                help="E.g. cards.fireball.cost=6 or match.season_unit=point; repeatable.",
            ),
        ),
    )


def output_options(function: _Command) -> _Command:
    """Add the options of output."""
    return _applied(
        function,
        (
            click.option(
                "--format",
                "form",
                type=click.Choice(["table", "json", "csv", "md"]),
                default="table",
                show_default=True,
            ),
            click.option(
                "--output", type=click.Path(path_type=Path), help="File to write instead of stdout."
            ),
        ),
    )


def race_options(function: _Command) -> _Command:
    """Add the options of a race."""
    return _applied(
        function,
        (
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
            click.option(
                "--memory", type=memory, default="2GiB", show_default=True, help="Refuse what takes more."
            ),
            click.option("-q", "--quiet", is_flag=True, help="No progress on stderr."),
        ),
    )


def duel_options(function: _Command) -> _Command:
    """Add the options of sampled duels."""
    return _applied(
        function,
        (
            click.option(
                "--style",
                default="rule-based",
                show_default=True,
                metavar="STYLE",
                help='"greedy", or "rule-based:life_below=10,reserve=5,horizon=6,gain=2".',
            ),
            click.option(
                "--duels",
                type=click.IntRange(min=1),
                default=20_000,
                show_default=True,
                help="Of a pair of decks.",
            ),
            click.option("--seed", type=click.IntRange(0, 2**62), default=0, show_default=True),
            click.option("-q", "--quiet", is_flag=True, help="No progress on stderr."),
        ),
    )


def rules_of(files: tuple[Path, ...], overrides: tuple[str, ...]) -> Rules:
    """Load a card set; wrong usage if it cannot be used."""
    try:
        return load_rules(files, overrides)
    except RulesError as error:
        raise click.UsageError(str(error)) from None


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
