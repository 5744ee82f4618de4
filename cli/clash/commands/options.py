"""Options that the commands about battles share."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import click

from analysis.errors import RequestError
from analysis.exit_codes import EXIT_MEMORY
from cli import options
from cli.options import (
    bundle,
    exit_codes,
    together,
)
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
both_armies = together(
    click.option("--attacker", required=True, metavar="ARMY", help='"bohorg: 2 Executioner, 1 Kragrider".'),
    click.option("--defender", required=True, metavar="ARMY", help='The same, or elves: "elves: 3 Templar".'),
)
moment_options = together(
    click.option(
        "--rage", default="0,0", show_default=True, metavar="A,D", help="Tokens now, without icons to come."
    ),
    click.option("--turn", type=click.Choice(["attacker", "defender"]), help="Whose assault is next."),
)
with_rules = options.with_rules(load_rules, SCHEMA.example)
with_armies = bundle("armies", ArmyOptions, army_options)
with_battle = together(bundle("armies", ArmyOptions, army_options, bracket_option), memory_option, with_rules)


tiles_option = click.option(
    "--tiles",
    metavar="TILES",
    help='Sides of the tiles, such as "2a,5b"; first: 1a, 2a, ... [default: by chance, for each deal]',
)
_JOBS = (1, "Processes", "one for each processor")
with_workers = options.with_workers(*_JOBS)


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
