"""Random playouts on Raverun's kernel: their choices and their results."""

from __future__ import annotations

import random

import numpy as np
import pytest

from engine.raverun.kernel_rules import kernel_rules
from engine.raverun.playouts import playouts
from engine.raverun.reference import winner
from tests.engine.raverun.plays import BOX, random_states


@pytest.mark.parametrize("num_players", [2, 3])
def test_results_agree_with_the_reference(num_players: int) -> None:
    num_games, many = 600, 100_000
    rng = random.Random(11)
    lengths, wins = [], np.zeros(num_players)
    for _ in range(num_games):
        states = list(random_states(BOX, rng, num_players))
        lengths.append(len(states) - 1)
        best = winner(states[-1])
        if best is not None:
            wins[best] += 1
    result = playouts(kernel_rules(BOX, num_players), many, 5)
    assert abs(np.mean(lengths) - result.transitions / many) < 5 * np.std(lengths) / np.sqrt(num_games)
    assert np.all(np.abs(wins / num_games - np.array(result.wins) / many) < 5 * 0.5 / np.sqrt(num_games))
    assert sum(result.wins) + result.draws == many
    assert result == playouts(kernel_rules(BOX, num_players), many, 5)
    with pytest.raises(ValueError, match="at least 1"):
        playouts(kernel_rules(BOX, num_players), 0, 1)


def test_random_play_favours_no_seat() -> None:
    result = playouts(kernel_rules(BOX, 2), 200_000, 8)
    # Nothing in the rules tells the seats apart but the order of unseen choices: deviation 224.
    assert abs(result.wins[0] - result.wins[1]) < 5 * 2 * 224
