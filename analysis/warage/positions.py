"""What questions about heroes in play share: loadouts, HP, the season, and how a race begins."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from analysis.front.kinds import Counts, Parts, Pick
from analysis.front.parameters import Bundle, param

__all__ = [
    "Hero",
    "Heroes",
    "OtherHP",
    "Race",
    "RoundsLeft",
    "Season",
    "Totals",
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
