"""Options that the commands about battles share."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn, TypeVar

import click

from analysis.clash.game_reports import MatchReport, SoloReport
from analysis.clash.games import Running, Terms
from analysis.clash.maps import read_tiles
from analysis.clash.matches import read_habits
from analysis.errors import RequestError
from analysis.exit_codes import EXIT_INTERRUPTED, EXIT_MEMORY
from analysis.interrupt import Interrupt
from cli import options
from cli.compiling import compiling_said
from cli.grid import View
from cli.options import (
    GivenRules,
    Output,
    Workers,
    bundle,
    exit_codes,
    rules_file_option,
    set_option,
    together,
)
from cli.parameters import duration
from cli.progress import Counter
from engine.clash.rules import load_rules
from engine.clash.rules_schema import SCHEMA

_Report = TypeVar("_Report", MatchReport, SoloReport)

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


@dataclass(frozen=True)
class Games:
    """Whole games of heuristic players: on which terms, and where they are played."""

    terms: Terms
    workers: Workers
    keep: Path | None

    def show(self, ask: Callable[[Running], _Report], view: View[_Report], out: Output) -> NoReturn:
        """Have games played and show what is finished, whether by itself or by an interrupt."""
        interrupt = Interrupt("Stopping with what is finished; again to leave without it.")
        with interrupt.installed(), compiling_said(out.quiet), Counter(out.quiet) as counter:
            report = ask(Running(interrupt, self.workers.jobs, self.workers.scheduler, self.keep, counter))
        out.show(report, view, 0 if report.complete else EXIT_INTERRUPTED)


def _games(
    playouts: int,
    seconds: float | None,
    habits: tuple[str, ...],
    tiles: str | None,
    seed: int,
    jobs: int,
    scheduler: str | None,
    keep: Path | None,
    rules_files: tuple[Path, ...],
    overrides: tuple[str, ...],
) -> Games:
    rules = GivenRules(rules_files, overrides, load_rules).load()
    terms = Terms(rules, seed, (playouts, seconds), read_habits(habits), read_tiles(rules, tiles))
    return Games(terms, Workers(jobs, scheduler), keep)


def refuse_unused(players: Sequence[str], *, judged: bool) -> None:
    """Raise if an option stands in the command that none of these players heeds.

    Parameters
    ----------
    judged
        Whether something is searched besides: a first decision, or what decisions cost.
    """
    searches, thinks = "search" in players, bool({"search", "rule"}.intersection(players))
    if not (judged or searches):
        for option in ("playouts", "seconds"):
            options.refuse_if_given(option, "only a search heeds it, and none plays here")
    if not (judged or thinks):
        options.refuse_if_given("habits", "random players have no habits")


habit_options = together(
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
tiles_option = click.option(
    "--tiles",
    metavar="TILES",
    help='Sides of the tiles, such as "2a,5b"; first: 1a, 2a, ... [default: by chance, for each deal]',
)
_JOBS = (1, "Processes", "one for each processor")
with_workers = options.with_workers(*_JOBS)
with_games = bundle(
    "playing",
    _games,
    options.seed_option("Of set-ups and chance."),
    habit_options,
    tiles_option,
    options.jobs_option(*_JOBS),
    options.scheduler_option,
    options.keep_option,
    rules_file_option(),
    set_option(SCHEMA.example),
)
clans_option = click.option(
    "--clans", metavar="CLANS", help='In the order of seats: "bohorg,tomb".  [default: by chance]'
)
long_game_option = click.option("--long-game", is_flag=True, help="Play for more points (V1).")
GAMES_EXIT_CODES = exit_codes({EXIT_INTERRUPTED: "interrupted, with what was finished"})


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
