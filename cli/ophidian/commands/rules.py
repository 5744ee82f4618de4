"""``ophidian rules``: how the rules of Ophidian Arena are shown."""

from __future__ import annotations

from cli.rules_commands import Column, entry_rows, make_rules_group, rules_of, values_of
from engine.ophidian.rules_schema import NEVER, NUMBERS


def _by_level(key: str) -> Column:
    """The same on all levels, or one number for each."""

    def shown(gladiator: object, _rules: object) -> object:
        values = getattr(gladiator, key)
        return values[0] if len(set(values)) == 1 else "/".join(map(str, values))

    return key, shown


def _requires(card: object, _rules: object) -> object:
    requires: tuple[tuple[str, int], ...] = card.requires  # type: ignore[attr-defined]
    return ", ".join(f"{discipline} {level}" for discipline, level in requires)


def _maintain(card: object, _rules: object) -> object:
    cost: int = card.maintain  # type: ignore[attr-defined]
    return "never" if cost == NEVER else cost


_CARDS = (
    values_of("type", "cost")
    | {"requires": ("requires", _requires)}
    | values_of("sign")
    | {"maintain": ("maintain", _maintain)}
)
_DECKS = values_of("team", "size")
_GLADIATORS = values_of("points") | {key: _by_level(key) for key in NUMBERS}

rules_group = make_rules_group(
    rules_of(
        "ophidian",
        {
            "gladiators": entry_rows(["gladiator"], "gladiators", _GLADIATORS),
            "cards": entry_rows(["card"], "cards", _CARDS),
            "teams": entry_rows(["team"], "teams", values_of("gladiators")),
            "decks": entry_rows(["deck"], "decks", _DECKS),
        },
        section="gladiators",
        file_lines=('name = "A tougher Runt"', "[gladiators.runt]", "shield = 1"),
    )
)
