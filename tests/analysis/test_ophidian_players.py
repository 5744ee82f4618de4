"""Players of Ophidian by their names, and what a search leaves to rules of thumb and to proofs."""

from __future__ import annotations

from math import comb
from typing import Any

import pytest

from analysis.ophidian.learned import carried
from analysis.ophidian.players import (
    Budget,
    game_of,
    opponent_named,
    player_named,
    values_player,
    waiting,
)
from analysis.ophidian.responses import _none_of
from engine.ophidian.reference import (
    seat_of,
)
from engine.ophidian.rules import load_rules
from engine.ophidian.sampling import WAITS_AT

RULES = load_rules()
GAME = game_of(RULES, [seat_of(RULES, deck) for deck in ("storm", "patron")])


def test_who_looks_one_move_ahead_waits_for_chance() -> None:
    assert waiting(GAME).tables[WAITS_AT] == 1
    assert GAME.tables[WAITS_AT] == 0
    trained = carried(RULES)
    assert trained is not None
    for player in (
        values_player(GAME, trained),
        opponent_named("values", RULES, GAME, Budget()),
        player_named("values", RULES, GAME, Budget(), trained),
    ):
        asked: Any = player
        assert asked.temperature == pytest.approx(0.02)


@pytest.mark.parametrize(
    ("copies", "total", "cards"), [(3, 51, 7), (1, 2, 1), (0, 5, 3), (5, 5, 1), (3, 5, 3), (2, 9, 0)]
)
def test_a_hand_has_none_of_some_copies_by_the_number_of_hands(copies: int, total: int, cards: int) -> None:
    expected = comb(total - copies, cards) / comb(total, cards)
    assert _none_of(copies, total, cards) == pytest.approx(expected)
