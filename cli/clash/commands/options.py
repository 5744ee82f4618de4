"""Options that the commands about battles share."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from analysis.errors import RequestError
from analysis.exit_codes import EXIT_MEMORY
from analysis.files import check_output
from cli import options
from cli.options import bundle, exit_codes, together
from cli.parameters import duration
from engine.clash.rules import load_rules
from engine.clash.rules_schema import SCHEMA

EXIT_CODES = exit_codes({EXIT_MEMORY: "refused for memory (says what would fit)"})


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


@dataclass(frozen=True)
class Habits:
    """How heuristic players of the whole game decide: playouts or seconds of a search, and habits."""

    playouts: int
    seconds: float | None
    habits: tuple[str, ...]

    @property
    def budget(self) -> tuple[int, float | None]:
        """Playouts and seconds of a decision."""
        return self.playouts, self.seconds


with_habits = bundle(
    "playing",
    Habits,
    options.at_least(1, "--playouts", "That a search may try at each decision.", 400),
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


with_workers = options.with_workers(1, "Processes", "one for each processor")


def _writable(keep: Path | None) -> Path | None:
    if keep is not None:
        check_output(keep, "--keep")
    return keep


with_kept_games = bundle(
    "keep",
    _writable,
    click.option(
        "--keep",
        type=click.Path(path_type=Path, dir_okay=False),
        help="File that keeps each game once it is finished; asked again, it goes on from there.",
    ),
)


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


def say_that_games_compile() -> None:
    """Tell who waits what for."""
    click.echo("The first game after an installation compiles kernels for some minutes.", err=True)
