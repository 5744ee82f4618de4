"""The rules of bidding as data: cards with values, prizes with what they are worth, and what ties do."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Literal

import msgspec

from engine.rulefiles import EntryTable, Problem, Schema, choice, text, whole_number
from engine.rulelayers import Draft, LayeredRules, load_layers

Ties = Literal["lost", "shared"]
_FIELDS = {"name": text(40)}
SCHEMA = Schema(
    tables={"match": {"ties": choice(Ties)}},
    entries={
        "cards": EntryTable(_FIELDS | {"value": whole_number(1, 99)}, "card"),
        "prizes": EntryTable(_FIELDS | {"worth": whole_number(1, 99)}, "prize"),
    },
    example="cards.three.value=4",
)
MOST = 5
"""Cards, and prizes: with more the tree is too large for a small example."""
_BOX_FILE = Path(__file__).parent / "bidding.toml"


class Entry(msgspec.Struct, frozen=True):
    """A card with its value, or a prize with its worth."""

    id: str
    name: str
    number: int


class Rules(LayeredRules, frozen=True, dict=True):
    """A complete set of rules."""

    schema = SCHEMA

    ties: Ties
    cards: tuple[Entry, ...]
    prizes: tuple[Entry, ...]

    def tables(self) -> dict[str, dict[str, Any]]:
        """The rules as a file holds them."""
        cards = {f"cards.{card.id}": {"name": card.name, "value": card.number} for card in self.cards}
        prizes = {f"prizes.{prize.id}": {"name": prize.name, "worth": prize.number} for prize in self.prizes}
        return {"match": {"ties": self.ties}} | cards | prizes


def _contradictions(draft: Draft) -> Iterator[Problem]:
    for kind in ("cards", "prizes"):
        if len(draft.entries[kind]) > MOST:
            file = list(draft.entries[kind].values())[-1]
            yield Problem(file, kind, "", len(draft.entries[kind]), f"too many {kind}", f"at most {MOST}")


def load_rules(files: Sequence[Path] = (), overrides: Sequence[str] = ()) -> Rules:
    """Read the rules in the box, and lay files and then overrides over them; RulesError if they are wrong."""
    draft, provenance = load_layers(SCHEMA, _contradictions, _BOX_FILE, files, overrides)

    def entries(kind: str, key: str) -> tuple[Entry, ...]:
        def value(entry: str, of: str) -> Any:
            return draft.leaves[f"{kind}.{entry}.{of}"].value

        return tuple(Entry(entry, value(entry, "name"), value(entry, key)) for entry in draft.entries[kind])

    return Rules(
        name=draft.name,
        ties=draft.leaves["match.ties"].value,
        cards=entries("cards", "value"),
        prizes=entries("prizes", "worth"),
        provenance=provenance,
    )
