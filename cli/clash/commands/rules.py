"""``clash rules``: how the rules of Clash of Rage are shown."""

from __future__ import annotations

from collections.abc import Iterator

from cli.rules_commands import Column, Entry, entry_rows, make_rules_group, rules_of, values_of
from engine.clash.rules import Bonus, Rules
from engine.clash.rules_schema import BONUSES


def _bonus(bonus: Bonus) -> str:
    return ", ".join(f"{name} {count}" for name, count in zip(BONUSES, bonus, strict=True) if count)


def _units(rules: Rules) -> Iterator[Entry]:
    for clan in rules.clans:
        for unit in clan.units:
            yield [clan.id, unit.id], f"clans.{clan.id}.units.{unit.id}", unit


def _tactics(rules: Rules) -> Iterator[Entry]:
    for clan in rules.clans:
        for card in clan.tactics:
            yield [clan.id], f"tactics.{clan.id}", card


def _layouts(rules: Rules) -> Iterator[Entry]:
    for number, centres in enumerate(rules.layouts, 2):
        yield [str(number)], "layouts", centres


def _pairs(pairs: tuple[tuple[int, int], ...], form: str) -> str:
    return " ".join(form.format(*pair) for pair in pairs)


_ICONS: dict[str, Column] = {"icons": ("icons", lambda entry, _: _bonus(entry.icons))}
_BONUS: dict[str, Column] = {"bonus": ("bonus", lambda entry, _: _bonus(entry.bonus))}
_CARDS: dict[str, Column] = values_of("order", "gold") | {
    "units": ("units", lambda card, _: " ".join(map(str, card.units)))
}
_TILES: dict[str, Column] = values_of("city", "forge", "stone", level="stone_level") | {
    "mountains": ("mountains", lambda tile, _: _pairs(tile.mountains, "{}-{}"))
}
_CENTRES: dict[str, Column] = {"centres": ("", lambda centres, _: _pairs(centres, "({}, {})"))}

rules_group = make_rules_group(
    rules_of(
        "clash",
        {
            "clans": entry_rows(["clan", "unit"], _units, values_of("power", "life", "move", "max") | _ICONS),
            "elves": entry_rows(["elves"], "elves", values_of("power", "life", "tokens") | _ICONS),
            "equipment": entry_rows(
                ["equipment"], "equipment", values_of("space", "copies", "cost") | _BONUS, whole=True
            ),
            "legendary": entry_rows(["legendary"], "legendary", values_of("space") | _BONUS, whole=True),
            "tactics": entry_rows(["clan"], _tactics, _CARDS, whole=True),
            "tiles": entry_rows(["tile"], "tiles", _TILES, whole=True),
            "layouts": entry_rows(["tiles"], _layouts, _CENTRES),
        },
        section="clans",
        file_lines=('name = "A stronger Executioner"', "[clans.bohorg.units.executioner]", "power = 7"),
    )
)
