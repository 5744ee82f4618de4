"""Raverun's rules as data: the box, what a designer may change, and every way it can be wrong."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings

from engine.raverun.rules import Rules, RulesError, UnknownNameError, diff_rules, load_rules, to_toml
from tests.engine.raverun.plays import BOX, rules_files

BOX_SHA256 = "b5f81d1a66159bc9b233adb7a676936d052dd41f769b7ae0ec64f3c24fd2df60"


def test_V1_V2_the_box() -> None:
    assert (BOX.match.characters, BOX.match.letters, BOX.num_cards) == (8, 3, 24)
    assert (BOX.hand_size(2), BOX.hand_size(3)) == (7, 6)
    actions = ["swap", "exchange", "draw", "deploy", "capture", "bury", "recall", "shuffle"]
    assert [character.action for character in BOX.characters] == actions
    assert [character.colour for character in BOX.characters] == ["green"] * 4 + ["red"] * 4
    assert set(BOX.provenance.values()) == {"rulebook"}


def test_the_hash_of_the_box_is_frozen() -> None:
    # Reports name rules by it: if this fails, a value in the box or the canonical form has changed.
    assert BOX.sha256 == BOX_SHA256


def test_the_hash_leaves_out_characters_that_are_not_in_the_game() -> None:
    small = ["match.characters=2", "match.hand_size=2"]
    same, other = [*small, "characters.3.action=bury"], [*small, "characters.2.action=bury"]
    assert load_rules(overrides=small).sha256 == load_rules(overrides=same).sha256
    assert load_rules(overrides=small).sha256 != load_rules(overrides=other).sha256


@pytest.mark.parametrize(
    ("override", "key"),
    [
        ("match.letters=2", "match.letters"),
        ("match.hand_size.two=5", "match.hand_size.two"),
        ("characters.3.action=bury", "characters.3.action"),
        ("characters.3.colour=red", "characters.3.colour"),
        ("colours.red.acts_on=nowhere", "colours.red.acts_on"),
    ],
)
def test_one_value_changed(override: str, key: str) -> None:
    rules = load_rules(overrides=[override])
    assert [row[0] for row in diff_rules(BOX, rules)] == rules.changed == [key]
    assert rules.sha256 != BOX_SHA256


def test_one_hand_size_for_both_numbers_of_players() -> None:
    assert load_rules(overrides=["match.hand_size=5"]).match.hand_size == (5, 5)


@pytest.mark.parametrize(
    ("overrides", "message"),
    [
        (["match.letters=7"], "[match] letters = 7: out of range; allowed: a whole number from 1 to 6"),
        (
            ["match.letters=4"],
            "[match] letters = 4: 8 characters of 4 letters are 32 cards; allowed: at most 24",
        ),
        (["match.characters=4"], "[match] hand_size.two = 7: two hands need 14 cards, and there are 12"),
        (["match.hand_size.two=1"], "[match] hand_size.two = 1: out of range"),
        (["match.hand_size.four=4"], "there is no such number of players; allowed: two, three"),
        (["characters.9.action=swap"], "[characters.9]: there is no such character; allowed: 1, 2, 3"),
        (["characters.1.action=swop"], '[characters.1] action = "swop": not allowed here; allowed: "swap"'),
        (["characters.1.color=red"], "there is no such key; did you mean colour?"),
        (["colours.blue.acts_on=stacks"], "[colours.blue]: there is no such colour"),
        (
            ["colours.red.acts_on=stacks"],
            '[characters.6] action = "bury": with draw, deploy, bury all acting',
        ),
    ],
)
def test_mistakes_are_named(overrides: list[str], message: str) -> None:
    with pytest.raises(RulesError) as caught:
        load_rules(overrides=overrides)
    assert message in str(caught.value)
    assert str(caught.value).startswith("--set: ")


def test_too_few_cards_for_three_is_said_when_three_want_to_play() -> None:
    rules = load_rules(overrides=["match.characters=5", "match.hand_size.two=3"])
    assert rules.hand_size(2) == 3
    with pytest.raises(ValueError, match=r"3 players need 18 cards, and these rules have 15: lower match"):
        rules.hand_size(3)


def test_cards_are_found_by_name() -> None:
    assert BOX.card_name(BOX.card(" 8c ")) == "8C"
    with pytest.raises(UnknownNameError, match="no card is called '9A'"):
        BOX.card("9A")


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(rules_files())
def test_writing_and_reading_gives_the_same_rules(tmp_path: Path, rules: Rules) -> None:
    file = tmp_path / "variant.toml"
    # What a file says of provenance is seen when it is read: here it claims nothing.
    unclaimed = dict.fromkeys(BOX.provenance, "changed")
    file.write_text(to_toml(msgspec.structs.replace(rules, provenance=unclaimed)), encoding="utf-8")
    again = load_rules([file])
    assert diff_rules(again, rules) == []
    assert again.sha256 == rules.sha256
