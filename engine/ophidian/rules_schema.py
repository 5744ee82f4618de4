"""What a rules file of Ophidian Arena may hold: tables, keys, ranges.

Imports nothing heavy: `--help` reads rules too.
"""

from collections.abc import Mapping
from typing import Annotated, Literal, get_args

from msgspec import Meta

from engine.rulefiles import EntryTable, Field, Schema, text, whole_number

Discipline = Literal["biogen", "mystic", "psionic", "summoner", "tech", "warrior", "universal"]

DISCIPLINES: tuple[str, ...] = get_args(Discipline)
LEVELS = ("one", "two", "three", "four")
"""A level's position here is its number less one."""
NUMBERS = ("life", "rage", "attack", "defence", "shield")
"""The numbers of a gladiator that depend on the level."""
MAX_TEAM = 4
MAX_LIFE = 15
"""Wounds fit four bits."""
MAX_GLADIATORS = 64
MAX_POINTS = 9
MAX_RIOT = 15

_NAME = text(40)
_GLADIATOR = Annotated[str, Meta(min_length=1, max_length=40)]


def _by_level(low: int, high: int) -> Field:
    return whole_number(low, high, parts=LEVELS, part="level")


ENTRY_FIELDS: Mapping[str, Mapping[str, Field]] = {
    "gladiators": {
        "name": _NAME,
        "points": whole_number(1, MAX_POINTS),
        "discount": whole_number(0, MAX_POINTS),
        "disciplines": Field(
            Annotated[list[Discipline], Meta(min_length=1, max_length=len(DISCIPLINES))],
            f"a list of {', '.join(DISCIPLINES)}",
            words=DISCIPLINES,
            word="discipline",
        ),
        "life": _by_level(1, MAX_LIFE),
        "rage": _by_level(0, MAX_LIFE + 1),
        "attack": _by_level(0, MAX_LIFE),
        "defence": _by_level(0, MAX_LIFE),
        "shield": _by_level(0, MAX_LIFE),
    },
    "teams": {
        "name": _NAME,
        "gladiators": Field(
            Annotated[list[_GLADIATOR], Meta(min_length=1, max_length=MAX_TEAM)],
            f"a list of 1 to {MAX_TEAM} ids of gladiators",
        ),
    },
}
MATCH_FIELDS: Mapping[str, Field] = {
    "team_points": whole_number(1, MAX_TEAM * MAX_POINTS),
    "team_size": whole_number(1, MAX_TEAM),
    "waves": whole_number(1, 6),
    "extra_waves": whole_number(0, 2),
    "winning_points": whole_number(1, 2 * MAX_TEAM * MAX_POINTS),
    "riot": whole_number(1, MAX_RIOT),
    "promotions": whole_number(0, MAX_TEAM),
    "promotion_heals": whole_number(0, MAX_LIFE),
}
COMBAT_FIELDS: Mapping[str, Field] = {
    "stand_in_defends": Field(bool, "true or false"),
    "rage_damage": whole_number(0, MAX_LIFE),
}
SCHEMA = Schema(
    tables={"match": MATCH_FIELDS, "combat": COMBAT_FIELDS},
    entries={
        "gladiators": EntryTable(ENTRY_FIELDS["gladiators"], "gladiator", optional={"discount": 0}),
        "teams": EntryTable(ENTRY_FIELDS["teams"], "team"),
    },
    example="gladiators.runt.attack.one=3",
)
