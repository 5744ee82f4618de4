"""Tiny matches of two days, solved exactly over the whole tree."""

from __future__ import annotations

import pytest

from solver.extensive import build_game
from solver.sequence_form import solve_sequence_form
from tests.oracles.tiny_match import TinyMatch, tiny_rules


@pytest.mark.kernels
def test_exact_value_where_nothing_is_unknown_after_the_first_day() -> None:
    """The Defenders win ties (M3), so equal decks are not worth nothing."""
    solution = solve_sequence_form(build_game(TinyMatch(tiny_rules("basher slasher prodder stopper"))))
    assert solution.value == pytest.approx(-0.375, abs=1e-8)
    assert solution.nash_conv <= 1e-8


@pytest.mark.slow
def test_exact_value_where_a_card_stays_unknown() -> None:
    deck = "basher basher slasher slasher prodder"
    rules = tiny_rules(deck, ("two-bashers", "two-slashers"))
    solution = solve_sequence_form(build_game(TinyMatch(rules)))
    assert solution.value == pytest.approx(-0.191998, abs=1e-6)
    assert solution.nash_conv <= 1e-7
