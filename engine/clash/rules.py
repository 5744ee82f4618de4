"""The rules of Clash of Rage as data: typed structs, and how they are read from TOML files.

The values live in `data/clash.toml` with their provenance: nearly all are an illustrative set. A designer's
files, and single `KEY=VALUE` overrides, are laid over them; whatever then differs is of provenance `changed`.
"""

from collections.abc import Iterable, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any, Literal, NamedTuple, TypeVar

import msgspec

from engine.clash.rules_checks import contradictions, name_id
from engine.clash.rules_schema import (
    BONUSES,
    COMPONENT_FIELDS,
    DIFFICULTIES,
    ELVES,
    ICONS,
    LAYOUTS,
    LEVELS,
    MATCH_FIELDS,
    NUM_TYPES,
    SCHEMA,
    SPACES,
    TILES,
    Space,
)
from engine.rulefiles import RulesError, UnknownNameError
from engine.rulelayers import Draft, LayeredRules, diff_rules, load_layers, one_or_parts, to_toml

__all__ = [
    "ARMOR",
    "ILLUSTRATIVE",
    "NUM_TYPES",
    "WEAPON",
    "BattleRule",
    "Bonus",
    "ClanRule",
    "ComponentRule",
    "ElfRule",
    "EquipmentRule",
    "LegendaryRule",
    "MatchRule",
    "Rules",
    "RulesError",
    "SoloRule",
    "TacticCard",
    "TileRule",
    "UnitRule",
    "UnknownNameError",
    "diff_rules",
    "load_rules",
    "to_toml",
]

WEAPON, ARMOR = range(len(SPACES))

ILLUSTRATIVE = (
    "The rulebook's text leaves these values to its pictures: they are illustrative, not those of the box."
)
"""What every answer says that rests on values of provenance `assumed`."""

_BOX_FILE = Path(__file__).parent / "data" / "clash.toml"


class Bonus(NamedTuple):
    """What a unit type or a card brings (C2, C4); `flight` is had or not, all others add up."""

    power: int = 0
    reroll: int = 0
    injury: int = 0
    shield: int = 0
    rage: int = 0
    slow: int = 0
    speed: int = 0
    flight: int = 0


class UnitRule(msgspec.Struct, frozen=True):
    """One unit type of a clan (C2); `max` figures of it; `icons.power` is 0."""

    id: str
    name: str
    level: int
    power: int
    life: int
    move: int
    max: int
    icons: Bonus


class TacticCard(NamedTuple):
    """A tactic card (T1-T3): place in the order of turns, gold, reinforcements by level."""

    order: int
    gold: int
    units: tuple[int, int, int]


class ClanRule(msgspec.Struct, frozen=True):
    """A clan (C1): its unit types by level, and its tactic cards in order."""

    id: str
    name: str
    units: tuple[UnitRule, UnitRule, UnitRule]
    tactics: tuple[TacticCard, ...]


class ElfRule(msgspec.Struct, frozen=True):
    """A type of elves (C3): `tokens` of them in the box."""

    id: str
    name: str
    tokens: int
    power: int
    life: int
    icons: Bonus


class EquipmentRule(msgspec.Struct, frozen=True):
    """An equipment card (C4): `copies` of it in the market deck."""

    id: str
    name: str
    space: Space
    copies: int
    cost: int
    bonus: Bonus


class LegendaryRule(msgspec.Struct, frozen=True):
    """A legendary equipment (C4), one of each."""

    id: str
    name: str
    space: Space
    bonus: Bonus


class TileRule(msgspec.Struct, frozen=True):
    """One side of a region tile (C6): territories 0 to 6, and the pairs that mountains part."""

    id: str
    city: int
    forge: int
    stone: int
    stone_level: int
    mountains: tuple[tuple[int, int], ...]


class MatchRule(msgspec.Struct, frozen=True):
    """The numbers of a match (V1, V2, U2-U4, T2, E3), `forge_cost` with one forge and with more, and S1."""

    points: int
    long_points: int
    max_rounds: int
    hand_size: int
    market: int
    city_elves: int
    forge_elves: int
    city_crystals: int
    forge_cost: tuple[int, int]
    stone_placement: Literal["anywhere", "stone"]


class BattleRule(msgspec.Struct, frozen=True):
    """How battles go: a die's chance to injure (C5), and the switches B1, B8, B12; no limit is None."""

    hit: str
    sparing: bool
    rage_limit: int | None
    elves: Literal["adversary", "attacker"]

    @property
    def hit_chance(self) -> Fraction:
        """A die's chance to injure (C5)."""
        return Fraction(self.hit)


class SoloRule(msgspec.Struct, frozen=True):
    """Solo play (X1): domination points to lose by difficulty, and what elves score for each site."""

    thresholds: tuple[int, int, int, int]
    forge_domination: int
    city_domination: int


