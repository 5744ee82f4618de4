"""Rows rebuilt from what both players showed, against the days they were shown in."""

from __future__ import annotations

from random import Random

import pytest

from engine.ragers.reference import (
    NOTHING,
    Phase,
    is_over,
    start_day,
    step,
)
from engine.ragers.reference_row import (
    DayResult,
    Outcome,
    card_gp,
    combat_gp,
    hidden_slot,
    score_day,
    scoring_icon,
)
from engine.ragers.replay import HIDDEN, NOBODY, replay
from engine.ragers.rules import VETERAN, Rules, load_rules
from tests.engine.ragers.plays import random_move

RULES = load_rules()


def random_day(patron: str, random: Random, rules: Rules = RULES) -> tuple[list[tuple[int, int]], DayResult]:
    """Play a day at random; return what was shown, and its result."""
    state = start_day(rules, patron, ("two-bashers",), preparation=False)
    shown = []
    while not is_over(state):
        move = random_move(state, random)
        if not isinstance(move, int):
            hides = state.phase == Phase.DEADEYE
            first, second = (NOBODY if card == NOTHING else HIDDEN if hides else card for card in move)
            shown.append((first, second))
        state = step(state, move)
    return shown, state.results[0]


@pytest.mark.parametrize("patron", ["the-nameless", "arianna", "solennos", "greybeard"])
@pytest.mark.parametrize("card", ["after-veterans", "at-once"])
def test_rows_score_as_the_day_did(patron: str, card: str) -> None:
    random = Random(patron)
    rules = load_rules(overrides=[f"match.deadeye_card={card}"])
    limit = RULES.row_length(RULES.patron(patron))
    cheers = next(number for number, card in enumerate(RULES.cheers) if card.id == "two-bashers")
    stacks = hidden = 0
    for _ in range(150):
        shown, result = random_day(patron, random, rules)
        rows = replay(shown, limit, at_once=rules.hides_at_once)
        assert score_day(RULES, rows, (cheers,)) == result
        assert max(map(len, rows)) == limit
        cards = [card for row in rows for slot in row for card in slot]
        placed = [card for pair in shown for card in pair if card != NOBODY]
        assert len(cards) == len(placed)
        stacks += any(len(slot) > 1 for row in rows for slot in row)
        hidden += any(card.hidden for card in cards)
        assert sum(card.printed == VETERAN for card in cards) == placed.count(VETERAN)
        for player in (0, 1):
            icon = scoring_icon(result.outcome, rows[player], player)
            brought = 0 if icon is None else sum(card_gp(RULES, rows[player], icon).values())
            assert brought == result.combat_gp[player] or result.outcome == Outcome.TWO_LOSERS
            assert icon is None or combat_gp(RULES, rows[player], icon) == brought
    assert hidden > 10
    assert (stacks > 10) == (patron != "solennos")


def test_what_is_hidden_as_the_day_ends_is_no_decision() -> None:
    """A Deadeye in the last step but one of a row of two: its hidden card fills the row, shown or not."""
    deadeye, basher = 5, 0
    for shown in ([(deadeye, basher)], [(deadeye, basher), (HIDDEN, NOBODY)]):
        own, opp = replay(shown, 2)
        assert own[1] == hidden_slot(0)
        assert len(opp) == 1
