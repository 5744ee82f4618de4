"""Raverun's rules as data: the box, what a designer may change, and every way it can be wrong."""

from __future__ import annotations

import pytest

from engine.raverun.rules import UnknownNameError, load_rules
from tests.engine.raverun.plays import BOX


def test_too_few_cards_for_three_is_said_when_three_want_to_play() -> None:
    rules = load_rules(overrides=["match.characters=5", "match.hand_size.two=3"])
    assert rules.hand_size(2) == 3
    with pytest.raises(ValueError, match=r"3 players need 18 cards, and these rules have 15: lower match"):
        rules.hand_size(3)


def test_cards_are_found_by_name() -> None:
    assert BOX.card_name(BOX.card(" 8c ")) == "8C"
    with pytest.raises(UnknownNameError, match="no card is called '9A'"):
        BOX.card("9A")