class ComponentRule(msgspec.Struct, frozen=True):
    """What lies in the box (C1, C4): the other tables add up to it."""

    figures: tuple[int, int, int]
    weapons: int
    armors: int
    legendary_weapons: int
    legendary_armors: int


class Rules(LayeredRules, frozen=True, dict=True):
    """A complete set of rules.

    Clans, equipment and legendary equipment come in the order of the files; a card's position in its tuple is
    its number everywhere. Unit types of a clan are sorted by level, so that level I is type 0; elves are
    Templar, High Elder, Gleaming Guard. `layouts` are the centres of two, three and four tiles. `provenance`
    maps the dotted key of every value (`clans.bohorg.units.pummeler.icons.slow`) to where it comes from:
    `rulebook`, `public`, `assumed` or `changed`.
    """

    schema = SCHEMA

    match: MatchRule
    battle: BattleRule
    solo: SoloRule
    components: ComponentRule
    clans: tuple[ClanRule, ...]
    elves: tuple[ElfRule, ElfRule, ElfRule]
    equipment: tuple[EquipmentRule, ...]
    legendary: tuple[LegendaryRule, ...]
    tiles: tuple[TileRule, ...]
    layouts: tuple[tuple[tuple[int, int], ...], ...]

    def tables(self) -> dict[str, dict[str, Any]]:
        """The rules as a file holds them: table -> key -> value."""
        match = msgspec.structs.asdict(self.match)
        match["forge_cost"] = one_or_parts(("one", "more"), self.match.forge_cost)
        battle = msgspec.structs.asdict(self.battle)
        battle["rage_limit"] = "none" if self.battle.rage_limit is None else self.battle.rage_limit
        solo = msgspec.structs.asdict(self.solo)
        solo["thresholds"] = one_or_parts(DIFFICULTIES, self.solo.thresholds)
        components = msgspec.structs.asdict(self.components)
        components["figures"] = one_or_parts(LEVELS, self.components.figures)
        tables: dict[str, dict[str, Any]] = {
            "match": match,
            "battle": battle,
            "solo": solo,
            "components": components,
        }
        for clan in self.clans:
            tables[f"clans.{clan.id}"] = {"name": clan.name}
            tables |= {f"clans.{clan.id}.units.{unit.id}": _entry(unit) for unit in clan.units}
        for kind in ("elves", "equipment", "legendary"):
            tables |= {f"{kind}.{entry.id}": _entry(entry) for entry in getattr(self, kind)}
        for clan in self.clans:
            tables[f"tactics.{clan.id}"] = {
                "cards": [[card.order, card.gold, *card.units] for card in clan.tactics]
            }
        for tile in self.tiles:
            values = _entry(tile)
            tables[f"tiles.{tile.id}"] = values | {"mountains": [list(pair) for pair in tile.mountains]}
        for name, centres in zip(LAYOUTS, self.layouts, strict=True):
            tables[f"layouts.{name}"] = {"centres": [list(centre) for centre in centres]}
        return tables

    @property
    def illustrative(self) -> bool:
        """Whether values of sheets, cards or tiles are assumed: then answers say so (`ILLUSTRATIVE`)."""
        return any(key.split(".")[0] in SCHEMA.entries for key in self.assumed)

    def clan(self, query: str) -> ClanRule:
        """Find a clan by id or name, whatever the case; UnknownNameError otherwise."""
        return _find("clan", query, self.clans)

    def unit(self, clan: ClanRule, query: str) -> UnitRule:
        """Find a unit type of a clan by id, name or level ("II", "2"); UnknownNameError otherwise."""
        numerals = {"i": 1, "ii": 2, "iii": 3, "1": 1, "2": 2, "3": 3}
        level = numerals.get(query.strip().casefold())
        return clan.units[level - 1] if level else _find(f"unit of {clan.id}", query, clan.units)

    def elf(self, query: str) -> ElfRule:
        """Find a type of elves by id or name, whatever the case; UnknownNameError otherwise."""
        return _find("type of elves", query, self.elves)

    def card(self, query: str) -> EquipmentRule | LegendaryRule:
        """Find an equipment or legendary card by id or name; UnknownNameError otherwise."""
        cards: tuple[EquipmentRule | LegendaryRule, ...] = (*self.equipment, *self.legendary)
        return _find("equipment", query, cards)

    def tile(self, query: str) -> TileRule:
        """Find a side of a tile by its id ("3b"); UnknownNameError otherwise."""
        wanted = query.strip().casefold()
        for tile in self.tiles:
            if tile.id == wanted:
                return tile
        raise UnknownNameError("tile", query, TILES)


