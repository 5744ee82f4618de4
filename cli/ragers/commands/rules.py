"""``ragers rules``: how the rules of Ragers are shown."""

from __future__ import annotations

from collections.abc import Callable

from cli.rules_commands import Grid, Mark, RulesOf, make_rules_group
from engine.ragers.rules import PLAYERS, Rules, as_tables, diff_rules, load_rules, to_toml
from engine.ragers.rules_schema import SCHEMA


def _match_rows(rules: Rules, mark: Mark) -> Grid:
    values = as_tables(rules)["match"]
    return ["key", "value"], [[key, f"{value}{mark(f'match.{key}')}"] for key, value in values.items()]


def _card_rows(rules: Rules, mark: Mark) -> Grid:
    rows = []
    for card in rules.cards:
        key = f"cards.{card.id}"
        copies = [
            f"{count}{mark(f'{key}.copies.{player}')}"
            for player, count in zip(PLAYERS, card.copies, strict=True)
        ]
        beats = (", ".join(card.beats) or "-") + mark(f"{key}.beats")
        rows.append([card.id, card.kind, beats, *copies, f"{card.gp}{mark(f'{key}.gp')}"])
    totals = [str(sum(card.copies[player] for card in rules.cards)) for player in (0, 1)]
    return ["card", "kind", "beats", *PLAYERS, "GP"], [*rows, ["deck", "", "", *totals, ""]]


def _patron_rows(rules: Rules, mark: Mark) -> Grid:
    rows = []
    for patron in rules.patrons:
        key = f"patrons.{patron.id}"
        length = f"{rules.row_length(patron)}{mark(f'{key}.row_length')}"
        forbidden = (", ".join(patron.forbidden) or "-") + mark(f"{key}.forbidden")
        rows.append([patron.id, patron.name, length, forbidden])
    return ["id", "patron", "row length", "forbidden"], rows


def _cheers_rows(rules: Rules, mark: Mark) -> Grid:
    rows = []
    for cheers in rules.cheers:
        key = f"cheers.{cheers.id}"
        required = ", ".join(cheers.required) + mark(f"{key}.required")
        forbidden = (", ".join(cheers.forbidden) or "-") + mark(f"{key}.forbidden")
        rows.append([cheers.id, required, forbidden, f"{cheers.gp}{mark(f'{key}.gp')}"])
    return ["id", "required", "forbidden", "GP"], rows


_ROWS: dict[str, Callable[[Rules, Mark], Grid]] = {
    "match": _match_rows,
    "cards": _card_rows,
    "patrons": _patron_rows,
    "cheers": _cheers_rows,
}

rules_group = make_rules_group(
    RulesOf(
        program="ragers",
        schema=SCHEMA,
        load_rules=load_rules,
        as_tables=as_tables,
        diff_rules=diff_rules,
        to_toml=to_toml,
        rows=_ROWS,
        section="cards",
        file_lines=('name = "Strong Bashers"', "[cards.basher]", "gp = 4"),
    )
)
