"""Each number of a game's rules by one more and one less: accepted, or refused by a bound that is named."""

from __future__ import annotations

from collections.abc import Iterable
from importlib import import_module
from typing import Any

import pytest

from engine.rulefiles import RulesError

GAMES = ("clash",)
"""Others have tests of their own."""


@pytest.mark.parametrize("game", GAMES)
def test_every_number_can_be_changed_by_one_or_a_bound_of_its_own_is_named(game: str) -> None:
    load: Any = import_module(f"engine.{game}.rules").load_rules
    numbers = {key: value for key, value in load().values().items() if type(value) is int}
    for key in _of_each_kind(numbers):
        value = numbers[key]
        for changed in (value - 1, value + 1):
            try:
                found = load((), [f"{key}={changed}"])
            except RulesError as error:
                for problem in error.problems:
                    assert problem.file == "--set", (key, changed, str(problem))
                    assert problem.allowed, (key, changed, str(problem))
                    # Named is the number itself, or the table in which it contradicts another one.
                    assert f"{key}.".startswith(f"{problem.table}."), (key, changed, str(problem))
            else:
                assert key in found.changed


def _of_each_kind(keys: Iterable[str]) -> list[str]:
    """The keys of the first and of the last entry of each table of entries: its entries are checked alike."""
    kinds: dict[str, list[str]] = {}
    for key in keys:
        table, *path = key.split(".")
        kinds.setdefault(".".join([table, *path[1::2], path[-1]]), []).append(key)
    return [key for found in kinds.values() for key in dict.fromkeys((found[0], found[-1]))]


def test_a_contradicted_number_is_refused_in_a_game_with_totals() -> None:
    load: Any = import_module("engine.clash.rules").load_rules
    with pytest.raises(RulesError, match="allowed: weapons = 43"):
        load((), ["components.weapons=44"])
    assert "components.weapons" not in load((), ["equipment.club.copies=5"]).assumed
