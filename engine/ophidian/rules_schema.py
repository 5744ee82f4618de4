"""What a rules file of Ophidian Arena may hold: tables, keys, ranges.

Imports nothing heavy: `--help` reads rules too.
"""

from collections.abc import Mapping
from typing import Annotated, Any, Literal, get_args

from msgspec import Meta

from engine.ophidian.abilities import MAX_ABILITIES
from engine.rulefiles import EntryTable, Field, Schema, choice, text, whole_number

Discipline = Literal["biogen", "mystic", "psionic", "summoner", "tech", "warrior", "universal"]

CardKind = Literal["minion", "pump", "quick-hit"]
CardSign = Literal["+", "-", "variable", "response"]
RoarWindow = Literal["resolved", "announced", "both"]

DISCIPLINES: tuple[str, ...] = get_args(Discipline)
CARD_KINDS: tuple[str, ...] = get_args(CardKind)
ROAR_WINDOWS: tuple[str, ...] = get_args(RoarWindow)
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
MAX_CARDS = 64
MAX_DECK = 80
MAX_STACK = 3
"""Reinforcements of a player (T3)."""
MAX_MINIONS = 5
"""Minions of a player in play at once; nobody may have one more."""
MAX_PUMPS = 5
"""Pumps on one Character; nobody may put one more there."""
MAX_RESPONSES = 16
"""Responses to one action; nobody may respond any more."""
MAX_HISTORY = 64
"""Positions of a wave without a card played; then it ends, as if all had passed (W7)."""
MAX_COST = 20
MAX_RESOURCES = 99
MAX_REQUIREMENTS = 3
MAX_HAND = 15
NEVER = -1
"""A maintain cost that cannot be paid (B3)."""

_NAME = text(40)
_GLADIATOR = Annotated[str, Meta(min_length=1, max_length=40)]
_TEXT = Annotated[str, Meta(min_length=1, max_length=60)]
_ABILITIES = Field(
    Annotated[list[dict[str, Any]], Meta(max_length=MAX_ABILITIES)],
    f"up to {MAX_ABILITIES} abilities, [{{ when = .., do = [{{ act = .., amount = .. }}] }}]",
)


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
        "reinforcement": Field(bool, "true or false"),
        "maintain": whole_number(0, MAX_COST),
        "life": _by_level(1, MAX_LIFE),
        "rage": _by_level(0, MAX_LIFE + 1),
        "attack": _by_level(0, MAX_LIFE),
        "defence": _by_level(0, MAX_LIFE),
        "shield": _by_level(0, MAX_LIFE),
        "abilities": _ABILITIES,
    },
    "cards": {
        "name": _NAME,
        "type": choice(CardKind),
        "cost": whole_number(0, MAX_COST),
        "requires": Field(
            Annotated[list[_TEXT], Meta(max_length=MAX_REQUIREMENTS)],
            f'up to {MAX_REQUIREMENTS} disciplines with a level, ["warrior 1"]',
        ),
        "sign": choice(CardSign),
        "maintain": Field(
            Annotated[int, Meta(ge=0, le=MAX_COST)] | Literal["never"],
            f'a number up to {MAX_COST}, or "never"',
        ),
        "unique": Field(bool, "true or false"),
        "deck_max": whole_number(1, 9),
        "stats": whole_number(0, MAX_LIFE + 1, parts=NUMBERS, part="number"),
        "put_on": Field(dict[str, Any], 'which Characters, { side = "own" }'),
        "abilities": _ABILITIES,
    },
    "teams": {
        "name": _NAME,
        "gladiators": Field(
            Annotated[list[_GLADIATOR], Meta(min_length=1, max_length=MAX_TEAM)],
            f"a list of 1 to {MAX_TEAM} ids of gladiators",
        ),
    },
    "decks": {
        "name": _NAME,
        "team": text(60),
        "reinforcements": Field(
            Annotated[list[_GLADIATOR], Meta(max_length=MAX_STACK)],
            f"a list of up to {MAX_STACK} ids of reinforcements",
        ),
        "cards": Field(
            Annotated[list[_TEXT], Meta(min_length=1, max_length=MAX_CARDS)],
            'a list of cards with their copies, ["cheap-shot 3", "plate"]',
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
    "hand_size": whole_number(1, MAX_HAND),
    "extra_draws": whole_number(0, 5),
    "base_resources": whole_number(0, 60),
    "min_deck": whole_number(1, MAX_DECK),
}
COMBAT_FIELDS: Mapping[str, Field] = {
    "stand_in_defends": Field(bool, "true or false"),
    "rage_damage": whole_number(0, MAX_LIFE),
    "roar_window": choice(RoarWindow),
}
_OF_GLADIATORS = {"discount": 0, "reinforcement": False, "maintain": 0, "abilities": []}
_OF_CARDS = {
    "requires": [],
    "maintain": 0,
    "unique": False,
    "deck_max": 3,
    "stats": 0,
    "put_on": {},
    "abilities": [],
}
SCHEMA = Schema(
    tables={"match": MATCH_FIELDS, "combat": COMBAT_FIELDS},
    entries={
        "gladiators": EntryTable(ENTRY_FIELDS["gladiators"], "gladiator", optional=_OF_GLADIATORS),
        "cards": EntryTable(ENTRY_FIELDS["cards"], "card", optional=_OF_CARDS),
        "teams": EntryTable(ENTRY_FIELDS["teams"], "team"),
        "decks": EntryTable(ENTRY_FIELDS["decks"], "deck", optional={"reinforcements": []}),
    },
    example="gladiators.runt.attack.one=3",
)
