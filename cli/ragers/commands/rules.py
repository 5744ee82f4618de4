"""``ragers rules``: how the rules of Ragers are shown."""

from __future__ import annotations

from cli.rules_commands import Column, Grid, Mark, entry_rows, make_rules_group, rules_of, values_of
from engine.ragers.rules import PLAYERS, Rules

_COPIES: dict[str, Column] = {
    PLAYERS[0]: (f"copies.{PLAYERS[0]}", lambda card, _: card.copies[0]),
    PLAYERS[1]: (f"copies.{PLAYERS[1]}", lambda card, _: card.copies[1]),
}
_KIND: dict[str, Column] = {"kind": ("", lambda card, _: card.kind)}
_PATRONS: dict[str, Column] = {
    "patron": ("", lambda patron, _: patron.name),
    "row length": ("row_length", lambda patron, rules: rules.row_length(patron)),
}
_CARDS = entry_rows(["card"], "cards", _KIND | values_of("beats") | _COPIES | values_of(GP="gp"))


def _card_rows(rules: Rules, mark: Mark) -> Grid:
    head, rows = _CARDS(rules, mark)
    totals = [str(sum(card.copies[player] for card in rules.cards)) for player in (0, 1)]
    return head, [*rows, ["deck", "", "", *totals, ""]]


rules_group = make_rules_group(
    rules_of(
        "ragers",
        {
            "cards": _card_rows,
            "patrons": entry_rows(["id"], "patrons", _PATRONS | values_of("forbidden")),
            "cheers": entry_rows(["id"], "cheers", values_of("required", "forbidden", GP="gp")),
        },
        section="cards",
        file_lines=('name = "Strong Bashers"', "[cards.basher]", "gp = 4"),
    )
)
