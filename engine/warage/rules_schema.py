"""What a rules file of Warage may hold: tables, keys, ranges, and the words of effects.

Imports nothing heavy: `--help` reads rules too.
"""

from collections.abc import Mapping
from typing import Annotated, Any, Literal, get_args

from msgspec import Meta

from engine.rulefiles import EntryTable, Field, Schema, choice, text, whole_number

Kind = Literal["equipment", "amulet", "spell", "helper", "flash"]
Encumbrance = Literal["none", "helmet", "armour", "hand", "two-hands"]
BaseSeason = Literal["spring", "summer", "autumn", "winter"]
NamedSeason = Literal["spring", "summer", "autumn", "winter", "none"]
Law = Literal["none", "no-race-modifiers", "no-sale-value"]
Unit = Literal["die", "point"]

KINDS: tuple[str, ...] = get_args(Kind)
"""Kinds of cards (E1, E6); a kind's position here is its number everywhere."""
BASE_SEASONS: tuple[str, ...] = get_args(BaseSeason)
"""Seasons that are in force alone (S1); the others lie over one of these (S4)."""
LAWS: tuple[str, ...] = get_args(Law)
COLOURS = ("red", "blue")
"""Slots: of equipment and amulets, and of spells (H1)."""
STATS = ("A", "D", "M", "dice")
CLASS_STATS = ("attack", "defence", "magic")

TRIGGERS = ("ready", "opening", "closing", "play", "use", "attack", "hit", "hurt", "season-change")
TARGETS = ("self", "opponent", "chosen-hero", "this-attack", "chosen-card", "queue-item")
ACTIONS = (
    "modify",
    "gain",
    "lose",
    "draw",
    "discard",
    "destroy",
    "negate",
    "prevent",
    "season",
    "deactivate",
    "reroll",
    "extra-amulet",
    "drain",
)
DURATIONS = ("instant", "this-attack", "this-round", "until-opening", "in-play")
ITEM_KINDS = ("flash", "spell", "ability", "attack")
"""What `negate` may name; a sale cannot be negated (E7)."""
CONDITIONS = ("season", "race", "class", "hp_at_most")
EFFECT_KEYS = (
    "trigger",
    "action",
    "stat",
    "amount",
    "target",
    "kinds",
    "season",
    "duration",
    "condition",
    "cost_hp",
    "limit",
)

MAX_PLAYERS = 6
MAX_CARDS = 120
MAX_DECK = 96
MAX_RACES = 8
MAX_CLASSES = 8
MAX_SEASONS = 15
MAX_COPIES = 9
MAX_EFFECTS = 3
MAX_HAND = 15
MAX_AMOUNT = 60
MAX_HP = 400
MAX_CAP = 2000
MAX_QUEUE = 40
"""Items on the queue at most: nobody may add one more."""
MAX_PLUS = 500
MAX_MORE_DICE = 100
MAX_REROLLS = 60
MAX_PREVENT = 255
"""What effects add up to at most, each way."""
MAX_BOTTOM = 45
"""Special season cards in all: at the start they may go to the bottom (S4)."""

_NAME = text(40)
_ID = text(60)
_CardText = Annotated[str, Meta(min_length=1, max_length=60)]
_EFFECTS = Field(
    Annotated[list[dict[str, Any]], Meta(max_length=MAX_EFFECTS)],
    f"up to {MAX_EFFECTS} effects, [{{ trigger = .., action = .., amount = .. }}]",
)


def one_of(kind: str) -> str:
    """Return what one card of a kind is called: "an amulet"."""
    if kind == "equipment":
        return "a piece of equipment"
    return f"{'an' if kind[:1] in 'aeiou' else 'a'} {kind}"


MATCH_FIELDS: Mapping[str, Field] = {
    "hand_size": whole_number(1, MAX_HAND),
    "redraw_hand_size": whole_number(0, MAX_HAND),
    "draws": whole_number(1, 5),
    "life_places": whole_number(0, 7),
    "amulets_a_round": whole_number(0, 3),
    "dice": whole_number(0, 3),
    "season_unit": choice(Unit),
    "pay_to_death": Field(bool, "true or false"),
    "optional_draw": Field(bool, "true or false"),
    "open_lists": Field(bool, "true or false"),
    "allies_show": Field(bool, "true or false"),
    "infinite_hp": whole_number(2, MAX_CAP),
    "max_turns": whole_number(1, 120),
    "min_deck": whole_number(1, MAX_DECK),
    "max_copies": whole_number(1, MAX_COPIES),
}
ENTRY_FIELDS: Mapping[str, Mapping[str, Field]] = {
    "races": {
        "name": _NAME,
        "hp": whole_number(1, MAX_HP),
        "plus": choice(NamedSeason),
        "minus": choice(NamedSeason),
        "effects": _EFFECTS,
    },
    "classes": {
        "name": _NAME,
        "values": whole_number(0, MAX_AMOUNT, parts=CLASS_STATS, part="value"),
        "slots": whole_number(0, 12, parts=COLOURS, part="colour"),
    },
    "seasons": {
        "name": _NAME,
        "copies": whole_number(0, 15),
        "law": choice(Law),
        "effects": _EFFECTS,
    },
    "cards": {
        "name": _NAME,
        "kind": choice(Kind),
        "cost": whole_number(0, MAX_AMOUNT),
        "sell": whole_number(0, MAX_AMOUNT),
        "slots": whole_number(0, 6, parts=COLOURS, part="colour"),
        "encumbrance": choice(Encumbrance),
        "helper_defence": whole_number(0, MAX_AMOUNT),
        "effects": _EFFECTS,
    },
    "decks": {
        "name": _NAME,
        "race": _ID,
        "class": _ID,
        "cards": Field(
            Annotated[list[_CardText], Meta(min_length=1, max_length=MAX_DECK)],
            'a list of cards with their copies, ["war-axe 3", "wolf-fang"]',
        ),
    },
}
_OPTIONAL = {"sell": 0, "slots": 0, "encumbrance": "none", "helper_defence": 0, "effects": []}
SCHEMA = Schema(
    tables={"match": MATCH_FIELDS},
    entries={
        "races": EntryTable(ENTRY_FIELDS["races"], "race", optional={"effects": []}),
        "classes": EntryTable(ENTRY_FIELDS["classes"], "class"),
        "seasons": EntryTable(
            ENTRY_FIELDS["seasons"], "season card", optional={"law": "none", "effects": []}
        ),
        "cards": EntryTable(ENTRY_FIELDS["cards"], "card", optional=_OPTIONAL),
        "decks": EntryTable(ENTRY_FIELDS["decks"], "deck"),
    },
    example="cards.fireball.cost=6",
)
