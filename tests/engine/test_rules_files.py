"""Rules files of all games: each value changed, each kind of mistake named, random rules written and read."""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib import import_module
from itertools import zip_longest
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec import inspect

from engine.rulefiles import Field, RulesError, toml_value
from tests.engine.random_rules import random_rules

GAMES = ("clash", "ophidian", "ragers", "raverun", "warage")
HERE = Path(__file__).parent


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


def read(game: str, tmp_path: Path, text: str) -> Any:
    file = tmp_path / "variant.toml"
    file.write_text(text, encoding="utf-8")
    return import_module(f"engine.{game}.rules").load_rules([file])


@pytest.mark.parametrize("game", ["clash", "ragers", "raverun"])
def test_writing_and_reading_gives_the_same_rules(game: str, tmp_path: Path) -> None:
    rules_of: Any = import_module(f"engine.{game}.rules")
    # What a file says of provenance is seen when it is read: here it claims nothing.
    unclaimed = dict.fromkeys(rules_of.load_rules().provenance, "changed")
    for seed in range(20):
        rules = random_rules(game, seed)
        again = read(game, tmp_path, rules_of.to_toml(msgspec.structs.replace(rules, provenance=unclaimed)))
        assert rules_of.diff_rules(again, rules) == []
        assert again.sha256 == rules.sha256


def wrong_values(field: Field) -> Iterator[str]:
    """Values of a kind that a field does not hold, and numbers outside its bounds."""
    kind: Any = inspect.type_info(field.type)
    if isinstance(kind, inspect.IntType):
        yield from (str(kind.ge - 1), str(kind.le + 1), "2.5", "true", '"3"')
    elif isinstance(kind, inspect.LiteralType):
        yield from (f'"{kind.values[0]}{kind.values[0]}"', "3")
    elif isinstance(kind, inspect.BoolType):
        yield from ('"yes"', "1")
    elif isinstance(kind, inspect.ListType):
        yield from ('"word"', "[1.5]")
    else:
        yield from ("2.5", "[]", '""')


@pytest.mark.parametrize("game", GAMES)
def test_every_kind_of_mistake_is_named_with_its_place_and_what_is_allowed(game: str) -> None:
    load: Any = import_module(f"engine.{game}.rules").load_rules
    schema, tables = load().schema, load().tables()
    places = {re.sub(r"\.[^.]+", "", table) if "." in table else table: table for table in tables}
    # One of each field at a time: all that is wrong together is named, each with its place.
    for wrong in zip_longest(
        *(
            [
                *((table, key, f"{key}={value}") for value in wrong_values(field)),
                (table, f"{key}x", f"{key}x=1"),
                *((table, f"{key}.{part}x", f"{key}.{part}x=1") for part in field.parts[:1]),
            ]
            for table in places.values()
            for key, field in schema.fields(table).items()
        )
    ):
        said = [each for each in wrong if each is not None]
        with pytest.raises(RulesError) as caught:
            load((), [f"{table}.{text}" for table, _, text in said])
        problems = caught.value.problems
        assert len(problems) == len(said)
        for (table, named, text), problem in zip(said, problems, strict=True):
            assert (problem.file, problem.table) == ("--set", table), text
            assert problem.key == named or problem.key.startswith(f"{named}."), text
            assert problem.allowed, text


@pytest.mark.parametrize("game", GAMES)
def test_contradictions_are_named_with_their_place(game: str) -> None:
    load: Any = import_module(f"engine.{game}.rules").load_rules
    for line in (HERE / "contradictions.txt").read_text(encoding="utf-8").splitlines():
        of, *parts = line.split("\t")
        if of == game:
            with pytest.raises(RulesError) as caught:
                load((), parts[1:])
            assert parts[0] in [f"{each.table}.{each.key}".rstrip(".") for each in caught.value.problems], (
                line
            )
            assert all(each.file == "--set" and each.allowed for each in caught.value.problems), line


def test_values_of_other_keys_differ_as_wholes() -> None:
    rules: Any = import_module("engine.ophidian.rules")
    changed = rules.load_rules((), ['cards.plate.put_on={kind="minion"}', "gladiators.runt.attack.one=3"])
    found = {key: after for key, _, after in rules.diff_rules(rules.load_rules(), changed)}
    assert found == {"cards.plate.put_on": {"kind": "minion"}, "gladiators.runt.attack.one": 3}
