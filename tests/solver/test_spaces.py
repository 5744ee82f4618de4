"""Private states: what may leave a hand, and where that leads."""

from __future__ import annotations

import numpy as np
import pytest

from engine.ragers.day import day_tables
from solver.hidden_hands.problem import private_spaces
from tests.oracles.games import ASYMMETRIC, SYMMETRIC, TinyGame

GAMES = [game for game in (*SYMMETRIC, *ASYMMETRIC) if game.num_nodes < 5_000]


@pytest.mark.parametrize("game", GAMES, ids=[game.name for game in GAMES])
def test_every_action_leads_to_a_level(game: TinyGame) -> None:
    """Also those that an empty hand does not have: kernels look up how many remainders there are."""
    _, both = private_spaces(day_tables(game.rules(), game.patron, game.cheers))
    for spaces in both:
        levels = spaces.remainder_level
        assert levels.min() >= 0
        assert levels.max() < spaces.level_start.size - 1
        pairs = spaces.segment[:, :, 1:] - spaces.segment[:, :, :-1]
        sizes = np.diff(spaces.level_start)
        for kind, level, action in np.argwhere(pairs > 0):
            first = spaces.segment[kind, level, action]
            rests = spaces.pair_rest[first : first + pairs[kind, level, action]]
            assert rests.max() < sizes[levels[kind, level, action]]
