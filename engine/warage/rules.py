"""The rules of Warage as data: typed structs, and how they are read from TOML files.

The values live in `data/warage.toml` with their provenance: the cards are an illustrative set. A designer's
files, and single `KEY=VALUE` overrides, are laid over them; whatever then differs is of provenance `changed`.
"""

from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

import msgspec

from engine.rulefiles import RulesError, UnknownNameError, find_name
from engine.rulelayers import Draft, LayeredRules, diff_rules, load_layers, one_or_parts, to_toml
from engine.warage.effects import Effect, effect_of, effect_words
from engine.warage.rules_checks import contradictions, parse_copies
from engine.warage.rules_schema import (
    BASE_SEASONS,
    CLASS_STATS,
    COLOURS,
    MATCH_FIELDS,
    SCHEMA,
    Encumbrance,
    Kind,
    Law,
    NamedSeason,
    Unit,
)

__all__ = [
    "CardRule",
    "ClassRule",
    "DeckRule",
    "Effect",
    "MatchRule",
    "RaceRule",
    "Rules",
    "RulesError",
    "SeasonRule",
    "UnknownNameError",
    "diff_rules",
    "load_rules",
    "to_toml",
]

_BOX_FILE = Path(__file__).parent / "data" / "warage.toml"


class MatchRule(msgspec.Struct, frozen=True):
    """The numbers and switches of a match (T2, T5, T6, S2, H4, W2, W3, H2, I1, M3)."""

    hand_size: int
    redraw_hand_size: int
    draws: int
    life_places: int
    amulets_a_round: int
    dice: int
    season_unit: Unit
    pay_to_death: bool
    optional_draw: bool
    open_lists: bool
    allies_show: bool
    infinite_hp: int
    max_turns: int
    min_deck: int
    max_copies: int


class RaceRule(msgspec.Struct, frozen=True):
    """A race (H1, S2): its ability is its effects, all of the trigger `use`."""

    id: str
    name: str
    hp: int
    plus: NamedSeason
    minus: NamedSeason
    effects: tuple[Effect, ...]

    def dice(self, season: str) -> int:
        """What a base season adds to its dice, or takes away (S2)."""
        return int(season == self.plus) - int(season == self.minus)


class ClassRule(msgspec.Struct, frozen=True):
    """A class (H1): A, D and M, and red and blue slots."""

    id: str
    name: str
    attack: int
    defence: int
    magic: int
    red: int
    blue: int


class SeasonRule(msgspec.Struct, frozen=True):
    """A season card (S1): `law` and `effects` are those of special ones (S4)."""

    id: str
    name: str
    copies: int
    law: Law
    effects: tuple[Effect, ...]

    @property
    def base(self) -> bool:
        """Whether it is one of the four seasons."""
        return self.id in BASE_SEASONS


class CardRule(msgspec.Struct, frozen=True, dict=True):
    """A card (H2, E1-E7)."""

    id: str
    name: str
    kind: Kind
    cost: int
    sell: int
    red: int
    blue: int
    encumbrance: Encumbrance
    helper_defence: int
    effects: tuple[Effect, ...]

    @property
    def attack_spell(self) -> bool:
        """Whether it is a magic attack (E4)."""
        return self.kind == "spell" and self.effects[0].trigger == "attack"

    @property
    def spell_magic(self) -> int:
        """What an attack spell adds to M (K3)."""
        return sum(effect.amount for effect in self.effects if effect.trigger == "attack")

    def bonus(self, stat: str) -> int:
        """What it adds, while ready and without conditions, to a value of its owner."""
        return sum(
            effect.amount
            for effect in self.effects
            if effect.trigger == "ready"
            and effect.action == "modify"
            and effect.stat == stat
            and effect.target == "self"
            and not effect.conditional
        )


class DeckRule(msgspec.Struct, frozen=True):
    """A deck (H2): pairs of card and copies, in the order of the file."""

    id: str
    name: str
    race: str
    hero_class: str
    cards: tuple[tuple[str, int], ...]

    @property
    def size(self) -> int:
        """Cards beside race and class."""
        return sum(copies for _, copies in self.cards)


