"""``ophidian rules``: how the rules of Ophidian Arena are shown."""

from __future__ import annotations

from cli.rules_commands import Column, entry_rows, make_rules_group, rules_of, values_of
from engine.ophidian.rules_schema import NUMBERS


def _by_level(key: str) -> Column:
    """The same on all levels, or one number for each."""

    def shown(gladiator: object, _rules: object) -> object:
        values = getattr(gladiator, key)
        return values[0] if len(set(values)) == 1 else "/".join(map(str, values))

    return key, shown


_GLADIATORS = values_of("points") | {key: _by_level(key) for key in NUMBERS}

rules_group = make_rules_group(
    rules_of(
        "ophidian",
        {
            "gladiators": entry_rows(["gladiator"], "gladiators", _GLADIATORS),
            "teams": entry_rows(["team"], "teams", values_of("gladiators")),
        },
        section="gladiators",
        file_lines=('name = "A tougher Runt"', "[gladiators.runt]", "shield = 1"),
    )
)
