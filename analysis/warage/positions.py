"""What questions about heroes in play share: loadouts, HP, the season, and how a race begins."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Literal

import msgspec

from analysis.front.kinds import Counts, Parts, Pick
from analysis.front.parameters import Bundle, param
from analysis.front.sizes import read_memory

if TYPE_CHECKING:
    from analysis.warage.loadouts import Loadout
    from analysis.warage.race import RaceQuestion
    from engine.warage.rules import Rules

__all__ = [
    "Hero",
    "Heroes",
    "OtherHP",
    "Race",
    "RoundsLeft",
    "Season",
    "Totals",
    "loadouts_of",
    "race_question",
]

_LOADOUT = "RACE/CLASS:CARDS"
_CARDS_LEFT = 43


class Hero(Parts, frozen=True):
    """A hero, and what it has in play, all of it ready."""

    race: Annotated[str, param("Race of the hero.", kind=Pick("races"))]
    hero_class: Annotated[str, param("Class of the hero.", kind=Pick("classes"))]
    cards: Annotated[dict[str, int], param("Cards that it has in play.", kind=Counts("cards"))] = (
        msgspec.field(default_factory=dict)
    )


class Heroes(Bundle, frozen=True, kw_only=True):
    """Two heroes with what they have in play, as `orc/warrior:great-sword,wolf-fang 2`."""

    hero: Annotated[
        Hero,
        param("The first hero and its cards; where one attacks, it does.", argument=True, metavar=_LOADOUT),
    ] = Hero("orc", "warrior", {"war-axe": 1})
    other: Annotated[Hero, param("The other hero and its cards.", argument=True, metavar=_LOADOUT)] = Hero(
        "elf", "warrior", {"war-axe": 1}
    )


OtherHP = Annotated[
    int, param("HP of the other hero.  [default: those of its race]", ge=1, le=10_000, unit="HP")
]
Season = Annotated[str, param("The base season in force, in a race at its beginning.", kind=Pick("seasons"))]

RoundsLeft = Annotated[
    int,
    param("Rounds of single heroes that are left; then whoever is next loses.", ge=0, le=200, unit="rounds"),
]


class Totals(Bundle, frozen=True, kw_only=True):
    """HP of both heroes."""

    hp: (
        Annotated[
            int, param("HP of the first hero.  [default: those of its race]", ge=1, le=10_000, unit="HP")
        ]
        | None
    ) = None
    other_hp: OtherHP | None = None

    def of(self, loadouts: tuple[Loadout, Loadout]) -> tuple[int, int]:
        """Return the HP of both heroes; those of their races where nothing is said."""
        own, other = (loadout.race.hp for loadout in loadouts)
        return self.hp or own, self.other_hp or other


class Race(Bundle, frozen=True, kw_only=True):
    """How long a race goes on, and what it may take."""

    totals: Totals = Totals()
    cards_left: Annotated[
        int,
        param(
            "Cards in the first deck: who has to draw and cannot loses.",
            ge=0,
            le=1_000,
            unit="cards",
            more=True,
        ),
    ] = _CARDS_LEFT
    other_cards_left: Annotated[
        int, param("Cards in the other deck.", ge=0, le=1_000, unit="cards", more=True)
    ] = _CARDS_LEFT
    rounds_left: RoundsLeft | None = None
    special_seasons: (
        Annotated[
            Literal["with", "without"],
            param(
                "Whether special season cards are in the season deck.  [default: unless it takes long]",
                more=True,
            ),
        ]
        | None
    ) = None
    memory: Annotated[
        str, param("What takes more memory is refused, such as 2GiB.", metavar="SIZE", more=True)
    ] = "2GiB"


def loadouts_of(rules: Rules, heroes: Heroes) -> tuple[Loadout, Loadout]:
    """Return two loadouts; RequestError if one cannot be in play."""
    from analysis.warage.loadouts import loadout_of

    return loadout_of(rules, heroes.hero, "HERO"), loadout_of(rules, heroes.other, "OTHER")


def race_question(rules: Rules, heroes: Heroes, race: Race, **more: Any) -> RaceQuestion:
    """Return the question about a race; RequestError if it makes no sense."""
    loadouts = loadouts_of(rules, heroes)
    # numba, and with it all that solves, is imported when nothing is wrong any more.
    from analysis.warage.race import RaceQuestion

    return RaceQuestion(
        rules,
        loadouts,
        race.totals.of(loadouts),
        cards_left=(race.cards_left, race.other_cards_left),
        rounds_left=race.rounds_left,
        specials=None if race.special_seasons is None else race.special_seasons == "with",
        memory=read_memory(race.memory),
        **more,
    )
