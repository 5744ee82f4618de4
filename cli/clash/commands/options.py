"""Options that the commands about battles share, and the scenario they say."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeVar

import click

from analysis.clash.scenario import TooLargeError
from analysis.errors import RequestError
from cli.output import write_output
from cli.parameters import duration, memory
from engine.clash.rules import Rules, RulesError, load_rules

EXIT_FAILURE = 1
EXIT_MEMORY = 4
EXIT_INTERRUPTED = 130
EXIT_CODES = (
    "Exit codes: 0 answered; 1 failure; 2 wrong usage; 4 refused for memory (says what would fit);"
    " 130 interrupted."
)

_Command = TypeVar("_Command", bound=Callable[..., Any])
_Report = TypeVar("_Report")


def _applied(function: _Command, options: Sequence[Callable[[_Command], _Command]]) -> _Command:
    for option in reversed(options):
        function = option(function)
    return function


def rules_options(function: _Command) -> _Command:
    """Add the options of rules."""
    options: Sequence[Callable[[_Command], _Command]] = (
        click.option(
            "--rules",
            "rules_files",
            multiple=True,
            type=click.Path(path_type=Path, exists=True, dir_okay=False),
            help="TOML file with the values that differ; repeatable.",
        ),
        click.option(
            "--set",
            "overrides",
            multiple=True,
            metavar="KEY=VALUE",
            help="E.g. battle.sparing=false; repeatable.",
        ),
    )
    return _applied(function, options)


def output_options(function: _Command) -> _Command:
    """Add the options of output."""
    options: Sequence[Callable[[_Command], _Command]] = (
        click.option(
            "--format",
            "form",
            type=click.Choice(["table", "json", "csv", "md"]),
            default="table",
            show_default=True,
        ),
        click.option("--output", type=click.Path(path_type=Path), help="File to write instead of stdout."),
    )
    return _applied(function, options)


def memory_option(function: _Command) -> _Command:
    """Add the option of memory."""
    return click.option(
        "--memory", type=memory, default="512MiB", show_default=True, help="Refuse what takes more."
    )(function)


def army_options(function: _Command) -> _Command:
    """Add the options of armies."""
    options: Sequence[Callable[[_Command], _Command]] = (
        click.option(
            "--equip", multiple=True, metavar="TEXT", help='"Executioner: axe; Kragrider: crossbow".'
        ),
        click.option(
            "--equip-defender",
            multiple=True,
            metavar="TEXT",
            help="The same for the defender; needed where both sides are of one clan.",
        ),
        click.option(
            "--solo", is_flag=True, help="The attacker distributes the injuries that elves deal (X4)."
        ),
    )
    return _applied(function, options)


def budget_options(function: _Command) -> _Command:
    """Add the options of players of the whole game."""
    options: Sequence[Callable[[_Command], _Command]] = (
        click.option(
            "--playouts",
            type=click.IntRange(min=1),
            default=400,
            show_default=True,
            help="That a search may try at each decision.",
        ),
        click.option(
            "--time",
            "seconds",
            type=duration,
            metavar="TIME",
            help="Or so long, such as 1s; what is found then depends on the machine.",
        ),
        click.option(
            "--habit",
            "habits",
            multiple=True,
            metavar="NAME=VALUE",
            help="What the player by rule of thumb goes by, such as sure=0.8; repeatable.",
        ),
    )
    return _applied(function, options)


def workers_options(function: _Command) -> _Command:
    """Add the options of work on processes and clusters."""
    options: Sequence[Callable[[_Command], _Command]] = (
        click.option(
            "--jobs",
            type=click.IntRange(min=0),
            default=1,
            show_default=True,
            help="Processes; 0 for one for each processor.",
        ),
        click.option("--scheduler", metavar="ADDRESS", help="Work on the Dask cluster there instead."),
    )
    return _applied(function, options)


def jobs_options(function: _Command) -> _Command:
    """Add these, and those of keeping games and of progress."""
    options: Sequence[Callable[[_Command], _Command]] = (
        workers_options,
        click.option(
            "--keep",
            type=click.Path(path_type=Path, dir_okay=False),
            help="File that keeps each game once it is finished; asked again, it goes on from there.",
        ),
        click.option("-q", "--quiet", is_flag=True, help="No progress on stderr."),
    )
    return _applied(function, options)


def common_options(function: _Command) -> _Command:
    """Add the options of armies, bracket, memory, rules and output."""
    options: Sequence[Callable[[_Command], _Command]] = (
        army_options,
        click.option(
            "--bracket",
            type=click.IntRange(0, 200),
            metavar="TOKENS",
            help="Count so many rage tokens only, and bound what lies beyond from both sides.",
        ),
        memory_option,
        rules_options,
        output_options,
    )
    return _applied(function, options)


def answered(
    ctx: click.Context,
    ask: Callable[[], _Report],
    render: Callable[[_Report], str],
    output: Path | None,
) -> None:
    """Compute an answer and write it; what is too large is refused with the exit code for that."""
    try:
        report = ask()
    except TooLargeError as error:
        click.echo(f"Refused: {error}.", err=True)
        ctx.exit(EXIT_MEMORY)
    if not write_output(render(report), output):
        ctx.exit(EXIT_FAILURE)


def rules_of(files: tuple[Path, ...], overrides: tuple[str, ...]) -> Rules:
    """Load rules; wrong usage if they cannot be used."""
    try:
        return load_rules(files, overrides)
    except RulesError as error:
        raise click.UsageError(str(error)) from None


def pair(text: str, option: str) -> tuple[int, int]:
    """Read two whole numbers, attacker's and defender's: ``0,2``."""
    try:
        one, two = map(int, text.split(","))
    except ValueError:
        said = f"{text!r}: write the attacker's and the defender's, such as 0,2"
        raise RequestError(said, option) from None
    return one, two
