"""The rules of Ophidian Arena as data: typed structs, and how they are read from TOML files.

The values live in `data/ophidian.toml` with their provenance: nearly all are illustrative. Files of a
designer, and single `KEY=VALUE` overrides, are laid over them; whatever then differs is `changed`.
"""

from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

import msgspec

from engine.ophidian.abilities import Ability, Filter, ability_of, filter_of, words_of
from engine.ophidian.rules_checks import contradictions, name_id, parse_number
from engine.ophidian.rules_schema import (
    COMBAT_FIELDS,
    LEVELS,
    MATCH_FIELDS,
    NEVER,
    NUMBERS,
    SCHEMA,
    CardKind,
    CardSign,
    RoarWindow,
)
from engine.rulefiles import RulesError, UnknownNameError
from engine.rulelayers import Draft, LayeredRules, diff_rules, load_layers, one_or_parts, to_toml

__all__ = [
    "ILLUSTRATIVE",
    "NUM_LEVELS",
    "BodyRule",
    "CardRule",
    "CombatRule",
    "DeckRule",
    "GladiatorRule",
    "MatchRule",
    "Rules",
    "RulesError",
    "TeamRule",
    "UnknownNameError",
    "diff_rules",
    "load_rules",
    "to_toml",
]

NUM_LEVELS = len(LEVELS)

ILLUSTRATIVE = "There is no public list of cards: these gladiators are illustrative, not those of the box."
"""What every answer says that rests on values of provenance `assumed`."""

_BOX_FILE = Path(__file__).parent / "data" / "ophidian.toml"


class BodyRule(msgspec.Struct, frozen=True, kw_only=True):
    """What gladiators and minions have: life, rage, attack, defence and shield by level, level 1 first.

    Attributes
    ----------
    maintain : what it costs in each breather, 0 nothing, `NEVER` if it cannot be maintained (B3).
    """

    id: str
    name: str
    points: int
    life: tuple[int, ...]
    rage: tuple[int, ...]
    attack: tuple[int, ...]
    defence: tuple[int, ...]
    shield: tuple[int, ...]
    abilities: tuple[Ability, ...] = ()
    maintain: int = 0

    @property
    def stands_in(self) -> bool:
        """Whether a minion may take attacks for others (A3)."""
        return any(do.act == "stand_in" for ability in self.abilities for do in ability.do)


class GladiatorRule(BodyRule, frozen=True, kw_only=True):
    """A gladiator (T1-T3); a reinforcement enters at level 0, with the numbers of level 1 (B4)."""

    discount: int
    disciplines: tuple[str, ...]
    reinforcement: bool = False


class CardRule(msgspec.Struct, frozen=True, kw_only=True):
    """A card (T3, P2-P5).

    Attributes
    ----------
    requires : disciplines with their levels.
    maintain : 0 nothing, `NEVER` if it cannot be maintained.
    body : of a minion.
    put_on : of a pump.
    """

    id: str
    name: str
    type: CardKind
    cost: int
    requires: tuple[tuple[str, int], ...]
    sign: CardSign
    maintain: int
    unique: bool
    deck_max: int
    body: BodyRule
    put_on: Filter
    abilities: tuple[Ability, ...]


class DeckRule(msgspec.Struct, frozen=True):
    """A team with its deck: pairs of card and copies, and reinforcements (T3)."""

    id: str
    name: str
    team: str
    reinforcements: tuple[str, ...]
    cards: tuple[tuple[str, int], ...]

    @property
    def size(self) -> int:
        """Cards in it."""
        return sum(copies for _, copies in self.cards)


class TeamRule(msgspec.Struct, frozen=True):
    """A team to try, by the ids of its gladiators."""

    id: str
    name: str
    gladiators: tuple[str, ...]


