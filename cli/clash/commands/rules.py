"""``clash rules``: how the rules of Clash of Rage are shown."""

from __future__ import annotations

from typing import Any

from cli.rules_commands import Grid, Mark, RulesOf, make_rules_group
from engine.clash.rules import Bonus, Rules, as_tables, diff_rules, load_rules, to_toml
from engine.clash.rules_schema import BONUSES, SCHEMA


def _bonus(bonus: Bonus) -> str:
    return ", ".join(f"{name} {count}" for name, count in zip(BONUSES, bonus, strict=True) if count)


def _plain_rows(section: str) -> Any:
    """Rows of a table of single values, parts of a value on lines of their own."""

    def rows(rules: Rules, mark: Mark) -> Grid:
        grid = []
        for key, value in as_tables(rules)[section].items():
            parts = value.items() if isinstance(value, dict) else [("", value)]
            for part, one in parts:
                dotted = f"{key}.{part}" if part else key
                marks = [each for each in rules.provenance if f"{each}.".startswith(f"{section}.{dotted}.")]
                said = str(one).lower() if isinstance(one, bool) else str(one)
                grid.append([dotted, f"{said}{mark(*marks)}"])
        return ["key", "value"], grid

    return rows


def _marks(rules: Rules, table: str) -> list[str]:
    return [key for key in rules.provenance if key.startswith(f"{table}.") and not key.endswith(".name")]


def _clan_rows(rules: Rules, mark: Mark) -> Grid:
    grid = []
    for clan in rules.clans:
        for unit in clan.units:
            table = f"clans.{clan.id}.units.{unit.id}"
            numbers = [
                f"{getattr(unit, key)}{mark(f'{table}.{key}')}" for key in ("power", "life", "move", "max")
            ]
            icons = [key for key in _marks(rules, table) if ".icons." in key]
            grid.append([clan.id, unit.id, *numbers, f"{_bonus(unit.icons) or '-'}{mark(*icons)}"])
    return ["clan", "unit", "power", "life", "move", "max", "icons"], grid


def _elf_rows(rules: Rules, mark: Mark) -> Grid:
    grid = []
    for elf in rules.elves:
        table = f"elves.{elf.id}"
        numbers = [f"{getattr(elf, key)}{mark(f'{table}.{key}')}" for key in ("power", "life", "tokens")]
        icons = [key for key in _marks(rules, table) if ".icons." in key]
        grid.append([elf.id, *numbers, f"{_bonus(elf.icons) or '-'}{mark(*icons)}"])
    return ["elves", "power", "life", "tokens", "icons"], grid


def _equipment_rows(rules: Rules, mark: Mark) -> Grid:
    grid = []
    for card in rules.equipment:
        said = mark(*_marks(rules, f"equipment.{card.id}"))
        row = [f"{card.id}{said}", card.space, str(card.copies), str(card.cost), _bonus(card.bonus) or "-"]
        grid.append(row)
    return ["equipment", "space", "copies", "cost", "bonus"], grid


def _legendary_rows(rules: Rules, mark: Mark) -> Grid:
    grid = [
        [f"{card.id}{mark(*_marks(rules, f'legendary.{card.id}'))}", card.space, _bonus(card.bonus) or "-"]
        for card in rules.legendary
    ]
    return ["legendary", "space", "bonus"], grid


def _tactic_rows(rules: Rules, mark: Mark) -> Grid:
    grid = []
    for clan in rules.clans:
        said = mark(*_marks(rules, f"tactics.{clan.id}"))
        for card in clan.tactics:
            grid.append([f"{clan.id}{said}", str(card.order), str(card.gold), " ".join(map(str, card.units))])
    return ["clan", "order", "gold", "units"], grid


def _tile_rows(rules: Rules, mark: Mark) -> Grid:
    grid = []
    for tile in rules.tiles:
        mountains = " ".join(f"{one}-{other}" for one, other in tile.mountains)
        said = mark(*_marks(rules, f"tiles.{tile.id}"))
        sites = [str(site) for site in (tile.city, tile.forge, tile.stone, tile.stone_level)]
        grid.append([f"{tile.id}{said}", *sites, mountains or "-"])
    return ["tile", "city", "forge", "stone", "level", "mountains"], grid


def _layout_rows(rules: Rules, mark: Mark) -> Grid:
    grid = []
    for number, centres in enumerate(rules.layouts, 2):
        text = " ".join(f"({q}, {r})" for q, r in centres)
        grid.append([str(number), text])
    return ["tiles", "centres"], grid


rules_group = make_rules_group(
    RulesOf(
        program="clash",
        schema=SCHEMA,
        load_rules=load_rules,
        as_tables=as_tables,
        diff_rules=diff_rules,
        to_toml=to_toml,
        rows={
            **{section: _plain_rows(section) for section in ("match", "battle", "solo", "components")},
            "clans": _clan_rows,
            "elves": _elf_rows,
            "equipment": _equipment_rows,
            "legendary": _legendary_rows,
            "tactics": _tactic_rows,
            "tiles": _tile_rows,
            "layouts": _layout_rows,
        },
        section="clans",
        file_lines=('name = "A stronger Executioner"', "[clans.bohorg.units.executioner]", "power = 7"),
    )
)
