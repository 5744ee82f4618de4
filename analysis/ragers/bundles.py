"""What questions about Ragers are about: days, sides, hands, histories; each declared once."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from analysis.front.kinds import Counts, Pick
from analysis.front.parameters import Bundle, param
from analysis.ragers.hands import LETTERS_HELP

Patron = Annotated[
    str,
    param("Patron of the day; where it is repeatable, none means all.", kind=Pick("patrons"), metavar="NAME"),
]
Cheers = Annotated[
    str,
    param(
        "Cheers card on the table; where it is repeatable, none means all.",
        kind=Pick("cheers cards"),
        metavar="NAME",
    ),
]
Patrons = tuple[Patron, ...]
CheersCards = tuple[Cheers, ...]
"""Several, repeatable on a command line; none for all."""
Preparation = Annotated[
    Literal["none", "redraw", "seen"],
    param("How each player may exchange a card before the day: not at all, unseen, or with a discard seen."),
]
Seat = Annotated[Literal["accusers", "defenders"], param("The side whose point of view is shown.")]
Hand = Annotated[
    dict[str, int],
    param(
        f"Cards in the hand now, such as B B S C V. Letters: {LETTERS_HELP}.",
        kind=Counts("cards"),
        metavar="CARDS",
    ),
]
History = Annotated[
    str,
    param(
        "The day so far: steps with semicolons between them, in each your cards, a slash, the opponent's."
        " V+B is a Veteran with a Basher on top, D+?S your Deadeye and the card it hides, D+? the opponent's,"
        " - nothing. With --preparation seen the first part is what was put away: -B/-S.",
        metavar="STEPS",
    ),
]


class Days(Bundle, frozen=True, kw_only=True):
    """Days, by patron and cheers card, as one side sees them."""

    patron: Patrons = ()
    cheers: CheersCards = ()
    preparation: Preparation = "redraw"
    side: Seat = "accusers"


class Day(Bundle, frozen=True, kw_only=True):
    """One day as one side sees it, and the hand that it holds."""

    patron: Patron = "solennos"
    cheers: Cheers = "two-bashers"
    preparation: Preparation = "redraw"
    side: Seat = "accusers"
    hand: Hand = msgspec.field(default_factory=dict)


class Position(Day, frozen=True, kw_only=True):
    """A decision within a day."""

    history: History = ""


Top = Annotated[int, param("Number of hands to list, the likeliest first.", ge=0, le=10_000, unit="hands")]