class MatchRule(msgspec.Struct, frozen=True):
    """The numbers of a match (T1, T3, T4, P1, B2, B4, W2, W3)."""

    team_points: int
    team_size: int
    waves: int
    extra_waves: int
    winning_points: int
    riot: int
    promotions: int
    promotion_heals: int
    hand_size: int
    extra_draws: int
    base_resources: int
    min_deck: int

    @property
    def fewest_cards(self) -> int:
        """How many cards a deck has at least: a hand has to be drawn, or the match is lost (T3, W4)."""
        return max(self.min_deck, self.hand_size + self.extra_draws)


class CombatRule(msgspec.Struct, frozen=True):
    """The switches A5 and M4, and what attacking an unset raging gladiator costs (R2)."""

    stand_in_defends: bool
    rage_damage: int
    roar_window: RoarWindow


class Rules(LayeredRules, frozen=True, dict=True):
    """A complete set of rules.

    Entries come in the order of the files; the position of a gladiator or a card is its number everywhere.
    `provenance` maps the dotted key of every value (`gladiators.runt.attack.one`) to where it comes from:
    `rulebook`, `public`, `assumed` or `changed`.
    """

    schema = SCHEMA

    match: MatchRule
    combat: CombatRule
    gladiators: tuple[GladiatorRule, ...]
    cards: tuple[CardRule, ...]
    teams: tuple[TeamRule, ...]
    decks: tuple[DeckRule, ...]

    def tables(self) -> dict[str, dict[str, Any]]:
        """The rules as a file holds them: table -> key -> value."""
        tables: dict[str, dict[str, Any]] = {
            "match": msgspec.structs.asdict(self.match),
            "combat": msgspec.structs.asdict(self.combat),
        }
        for gladiator in self.gladiators:
            values = msgspec.structs.asdict(gladiator)
            del values["id"]
            values["disciplines"] = list(gladiator.disciplines)
            values["abilities"] = list(map(words_of, gladiator.abilities))
            values |= {key: one_or_parts(LEVELS, getattr(gladiator, key)) for key in NUMBERS}
            tables[f"gladiators.{gladiator.id}"] = values
        for card in self.cards:
            tables[f"cards.{card.id}"] = {
                "name": card.name,
                "type": card.type,
                "cost": card.cost,
                "requires": [f"{discipline} {level}" for discipline, level in card.requires],
                "sign": card.sign,
                "maintain": "never" if card.maintain == NEVER else card.maintain,
                "unique": card.unique,
                "deck_max": card.deck_max,
                "stats": one_or_parts(NUMBERS, [getattr(card.body, key)[0] for key in NUMBERS]),
                "put_on": words_of(card.put_on),
                "abilities": list(map(words_of, card.abilities)),
            }
        for team in self.teams:
            tables[f"teams.{team.id}"] = {"name": team.name, "gladiators": list(team.gladiators)}
        for deck in self.decks:
            tables[f"decks.{deck.id}"] = {
                "name": deck.name,
                "team": deck.team,
                "reinforcements": list(deck.reinforcements),
                "cards": [card if copies == 1 else f"{card} {copies}" for card, copies in deck.cards],
            }
        return tables

    @property
    def illustrative(self) -> bool:
        """Whether numbers of gladiators are assumed: then answers say so (`ILLUSTRATIVE`)."""
        return any(key.startswith("gladiators.") for key in self.assumed)

    @cached_property
    def card_numbers(self) -> dict[str, int]:
        """The number of each card by its id."""
        return {card.id: number for number, card in enumerate(self.cards)}

    @cached_property
    def answers_late(self) -> bool:
        """Whether there is any response to what has resolved."""
        known = [each.abilities for each in self.gladiators] + [each.abilities for each in self.cards]
        return any(ability.when == "resolved" for abilities in known for ability in abilities)

    def gladiator(self, query: str) -> int:
        """Find a gladiator's number by id or name, whatever the case; UnknownNameError otherwise."""
        return _found("gladiator", query, self.gladiators)

    def card(self, query: str) -> int:
        """Find a card's number by id or name; UnknownNameError otherwise."""
        return _found("card", query, self.cards)

    def team(self, query: str) -> TeamRule:
        """Find a team to try by id or name; UnknownNameError otherwise."""
        return self.teams[_found("team", query, self.teams)]

    def deck(self, query: str) -> DeckRule:
        """Find a deck by id or name; UnknownNameError otherwise."""
        return self.decks[_found("deck", query, self.decks)]


