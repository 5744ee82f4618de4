"""What a rules file of Clash of Rage may hold: tables, keys, ranges.

Imports nothing heavy: `--help` reads rules too.
"""

from collections.abc import Mapping
from typing import Annotated, Literal, get_args

from msgspec import Meta

from engine.rulefiles import EntryTable, Field, Schema, choice, text, whole_number

Elf = Literal["templar", "elder", "guard"]
Space = Literal["weapon", "armor"]

ELVES: tuple[str, ...] = get_args(Elf)
"""The three types of elves (C3); a type's position here is its number everywhere."""
SPACES: tuple[str, ...] = get_args(Space)
"""The spaces of a unit type (C4, E4); a space's position here is its number everywhere."""
ICONS = ("reroll", "injury", "shield", "rage", "slow", "speed", "flight")
"""Bonus icons of a unit type (C2)."""
BONUSES = ("power", *ICONS)
"""What an equipment adds (C4)."""
DIFFICULTIES = ("easy", "medium", "difficult", "impossible")
LEVELS = ("one", "two", "three")
LAYOUTS = ("two", "three", "four")
"""Layouts by the number of tiles (U1)."""
TILES = tuple(f"{number}{side}" for number in range(1, 6) for side in "ab")
DIRECTIONS = ((1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1))
"""Axial steps from a hex to its neighbours; territory `k` of a tile lies `DIRECTIONS[k - 1]` from its
centre."""

NUM_TYPES = 3
TILE_SIZE = 7
MAX_PLAYERS = 4
NUM_TACTICS = 7
MAX_CLANS = 8
MAX_FIGURES = 15
MAX_EQUIPMENT = 24
MAX_COPIES = 7
MAX_LEGENDARY = 16
MAX_CARD_COPIES = 72
"""Equipment cards in all."""
MAX_POWER = 12
MAX_BONUS = 8

_NAME = text(40)
_ICON_COUNTS = whole_number(0, 4, parts=ICONS, part="icon")
_BONUS_COUNTS = whole_number(0, MAX_BONUS, parts=BONUSES, part="bonus")
_NO_ICONS = {"icons": 0}
_NO_BONUS = {"bonus": 0}

_Card = tuple[
    Annotated[int, Meta(ge=1, le=99)],
    Annotated[int, Meta(ge=0, le=20)],
    Annotated[int, Meta(ge=0, le=7)],
    Annotated[int, Meta(ge=0, le=7)],
    Annotated[int, Meta(ge=0, le=7)],
]
_Local = Annotated[int, Meta(ge=0, le=TILE_SIZE - 1)]
_Coordinate = Annotated[int, Meta(ge=-20, le=20)]

