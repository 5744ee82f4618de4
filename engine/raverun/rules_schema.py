"""What a rules file of Raverun may hold: tables, keys, ranges.

Imports nothing heavy: `--help` reads rules too.
"""

from collections.abc import Mapping
from typing import Literal, get_args

from engine.rulefiles import EntryTable, Field, Schema, choice, whole_number

Action = Literal["swap", "exchange", "draw", "deploy", "capture", "bury", "recall", "shuffle"]
Place = Literal["stacks", "battlefields", "nowhere"]
Colour = Literal["green", "red"]

ACTIONS: tuple[str, ...] = get_args(Action)
"""What a card can do; an action's position here is its id everywhere."""
COLOURS: tuple[str, ...] = get_args(Colour)
HAND_PARTS = ("two", "three")
"""Keys of what depends on the number of players."""
PLAYER_COUNTS = (2, 3)

MAX_CHARACTERS = 8
MAX_CARDS = 24
LETTERS = "ABCDEF"
NUMBERS: tuple[str, ...] = tuple(str(number) for number in range(1, MAX_CHARACTERS + 1))

MATCH_FIELDS: Mapping[str, Field] = {
    "characters": whole_number(1, MAX_CHARACTERS),
    "letters": whole_number(1, len(LETTERS)),
    "hand_size": whole_number(2, MAX_CARDS // 2, parts=HAND_PARTS, part="number of players"),
}
ENTRY_FIELDS: Mapping[str, Mapping[str, Field]] = {
    "colours": {"acts_on": choice(Place)},
    "characters": {"action": choice(Action), "colour": choice(Colour)},
}
SCHEMA = Schema(
    tables={"match": MATCH_FIELDS},
    entries={
        "colours": EntryTable(ENTRY_FIELDS["colours"], "colour", names=COLOURS),
        "characters": EntryTable(ENTRY_FIELDS["characters"], "character", names=NUMBERS),
    },
    example="match.characters=2",
)