def _found(kind: str, query: str, entries: Sequence[Any]) -> int:
    wanted = name_id(query)
    for number, entry in enumerate(entries):
        if wanted in (entry.id, name_id(entry.name)):
            return number
    raise UnknownNameError(kind, query, [entry.id for entry in entries])


def load_rules(files: Sequence[Path] = (), overrides: Sequence[str] = ()) -> Rules:
    """Read the illustrative set, and lay files and then overrides over it; later ones win.

    Overrides are texts such as `match.riot=12` or `gladiators.runt.attack.one=3`.
    See `engine.rulelayers.load_layers`.
    """
    return _build(*load_layers(SCHEMA, contradictions, _BOX_FILE, files, overrides))


def _build(draft: Draft, provenance: dict[str, str]) -> Rules:
    """Assemble the structs of a finished draft."""

    def get(key: str) -> Any:
        return draft.leaves[key].value

    def abilities(table: str) -> tuple[Ability, ...]:
        return tuple(map(ability_of, get(f"{table}.abilities")))

    def gladiator(name: str) -> GladiatorRule:
        table = f"gladiators.{name}"
        numbers = {key: tuple(get(f"{table}.{key}.{level}") for level in LEVELS) for key in NUMBERS}
        return GladiatorRule(
            id=name,
            name=get(f"{table}.name"),
            points=get(f"{table}.points"),
            discount=get(f"{table}.discount"),
            disciplines=tuple(get(f"{table}.disciplines")),
            reinforcement=get(f"{table}.reinforcement"),
            maintain=get(f"{table}.maintain"),
            abilities=abilities(table),
            **numbers,
        )

    def card(name: str) -> CardRule:
        table = f"cards.{name}"
        keys = ("name", "type", "cost", "sign", "unique", "deck_max")
        values = {key: get(f"{table}.{key}") for key in keys}
        maintain = get(f"{table}.maintain")
        price = NEVER if maintain == "never" else maintain
        stats = {key: (get(f"{table}.stats.{key}"),) * NUM_LEVELS for key in NUMBERS}
        known = abilities(table)
        return CardRule(
            id=name,
            requires=tuple(filter(None, map(parse_number, get(f"{table}.requires")))),
            maintain=price,
            body=BodyRule(id=name, name=values["name"], points=0, maintain=price, abilities=known, **stats),
            put_on=filter_of(get(f"{table}.put_on")),
            abilities=known,
            **values,
        )

    def deck(name: str) -> DeckRule:
        table = f"decks.{name}"
        pairs = tuple(filter(None, map(parse_number, get(f"{table}.cards"))))
        stack = tuple(get(f"{table}.reinforcements"))
        return DeckRule(name, get(f"{table}.name"), get(f"{table}.team"), stack, pairs)

    def team(name: str) -> TeamRule:
        return TeamRule(name, get(f"teams.{name}.name"), tuple(get(f"teams.{name}.gladiators")))

    return Rules(
        name=draft.name,
        match=MatchRule(**{key: get(f"match.{key}") for key in MATCH_FIELDS}),
        combat=CombatRule(**{key: get(f"combat.{key}") for key in COMBAT_FIELDS}),
        gladiators=tuple(map(gladiator, draft.entries["gladiators"])),
        cards=tuple(map(card, draft.entries["cards"])),
        teams=tuple(map(team, draft.entries["teams"])),
        decks=tuple(map(deck, draft.entries["decks"])),
        provenance=provenance,
    )
