"""Rules files to begin with: they pass the check as they are, and say what may stand where."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from analysis.front.asking import function_of
from analysis.front.verbs.new_entry import NewEntry, kinds_of
from engine.rulefiles import toml_value
from tests.front.games import QUICK, check_each, game


def new(name: str, kind: str, **more: str) -> NewEntry:
    found: NewEntry = function_of(game(name).question("rules new"))(entry=kind, **more)
    return found


@pytest.mark.parametrize("name", QUICK)
def test_every_kind_can_be_begun_and_the_file_can_be_used(name: str, tmp_path: Path) -> None:
    check_each(kinds_of(game(name).schema), lambda kind: check_kind(name, kind, tmp_path))


def check_kind(name: str, kind: str, tmp_path: Path) -> None:
    found = new(name, kind)
    file = tmp_path / "my.toml"
    file.write_text(found.toml, encoding="utf-8")
    box, rules = game(name).read(), game(name).read([file])
    assert found.table in rules.tables()
    assert (found.table in box.tables()) is not found.is_new
    assert bool(found.why) is not found.is_new
    folder = found.table.rpartition(".")[0]
    like: dict[str, Any] = box.tables()[f"{folder}.{found.like}"]
    made = rules.tables()[found.table]
    assert {key: value for key, value in made.items() if key != "name"} == {
        key: value for key, value in like.items() if key != "name"
    }
    for key, value in made.items():
        # What may stand there is the line above.
        lines = found.toml.split(f"\n[{found.table}]\n")[1].splitlines()
        place = lines.index(f"{key} = {toml_value(value)}")
        field = game(name).schema.fields(found.table)[key]
        assert lines[place - 1].startswith(f"# {key}: ")
        assert field.allowed in lines[place - 1]


def test_a_name_of_ones_own_and_a_model() -> None:
    found = new("warage", "card", like="Fireball", called="Frost Bolt")
    assert (found.table, found.like, found.is_new) == ("cards.frost-bolt", "fireball", True)
    assert 'name = "Frost Bolt"' in found.toml
    changed = new("clash", "unit", like="Lancer", called="Frost Rider")
    assert (changed.table, changed.is_new) == ("clans.steamfield.units.lancer", False)
    assert "one unit type of each level" in changed.why
    assert 'name = "Frost Rider"' in changed.toml
