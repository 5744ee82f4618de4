"""Options that the commands share, and the questions they make of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import click

from analysis.errors import RequestError
from analysis.exit_codes import EXIT_FAILURE, EXIT_INTERRUPTED
from cli import options
from cli.options import at_least, bundle, exit_codes, memory_option, seed_option
from engine.warage.rules import Rules, load_rules
from engine.warage.rules_schema import SCHEMA

if TYPE_CHECKING:
    from analysis.warage.loadouts import Loadout
    from analysis.warage.race import RaceQuestion

    Pair = tuple[Loadout, Loadout]

MEMORY_CODES = exit_codes({EXIT_FAILURE: "failure, or refused for memory"})
STOPPED_CODES = exit_codes({EXIT_INTERRUPTED: "interrupted, with what was finished"})
STOPPING = "Stopping with what is finished; again to leave without it."
MOST_SEED = 2**62
FIRST = {"a": 0, "b": 1, "both": None}

with_rules = options.with_rules(load_rules, SCHEMA.example)
with_workers = options.with_workers(1, "Processes", "one for each processor")
season_option = click.option(
    "--season", default="summer", show_default=True, help="The base season in force."
)
hp_option = click.option("--hp", metavar="A,B", help="HP now.  [default: those of the races]")
duels_option = at_least(1, "--duels", "Of a pair of decks.", 20_000)
chance_option = seed_option(most=MOST_SEED)


@dataclass(frozen=True)
class RaceOptions:
    """How a race begins, and what it may take."""

    hp: str | None
    cards_left: str
    rounds_left: int | None
    specials: bool | None
    memory: int

    def question(
        self, rules: Rules, heroes: tuple[str, str], season: str | None, **more: Any
    ) -> RaceQuestion:
        """Return the question about two loadouts; wrong usage if it makes no sense."""
        from analysis.warage.loadouts import season_of

        loadouts = loadouts_of(rules, heroes)
        totals = totals_of(self.hp, loadouts)
        cards = pair(self.cards_left, "--cards-left", (43, 43))
        in_force = season_of(rules, season)
        # numba, and with it all that solves, is imported when nothing is wrong any more.
        from analysis.warage.race import RaceQuestion

        return RaceQuestion(
            rules,
            loadouts,
            totals,
            season=in_force,
            cards_left=cards,
            rounds_left=self.rounds_left,
            specials=self.specials,
            memory=self.memory,
            **more,
        )


with_race = bundle(
    "race",
    RaceOptions,
    hp_option,
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
)


@dataclass(frozen=True)
class Start:
    """Who moves first in a race, and in which season."""

    season: str | None
    first: int | None


def _start(season: str | None, first: str) -> Start:
    return Start(season, FIRST[first])


with_start = bundle(
    "start",
    _start,
    click.option("--season", help="In force at the beginning.  [default: any, by the cards in the deck]"),
    click.option(
        "--first", type=click.Choice(list(FIRST)), default="both", show_default=True, help="Who moves first."
    ),
)


def player_option(name: str, default: str | None, text: str) -> options.Decorator:
    """Return an option that says who plays."""
    return click.option(name, default=default, show_default=default is not None, metavar="PLAYER", help=text)


PLAYERS_TEXT = (
    '"rules:life_below=10,reserve=5", "greedy", "search:iterations=500", "guided" and "values" (by learned'
    ' values; "guided:FILE" for other rules, a file of warage train), "random".'
)


def loadouts_of(rules: Rules, heroes: tuple[str, str], names: tuple[str, str] = ("A", "B")) -> Pair:
    """Read two loadouts; wrong usage if one cannot be."""
    from analysis.warage.loadouts import parse_loadout

    return parse_loadout(rules, heroes[0], names[0]), parse_loadout(rules, heroes[1], names[1])


def totals_of(hp: str | None, loadouts: Pair) -> tuple[int, int]:
    """Read the HP of two heroes; those of their races if nothing is said."""
    return pair(hp, "--hp", (loadouts[0].race.hp, loadouts[1].race.hp), least=1)


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
