"""What a rules file of Ragers may hold: tables, keys, ranges.

Imports nothing heavy: library answers and `--help` read rules too.
"""

from collections.abc import Mapping
from typing import Annotated, Any, Literal, get_args

from msgspec import Meta

from engine.rulefiles import EntryTable, Field, Schema, choice, text, whole_number

Attack = Literal["basher", "slasher", "prodder"]
Icon = Literal["basher", "slasher", "prodder", "chancer", "cheater", "deadeye", "stopper", "veteran"]

TYPES: tuple[str, ...] = get_args(Icon)
"""The eight card types (C1); a type's position here is its id everywhere."""
ATTACK_NAMES: tuple[str, ...] = get_args(Attack)
PLAYERS: tuple[str, ...] = ("accusers", "defenders")
"""The two sides (C1): player 0 and player 1."""

MAX_COPIES = 9
MAX_DECK = 60
MAX_OF_ONE_ICON = 3
MAX_ENTRIES = 16
"""Patrons at most, and cheers cards at most."""


def _icons(low: int, high: int, icons: Any = Icon) -> Field:
    names = ", ".join(get_args(icons))
    count = f"{low} to {high} of" if low else "a list of any of"
    form = Annotated[list[icons], Meta(min_length=low, max_length=high)]
    return Field(form, f"{count} [{names}]", words=TYPES, word="card type")


_NAME = text(40)
_GP = whole_number(0, 20)
_FORBIDDEN = _icons(0, len(TYPES))

ENTRY_FIELDS: Mapping[str, Mapping[str, Field]] = {
    "cards": {
        "kind": choice(Literal["attack", "special"]),
        "beats": _icons(0, len(ATTACK_NAMES) - 1, Attack),
        "copies": whole_number(0, MAX_COPIES, parts=PLAYERS, part="player"),
        "gp": _GP,
    },
    "patrons": {
        "name": _NAME,
        "row_length": Field(
            Annotated[int, Meta(ge=2, le=7)] | Literal["match"], 'a whole number from 2 to 7, or "match"'
        ),
        "forbidden": _FORBIDDEN,
    },
    "cheers": {"name": _NAME, "required": _icons(1, 4), "forbidden": _FORBIDDEN, "gp": _GP},
}
DeadeyeCard = Literal["after-veterans", "at-once"]
"""When a Deadeye's further card is placed: once no further card goes on a Veteran, or on reveal (K9)."""

MATCH_FIELDS: Mapping[str, Field] = {
    "days": whole_number(1, 5),
    "hand_size": whole_number(2, 7),
    "discards": whole_number(0, 1),
    "row_length": whole_number(2, 7),
    "winning_lead": whole_number(1, 999),
    "deadeye_card": choice(DeadeyeCard),
}
SCHEMA = Schema(
    tables={"match": MATCH_FIELDS},
    entries={
        "cards": EntryTable(ENTRY_FIELDS["cards"], "card type", names=TYPES, fixed=("kind",)),
        "patrons": EntryTable(ENTRY_FIELDS["patrons"], "patron", optional={"row_length": "match"}),
        "cheers": EntryTable(ENTRY_FIELDS["cheers"], "cheers card", optional={"forbidden": []}),
    },
    example="cards.basher.gp=4",
)
