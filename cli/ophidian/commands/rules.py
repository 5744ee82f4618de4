"""``ophidian rules``: how the rules of Ophidian Arena are shown."""

from __future__ import annotations

from typing import Any

from cli.rules_commands import Grid, Mark, RulesOf, make_rules_group
from engine.ophidian.rules import Rules, as_tables, diff_rules, load_rules, to_toml
from engine.ophidian.rules_schema import LEVELS, NUMBERS, SCHEMA


def _plain_rows(section: str) -> Any:
    """Rows of a table of single values."""

    def rows(rules: Rules, mark: Mark) -> Grid:
        grid = []
        for key, value in as_tables(rules)[section].items():
            said = str(value).lower() if isinstance(value, bool) else str(value)
            grid.append([key, f"{said}{mark(f'{section}.{key}')}"])
        return ["key", "value"], grid

    return rows


def _levels(values: tuple[int, ...]) -> str:
    """The same on all levels, or one number for each."""
    return str(values[0]) if len(set(values)) == 1 else "/".join(map(str, values))


def _gladiator_rows(rules: Rules, mark: Mark) -> Grid:
    grid = []
    for gladiator in rules.gladiators:
        table = f"gladiators.{gladiator.id}"
        by_level = [
            _levels(getattr(gladiator, key)) + mark(*[f"{table}.{key}.{level}" for level in LEVELS])
            for key in NUMBERS
        ]
        grid.append([gladiator.id, f"{gladiator.points}{mark(f'{table}.points')}", *by_level])
    return ["gladiator", "points", *NUMBERS], grid


def _team_rows(rules: Rules, mark: Mark) -> Grid:
    grid = []
    for team in rules.teams:
        grid.append([team.id, f"{', '.join(team.gladiators)}{mark(f'teams.{team.id}.gladiators')}"])
    return ["team", "gladiators"], grid


rules_group = make_rules_group(
    RulesOf(
        program="ophidian",
        schema=SCHEMA,
        load_rules=load_rules,
        as_tables=as_tables,
        diff_rules=diff_rules,
        to_toml=to_toml,
        rows={
            "match": _plain_rows("match"),
            "combat": _plain_rows("combat"),
            "gladiators": _gladiator_rows,
            "teams": _team_rows,
        },
        section="gladiators",
        file_lines=('name = "A tougher Runt"', "[gladiators.runt]", "shield = 1"),
    )
)
