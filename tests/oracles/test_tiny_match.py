"""Tiny matches of two days, solved exactly over the whole tree."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from solver.extensive import build_game
from solver.sequence_form import solve_sequence_form
from tests.oracles.composed_match import composed
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


@dataclass(frozen=True)
class Composed:
    """A tiny match whose days are put together, as docs/last-day.md tells of it."""

    deck: str
    cheers: tuple[str, ...]
    states: int
    value: float
    nash_conv: float


COMPOSED = (
    Composed("basher slasher prodder stopper", (), 93, -0.375, 0.0),
    # Second days believe in fresh hands; who comes there has kept some cards on purpose.
    Composed("basher basher slasher slasher prodder", ("two-bashers", "two-slashers"), 49, -0.191998, 0.109),
)


@pytest.mark.slow
@pytest.mark.parametrize("match", COMPOSED, ids=["all-known", "a-card-unknown"])
def test_days_put_together_find_the_value_and_may_be_exploited(match: Composed) -> None:
    """They are exact where nothing is unknown after the first day. NashConv is of a range of 2."""
    rules = tiny_rules(match.deck, match.cheers) if match.cheers else tiny_rules(match.deck)
    value, found, states = composed(rules)
    assert states == match.states
    assert value == pytest.approx(match.value, abs=1e-6)
    assert found.nash_conv == pytest.approx(match.nash_conv, abs=6e-4)
