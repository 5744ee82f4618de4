"""Each number of a game's rules by one more and one less: accepted, or refused by a bound that is named."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from typing import Any

import pytest

from engine.rulefiles import RulesError, toml_value

GAMES = ("clash", "ophidian", "ragers", "raverun", "warage")


def changed_by_one(value: Any) -> Iterator[Any]:
    """A value with one of its numbers by one less, and by one more, and so on."""
    if type(value) is int:
        yield from (value - 1, value + 1)
    places = value.items() if isinstance(value, dict) else enumerate(value) if _is_list(value) else ()
    for place, inner in places:
        for other in changed_by_one(inner):
            found = dict(value) if isinstance(value, dict) else list(value)
            found[place] = other
            yield found


def _is_list(value: Any) -> bool:
    return isinstance(value, list | tuple)


def of_each_kind(values: dict[str, Any]) -> list[str]:
    """The keys of the first and of the last entry of each table of entries: its entries are checked alike."""
    kinds: dict[str, list[str]] = {}
    for key in values:
        table, *path = key.split(".")
        kinds.setdefault(".".join([table, *path[1::2], path[-1]]), []).append(key)
    return [key for found in kinds.values() for key in dict.fromkeys((found[0], found[-1]))]


def check(game: str, *, every: bool) -> None:
    load: Any = import_module(f"engine.{game}.rules").load_rules
    values = load().values()
    tried = 0
    for key in values if every else of_each_kind(values):
        # Lists and effects are long; what they hold is left to the slow tests.
        for changed in changed_by_one(values[key]) if every or type(values[key]) is int else ():
            tried += 1
            text = f"{key}={toml_value(changed)}"
            try:
                found = load((), [text])
            except RulesError as error:
                for problem in error.problems:
                    assert problem.file == "--set", (text, str(problem))
                    assert problem.allowed, (text, str(problem))
                    # Named is the number itself, or the table in which it contradicts another one.
                    assert f"{key}.".startswith(f"{problem.table}."), (text, str(problem))
            else:
                assert key in found.changed
    assert tried


@pytest.mark.parametrize("game", GAMES)
def test_every_kind_of_number_can_be_changed_by_one_or_a_bound_of_its_own_is_named(game: str) -> None:
    check(game, every=False)


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_every_number_can_be_changed_by_one_or_a_bound_of_its_own_is_named(game: str) -> None:
    check(game, every=True)


def test_a_contradicted_number_is_refused_in_a_game_with_totals() -> None:
    load: Any = import_module("engine.clash.rules").load_rules
    with pytest.raises(RulesError, match="allowed: weapons = 43"):
        load((), ["components.weapons=44"])
    assert "components.weapons" not in load((), ["equipment.club.copies=5"]).assumed
