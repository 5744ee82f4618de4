"""The rules of Ragers as data: typed structs, and how they are read from TOML files.

The values live in `data/ragers.toml` (C1-C5, M1-M3) with their provenance. A designer's files, and single
`KEY=VALUE` overrides, are laid over them; whatever then differs from the box is of provenance `changed`.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal, TypeVar

import msgspec

from engine.ragers.rules_checks import contradictions
from engine.ragers.rules_schema import ENTRY_FIELDS, MATCH_FIELDS, PLAYERS, SCHEMA, TYPES, DeadeyeCard
from engine.rulefiles import Problem, RulesError, UnknownNameError, find_name
from engine.rulelayers import Draft, LayeredRules, diff_rules, load_layers, one_or_parts, to_toml

__all__ = [
    "ATTACKS",
    "CHANCER",
    "CHEATER",
    "DEADEYE",
    "NUM_TYPES",
    "PLAYERS",
    "STOPPER",
    "TYPES",
    "VETERAN",
    "CardRule",
    "CheersRule",
    "MatchRule",
    "PatronRule",
    "Problem",
    "Rules",
    "RulesError",
    "UnknownNameError",
    "diff_rules",
    "load_rules",
    "to_toml",
]

ATTACKS = (0, 1, 2)
CHANCER = 3
CHEATER = 4
DEADEYE = 5
STOPPER = 6
VETERAN = 7
NUM_TYPES = 8

_BOX_FILE = Path(__file__).parent / "data" / "ragers.toml"


class CardRule(msgspec.Struct, frozen=True):
    """One type of combat card (C1-C3)."""

    id: str
    kind: Literal["attack", "special"]
    beats: tuple[str, ...]
    copies: tuple[int, int]
    """In the deck of the Accusers, in the deck of the Defenders."""
    gp: int


class PatronRule(msgspec.Struct, frozen=True):
    """One patron (C4): a row length of its own, or None for that of the match, and the types it bans (K3)."""

    id: str
    name: str
    row_length: int | None
    forbidden: tuple[str, ...]


class CheersRule(msgspec.Struct, frozen=True):
    """One cheers card (C5, S3); `required` repeats an icon that is needed more than once."""

    id: str
    name: str
    required: tuple[str, ...]
    forbidden: tuple[str, ...]
    gp: int


class MatchRule(msgspec.Struct, frozen=True):
    """The numbers of a match (M1-M3, K2), and when a Deadeye's further card is placed (K9)."""

    days: int
    hand_size: int
    discards: int
    row_length: int
    winning_lead: int
    deadeye_card: DeadeyeCard = "after-veterans"


class Rules(LayeredRules, frozen=True, dict=True):
    """A complete set of rules. Card types are named by id and listed in the order of `TYPES` throughout.

    `provenance` maps the dotted key of every value (`cards.basher.copies.accusers`) to where it comes from:
    `rulebook`, `assumed` or `changed`. Names carry none.
    """

    schema = SCHEMA

    cards: tuple[CardRule, ...]
    patrons: tuple[PatronRule, ...]
    cheers: tuple[CheersRule, ...]
    match: MatchRule

    def tables(self) -> dict[str, dict[str, Any]]:
        """The rules as a file holds them, copies as one number where both decks agree."""
        tables: dict[str, dict[str, Any]] = {"match": msgspec.structs.asdict(self.match)}
        for kind in ENTRY_FIELDS:
            for entry in getattr(self, kind):
                values = msgspec.structs.asdict(entry)
                tables[f"{kind}.{values.pop('id')}"] = values
                if values.get("row_length", "") is None:
                    values["row_length"] = "match"
                if kind == "cards":
                    values["copies"] = one_or_parts(PLAYERS, entry.copies)
        return tables

    def values(self) -> dict[str, Any]:
        """What play depends on, by dotted key."""
        values = super().values()
        # The ruling is no value of the rules' own, and older hashes know nothing of it.
        if not self.hides_at_once:
            del values["match.deadeye_card"]
        # A patron that states the length of the match, and one that leaves it open, are the same rules.
        values |= {f"patrons.{patron.id}.row_length": self.row_length(patron) for patron in self.patrons}
        return values

    @property
    def hides_at_once(self) -> bool:
        """Whether a Deadeye's further card is placed on reveal, before any goes on top of a Veteran (K9)."""
        return self.match.deadeye_card == "at-once"

    def row_length(self, patron: PatronRule) -> int:
        """Slots in a row on a day under this patron (C4, K2)."""
        return self.match.row_length if patron.row_length is None else patron.row_length

    def patron(self, query: str) -> PatronRule:
        """Find a patron by id or name (see `find_name`); UnknownNameError otherwise."""
        return _find("patron", query, self.patrons)

    def cheers_card(self, query: str) -> CheersRule:
        """Find a cheers card by id or name (see `find_name`); UnknownNameError otherwise."""
        return _find("cheers card", query, self.cheers)


_Entry = TypeVar("_Entry", PatronRule, CheersRule)


def _find(kind: str, query: str, entries: tuple[_Entry, ...]) -> _Entry:
    found = find_name(kind, query, {entry.id: (entry.name,) for entry in entries})
    return next(entry for entry in entries if entry.id == found)


def load_rules(files: Sequence[Path] = (), overrides: Sequence[str] = ()) -> Rules:
    """Read the rules in the box, and lay files and then overrides over them; later ones win.

    Overrides are texts such as `cards.basher.gp=4` or `patrons.solennos.forbidden=veteran,cheater`.
    See `engine.rulelayers.load_layers`.
    """
    return _build(*load_layers(SCHEMA, contradictions, _BOX_FILE, files, overrides))


def _build(draft: Draft, provenance: dict[str, str]) -> Rules:
    """Assemble the structs of a finished draft."""

    def get(key: str) -> Any:
        return draft.leaves[key].value

    def length(key: str) -> int | None:
        value: int | str = get(key)
        return value if isinstance(value, int) else None

    return Rules(
        name=draft.name,
        cards=tuple(
            CardRule(
                id=card,
                kind=get(f"cards.{card}.kind"),
                beats=tuple(get(f"cards.{card}.beats")),
                copies=(get(f"cards.{card}.copies.accusers"), get(f"cards.{card}.copies.defenders")),
                gp=get(f"cards.{card}.gp"),
            )
            for card in TYPES
        ),
        patrons=tuple(
            PatronRule(
                id=patron,
                name=get(f"patrons.{patron}.name"),
                row_length=length(f"patrons.{patron}.row_length"),
                forbidden=tuple(get(f"patrons.{patron}.forbidden")),
            )
            for patron in draft.entries["patrons"]
        ),
        cheers=tuple(
            CheersRule(
                id=cheers,
                name=get(f"cheers.{cheers}.name"),
                required=tuple(get(f"cheers.{cheers}.required")),
                forbidden=tuple(get(f"cheers.{cheers}.forbidden")),
                gp=get(f"cheers.{cheers}.gp"),
            )
            for cheers in draft.entries["cheers"]
        ),
        match=MatchRule(**{key: get(f"match.{key}") for key in MATCH_FIELDS}),
        provenance=provenance,
    )
