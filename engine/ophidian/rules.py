"""The rules of Ophidian Arena as data: typed structs, and how they are read from TOML files.

The values live in `data/ophidian.toml` with their provenance: nearly all are illustrative. Files of a
designer, and single `KEY=VALUE` overrides, are laid over them; whatever then differs is `changed`.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec

from engine.ophidian.rules_checks import contradictions, name_id
from engine.ophidian.rules_schema import COMBAT_FIELDS, LEVELS, MATCH_FIELDS, NUMBERS, SCHEMA
from engine.rulefiles import RulesError, UnknownNameError
from engine.rulelayers import Draft, LayeredRules, diff_rules, load_layers, one_or_parts, to_toml

__all__ = [
    "ILLUSTRATIVE",
    "NUM_LEVELS",
    "CombatRule",
    "GladiatorRule",
    "MatchRule",
    "Rules",
    "RulesError",
    "TeamRule",
    "UnknownNameError",
    "as_tables",
    "diff_rules",
    "load_rules",
    "to_toml",
]

NUM_LEVELS = len(LEVELS)

ILLUSTRATIVE = "There is no public list of cards: these gladiators are illustrative, not those of the box."
"""What every answer says that rests on values of provenance `assumed`."""

_BOX_FILE = Path(__file__).parent / "data" / "ophidian.toml"


class GladiatorRule(msgspec.Struct, frozen=True):
    """A gladiator (T1-T3); life, rage, attack, defence and shield by level, level 1 first."""

    id: str
    name: str
    points: int
    discount: int
    disciplines: tuple[str, ...]
    life: tuple[int, ...]
    rage: tuple[int, ...]
    attack: tuple[int, ...]
    defence: tuple[int, ...]
    shield: tuple[int, ...]


class TeamRule(msgspec.Struct, frozen=True):
    """A team to try, by the ids of its gladiators."""

    id: str
    name: str
    gladiators: tuple[str, ...]


class MatchRule(msgspec.Struct, frozen=True):
    """The numbers of a match (T1, B4, W2, W3)."""

    team_points: int
    team_size: int
    waves: int
    extra_waves: int
    winning_points: int
    riot: int
    promotions: int
    promotion_heals: int


class CombatRule(msgspec.Struct, frozen=True):
    """The switch A5, and what attacking an unset raging gladiator costs (R2)."""

    stand_in_defends: bool
    rage_damage: int


class Rules(LayeredRules, frozen=True, dict=True):
    """A complete set of rules.

    Gladiators and teams come in the order of the files; a gladiator's position is its number everywhere.
    `provenance` maps the dotted key of every value (`gladiators.runt.attack.one`) to where it comes from:
    `rulebook`, `public`, `assumed` or `changed`.
    """

    schema = SCHEMA

    match: MatchRule
    combat: CombatRule
    gladiators: tuple[GladiatorRule, ...]
    teams: tuple[TeamRule, ...]

    def tables(self) -> dict[str, dict[str, Any]]:
        """The rules as a file holds them."""
        return as_tables(self)

    @property
    def illustrative(self) -> bool:
        """Whether numbers of gladiators are assumed: then answers say so (`ILLUSTRATIVE`)."""
        return any(key.startswith("gladiators.") for key in self.assumed)

    def gladiator(self, query: str) -> int:
        """Find a gladiator's number by id or name, whatever the case; UnknownNameError otherwise."""
        wanted = name_id(query)
        for number, rule in enumerate(self.gladiators):
            if wanted in (rule.id, name_id(rule.name)):
                return number
        raise UnknownNameError("gladiator", query, [rule.id for rule in self.gladiators])

    def team(self, query: str) -> TeamRule:
        """Find a team to try by id or name, whatever the case; UnknownNameError otherwise."""
        wanted = name_id(query)
        for team in self.teams:
            if wanted in (team.id, name_id(team.name)):
                return team
        raise UnknownNameError("team", query, [team.id for team in self.teams])


def load_rules(files: Sequence[Path] = (), overrides: Sequence[str] = ()) -> Rules:
    """Read the illustrative set, and lay files and then overrides over it; later ones win.

    Parameters
    ----------
    files
        TOML files; each needs to hold only what differs.
    overrides
        `KEY=VALUE` texts such as `match.riot=12` or `gladiators.runt.attack.one=3`.

    Raises
    ------
    RulesError
        With every problem found: unknown keys, values out of range, contradictions, broken TOML, files that
        cannot be read.
    """
    return _build(*load_layers(SCHEMA, contradictions, _BOX_FILE, files, overrides))


def _build(draft: Draft, provenance: dict[str, str]) -> Rules:
    """Assemble the structs of a finished draft."""

    def get(key: str) -> Any:
        return draft.leaves[key].value

    def gladiator(name: str) -> GladiatorRule:
        table = f"gladiators.{name}"
        numbers = {key: tuple(get(f"{table}.{key}.{level}") for level in LEVELS) for key in NUMBERS}
        return GladiatorRule(
            id=name,
            name=get(f"{table}.name"),
            points=get(f"{table}.points"),
            discount=get(f"{table}.discount"),
            disciplines=tuple(get(f"{table}.disciplines")),
            **numbers,
        )

    def team(name: str) -> TeamRule:
        return TeamRule(name, get(f"teams.{name}.name"), tuple(get(f"teams.{name}.gladiators")))

    return Rules(
        name=draft.name,
        match=MatchRule(**{key: get(f"match.{key}") for key in MATCH_FIELDS}),
        combat=CombatRule(**{key: get(f"combat.{key}") for key in COMBAT_FIELDS}),
        gladiators=tuple(map(gladiator, draft.entries["gladiators"])),
        teams=tuple(map(team, draft.entries["teams"])),
        provenance=provenance,
    )


def as_tables(rules: Rules) -> dict[str, dict[str, Any]]:
    """The rules as a file holds them: table -> key -> value."""
    tables: dict[str, dict[str, Any]] = {
        "match": msgspec.structs.asdict(rules.match),
        "combat": msgspec.structs.asdict(rules.combat),
    }
    for gladiator in rules.gladiators:
        values = msgspec.structs.asdict(gladiator)
        del values["id"]
        values["disciplines"] = list(gladiator.disciplines)
        values |= {key: one_or_parts(LEVELS, getattr(gladiator, key)) for key in NUMBERS}
        tables[f"gladiators.{gladiator.id}"] = values
    for team in rules.teams:
        tables[f"teams.{team.id}"] = {"name": team.name, "gladiators": list(team.gladiators)}
    return tables
