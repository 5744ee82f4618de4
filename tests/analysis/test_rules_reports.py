"""Rules in words: values and where they come from, what differs, and files that say it."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any, NamedTuple

import pytest

from analysis.errors import RequestError
from analysis.rules_reports import (
    Entry,
    Leaf,
    as_json,
    changes_from,
    checked,
    copied_entry,
    entry_of,
    kept_file,
    leaves_of,
    set_aside,
    shown,
)
from tests.front.games import game


class Schema:
    """Values of two parts below `hp`."""

    def leaf_keys(self, table: str, key: str) -> list[str]:
        return [f"{table}.{key}.{part}" for part in ("a", "b")] if key == "hp" else [f"{table}.{key}"]


def rules_of(provenance: dict[str, str]) -> Any:
    return SimpleNamespace(schema=Schema(), provenance=provenance)


@pytest.mark.parametrize(
    ("table", "name", "title"),
    [
        ("match", None, "Match"),
        ("cards.big-club", None, "Big club"),
        ("cards.big-club", "The Club", "The Club"),
        ("clans.orcs.units", None, "Units (orcs)"),
        ("clans.orcs.units.axe", "Axe", "Axe (orcs)"),
        ("clans.orcs.units.axe.levels", None, "Levels (orcs, axe)"),
    ],
)
def test_an_entry_says_what_it_is_and_in_what_it_is(table: str, name: str | None, title: str) -> None:
    keys = {"cost": 2} if name is None else {"name": name, "cost": 2}
    assert entry_of(rules_of({}), table, keys) == Entry(table, title, [("cost", "2", "rulebook")])


def test_a_value_comes_from_the_least_certain_of_its_parts() -> None:
    rules = rules_of({"t.hp.a": "public", "t.hp.b": "assumed", "t.cost": "changed", "t.size": "public"})
    found = entry_of(
        rules, "t", {"hp": {"a": 1, "b": True}, "cost": None, "size": [], "name": "x", "y": (1, False)}
    )
    assert found.values == [
        ("hp", "a 1, b yes", "assumed"),
        ("cost", "–", "changed"),
        ("size", "–", "public"),
        ("y", "1, no", "rulebook"),
    ]
    assert (found.changed, found.title) == (True, "x")
    # A change is not forgotten for what comes after it.
    later = {"t.cost": "changed"}
    assert entry_of(rules_of(later), "t", {"cost": 1, "size": 2}).changed
    assert not entry_of(rules_of({"t.cost": "assumed"}), "t", {"cost": 1}).changed


def test_values_in_words() -> None:
    values: tuple[Any, ...] = (True, False, None, 1.5, "word", ["a", 2], [], {"x": [1, None]}, {})
    assert [shown(value) for value in values] == ["yes", "no", "–", "1.5", "word", "a, 2", "–", "x 1, –", ""]


class Sample(NamedTuple):
    id: str
    name: str


def test_samples_that_are_gone_are_named_unless_all_are() -> None:
    one, two, three = (Sample(each, each.upper()) for each in ("one", "two", "three"))
    box: Any = SimpleNamespace(teams=[one, two, three], decks=[one, two])

    def left(**samples: list[Sample]) -> list[str]:
        return set_aside(box, SimpleNamespace(**samples))

    assert left(teams=[two], decks=[one, two]) == [
        "Sample teams that these values no longer allow were set aside: ONE, THREE."
    ]
    assert left(teams=[one, two, three], decks=[two])[0].startswith("Sample decks")
    assert left(teams=[], decks=[]) == []
    assert left(teams=[one, two, three], decks=[one, two]) == []
    assert set_aside(SimpleNamespace(), SimpleNamespace()) == []


@pytest.mark.parametrize(
    ("value", "text", "typed", "override"),
    [
        ("word", "word", "other", 't.a="other"'),
        (["x", "y"], "x, y", " p, q ,", 't.a=["p", "q"]'),
        (["x"], "x", "", "t.a=[]"),
        (["x"], "x", '["p"]', 't.a=["p"]'),
        ([1, 2], "[1, 2]", "[3]", "t.a=[3]"),
        (3, "3", "4", "t.a=4"),
        (None, "", "5", "t.a=5"),
        ("", "", "x", 't.a="x"'),
        (True, "true", "false", "t.a=false"),
    ],
)
def test_a_value_is_typed_as_it_is_shown(value: Any, text: str, typed: str, override: str) -> None:
    leaf = Leaf("a", "", None, value)
    assert leaf.text == text
    assert leaf.override("t", typed) == override


CHANGES = ("prizes.gold.worth=9", "cards.two.value=7")


def test_a_file_of_what_differs_gives_the_same_rules(tmp_path: Path) -> None:
    bidding = game("bidding")
    box, rules = bidding.read(), bidding.read((), CHANGES)
    text = kept_file(box, rules, "Mine")
    file = tmp_path / "mine.toml"
    file.write_text(text, encoding="utf-8")
    again = bidding.read([file])
    assert again.tables() == rules.tables()
    assert again.name == "Mine"
    assert text.splitlines()[0] == 'name = "Mine"'
    assert {"[prizes.gold]", "worth = 9", "[cards.two]", "value = 7"} <= set(text.splitlines())
    assert sorted(changes_from(box, rules)) == ["cards.two.value 2 → 7", "prizes.gold.worth 3 → 9"]
    assert changes_from(box, box) == []


def test_a_copy_of_an_entry_is_one_more(tmp_path: Path) -> None:
    bidding = game("bidding")
    box = bidding.read()
    file = tmp_path / "more.toml"
    file.write_text(copied_entry(box, "prizes.gold", "tin"), encoding="utf-8")
    tables = bidding.read([file]).tables()
    assert tables["prizes.tin"] == tables["prizes.gold"] == box.tables()["prizes.gold"]
    assert set(tables) - set(box.tables()) == {"prizes.tin"}
    assert [leaf.path for leaf in leaves_of(box, "prizes.gold")].count("worth") == 1


def test_rules_that_cannot_be_used_say_each_problem() -> None:
    bidding = game("bidding")
    fine = checked(bidding.read, "mine", (), CHANGES)
    assert (fine["ok"], fine["problems"], "notes" in fine) == (True, [], False)
    assert sorted(fine["changed"]) == ["cards.two.value", "prizes.gold.worth"]
    with pytest.raises(RequestError, match="worth"):
        bidding.read((), ["prizes.gold.worth=many"])
    values = as_json(bidding.read((), CHANGES).tables(), bidding.read((), CHANGES), ["prizes"])
    assert values["prizes"]["gold"]["worth"] == 9
    assert set(values) == {"name", "sha256", "prizes", "provenance"}
    assert values["provenance"]["prizes.gold.worth"] == "changed"
    assert all(key.startswith("prizes.") for key in values["provenance"])
