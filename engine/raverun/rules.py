"""The rules of Raverun as data: typed structs, and how they are read from TOML files.

The values live in `data/raverun.toml` (V1-V3, the actions 1-8) with their provenance. A designer's files,
and single `KEY=VALUE` overrides, are laid over them; whatever then differs from the box is of provenance
`changed`.

A card is a number: cards are numbered in order of value (V1), so that the higher card is the larger number.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec

from engine.raverun.rules_checks import contradictions
from engine.raverun.rules_schema import (
    ACTIONS,
    COLOURS,
    ENTRY_FIELDS,
    HAND_PARTS,
    LETTERS,
    NUMBERS,
    PLAYER_COUNTS,
    SCHEMA,
    Action,
    Colour,
    Place,
)
from engine.rulefiles import RulesError, UnknownNameError
from engine.rulelayers import LayeredRules, diff_rules, load_layers, one_or_parts, to_toml

__all__ = [
    "ACTIONS",
    "BURY",
    "CAPTURE",
    "DEPLOY",
    "DRAW",
    "EXCHANGE",
    "PLAYER_COUNTS",
    "RECALL",
    "SHUFFLE",
    "SWAP",
    "CharacterRule",
    "ColourRule",
    "MatchRule",
    "Rules",
    "RulesError",
    "UnknownNameError",
    "diff_rules",
    "load_rules",
    "to_toml",
]

SWAP, EXCHANGE, DRAW, DEPLOY, CAPTURE, BURY, RECALL, SHUFFLE = range(len(ACTIONS))

_BOX_FILE = Path(__file__).parent / "data" / "raverun.toml"


class MatchRule(msgspec.Struct, frozen=True):
    """The numbers of a match (V1, V2); `hand_size` with two and with three players."""

    characters: int
    letters: int
    hand_size: tuple[int, int]


class ColourRule(msgspec.Struct, frozen=True):
    """Where the cards of a colour act (P3, P5)."""

    id: Colour
    acts_on: Place


class CharacterRule(msgspec.Struct, frozen=True):
    """One character (1-8): its number, what its cards do, and their colour."""

    id: str
    action: Action
    colour: Colour


class Rules(LayeredRules, frozen=True, dict=True):
    """A complete set of rules.

    `provenance` maps the dotted key of every value (`match.hand_size.two`) to where it comes from:
    `rulebook`, `assumed` or `changed`.
    """

    schema = SCHEMA

    match: MatchRule
    colours: tuple[ColourRule, ...]
    characters: tuple[CharacterRule, ...]

    def tables(self) -> dict[str, dict[str, Any]]:
        """The rules as a file holds them: table -> key -> value."""
        match = msgspec.structs.asdict(self.match)
        match["hand_size"] = one_or_parts(HAND_PARTS, self.match.hand_size)
        tables: dict[str, dict[str, Any]] = {"match": match}
        for kind in ENTRY_FIELDS:
            for entry in getattr(self, kind):
                values = msgspec.structs.asdict(entry)
                tables[f"{kind}.{values.pop('id')}"] = values
        return tables

    def values(self) -> dict[str, Any]:
        """What play depends on, by dotted key: nothing of characters that are not in the game."""
        absent = tuple(f"characters.{number}." for number in NUMBERS[self.match.characters :])
        return {key: value for key, value in super().values().items() if not key.startswith(absent)}

    @property
    def num_cards(self) -> int:
        """Cards in the game, numbered from 0 in order of value (V1)."""
        return self.match.characters * self.match.letters

    def hand_size(self, num_players: int) -> int:
        """Cards dealt to each player (V2).

        Raises
        ------
        ValueError
            If so many cannot play with these rules.
        """
        if num_players not in PLAYER_COUNTS:
            raise ValueError(f"Raverun is for 2 or 3 players, not {num_players}")
        size = self.match.hand_size[num_players - PLAYER_COUNTS[0]]
        if num_players * size > self.num_cards:
            part = HAND_PARTS[num_players - PLAYER_COUNTS[0]]
            raise ValueError(
                f"{num_players} players need {num_players * size} cards, and these rules have"
                f" {self.num_cards}: lower match.hand_size.{part}, or raise match.characters or match.letters"
            )
        return size

    def character(self, card: int) -> int:
        """Index of the card's character in `characters`."""
        return card // self.match.letters

    def letter(self, card: int) -> int:
        """The card's letter, 0 for A."""
        return card % self.match.letters

    def action(self, card: int) -> int:
        """What the card does, an index of `ACTIONS`."""
        return ACTIONS.index(self.characters[self.character(card)].action)

    def acts_on(self, card: int) -> str:
        """Where the card acts: `stacks` (P3), `battlefields` (P5), or `nowhere`."""
        colour = self.characters[self.character(card)].colour
        return self.colours[COLOURS.index(colour)].acts_on

    def card_name(self, card: int) -> str:
        """The card as printed: its character's number and its letter."""
        return f"{self.character(card) + 1}{LETTERS[self.letter(card)]}"

    def card(self, name: str) -> int:
        """Find a card by its printed name, whatever the case; UnknownNameError otherwise."""
        names = [self.card_name(card) for card in range(self.num_cards)]
        if name.strip().upper() not in names:
            raise UnknownNameError("card", name, names)
        return names.index(name.strip().upper())


def load_rules(files: Sequence[Path] = (), overrides: Sequence[str] = ()) -> Rules:
    """Read the rules in the box, and lay files and then overrides over them; later ones win.

    Overrides are texts such as `match.characters=2` or `characters.1.action=bury`.
    See `engine.rulelayers.load_layers`.
    """
    draft, provenance = load_layers(SCHEMA, contradictions, _BOX_FILE, files, overrides)

    def get(key: str) -> Any:
        return draft.leaves[key].value

    return Rules(
        name=draft.name,
        match=MatchRule(
            characters=get("match.characters"),
            letters=get("match.letters"),
            hand_size=(get("match.hand_size.two"), get("match.hand_size.three")),
        ),
        colours=tuple(
            ColourRule(id=colour, acts_on=get(f"colours.{colour}.acts_on"))  # type: ignore[arg-type]
            for colour in COLOURS
        ),
        characters=tuple(
            CharacterRule(
                id=number,
                action=get(f"characters.{number}.action"),
                colour=get(f"characters.{number}.colour"),
            )
            for number in NUMBERS
        ),
        provenance=provenance,
    )
