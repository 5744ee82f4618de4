"""``raverun rules``: how the rules of Raverun are shown."""

from __future__ import annotations

from collections.abc import Iterator

from cli.rules_commands import Entry, entry_rows, make_rules_group, rules_of, values_of
from engine.raverun.rules import Rules
from engine.raverun.rules_schema import LETTERS


def _characters(rules: Rules) -> Iterator[Entry]:
    for number, character in enumerate(rules.characters, 1):
        letters = LETTERS[: rules.match.letters] if number <= rules.match.characters else "-"
        yield [character.id, letters], f"characters.{character.id}", character


rules_group = make_rules_group(
    rules_of(
        "raverun",
        {
            "colours": entry_rows(["colour"], "colours", values_of(**{"acts on": "acts_on"})),
            "characters": entry_rows(["character", "letters"], _characters, values_of("action", "colour")),
        },
        section="characters",
        file_lines=('name = "Small Raverun"', "[match]", "characters = 2", "hand_size = 2"),
    )
)
