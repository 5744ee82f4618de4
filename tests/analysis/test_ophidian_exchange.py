"""One action under hidden responses: equilibrium values against plain averages, thresholds, mistakes."""

from __future__ import annotations

from math import comb

import pytest

from analysis.errors import RequestError
from analysis.ophidian import announced_attack, position
from analysis.ophidian.exchange import parse_cards, response_report
from engine.ophidian.reference import State
from engine.ophidian.rules import load_rules

RULES = load_rules()
SIDESTEP, HEX, BLOOD_UP = (RULES.card(name) for name in ("sidestep", "hex", "blood-up"))


def dared() -> State:
    """An attack that gains a point unless it is answered, and then loses one; waiting keeps even."""
    team, against = "Mirror Witch w3 L3, Scrap w4 L2", "Saw-Hand w4, G'frhtru@S w7 L3"
    return position(team, against, wave=3, cheer="1:4")


def test_the_probability_from_which_an_attack_is_wrong() -> None:
    state = dared()
    attack = announced_attack(state, "Mirror Witch > Saw-Hand")
    for unseen, chosen in ((40, True), (30, False)):
        report = response_report(state, ({}, {SIDESTEP: 3}), (44, unseen), (7, 7), (11, 11), attack=attack)
        [threshold] = report.thresholds
        assert (threshold.without, threshold.held, report.best_other) == (1.0, -1.0, 0.0)
        assert threshold.probability == pytest.approx(0.5)
        held = 1 - comb(unseen - 3, 7) / comb(unseen, 7)
        assert report.value == pytest.approx(max(1 - 2 * held, 0.0))
        assert (held < threshold.probability) is chosen
        assert any(each.action == "Mirror Witch attacks Saw-Hand" for each in report.mix) is chosen
        assert report.exploitability <= 1e-6


def test_both_sides_may_hold_responses_and_what_cannot_be_paid_does_not_count() -> None:
    report = response_report(dared(), ({HEX: 2}, {SIDESTEP: 3, HEX: 1}), (30, 30), (7, 7), (11, 11))
    assert report.num_hands == [3, 8]
    assert report.exploitability <= 1e-6
    assert sum(each.share for each in report.mix) == pytest.approx(1.0)
    poor = response_report(dared(), ({}, {SIDESTEP: 3}), (44, 8), (7, 7), (11, 0))
    assert poor.value == pytest.approx(1.0)


def test_mistakes_are_named() -> None:
    for text, said in (
        ("hexx", "did you mean hex?"),
        ("plate 2", "Plate is no response"),
    ):
        with pytest.raises(RequestError, match=said):
            parse_cards(RULES, text, "--hand")
    assert parse_cards(RULES, "sidestep 3, Blood Up", "--hand") == {SIDESTEP: 3, BLOOD_UP: 1}
    with pytest.raises(RequestError, match="cannot be among 2 unseen ones"):
        response_report(dared(), ({}, {SIDESTEP: 3}), (44, 2), (7, 7), (11, 11))
    lasting = 'cards.hex.abilities=[{when="announced",to="attacked",lasts="wave",'
    lasting += 'do=[{act="modify",stat="shield",amount=1}]}]'
    with pytest.raises(RequestError, match="more than this action"):
        parse_cards(load_rules(overrides=[lasting]), "hex", "--hand")