class Rules(LayeredRules, frozen=True, dict=True):
    """A complete card set with its rules.

    Cards, races, classes, seasons come in the order of the files; an entry's position is its number
    everywhere. `provenance` maps the dotted key of every value to where it comes from.
    """

    schema = SCHEMA

    match: MatchRule
    races: tuple[RaceRule, ...]
    classes: tuple[ClassRule, ...]
    seasons: tuple[SeasonRule, ...]
    cards: tuple[CardRule, ...]
    decks: tuple[DeckRule, ...]

    def tables(self) -> dict[str, dict[str, Any]]:
        """The rules as a file holds them: table -> key -> value."""
        tables: dict[str, dict[str, Any]] = {"match": msgspec.structs.asdict(self.match)}
        for kind in ("races", "classes", "seasons", "cards"):
            tables |= {f"{kind}.{entry.id}": _entry(entry) for entry in getattr(self, kind)}
        for deck in self.decks:
            tables[f"decks.{deck.id}"] = {
                "name": deck.name,
                "race": deck.race,
                "class": deck.hero_class,
                "cards": [card if copies == 1 else f"{card} {copies}" for card, copies in deck.cards],
            }
        return tables

    @property
    def share_assumed(self) -> float:
        """How much of all values is assumed, from 0 to 1."""
        return len(self.assumed) / max(len(self.provenance), 1)

    @cached_property
    def card_numbers(self) -> dict[str, int]:
        """The number of each card by its id."""
        return {card.id: number for number, card in enumerate(self.cards)}

    def card(self, query: str) -> CardRule:
        """Find a card by id, name or a beginning of its own; UnknownNameError otherwise."""
        return self.cards[self.card_numbers[find_name("card", query, _names(self.cards))]]

    def race(self, query: str) -> RaceRule:
        """Find a race; UnknownNameError otherwise."""
        found = find_name("race", query, _names(self.races))
        return next(race for race in self.races if race.id == found)

    def hero_class(self, query: str) -> ClassRule:
        """Find a class; UnknownNameError otherwise."""
        found = find_name("class", query, _names(self.classes))
        return next(each for each in self.classes if each.id == found)

    def season(self, query: str) -> SeasonRule:
        """Find a season card; UnknownNameError otherwise."""
        found = find_name("season", query, _names(self.seasons))
        return next(season for season in self.seasons if season.id == found)

    def deck(self, query: str) -> DeckRule:
        """Find a deck; UnknownNameError otherwise."""
        found = find_name("deck", query, _names(self.decks))
        return next(deck for deck in self.decks if deck.id == found)


def _names(entries: Sequence[Any]) -> dict[str, list[str]]:
    return {entry.id: [entry.name] for entry in entries}


def load_rules(files: Sequence[Path] = (), overrides: Sequence[str] = ()) -> Rules:
    """Read the illustrative set, and lay files and then overrides over it; later ones win.

    Overrides are texts such as `match.season_unit=point` or `cards.fireball.cost=6`.
    See `engine.rulelayers.load_layers`.
    """
    return _build(*load_layers(SCHEMA, contradictions, _BOX_FILE, files, overrides))


def _build(draft: Draft, provenance: dict[str, str]) -> Rules:
    """Assemble the structs of a finished draft."""

    def get(key: str) -> Any:
        return draft.leaves[key].value

    def effects(table: str) -> tuple[Effect, ...]:
        return tuple(map(effect_of, get(f"{table}.effects")))

    def entry(kind: Any, table: str, keys: Sequence[str], **more: Any) -> Any:
        return kind(id=table.partition(".")[2], **{key: get(f"{table}.{key}") for key in keys}, **more)

    def slots(table: str) -> dict[str, int]:
        return {colour: get(f"{table}.slots.{colour}") for colour in COLOURS}

    def deck(name: str) -> DeckRule:
        pairs = [pair for pair in map(parse_copies, get(f"decks.{name}.cards")) if pair is not None]
        table = f"decks.{name}"
        return DeckRule(name, get(f"{table}.name"), get(f"{table}.race"), get(f"{table}.class"), tuple(pairs))

    card_keys = ("name", "kind", "cost", "sell", "encumbrance", "helper_defence")
    return Rules(
        name=draft.name,
        match=MatchRule(**{key: get(f"match.{key}") for key in MATCH_FIELDS}),
        races=tuple(
            entry(RaceRule, table, ("name", "hp", "plus", "minus"), effects=effects(table))
            for table in (f"races.{name}" for name in draft.entries["races"])
        ),
        classes=tuple(
            entry(
                ClassRule,
                table,
                ("name",),
                **{stat: get(f"{table}.values.{stat}") for stat in CLASS_STATS},
                **slots(table),
            )
            for table in (f"classes.{name}" for name in draft.entries["classes"])
        ),
        seasons=tuple(
            entry(SeasonRule, table, ("name", "copies", "law"), effects=effects(table))
            for table in (f"seasons.{name}" for name in draft.entries["seasons"])
        ),
        cards=tuple(
            entry(CardRule, table, card_keys, effects=effects(table), **slots(table))
            for table in (f"cards.{name}" for name in draft.entries["cards"])
        ),
        decks=tuple(map(deck, draft.entries["decks"])),
        provenance=provenance,
    )


def _entry(entry: Any) -> dict[str, Any]:
    """An entry's values without its id, parts together."""
    values = msgspec.structs.asdict(entry)
    del values["id"]
    if "effects" in values:
        values["effects"] = [effect_words(effect) for effect in entry.effects]
    for key, parts in (("values", CLASS_STATS), ("slots", COLOURS)):
        if all(part in values for part in parts):
            numbers = [values.pop(part) for part in parts]
            values[key] = one_or_parts(parts, numbers)
    return values
