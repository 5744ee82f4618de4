"""Options that the commands about battles share."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import click

from analysis.errors import RequestError
from analysis.exit_codes import EXIT_FAILURE as EXIT_FAILURE
from analysis.exit_codes import EXIT_INTERRUPTED as EXIT_INTERRUPTED
from analysis.exit_codes import EXIT_MEMORY as EXIT_MEMORY
from cli import options
from cli.options import (
    GivenRules,
    bundle,
    exit_codes,
    format_option,
    output_option,
    quiet_option,
    rules_file_option,
    set_option,
    together,
)
from cli.output import write_output
from cli.parameters import duration
from engine.clash.rules import Rules, load_rules
from engine.clash.rules_schema import SCHEMA

EXIT_CODES = exit_codes({EXIT_MEMORY: "refused for memory (says what would fit)"})

_Report = TypeVar("_Report")


@dataclass(frozen=True)
class ArmyOptions:
    """What armies carry, and who distributes injuries; `bracket` bounds rage tokens."""

    equip: tuple[str, ...]
    equip_defender: tuple[str, ...]
    solo: bool
    bracket: int | None = None

    @property
    def words(self) -> dict[str, Any]:
        """Equipment and mode of play, as functions of `analysis.clash` take them."""
        return {"equip": self.equip, "equip_defender": self.equip_defender, "solo": self.solo}


army_options = together(
    click.option("--equip", multiple=True, metavar="TEXT", help='"Executioner: axe; Kragrider: crossbow".'),
    click.option(
        "--equip-defender",
        multiple=True,
        metavar="TEXT",
        help="The same for the defender; needed where both sides are of one clan.",
    ),
    click.option("--solo", is_flag=True, help="The attacker distributes the injuries that elves deal (X4)."),
)
bracket_option = click.option(
    "--bracket",
    type=click.IntRange(0, 200),
    metavar="TOKENS",
    help="Count so many rage tokens only, and bound what lies beyond from both sides.",
)
memory_option = options.memory_option("Refuse what takes more.", default="512MiB")
weights_option = click.option(
    "--weights", metavar="TEXT", help='With material: "I=1, II=2, III=3, territory=3" (the default).'
)
with_rules = options.with_rules(load_rules, SCHEMA.example)
with_armies = bundle("armies", ArmyOptions, army_options)
with_battle = together(bundle("armies", ArmyOptions, army_options, bracket_option), memory_option, with_rules)

# ---- one by one, for commands that take no bundles ---------------------------------------------------------

rules_options = together(rules_file_option(), set_option(SCHEMA.example))
output_options = together(format_option(), output_option)
common_options = together(army_options, bracket_option, memory_option, rules_options, output_options)
budget_options = together(
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
workers_options = together(
    click.option(
        "--jobs",
        type=click.IntRange(min=0),
        default=1,
        show_default=True,
        help="Processes; 0 for one for each processor.",
    ),
    click.option("--scheduler", metavar="ADDRESS", help="Work on the Dask cluster there instead."),
)
jobs_options = together(
    workers_options,
    click.option(
        "--keep",
        type=click.Path(path_type=Path, dir_okay=False),
        help="File that keeps each game once it is finished; asked again, it goes on from there.",
    ),
    quiet_option,
)


def answered(
    ctx: click.Context, ask: Callable[[], _Report], render: Callable[[_Report], str], output: Path | None
) -> None:
    """Compute an answer and write it."""
    if not write_output(render(ask()), output):
        ctx.exit(EXIT_FAILURE)


def rules_of(files: tuple[Path, ...], overrides: tuple[str, ...]) -> Rules:
    """Load rules; wrong usage if they cannot be used."""
    return GivenRules(files, overrides, load_rules).load()


def whole_numbers(text: str, count: int, what: str, option: str) -> tuple[int, ...]:
    """Read `count` whole numbers between commas; `what` says which, with an example."""
    try:
        numbers = tuple(map(int, text.split(",")))
    except ValueError:
        numbers = ()
    if len(numbers) != count:
        raise RequestError(f"{text!r}: write {what}", option)
    return numbers


def pair(text: str, option: str) -> tuple[int, int]:
    """Read two whole numbers, attacker's and defender's: ``0,2``."""
    one, two = whole_numbers(text, 2, "the attacker's and the defender's, such as 0,2", option)
    return one, two
