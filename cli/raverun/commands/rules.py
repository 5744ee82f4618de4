"""``raverun rules``: how the rules of Raverun are shown."""

from __future__ import annotations

from cli.rules_commands import Grid, Mark, RulesOf, make_rules_group
from engine.raverun.rules import Rules, as_tables, diff_rules, load_rules, to_toml
from engine.raverun.rules_schema import HAND_PARTS, LETTERS, SCHEMA


def _match_rows(rules: Rules, mark: Mark) -> Grid:
    match = rules.match
    rows = [[key, f"{getattr(match, key)}{mark(f'match.{key}')}"] for key in ("characters", "letters")]
    for part, size in zip(HAND_PARTS, match.hand_size, strict=True):
        rows.append([f"hand_size.{part}", f"{size}{mark(f'match.hand_size.{part}')}"])
    return ["key", "value"], rows


def _colour_rows(rules: Rules, mark: Mark) -> Grid:
    rows = [
        [colour.id, f"{colour.acts_on}{mark(f'colours.{colour.id}.acts_on')}"] for colour in rules.colours
    ]
    return ["colour", "acts on"], rows


def _character_rows(rules: Rules, mark: Mark) -> Grid:
    rows = []
    for number, character in enumerate(rules.characters, 1):
        key = f"characters.{character.id}"
        letters = LETTERS[: rules.match.letters] if number <= rules.match.characters else "-"
        action = f"{character.action}{mark(f'{key}.action')}"
        rows.append([character.id, letters, action, f"{character.colour}{mark(f'{key}.colour')}"])
    return ["character", "letters", "action", "colour"], rows


rules_group = make_rules_group(
    RulesOf(
        program="raverun",
        schema=SCHEMA,
        load_rules=load_rules,
        as_tables=as_tables,
        diff_rules=diff_rules,
        to_toml=to_toml,
        rows={"match": _match_rows, "colours": _colour_rows, "characters": _character_rows},
        section="characters",
        file_lines=('name = "Small Raverun"', "[match]", "characters = 2", "hand_size = 2"),
    )
)
