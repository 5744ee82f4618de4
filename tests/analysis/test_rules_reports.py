"""Rules in words: values and where they come from, what differs, and files that say it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from analysis.errors import RequestError
from analysis.rules_reports import (
    Leaf,
    as_json,
    beside,
    changes_from,
    checked,
    kept_file,
    leaves_of,
)
from tests.front.games import game


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


def test_what_is_left_out_of_a_kept_file_is_as_in_the_box(tmp_path: Path) -> None:
    bidding, file = game("bidding"), tmp_path / "more.toml"
    file.write_text("[prizes.tin]\nname = 'Tin'\nworth = 1\n[cards.two]\nvalue = 7\n", encoding="utf-8")
    box, rules = bidding.read(), bidding.read([file])
    assert beside(box, rules, "prizes.tin") == ["prizes.tin"]
    assert beside(box, rules, "prizes.gold") == []
    file.write_text(kept_file(box, rules, "less", ["prizes.tin"]), encoding="utf-8")
    assert changes_from(box, bidding.read([file])) == ["cards.two.value 2 → 7"]
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