UNIT_FIELDS: Mapping[str, Field] = {
    "name": _NAME,
    "level": whole_number(1, NUM_TYPES),
    "power": whole_number(0, MAX_POWER),
    "life": whole_number(1, 12),
    "move": whole_number(0, 6),
    "max": whole_number(0, MAX_FIGURES),
    "icons": _ICON_COUNTS,
}
ENTRY_FIELDS: Mapping[str, Mapping[str, Field]] = {
    "clans": {"name": _NAME},
    "elves": {
        "name": _NAME,
        "tokens": whole_number(0, MAX_FIGURES),
        "power": whole_number(0, MAX_POWER),
        "life": whole_number(1, 12),
        "icons": _ICON_COUNTS,
    },
    "equipment": {
        "name": _NAME,
        "space": choice(Space),
        "copies": whole_number(0, MAX_COPIES),
        "cost": whole_number(0, 40),
        "bonus": _BONUS_COUNTS,
    },
    "legendary": {"name": _NAME, "space": choice(Space), "bonus": _BONUS_COUNTS},
    "tactics": {
        "cards": Field(
            Annotated[list[_Card], Meta(min_length=NUM_TACTICS, max_length=NUM_TACTICS)],
            f"{NUM_TACTICS} cards [order 1 to 99, gold 0 to 20, units of level I, II, III 0 to 7 each]",
        )
    },
    "tiles": {
        "city": whole_number(0, TILE_SIZE - 1),
        "forge": whole_number(0, TILE_SIZE - 1),
        "stone": whole_number(0, TILE_SIZE - 1),
        "stone_level": whole_number(1, NUM_TYPES),
        "mountains": Field(
            Annotated[list[tuple[_Local, _Local]], Meta(max_length=12)],
            f"up to 12 pairs [territory, territory] of 0 to {TILE_SIZE - 1}",
        ),
    },
    "layouts": {
        "centres": Field(
            Annotated[list[tuple[_Coordinate, _Coordinate]], Meta(min_length=2, max_length=MAX_PLAYERS)],
            "a pair [q, r] for each tile, from -20 to 20 each",
        )
    },
}
MATCH_FIELDS: Mapping[str, Field] = {
    "points": whole_number(1, 9),
    "long_points": whole_number(1, 9),
    "max_rounds": whole_number(1, 99),
    "hand_size": whole_number(1, NUM_TACTICS - 1),
    "market": whole_number(1, MAX_EQUIPMENT),
    "city_elves": whole_number(0, 7),
    "forge_elves": whole_number(0, 7),
    "city_crystals": whole_number(0, 9),
    "forge_cost": whole_number(0, 20, parts=("one", "more"), part="number of forges"),
    "stone_placement": choice(Literal["anywhere", "stone"]),
}
BATTLE_FIELDS: Mapping[str, Field] = {
    "hit": Field(
        Annotated[str, Meta(pattern=r"^[1-5]/[2-6]\Z")], 'a fraction below 1 of the faces of a die, "2/3"'
    ),
    "sparing": Field(bool, "true or false"),
    "rage_limit": Field(
        Annotated[int, Meta(ge=0, le=30)] | Literal["none"], 'a whole number from 0 to 30, or "none"'
    ),
    "elves": choice(Literal["adversary", "attacker"]),
}
SOLO_FIELDS: Mapping[str, Field] = {
    "thresholds": whole_number(1, 99, parts=DIFFICULTIES, part="difficulty"),
    "forge_domination": whole_number(0, 9),
    "city_domination": whole_number(0, 9),
}
COMPONENT_FIELDS: Mapping[str, Field] = {
    "figures": whole_number(0, MAX_CLANS * MAX_FIGURES, parts=LEVELS, part="level"),
    "weapons": whole_number(0, MAX_CARD_COPIES),
    "armors": whole_number(0, MAX_CARD_COPIES),
    "legendary_weapons": whole_number(0, MAX_LEGENDARY),
    "legendary_armors": whole_number(0, MAX_LEGENDARY),
}
SCHEMA = Schema(
    tables={
        "match": MATCH_FIELDS,
        "battle": BATTLE_FIELDS,
        "solo": SOLO_FIELDS,
        "components": COMPONENT_FIELDS,
    },
    entries={
        "clans": EntryTable(
            ENTRY_FIELDS["clans"],
            "clan",
            below={"units": EntryTable(UNIT_FIELDS, "unit", optional=_NO_ICONS)},
        ),
        "elves": EntryTable(ENTRY_FIELDS["elves"], "type of elves", names=ELVES, optional=_NO_ICONS),
        "equipment": EntryTable(ENTRY_FIELDS["equipment"], "equipment", optional=_NO_BONUS),
        "legendary": EntryTable(ENTRY_FIELDS["legendary"], "legendary equipment", optional=_NO_BONUS),
        "tactics": EntryTable(ENTRY_FIELDS["tactics"], "clan's tactic cards"),
        "tiles": EntryTable(ENTRY_FIELDS["tiles"], "tile", names=TILES),
        "layouts": EntryTable(ENTRY_FIELDS["layouts"], "layout", names=LAYOUTS),
    },
    example="clans.bohorg.units.executioner.power=7",
)