_Named = TypeVar("_Named", ClanRule, UnitRule, ElfRule, EquipmentRule | LegendaryRule)


def _find(kind: str, query: str, entries: Iterable[_Named]) -> _Named:
    wanted = name_id(query)
    entries = list(entries)
    for entry in entries:
        if wanted in (entry.id, name_id(entry.name)):
            return entry
    raise UnknownNameError(kind, query, [entry.id for entry in entries])


def load_rules(files: Sequence[Path] = (), overrides: Sequence[str] = ()) -> Rules:
    """Read the illustrative set, and lay files and then overrides over it; later ones win.

    Overrides are texts such as `battle.sparing=false` or `clans.bohorg.units.executioner.power=7`.
    See `engine.rulelayers.load_layers`.
    """
    return _build(*load_layers(SCHEMA, contradictions, _BOX_FILE, files, overrides))


def _build(draft: Draft, provenance: dict[str, str]) -> Rules:
    """Assemble the structs of a finished draft."""

    def get(key: str) -> Any:
        return draft.leaves[key].value

    def by_parts(key: str, parts: Sequence[str]) -> tuple[Any, ...]:
        return tuple(get(f"{key}.{part}") for part in parts)

    def icons(table: str) -> Bonus:
        return Bonus(0, *by_parts(f"{table}.icons", ICONS))

    def unit(table: str) -> UnitRule:
        keys = ("name", "level", "power", "life", "move", "max")
        return UnitRule(
            id=table.rpartition(".")[2], icons=icons(table), **{key: get(f"{table}.{key}") for key in keys}
        )

    def clan(name: str) -> ClanRule:
        table = f"clans.{name}"
        units = [unit(f"{table}.units.{entry}") for entry in draft.entries[f"{table}.units"]]
        units.sort(key=lambda rule: rule.level)
        cards = [TacticCard(card[0], card[1], tuple(card[2:])) for card in get(f"tactics.{name}.cards")]
        return ClanRule(name, get(f"{table}.name"), tuple(units), tuple(sorted(cards)))  # type: ignore[arg-type]

    def elf(name: str) -> ElfRule:
        table = f"elves.{name}"
        keys = ("name", "tokens", "power", "life")
        return ElfRule(id=name, icons=icons(table), **{key: get(f"{table}.{key}") for key in keys})

    def card(kind: Any, table: str, keys: Sequence[str]) -> Any:
        return kind(
            id=table.partition(".")[2],
            bonus=Bonus(*by_parts(f"{table}.bonus", BONUSES)),
            **{key: get(f"{table}.{key}") for key in keys},
        )

    def tile(name: str) -> TileRule:
        keys = ("city", "forge", "stone", "stone_level")
        mountains = tuple((min(pair), max(pair)) for pair in get(f"tiles.{name}.mountains"))
        return TileRule(id=name, mountains=mountains, **{key: get(f"tiles.{name}.{key}") for key in keys})

    match = {key: get(f"match.{key}") for key in MATCH_FIELDS if key != "forge_cost"}
    limit = get("battle.rage_limit")
    components = {key: get(f"components.{key}") for key in COMPONENT_FIELDS if key != "figures"}
    return Rules(
        name=draft.name,
        match=MatchRule(forge_cost=by_parts("match.forge_cost", ("one", "more")), **match),
        battle=BattleRule(
            hit=get("battle.hit"),
            sparing=get("battle.sparing"),
            rage_limit=None if limit == "none" else limit,
            elves=get("battle.elves"),
        ),
        solo=SoloRule(
            thresholds=by_parts("solo.thresholds", DIFFICULTIES),
            forge_domination=get("solo.forge_domination"),
            city_domination=get("solo.city_domination"),
        ),
        components=ComponentRule(figures=by_parts("components.figures", LEVELS), **components),
        clans=tuple(map(clan, draft.entries["clans"])),
        elves=tuple(map(elf, ELVES)),  # type: ignore[arg-type]
        equipment=tuple(
            card(EquipmentRule, f"equipment.{name}", ("name", "space", "copies", "cost"))
            for name in draft.entries["equipment"]
        ),
        legendary=tuple(
            card(LegendaryRule, f"legendary.{name}", ("name", "space")) for name in draft.entries["legendary"]
        ),
        tiles=tuple(map(tile, TILES)),
        layouts=tuple(tuple((q, r) for q, r in get(f"layouts.{name}.centres")) for name in LAYOUTS),
        provenance=provenance,
    )


def _entry(entry: Any) -> dict[str, Any]:
    """An entry's values without its id."""
    values = msgspec.structs.asdict(entry)
    del values["id"]
    for key, parts in (("icons", ICONS), ("bonus", BONUSES)):
        if key in values:
            values[key] = one_or_parts(parts, [getattr(values[key], part) for part in parts])
    return values
